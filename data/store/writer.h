/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/base/event.h"
#include "engine/base/hparam.h"

G_BEGIN_DECLS

/* The one who writes a workspace: a thread that owns the only read-write connection.  It collects
 * what the sinks of any number of runs push and commits it every 250 ms or 1 MB; what a watermark
 * has announced survives kill -9 and power loss.  docs/run-file.md has the protocol.
 *
 * Unless said otherwise a function may be called from any thread but the writer's own (that is:
 * not from the watermark callback). */
typedef struct TsWriter TsWriter;

/* Zero means the default of that field. */
typedef struct {
  guint commit_ms;        /* 250 */
  guint commit_bytes;     /* 1 MB of points waiting */
  guint cycle_commits;    /* 40: every series is sealed once in so many commits */
  guint retry_min_ms;     /* 250: first wait after a failed write; doubles … */
  guint retry_max_ms;     /* … up to 5000 */
  guint queue_capacity;   /* 4096 events */
  guint checkpoint_bytes; /* 4 MB: WAL size that starts a checkpoint */
} TsWriterOptions;

/* Creates the workspace (also in place of an empty file) or opens it, takes its lock, and seals
 * what a killed writer left.  @options may be NULL.  Errors: OPEN, NOT_A_WORKSPACE, NEWER_VERSION,
 * LOCKED, READ_ONLY, DISK_FULL, CORRUPT. */
TsWriter *ts_writer_open (const char *path, GError **error);
TsWriter *ts_writer_open_with (const char *path, const TsWriterOptions *options, GError **error);

/* Commits and seals everything, truncates the WAL, joins the thread, lets the lock go and frees
 * the writer with its sinks.  A write that fails is tried three times; FALSE: some of what was
 * pushed last is lost and @error says why.  Nobody may push any more. */
gboolean ts_writer_close (TsWriter *writer, GError **error);

/* Waits until all that was pushed before the call is committed.  When the disk refuses, returns
 * FALSE at once; what is waiting stays and is tried again. */
gboolean ts_writer_flush (TsWriter *writer, GError **error);

/* Borrowed, absolute: the workspace, and the folder where its checkpoint files belong (it may not
 * exist yet). */
const char *ts_writer_get_path (TsWriter *writer);
const char *ts_writer_get_folder (TsWriter *writer);

/* --- Runs --- */

/* All pointers are borrowed during the call; any may be NULL. */
typedef struct {
  const char *name; /* NULL: made from the model's name, "mlp-3"; else unique among live runs */
  const char *model_name, *model_text;
  const char *data_name, *data_hash, *data_split;
  guint64 seed;
  const char *isa, *blas_core, *blas_version;
  guint threads;
  const TsHparam *hparams;
  guint n_hparams;
  const char *parent; /* uuid of the run this was forked from */
} TsRunInfo;

typedef struct {
  gint64 run_id, attempt_id;
  char uuid[37];
  char name[256]; /* cut at a whole character when longer */
} TsRunRef;

/* A new run in state running with its attempt 0, committed on return.  Errors: EXISTS (the name),
 * NOT_FOUND (the parent), and those of writing. */
gboolean ts_writer_begin_run (TsWriter *writer, const TsRunInfo *info, TsRunRef *ref,
                              GError **error);

/* A new attempt of the run; its state is running again.  @resume_step is the first step number the
 * attempt may write: points of earlier attempts with step >= @resume_step become hidden (never
 * deleted).  Who resumes from a checkpoint taken after S steps passes S + 1; who starts again from
 * nothing passes 0.  The sinks of the run's earlier attempts take nothing any more.  Errors:
 * NOT_FOUND and those of writing. */
gboolean ts_writer_resume_run (TsWriter *writer, const char *uuid, gint64 resume_step,
                               TsRunRef *ref, GError **error);

/* Where the trainer pushes the attempt's events.  Borrowed; lives until ts_writer_close.  NULL
 * when this writer did not begin @ref.  A full queue makes push wait, except for histograms, which
 * are dropped and counted while it is more than three quarters full.  push fails (TS_STORE_ERROR)
 * when the writer is closed or the file turned out to be damaged.  A checkpoint's file must lie
 * in ts_writer_get_folder. */
TsSink *ts_writer_get_sink (TsWriter *writer, const TsRunRef *ref);

/* --- Watermarks --- */

typedef struct {
  gint64 run_id;
  guint64 generation; /* grows with each commit of the writer */
  gint64 step;        /* of the last point committed */
  guint64 points;     /* scalars of this attempt committed so far */
  guint64 thinned;    /* histograms of this attempt dropped so far */
  GError *error;      /* why the last commit failed, or NULL */
} TsWatermark;

/* Called on the writer's thread after each COMMIT, once for each run it touched, and after each
 * commit that failed.  It must be quick and must not call the writer.  Set it before the first run
 * begins. */
typedef void (*TsWatermarkFunc) (const TsWatermark *watermark, gpointer user_data);
void ts_writer_set_watermark_func (TsWriter *writer, TsWatermarkFunc func, gpointer user_data);

/* A copy of the run's latest, to be given to ts_watermark_clear.  FALSE when this writer did not
 * begin or resume the run. */
gboolean ts_writer_get_watermark (TsWriter *writer, gint64 run_id, TsWatermark *watermark);
void ts_watermark_clear (TsWatermark *watermark);

/* --- Keeping house --- */

/* Each is committed on return.  Errors: NOT_FOUND (no run with that id), EXISTS (a live run has the
 * name), and those of writing. */
gboolean ts_writer_rename_run (TsWriter *writer, gint64 run_id, const char *name, GError **error);
gboolean ts_writer_set_note (TsWriter *writer, gint64 run_id, const char *note, GError **error);
gboolean ts_writer_set_pinned (TsWriter *writer, gint64 run_id, gboolean pinned, GError **error);
gboolean ts_writer_set_archived (TsWriter *writer, gint64 run_id, gboolean archived,
                                 GError **error);
/* Into the trash with the date of now, or out of it. */
gboolean ts_writer_set_trashed (TsWriter *writer, gint64 run_id, gboolean trashed, GError **error);
/* What is in the trash for good, with its checkpoint files, in many small transactions; the file
 * shrinks.  A run that was purged half is an empty one in the trash.  Errors also: EXISTS (it is
 * not in the trash). */
gboolean ts_writer_purge_run (TsWriter *writer, gint64 run_id, GError **error);
gboolean ts_writer_add_label (TsWriter *writer, gint64 run_id, const char *label, GError **error);
gboolean ts_writer_remove_label (TsWriter *writer, gint64 run_id, const char *label,
                                 GError **error);

G_END_DECLS
