/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/writer.h"

G_BEGIN_DECLS

typedef struct {
  guint added, known,
      grown; /* runs: new here; here already; here already with less, and now with all */
} TsMergeReport;

/* Takes the runs of the workspace @from into the writer's, by their uuids: one that is there
 * with as much is left alone, so that doing it twice changes nothing; of one that is there with
 * fewer points the rest comes, and what was done to it here (name, note, pin, trash) stays.  One
 * transaction: all or nothing.  Checkpoint files beside @from are not copied; those packed
 * inside are, and stay inside until ts_unpack.  Errors: the reader's for @from, and those of writing. */
gboolean ts_merge (TsWriter *writer, const char *from, TsMergeReport *report, GError **error);

G_END_DECLS
