/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cli.h"

G_BEGIN_DECLS

/* Runs as JSON, in the shapes that scripts rely on: keys are added, never renamed. */

/* {"run", "uuid", "state", "created", "tags", "points", "hparams", "last": {TAG: value}} */
void ts_run_json_summary (JsonBuilder *builder, const TsRun *run);

/* {"run", "state", "hparams", "sessions": […], "tags": {TAG: {…}}, "checkpoints": […], …}.
 * @latest: points that a later attempt overtook are left out. */
gboolean ts_run_json_full (JsonBuilder *builder, TsReader *reader, const TsRun *run,
                           gboolean latest, GError **error);

G_END_DECLS
