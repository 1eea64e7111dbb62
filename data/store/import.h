/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/point.h"
#include "data/store/workspace.h"
#include "data/store/writer.h"

G_BEGIN_DECLS

/* Bringing in runs that somebody else recorded (event files), many points at a time and exactly once: how far a
 * source has been read is committed with what it gave.  Everything is gathered here and written by
 * ts_import_commit in one transaction on the writer's thread.  Used by one thread; the objects below belong to
 * the import and live as long as it does. */
typedef struct TsImport TsImport;
typedef struct TsImportRun TsImportRun;
typedef struct TsImportAttempt TsImportAttempt;
typedef struct TsImportSeries TsImportSeries;

/* Reads which sources the workspace has already seen. */
TsImport *ts_import_new (TsWriter *writer, GError **error);
void ts_import_free (TsImport *import);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsImport, ts_import_free)

/* All that was gathered since the last commit.  FALSE: what came last is not in the file; it is
 * kept, and the next commit tries again. */
gboolean ts_import_commit (TsImport *import, GError **error);
/* The same, but it is being written while the caller gathers on: once the commit before has
 * ended, which may have failed. */
gboolean ts_import_commit_begin (TsImport *import, GError **error);
/* Is so much gathered that it should be committed? */
gboolean ts_import_is_due (const TsImport *import);

/* --- Sources --- */

/* How far a file has been read. */
typedef struct {
  char *path; /* absolute */
  guint64 dev, inode;
  gint64 offset, size, mtime_ns;
  guint32 head_crc; /* of its first bytes, to know a file that was replaced */
  gint64 bad_records;
  TsImportRun *run;
  TsImportAttempt *attempt; /* the last one it gave points to */
} TsImportSource;

/* NULL: never seen.  Borrowed; what is changed in it is written by the next commit. */
TsImportSource *ts_import_find_source (TsImport *import, const char *path);
/* A new one, to be filled by the caller.  Takes the place of the one of that path. */
TsImportSource *ts_import_add_source (TsImport *import, const char *path, TsImportRun *run,
                                      TsImportAttempt *attempt);
/* The source has changed. */
void ts_import_touch_source (TsImport *import, TsImportSource *source);

/* With the next commit every run of the import that is not in @kept goes to the trash and its sources are
 * forgotten: files of that name make a new run. */
void ts_import_forget_runs (TsImport *import, GHashTable *kept);

/* --- Runs and attempts --- */

/* A new run in state imported.  When a live run has the name, a number is added to it. */
TsImportRun *ts_import_add_run (TsImport *import, const char *name, TsImportRun *parent);
const char *ts_import_get_name (const TsImportRun *run);
/* NULL: none, or it was not made by this import. */
TsImportRun *ts_import_get_parent (const TsImportRun *run);
/* Times in µs; 0: unknown. */
void ts_import_set_times (TsImport *import, TsImportRun *run, gint64 created_us, gint64 ended_us);
gint64 ts_import_get_created_us (const TsImportRun *run);
gint64 ts_import_get_ended_us (const TsImportRun *run);
/* Replaces the value of that key. */
void ts_import_set_hparam (TsImport *import, TsImportRun *run, const TsHparam *hparam);
/* A graph by name; replaces one of that name.  @format: TS_GRAPH_…. */
#define TS_GRAPH_JSON         0 /* the trainer's */
#define TS_GRAPH_DEF          1 /* a GraphDef */
#define TS_GRAPH_KERAS        2 /* Keras' JSON */
#define TS_GRAPH_RUN_METADATA 3 /* a RunMetadata */
void ts_import_set_graph (TsImport *import, TsImportRun *run, const char *name, int format,
                          GBytes *bytes);
/* A message about the run: what was damaged. */
void ts_import_add_note (TsImport *import, TsImportAttempt *attempt, TsSeverity severity,
                         const char *text);

/* @by_series: of each series it has points of, it hides the earlier attempts' points from its own lowest step
 * on.  @hides: it hides all of the earlier attempts' from @resume_step on (docs/run-file.md, I7). */
TsImportAttempt *ts_import_add_attempt (TsImport *import, TsImportRun *run, const char *origin,
                                        gint64 started_us, gboolean by_series, gboolean hides,
                                        gint64 resume_step);
guint ts_import_count_attempts (const TsImportRun *run);
/* Calls @func for each series that the file already has of the run. */
typedef void (*TsImportTagFunc) (const char *tag, const char *meta, gpointer user_data);
gboolean ts_import_each_series (TsImport *import, const TsImportRun *run, TsImportTagFunc func,
                                gpointer user_data, GError **error);
/* Its file grows although later attempts have begun: these do not take its place series by series after all. */
void ts_import_attempt_goes_on (TsImport *import, TsImportAttempt *attempt);
/* Nothing has come of it yet, and it is not in the file. */
gboolean ts_import_attempt_is_empty (const TsImportAttempt *attempt);
/* As @hides and @resume_step above, for an empty one. */
void ts_import_set_resume_step (TsImportAttempt *attempt, gint64 resume_step);

/* --- What a run recorded --- */

/* @tag: bytes, not always UTF-8.  @meta: JSON or NULL, kept when the series is new. */
TsImportSeries *ts_import_series (TsImport *import, TsImportAttempt *attempt, const char *tag,
                                  TsSeriesKind kind, const char *meta);
/* Wall times are the bits of seconds (TS_WALL_SECONDS). */
void ts_import_add_point (TsImport *import, TsImportSeries *series, const TsPoint *point);
/* A sample that is no scalar; @codec as in data/store/item.h. */
void ts_import_add_item (TsImport *import, TsImportSeries *series, gint64 step, gint64 wall,
                         int codec, const char *meta, GBytes *bytes);

G_END_DECLS
