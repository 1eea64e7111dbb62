/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/import.h"
#include "data/store/writer-private.h"

G_BEGIN_DECLS

/* An import gathers (import.c) what one commit will write into a batch, and hands it over to the
 * writer's thread (import-write.c) while it gathers on into the next.  A batch that was handed
 * over does not change, so it can be tried again when it could not be written.  Ids are given
 * out on the writer's thread inside the transaction; in_file is set when it has been committed.
 * Both, and series_ids, are the writer's thread's. */

typedef struct {
  gint64 step, wall;
  int codec;
  char *meta;
  GBytes *bytes;
} TsImportItem;

typedef struct {
  TsImportSeries *series;
  GArray *points; /* of TsPoint, NULL: none */
  guint room;     /* that it has */
  GArray *items;  /* of TsImportItem, likewise */
  TsReadyChunk *ready;
  gsize ready_at; /* its bytes in those of the batch */
} TsImportSeriesWork;

struct TsImportSeries {
  TsImportAttempt *attempt;
  const char *tag; /* interned */
  TsSeriesKind kind;
  char *meta;
  TsLod *lod, *staged_lod;  /* as in TsSeries, when last sealed; the writer's thread's */
  TsImportSeriesWork *work; /* in the batch being gathered; NULL: none */
  gboolean known;           /* has been handed over */
};

typedef struct {
  TsSeverity severity;
  char *text;
} TsImportNote;

typedef struct {
  TsImportAttempt *attempt;
  gboolean is_new, goes_on; /* goes_on: later ones hide nothing of it series by series */
  GArray *notes;            /* of TsImportNote */
} TsImportAttemptWork;

struct TsImportAttempt {
  TsImportRun *run;
  gint64 attempt_id;
  gboolean in_file;
  char *origin;
  gint64 started_us, resume_step;
  gboolean by_series, hides;
  GHashTable *series; /* TsImportKey → TsImportSeries */
  TsImportAttemptWork *work;
};

typedef struct {
  const char *tag; /* interned */
  int kind;
} TsImportKey;

typedef struct {
  TsImportKey key; /* first: it is found by it */
  gint64 series_id;
} TsImportId;

typedef struct {
  char *name;
  int format;
  GBytes *bytes;
} TsImportGraph;

typedef struct {
  TsHparam p; /* texts owned */
} TsImportHparam;

typedef struct {
  TsImportRun *run;
  gboolean has_times, gone;
  gint64 created_us, ended_us;
  GPtrArray *hparams; /* of TsImportHparam */
  GArray *graphs;     /* of TsImportGraph */
} TsImportRunWork;

struct TsImportRun {
  TsImportRun *parent;
  char *name;
  gint64 run_id;
  gboolean in_file;
  gboolean is_ours;       /* made by this import: all its series are in series_ids */
  GHashTable *series_ids; /* TsImportKey in TsImportId → TsImportId, of those in the file */
  /* the gathering thread's */
  gint64 created_us, ended_us;
  gboolean known,
      forgotten; /* known: in a batch that was handed over, or in the file from the start */
  guint n_attempts;
  TsImportRunWork *work;
};

typedef struct {
  TsImportRun *run;
  const TsImportId *id; /* in its series_ids */
} TsImportNewId;

typedef struct {
  TsImport *import;
  GPtrArray *runs, *attempts, *series, *sources; /* of the works, and of copies of TsImportSource */
  GArray *new_ids; /* of TsImportNewId, of the transaction that is open or failed */
  gsize bytes;
  GByteArray *ready; /* the bytes of its ready chunks */
  /* while it is being written */
  pthread_t thread;
  gint done; /* atomic: the thread is about to end */
  gboolean ok;
  GError *error;
} TsImportBatch;

struct TsImport {
  TsWriter *writer;
  GPtrArray *runs, *attempts, *sources;
  GHashTable *by_path;   /* path → TsImportSource */
  GHashTable *touched;   /* sources that go into the next batch */
  guint n_batches;       /* handed over so far */
  GPtrArray *spare;      /* of GArray of TsPoint, from batches that are in the file */
  TsImportBatch *batch;  /* being gathered */
  TsImportBatch *flight; /* being written by its thread; NULL: none */
  TsImportBatch *failed; /* to be tried again before anything else; NULL: none */
};

void ts_import_hparam_free (gpointer hparam);
void ts_import_source_free (gpointer source);

/* import-batch.c: the batch being gathered, and the parts of it that speak of one thing, made
 * when there is none yet. */
TsImportBatch *ts_import_batch_new (TsImport *import);
void ts_import_batch_free (TsImportBatch *batch);
TsImportRunWork *ts_import_run_work (TsImport *import, TsImportRun *run);
TsImportAttemptWork *ts_import_attempt_work (TsImport *import, TsImportAttempt *attempt);
TsImportSeriesWork *ts_import_series_work (TsImport *import, TsImportSeries *series);
GArray *ts_import_items (TsImportSeriesWork *work);

GHashTable *ts_import_key_table (GDestroyNotify free_value);

/* The request of a commit and what follows its COMMIT; @batch: a TsImportBatch. */
gboolean ts_import_write (TsWriter *writer, gpointer batch, GError **error);
void ts_import_written (TsWriter *writer, gpointer batch);
/* Waits for the batch that is being written. */
gboolean ts_import_settle (TsImport *import, GError **error);
/* The request that reads what is known. */
gboolean ts_import_load (TsWriter *writer, gpointer import, GError **error);

G_END_DECLS
