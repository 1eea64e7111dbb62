/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/reader.h"

G_BEGIN_DECLS

/* Runs as event files that TensorBoard shows as it would its own: every run a folder below @folder, every
 * attempt a file in it; where a later attempt hides points of an earlier one, each has a folder of its own
 * (NAME.attempt-1), because TensorBoard knows no attempts.
 *
 * Scalars whose values are all those of a binary32 are DT_FLOAT; others are rounded to one, or with @exact stay
 * DT_DOUBLE, which TensorBoard's fast loader does not show. */

typedef struct {
  guint runs, files;
  guint64 values;
  GPtrArray *problems; /* of char *: what could not be written as an event */
} TsLogExportReport;

/* @runs: names; none: all.  @folder must not be there, or be empty.  Errors: TS_EVENTS_ERROR, the store's. */
gboolean ts_log_export (TsReader *reader, char **runs, const char *folder, gboolean exact,
                        TsLogExportReport *report, GError **error);
void ts_log_export_report_clear (TsLogExportReport *report);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsLogExportReport, ts_log_export_report_clear)

G_END_DECLS
