/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a training says while it runs: immutable, reference-counted messages that travel from the
 * trainer to whoever keeps or shows them.  The engine knows only TsSink; the run store implements
 * it.  Fill the fields right after _new, before the first push; never change them afterwards. */

typedef enum {
  TS_EVENT_SCALARS,    /* values of several tags at one step */
  TS_EVENT_HISTOGRAM,  /* one tensor's distribution at one step */
  TS_EVENT_GRAPH,      /* the computation graph as JSON text */
  TS_EVENT_CHECKPOINT, /* a checkpoint file was written */
  TS_EVENT_NOTE,       /* a message with a severity */
  TS_EVENT_EDIT,       /* a live change of a hyperparameter */
  TS_EVENT_STATE,      /* running, paused */
  TS_EVENT_END,        /* the attempt has ended */
} TsEventKind;

typedef enum { TS_SEVERITY_INFO, TS_SEVERITY_WARNING, TS_SEVERITY_ERROR } TsSeverity;

typedef enum {
  TS_RUN_RUNNING = 0,
  TS_RUN_FINISHED = 1,
  TS_RUN_FAILED = 2,
  TS_RUN_STOPPED = 3,
  TS_RUN_INTERRUPTED = 4, /* its process died; inferred by a reader, never written by a trainer */
  TS_RUN_IMPORTED = 5,
  TS_RUN_PAUSED = 6,
} TsRunState;

/* "running", "finished", … */
const char *ts_run_state_name (TsRunState state);

typedef struct {
  const char *tag; /* interned (g_intern_string) */
  double value;    /* a float is widened exactly */
} TsScalar;

/* 30 buckets over the finite range [min, max]; the last bucket is closed at the right.  Moments are
 * over the finite values only. */
#define TS_HISTOGRAM_BUCKETS 30
typedef struct {
  double min, max, sum, sum_squares;
  guint64 count;     /* all values, non-finite ones too */
  guint64 nonfinite; /* NaN and infinities */
  guint n;           /* buckets in use: 0 when nothing is finite */
  double left[TS_HISTOGRAM_BUCKETS], right[TS_HISTOGRAM_BUCKETS];
  double bucket[TS_HISTOGRAM_BUCKETS]; /* counts */
} TsHistogram;

typedef enum { TS_CHECKPOINT_PERIODIC, TS_CHECKPOINT_FINAL } TsCheckpointKind;

typedef struct TsEvent TsEvent;
struct TsEvent {
  gint refs; /* private */
  TsEventKind kind;
  gint64 step;    /* optimizer steps done when it happened */
  gint64 wall_us; /* µs since the epoch, UTC */
  union {
    struct {
      guint n;
      TsScalar *items; /* in the same allocation */
    } scalars;
    struct {
      const char *tag;
      TsHistogram *data; /* in the same allocation */
    } histogram;
    struct {
      char *json; /* owned */
    } graph;
    struct {
      char *path; /* absolute, owned: the file as it now lies on disk */
      gint64 size_bytes;
      guint8 sha256[32];
      TsCheckpointKind kind;
      gboolean is_best;
      double metric; /* the value that made it best; NaN when none */
      gint64 epoch;
    } checkpoint;
    struct {
      TsSeverity severity;
      char *text; /* owned */
    } note;
    struct {
      char *key; /* dotted, owned: "optimizer.lr" */
      double from, to;
    } edit;
    struct {
      TsRunState state;
    } state;
    struct {
      TsRunState state;
      char *message; /* owned; NULL unless failed */
    } end;
  } u;
};

/* wall_us is now; the rest is zero.  @n: number of scalars (other kinds: 0). */
TsEvent *ts_event_new (TsEventKind kind, gint64 step, guint n);
TsEvent *ts_event_ref (TsEvent *event);
void ts_event_unref (TsEvent *event);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsEvent, ts_event_unref)

/* Whoever listens to a training.  push takes the event, may be called from the trainer thread
 * only, and may wait (a full queue blocks the trainer for all but histograms).  FALSE: the
 * listener has failed for good and training should end; @error says why. */
typedef struct TsSink TsSink;
struct TsSink {
  gboolean (*push) (TsSink *sink, TsEvent *event, GError **error);
};

G_END_DECLS
