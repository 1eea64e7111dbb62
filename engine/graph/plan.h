/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/graph.h"
#include "engine/graph/profile.h"
#include "engine/tensor/workers.h"

G_BEGIN_DECLS

/* How a set of fetches is computed for one batch size: the steps that are needed, in phases with one
 * barrier each, and a place in memory for every value.  Built once, run many times without
 * allocating.  It knows ops by their contract only.  docs/architecture.md, "The plan", explains the
 * terms; what lies where never changes a result. */
typedef struct TsPlan TsPlan;

/* What ops say (print): @text has no newline.  Called during a run, by one thread at a time. */
typedef void (*TsSayFunc) (gpointer data, const TsNode *node, const char *text);

/* Memory for what lives during one run.  Plans that never run at the same time may share it: it is as large
 * as the largest of them needs, and what one has left there the next overwrites.  Not thread-safe. */
typedef struct TsPlanMemory TsPlanMemory;

TsPlanMemory *ts_plan_memory_new (guint n_threads);
TsPlanMemory *ts_plan_memory_ref (TsPlanMemory *memory);
void ts_plan_memory_unref (TsPlanMemory *memory);

typedef struct {
  TsGraph *graph;
  TsPlanMemory *memory;    /* NULL: its own */
  TsValue *const *fetches; /* values to be read afterwards */
  guint n_fetches;
  TsNode *const *targets; /* nodes to be run for what they do */
  guint n_targets;
  const gboolean *done; /* by node id: has run already, must not be run for order's sake; or NULL */
  TsValue *const *feeds; /* values given by the caller: any value, not only placeholders */
  guint n_feeds;
  gint64 batch; /* rows of every value with a batch axis */
  gboolean training;
  guint n_threads; /* shares out the work; never changes a result */
  TsSayFunc say;   /* or NULL: to stderr */
  gpointer say_data;
  TsProfile *profile; /* or NULL */
  void *const
      *state; /* by value id: where the session keeps variables, constants, derived copies */
} TsPlanSpec;

/* What is fed: @data holds rows of value's row shape in @dtype (converted, and multiplied by @scale
 * for float values).  @rows: which of them make up the batch; NULL: the first ones in order. */
typedef struct {
  TsDtype dtype;
  const void *data;
  const gint32 *rows;
  double scale;
} TsFeedSource;

/* Errors: NOT_FED names the placeholder that a fetch needs. */
TsPlan *ts_plan_new (const TsPlanSpec *spec, GError **error);
void ts_plan_free (TsPlan *plan);

/* One run.  @sources are in the order of spec.feeds.  @workers has n_threads threads.  Returns FALSE
 * and fills @fault when a value was out of range. */
gboolean ts_plan_run (TsPlan *plan, TsWorkers *workers, const TsFeedSource *sources, guint64 seed,
                      guint64 step, TsFault *fault);

/* The dense contents of a fetched value, valid until the next run. */
const void *ts_plan_get_data (const TsPlan *plan, const TsValue *fetch);

typedef struct {
  gsize arena_bytes;   /* shared by all threads */
  gsize scratch_bytes; /* per thread */
  gsize sum_bytes;     /* what all values together would take */
  guint n_phases, n_steps;
  double flops;
} TsPlanStats;

void ts_plan_get_stats (const TsPlan *plan, TsPlanStats *stats);

/* The plan as text, for tests and for the curious. */
char *ts_plan_dup_text (const TsPlan *plan);

G_END_DECLS
