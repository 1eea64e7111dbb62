/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* JSON that a workspace holds, which may be anybody's. */

/* A node that holds an object; NULL: @text is NULL, nests too deep or is something else. */
JsonNode *ts_json_read (const char *text);
/* The member of that name; @fallback: there is none of that type. */
const char *ts_json_text (JsonObject *object, const char *name, const char *fallback);
gint64 ts_json_int (JsonObject *object, const char *name, gint64 fallback);
/* NULL: there is none. */
JsonArray *ts_json_array (JsonObject *object, const char *name);
/* Element @i; NULL: it is something else. */
JsonObject *ts_json_array_object (JsonArray *array, guint i);
const char *ts_json_array_text (JsonArray *array, guint i);

G_END_DECLS
