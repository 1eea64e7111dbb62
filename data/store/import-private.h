/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/import.h"
#include "data/store/writer-private.h"

G_BEGIN_DECLS

/* What an import has gathered (import.c), and how it is written (import-write.c).  Ids are given out on the
 * writer's thread inside the transaction; in_file is set when it has been committed, so a transaction that
 * failed can be tried again. */

typedef struct {
  gint64 step, wall;
  int codec;
  char *meta;
  GBytes *bytes;
} TsImportItem;

struct TsImportSeries {
  TsImportAttempt *attempt;
  const char *tag; /* interned */
  TsSeriesKind kind;
  char *meta;
  GArray *points;          /* of TsPoint, NULL: none waiting */
  GArray *items;           /* of TsImportItem, likewise */
  TsLod *lod, *staged_lod; /* as in TsSeries, when last sealed */
  gboolean waiting;
};

typedef struct {
  TsSeverity severity;
  char *text;
} TsImportNote;

struct TsImportAttempt {
  TsImportRun *run;
  gint64 attempt_id;
  gboolean in_file;
  char *origin;
  gint64 started_us, resume_step;
  gboolean by_series, hides;
  gboolean goes_on;   /* later ones hide nothing of it series by series; to be written */
  GHashTable *series; /* TsImportKey → TsImportSeries */
  GArray *notes;      /* of TsImportNote */
};

typedef struct {
  const char *tag; /* interned */
  int kind;
} TsImportKey;

typedef struct {
  char *name;
  int format;
  GBytes *bytes;
} TsImportGraph;

struct TsImportRun {
  TsImportRun *parent;
  char *name;
  gint64 run_id;
  gboolean in_file, times_changed;
  gboolean gone, forgotten; /* to be trashed; has been */
  gint64 created_us, ended_us;
  GPtrArray *hparams;     /* of TsImportHparam, waiting */
  GArray *graphs;         /* of TsImportGraph, waiting */
  GHashTable *series_ids; /* TsImportKey → gint64 *, of those in the file */
  guint n_attempts;
};

typedef struct {
  TsHparam p; /* texts owned */
} TsImportHparam;

struct TsImport {
  TsWriter *writer;
  GPtrArray *runs, *attempts, *sources;
  GHashTable *by_path; /* path → TsImportSource */
  GPtrArray *waiting;  /* series with something to write, in the order they got it */
  GPtrArray *new_ids;  /* of NewId: series made in the open transaction */
  GHashTable *touched; /* sources to write */
  gsize bytes;
};

void ts_import_hparam_free (gpointer hparam);
GHashTable *ts_import_key_table (GDestroyNotify free_value);

/* The request of a commit and what follows its COMMIT. */
gboolean ts_import_write (TsWriter *writer, gpointer import, GError **error);
void ts_import_written (TsWriter *writer, gpointer import);
/* The request that reads what is known. */
gboolean ts_import_load (TsWriter *writer, gpointer import, GError **error);

G_END_DECLS
