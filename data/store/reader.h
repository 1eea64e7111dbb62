/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/bucket.h"
#include "data/store/item.h"
#include "data/store/point.h"
#include "data/store/workspace.h"
#include "data/store/writer.h"
#include "engine/base/event.h"

G_BEGIN_DECLS

/* One who reads a workspace, also while it is being written and also one that came from somebody
 * else: a read-only connection of its own that trusts nothing in the file.  A reader is used by one
 * thread at a time; make one for each thread.  Every call is one short snapshot of its own.
 *
 * Errors of all queries: TS_STORE_ERROR (CORRUPT, NOT_FOUND, IO, …).  Step and time are attributes;
 * a point's identity is (series, seq), seq = 0, 1, 2 … in the order of writing. */
typedef struct TsReader TsReader;

/* Errors: OPEN, NOT_A_WORKSPACE (an empty file too), NEWER_VERSION, CORRUPT.  In a folder that
 * cannot be written the file is read as immutable, or, when it has a WAL, from a temporary copy. */
TsReader *ts_reader_open (const char *path, GError **error);
void ts_reader_close (TsReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsReader, ts_reader_close)

/* Borrowed, absolute. */
const char *ts_reader_get_path (TsReader *reader);

/* Has anything been committed since the last poll (the first one says TRUE)?  Some µs. */
gboolean ts_reader_poll (TsReader *reader, gboolean *changed, GError **error);

/* --- Runs --- */

typedef struct {
  char *tag; /* raw bytes, ended by a zero; not always UTF-8; a GRefString */
  guint64 bits;
} TsLastValue;

typedef struct {
  gint64 run_id;
  char uuid[37];
  char *name;
  TsRunState state; /* interrupted: running or paused in the file, but its writer is gone */
  gint64 created_us, ended_us; /* ended: 0 while it has not */
  char *message, *note;        /* NULL: none; so for all text below */
  gboolean pinned, archived;
  gint64 trashed_us; /* 0: live */
  char *model_name, *model_text, *data_name, *data_hash, *data_split;
  guint64 seed;
  char *isa, *blas_core, *blas_version;
  guint threads;
  gint64 parent_run_id; /* 0: none */
  TsHparam *hparams;    /* by key; key and t are owned */
  guint n_hparams;
  char **labels; /* NULL-ended, sorted */
  guint n_tags;
  gint64 n_points; /* scalars, all attempts */
  GArray *last;    /* of TsLastValue, scalar tags in the order they first came */
} TsRun;

void ts_run_free (TsRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsRun, ts_run_free)

/* A GPtrArray of TsRun by creation, which owns them; with those in the trash if @trashed. */
GPtrArray *ts_reader_list_runs (TsReader *reader, gboolean trashed, GError **error);

/* By uuid, by the name of a live run, by that of one in the trash, or by the first digits of a
 * uuid: the first of these that fits any.  Errors: NOT_FOUND; AMBIGUOUS, listing the candidates. */
TsRun *ts_reader_find_run (TsReader *reader, const char *what, GError **error);

/* --- Tags --- */

typedef struct {
  gint64 series_id;
  char *tag; /* raw bytes, ended by a zero; not always UTF-8 */
  TsSeriesKind kind;
  char *meta; /* JSON of what an event file says about it (docs/run-file.md, "Imports"), or NULL */
  TsStats stats; /* exact, over all stored points; other kinds than scalars: count, steps, time */
} TsTagInfo;

void ts_tag_info_free (TsTagInfo *info);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsTagInfo, ts_tag_info_free)

/* A GPtrArray of TsTagInfo in the order they first came, which owns them. */
GPtrArray *ts_reader_list_tags (TsReader *reader, gint64 run_id, GError **error);
TsTagInfo *ts_reader_find_tag (TsReader *reader, gint64 run_id, const char *tag, TsSeriesKind kind,
                               GError **error);

/* Over the points that no later attempt has overtaken; reads them all. */
gboolean ts_reader_visible_stats (TsReader *reader, gint64 series_id, TsSeriesKind kind,
                                  TsStats *stats, GError **error);

/* --- Points --- */

typedef struct {
  gint64 seq, step, wall_us;
  gint64 wall; /* exact, of that kind */
  guint64 bits;
  TsWallKind wall_kind;
  gint32 attempt;  /* ordinal within the run */
  gboolean hidden; /* a later attempt has overtaken it */
  gint32 zero;     /* fills the struct, so that points can be compared as bytes */
} TsStoredPoint;

/* Appends to @points (a GArray of TsStoredPoint) those with seq >= @from_seq, at most @max of them,
 * in seq order, sealed or not.  Nothing new costs two index look-ups. */
gboolean ts_reader_read_points (TsReader *reader, gint64 series_id, gint64 from_seq, guint max,
                                GArray *points, GError **error);

/* Consecutive points of one series; they are valid during the call only. */
typedef void (*TsNewsFunc) (gint64 series_id, gint64 attempt_id, gint64 seq, TsWallKind wall,
                            const TsPoint *points, guint n, gpointer user_data);

/* What all series of the workspace have gained since the last call, in one look at the flush log;
 * the first call gives what is in it now.  When points were sealed before this reader saw them, the
 * @seq that comes next for a series is larger than expected: the points between are to be had from
 * ts_reader_read_points. */
gboolean ts_reader_read_news (TsReader *reader, TsNewsFunc func, gpointer user_data,
                              GError **error);

#define TS_ENVELOPE_COLUMNS_MAX (1u << 20)

/* One of the columns that a range of points is cut into. */
typedef struct {
  gint64 from_seq, to_seq; /* its points: from_seq <= seq < to_seq; may be none */
  gint64 n_hidden;         /* of them, those that a later attempt has overtaken */
  TsBucket visible;        /* what the others amount to */
} TsEnvelopeColumn;

/* Appends @n_columns (1 to TS_ENVELOPE_COLUMNS_MAX) TsEnvelopeColumns that cover the points
 * @from_seq <= seq < @to_seq, as many of them as there are: each point once, sealed or not.  The
 * columns are equally long but for this: their edges inside the range are moved down to those of
 * buckets of the deepest level whose buckets are at most half a column long.  What a column says
 * is exact for its own points; only the sum may be rounded in another order.  About a
 * millisecond whatever the range. */
gboolean ts_reader_envelope (TsReader *reader, gint64 series_id, gint64 from_seq, gint64 to_seq,
                             guint n_columns, GArray *columns, GError **error);

typedef struct {
  gint64 seq, step, wall_us;
  gint64 wall; /* as in TsStoredPoint */
  TsWallKind wall_kind;
  gint32 attempt;
  gboolean hidden;
  TsHistogram histogram;
} TsStoredHistogram;

/* Likewise, into a GArray of TsStoredHistogram. */
gboolean ts_reader_read_histograms (TsReader *reader, gint64 series_id, gint64 from_seq, guint max,
                                    GArray *histograms, GError **error);

typedef struct {
  gint64 seq, step;
  gint64 wall; /* as in TsStoredPoint */
  TsWallKind wall_kind;
  gint32 attempt;
  gboolean hidden;
  int codec;     /* TsItemCodec */
  char *meta;    /* JSON or NULL */
  GBytes *bytes; /* NULL when not asked for */
} TsStoredItem;

void ts_stored_item_clear (gpointer item);

/* Likewise for samples of any kind, into a GArray of TsStoredItem. */
gboolean ts_reader_read_items (TsReader *reader, gint64 series_id, gint64 from_seq, guint max,
                               gboolean with_bytes, GArray *items, GError **error);

/* --- What else a run has --- */

/* The graph as JSON text.  NOT_FOUND when the run has none. */
char *ts_reader_dup_graph (TsReader *reader, gint64 run_id, GError **error);

/* The graph in whatever form it came (TS_GRAPH_…, data/store/import.h). */
GBytes *ts_reader_dup_main_graph (TsReader *reader, gint64 run_id, int *format, GError **error);

typedef struct {
  gint64 attempt_id;
  gint32 ordinal;
  gint64 started_us, ended_us; /* ended: 0 while it has not, or was interrupted */
  gboolean resumed;
  gint64 resume_step; /* meaningful when resumed */
  gboolean by_series; /* hides earlier points series by series */
  char *host;
  gint64 pid;
  char *origin;    /* the file it was imported from; NULL: it was trained here */
  guint64 thinned; /* histograms dropped */
} TsAttemptInfo;

typedef struct {
  gint64 us, step;
  gint32 attempt;
  TsSeverity severity;
  char *text;
} TsNoteInfo;

typedef struct {
  gint64 us, step;
  gint32 attempt;
  char *key;
  double from, to;
} TsEditInfo;

typedef struct {
  gint64 checkpoint_id, step, epoch, us;
  gint32 attempt;
  gboolean hidden; /* a later attempt has overtaken it */
  TsCheckpointKind kind;
  gboolean is_best;
  double metric;
  gint64 size_bytes;
  guint8 sha256[32];
  char *path;      /* absolute; NULL when packed inside */
  gboolean exists; /* the file is there and has that size */
} TsCheckpointInfo;

/* GArrays of the above in the order of writing, which own the strings. */
GArray *ts_reader_list_attempts (TsReader *reader, gint64 run_id, GError **error);
GArray *ts_reader_list_notes (TsReader *reader, gint64 run_id, GError **error);
GArray *ts_reader_list_edits (TsReader *reader, gint64 run_id, GError **error);
GArray *ts_reader_list_checkpoints (TsReader *reader, gint64 run_id, GError **error);

/* The one to resume from: the last that no later attempt has overtaken and whose file is there.
 * An array of one, or an empty one: then start again from step 0. */
GArray *ts_reader_last_checkpoint (TsReader *reader, gint64 run_id, GError **error);

G_END_DECLS
