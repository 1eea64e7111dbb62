/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

#include "data/events/log-event.h"

G_BEGIN_DECLS

/* What plugins say in messages of their own, as JSON for the store (docs/run-file.md, "Imports"). */

/* A Layout of custom scalars (tensorboard/plugins/custom_scalar/layout.proto):
 *   [{"title": …, "closed": …, "charts": [{"title": …, "tags": [regular expression, …]} or
 *                                         {"title": …, "margins": [{"value": …, "lower": …, "upper": …}, …]}]}]
 * NULL: it is none. */
JsonNode *ts_plugin_layout (TsSlice bytes);

/* A MeshPluginData (…/mesh/plugin_data.proto): {"name": …, "part": "vertex"|"face"|"color", "config": …}, the
 * scene's configuration as the text (of JSON) that the writer gave.  NULL: it is none. */
JsonNode *ts_plugin_mesh (TsSlice bytes);

/* {@key: @value}, in text; takes @value. */
char *ts_plugin_dup_text (const char *key, JsonNode *value);

G_END_DECLS
