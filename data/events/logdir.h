/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/import.h"

G_BEGIN_DECLS

/* A folder of event files, as TensorBoard is given one: every folder below it that holds a file with "tfevents"
 * in its name is a run, named by its path below the folder.  Links are followed, each folder once on a way
 * down.  No descriptor stays open between two files.  Used by one thread. */
typedef struct TsLogdir TsLogdir;

/* @path: a folder, or one event file.  @name: of the run that the folder itself is; NULL: the
 * folder's.  Errors: TS_EVENTS_ERROR_OPEN. */
TsLogdir *ts_logdir_new (TsImport *import, const char *path, const char *name, GError **error);
void ts_logdir_free (TsLogdir *logdir);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsLogdir, ts_logdir_free)

/* There will be one pass only: what is known of a folder is let go when it has been read. */
void ts_logdir_set_once (TsLogdir *logdir);
/* Runs whose files are all gone leave the workspace with the next pass; else they stay. */
void ts_logdir_set_forgetful (TsLogdir *logdir);
/* The folders that the last pass looked into (of char *, borrowed). */
GPtrArray *ts_logdir_get_folders (const TsLogdir *logdir);

/* What one pass met. */
typedef struct {
  guint runs, files; /* all there are */
  guint files_read;  /* that had something new */
  guint64 records, bytes, damaged;
  GPtrArray *problems; /* of char *: a sentence each, with the file and the place */
} TsLogdirReport;

void ts_logdir_report_clear (TsLogdirReport *report);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsLogdirReport, ts_logdir_report_clear)

/* Makes the present pass and those to come end early, with what was read committed.  From any thread. */
void ts_logdir_cancel (TsLogdir *logdir);

/* Finds what is there now, reads what is new in each file into the import and commits it.  A file that cannot
 * be read is a problem of the report and changes nothing else.  Errors: the store's. */
gboolean ts_logdir_scan (TsLogdir *logdir, TsLogdirReport *report, GError **error);

G_END_DECLS
