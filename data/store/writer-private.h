/* SPDX-License-Identifier: MIT */
#pragma once

#include <pthread.h>

#include "data/store/lock.h"
#include "data/store/point.h"
#include "data/store/bucket.h"
#include "data/store/sql-private.h"
#include "data/store/workspace.h"
#include "data/store/writer.h"
#include "engine/base/queue.h"

G_BEGIN_DECLS

/* The writer's parts.  Everything here belongs to the writer's thread, except where a comment names
 * the lock or says atomic.
 *
 * Memory follows the file by staging: a transaction only reads the counters below and fills the
 * staged_* fields; ts_batch_apply moves them over after COMMIT.  A failed transaction therefore
 * needs no undoing, and the same batch can be tried again to the byte. */

typedef struct TsAttempt TsAttempt;
typedef struct TsLod TsLod; /* levels of detail, as far as they are not in rows */

/* Made ahead of all points of a series that has none in the file yet, fewer than fill a chunk. */
typedef struct {
  const guint8 *data; /* of the chunk */
  gsize size;
  guint n;
  int codec;
  TsBucket bucket;
  TsStats stats;
} TsReadyChunk;

typedef struct {
  TsAttempt *attempt;
  gint64 series_id, tag_id;
  const char *tag; /* interned */
  TsSeriesKind kind;
  gboolean in_file;
  gboolean is_new;  /* its row, with @meta, is made when its head is first written */
  const char *meta; /* borrowed; NULL: none */
  TsWallKind wall;  /* of its points in this attempt */
  GArray *points;   /* of TsPoint, scalars only: from seq0 on, the open chunk and what follows */
  gint64 seq0;      /* seq of points[0] */
  gint64 committed; /* seq after the last committed point */
  gint64 sealed;    /* seq after the last sealed point: series.next_seq */
  TsStats stats;    /* over the points before sealed */
  /* items: the next seq to give away; kept apart from committed until COMMIT */
  gint64 next_item;
  TsStats item_stats;
  gboolean staged;
  gint64 staged_sealed, staged_seq0;
  TsStats staged_stats;
  const TsReadyChunk *ready; /* borrowed; NULL: none */
  TsLod *lod; /* over the points before sealed; NULL: not looked up yet */
  TsLod *staged_lod;
} TsSeries;

struct TsAttempt {
  TsSink sink; /* first: a TsSink * is a TsAttempt * */
  TsWriter *writer;
  gint64 run_id, attempt_id;
  GHashTable *scalars, *histograms; /* interned tag → TsSeries, owned by the first two arrays */
  GPtrArray *series;                /* all of them */
  gint64 last_step;                 /* of the last scalar taken in */
  guint64 points;                   /* taken in */
  guint64 thinned;                  /* atomic: counted by push */
  guint64 thinned_in_file, staged_thinned;
  gboolean touched; /* has something in the batch */
  gboolean ending;  /* END is in the batch: seal it */
  gint over;        /* atomic: a later attempt of the run has begun, nothing more is taken */
  /* under writer->lock */
  TsWatermark mark;
};

/* An event other than scalars waiting for its commit. */
typedef struct {
  TsAttempt *attempt;
  TsEvent *event;   /* owned */
  TsSeries *series; /* histograms */
  gint64 seq;
} TsWaiting;

typedef struct TsRequest TsRequest;

/* What travels in the queue: an event of an attempt, or a request. */
typedef struct {
  TsAttempt *attempt;
  TsEvent *event;
  TsRequest *request;
} TsMessage;

struct TsWriter {
  TsSql *sql;
  TsLock *file_lock;
  guint8 token[TS_LOCK_TOKEN_BYTES];
  char *path, *folder;
  TsWriterOptions options;
  TsQueue *queue;
  pthread_t thread;

  pthread_mutex_t lock;
  pthread_cond_t changed; /* a request is done, the writer got stuck, or it is to close */
  gboolean closing;       /* under lock */
  GError *stuck;          /* under lock: why the last commit failed, while it is being retried */
  GError *dead;           /* under lock: the writer has given up for good */
  GPtrArray *attempts;    /* under lock, of TsAttempt */
  TsWatermarkFunc func;   /* under lock */
  gpointer func_data;

  GHashTable *tags; /* interned name → TsTag */
  gint64 next_tag_id, next_series_id;
  gint64 tags_in_file; /* every tag with a smaller id is */
  GArray *waiting;     /* of TsWaiting */
  gsize waiting_bytes;
  gint64 first_us; /* monotonic: when the batch got its first entry; 0 when empty */
  guint64 generation;
  gint64 last_flush_id, staged_flush_id;
  gint64 covered_flush_id, staged_covered; /* rows up to it have been deleted */
  GPtrArray *cycle;                        /* series that the present sealing cycle walks through */
  guint cycle_at, staged_cycle_at;
  guint cycle_commits;
  gsize cycle_bytes;
  gint64 cycle_flush_id; /* rows up to it are covered when the cycle ends */
  GPtrArray *doomed;     /* absolute paths of checkpoint files to delete after COMMIT */
  GByteArray *buffer;
  guint chunk_guess; /* points that filled the last full chunk */
  gint64 wal_frames, checkpoint_frames;
  gint64 retry_us; /* monotonic: earliest next try */
  guint retry_ms;
};

typedef struct {
  gint64 tag_id;
  const char *name; /* interned */
} TsTag;

/* batch.c: what waits, and its transaction */
void ts_batch_take (TsWriter *writer, TsAttempt *attempt, TsEvent *event);
gboolean ts_batch_is_empty (TsWriter *writer);
/* One transaction with all that waits.  @seal_all: and all points into chunks. */
gboolean ts_batch_commit (TsWriter *writer, gboolean seal_all, GError **error);
gboolean ts_batch_has_unsealed (TsWriter *writer);
/* The tags that are not in the file yet. */
gboolean ts_batch_write_tags (TsWriter *writer, GError **error);
void ts_waiting_clear (gpointer waiting);

/* writer-run.c */
gboolean ts_writer_insert_hparam (TsWriter *writer, gint64 run_id, const TsHparam *p,
                                  GError **error);
/* A run in state imported with a new uuid. */
gboolean ts_writer_insert_imported (TsWriter *writer, const char *name, gint64 parent,
                                    gint64 *run_id, GError **error);
/* A name that no live run has, as near to @wish (any bytes) as can be. */
char *ts_writer_dup_free_name (TsWriter *writer, const char *wish, GError **error);

/* seal.c */
gboolean ts_seal_series (TsWriter *writer, TsSeries *series, GError **error);
gboolean ts_seal_attempt (TsWriter *writer, TsAttempt *attempt, GError **error);
gboolean ts_seal_cycle (TsWriter *writer, GError **error);
void ts_seal_apply (TsWriter *writer);
void ts_seal_discard (TsWriter *writer);
/* After the last point taken in. */
gint64 ts_series_end (const TsSeries *series);
/* Writes the head of a series from @stats, and with it the row of a new one. */
gboolean ts_seal_head (TsWriter *writer, const TsSeries *series, gint64 next_seq,
                       const TsStats *stats, GError **error);

/* lod-write.c: takes the points that are being sealed into the levels of detail, in the open
 * transaction, and leaves the new state in series->staged_lod. */
gboolean ts_lod_seal (TsWriter *writer, TsSeries *series, GError **error);
void ts_lod_free (TsLod *lod);
/* How many of the series' points it covers. */
gint64 ts_lod_get_seq (const TsLod *lod);

/* recover.c: seals what a killed writer left in the flush log, in one transaction. */
gboolean ts_recover (TsWriter *writer, GError **error);
/* Fills tags and the next free ids. */
gboolean ts_recover_ids (TsWriter *writer, GError **error);
/* The head of a series as its row has it. */
gboolean ts_recover_head (TsWriter *writer, gint64 series_id, gint64 *next_seq, TsStats *stats,
                          GError **error);

/* store-event.c: one waiting event into the open transaction */
gboolean ts_store_event (TsWriter *writer, const TsWaiting *waiting, GError **error);
/* The blob with these bytes, a new one if there is none. */
gboolean ts_store_blob (TsWriter *writer, const guint8 *data, gsize size, gint64 *blob_id,
                        GError **error);
gboolean ts_store_graph (TsWriter *writer, gint64 run_id, const char *name, int format,
                         const guint8 *data, gsize size, GError **error);

/* attempt.c */
TsAttempt *ts_attempt_new (TsWriter *writer, gint64 run_id, gint64 attempt_id);
void ts_attempt_free (gpointer attempt);
TsSeries *ts_attempt_series (TsAttempt *attempt, const char *tag, TsSeriesKind kind);
void ts_series_free (gpointer series);
TsTag *ts_writer_tag (TsWriter *writer, const char *name);
void ts_message_free (gpointer message);

/* writer.c: commits what waits (and with @seal moves it into chunks), runs @run, which may be NULL,
 * on the writer's thread in a transaction of its own, calls @done after its COMMIT, and returns.
 * @args may lie on the caller's stack. */
typedef gboolean (*TsRequestFunc) (TsWriter *writer, gpointer args, GError **error);
typedef void (*TsRequestDone) (TsWriter *writer, gpointer args);
gboolean ts_writer_request (TsWriter *writer, TsRequestFunc run, TsRequestDone done, gpointer args,
                            gboolean seal, GError **error);
void ts_request_unref (TsRequest *request);
/* Why nothing can be pushed any more. */
void ts_writer_set_closed_error (TsWriter *writer, GError **error);

G_END_DECLS
