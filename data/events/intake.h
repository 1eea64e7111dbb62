/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/events/log-event.h"
#include "data/store/import.h"

G_BEGIN_DECLS

/* The events of one run on their way into an import: what a tag is (a tag's metadata comes with its first value
 * only, in whichever file), which attempt a point belongs to, where attempts begin.  Used by one thread. */
typedef struct TsIntake TsIntake;

/* @run stays with the import. */
TsIntake *ts_intake_new (TsImport *import, TsImportRun *run);
void ts_intake_free (TsIntake *intake);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsIntake, ts_intake_free)

/* The following events come from @path; @attempt: the one it gave points to last, or NULL.  @replaced: it is
 * another file than the one of that name before: hide all that came before.  Errors: the store's. */
gboolean ts_intake_begin_file (TsIntake *intake, const char *path, TsImportAttempt *attempt,
                               gboolean replaced, GError **error);
/* One record.  FALSE: it is no event. */
gboolean ts_intake_add (TsIntake *intake, const guint8 *data, gsize size);
/* Tells the import when the run began and ended, as far as it has been read: before each commit. */
void ts_intake_settle (TsIntake *intake);
/* The attempt of the file's events so far; made when there is none yet. */
TsImportAttempt *ts_intake_get_attempt (TsIntake *intake);

G_END_DECLS
