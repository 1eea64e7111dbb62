/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdatomic.h>

#include "engine/graph/plan.h"

G_BEGIN_DECLS

/* Sums over the batch are made per slot of this many rows, whatever the thread count. */
#define TS_SLOT_ROWS_MAX 8
/* A run (consecutive slots that one task carries) is at most this long: scratch grows with it. */
#define TS_RUN_ROWS_MAX 128
/* A block has about this many elements. */
#define TS_BLOCK_ELEMS 40000
/* Bytes of rows that go through a segment at once, so that they stay in L2. */
#define TS_STRIP_BYTES 131072

typedef enum {
  TS_STORE_NONE,
  TS_STORE_STRIP, /* thread's scratch: the rows of one strip */
  TS_STORE_RUN,   /* thread's scratch: the rows of one run */
  TS_STORE_BATCH, /* arena: everything */
  TS_STORE_BLOCK, /* thread's scratch: one block */
  TS_STORE_STATE, /* the session's */
} TsStore;

/* Where a value (or the partials of a sum) lies.  Views share their root's place. */
typedef struct {
  TsValue *value; /* the root; NULL for partials */
  TsStore store;
  gboolean pinned; /* fetched or fed: kept for the whole run in the arena */
  gboolean local;  /* of a state value: fed, or derived from what is fed, for this run alone */
  gsize row_bytes; /* ROWS: of one row; else everything */
  gsize off, bytes;
  guint first_pos, last_pos, first_level, last_level;
  int alias;  /* shares the memory of this other scratch place, or -1 */
  int inside; /* written straight into this arena place, or -1 */
  /* while levels are found */
  int writer;
  GArray *readers; /* of int: since the last write (state only) */
} TsPlace;

typedef enum { TS_STEP_MAIN, TS_STEP_COMBINE, TS_STEP_FEED, TS_STEP_DERIVE } TsStepKind;

typedef struct {
  TsStepKind kind;
  TsNode *node; /* FEED: of the fed value */
  guint feed;   /* FEED: which */
  TsPartition part;
  gint64 cut;  /* BLOCKS: units per block */
  int partial; /* place of the partials, or -1 */
  gint64 n_partials;
  int *in; /* places */
  int out[TS_NODE_OUTPUTS_MAX];
  guint n_in, n_out;
  const void **pointers; /* WHOLE steps with many inputs: room for their addresses */
  guint level, group, segment, pos;
  gsize workspace;
  gboolean empty; /* nothing of what it makes has an element */
} TsStep;

typedef struct {
  gboolean rows;
  gint64 begin, end; /* rows of the run, or units of the block */
  gint64 block;      /* number of the block */
  guint first, last; /* BLOCKS: steps of the group: order[first .. last) */
} TsTask;

typedef struct {
  guint first, last; /* steps: order[first .. last) */
  gint64 strip;      /* rows at once */
} TsSegment;

typedef struct {
  GArray *segments;            /* of TsSegment */
  GArray *tasks;               /* of TsTask */
  guint first_tail, last_tail; /* WHOLE steps: order[first_tail .. last_tail) */
} TsPhase;

struct TsPlanMemory {
  guint refs, n_threads;
  gsize arena_bytes, scratch_bytes;
  char *arena;
  char **scratch; /* by thread */
};

struct TsPlan {
  TsPlanSpec spec; /* arrays copied */
  gint64 slot, run, n_slots;
  GArray *steps;  /* of TsStep, in list order */
  guint *order;   /* step indices by position */
  GArray *places; /* of TsPlace */
  int *place_of;  /* by value id, -1: not in this plan */
  guint n_levels;
  TsPhase *phases;
  gsize arena_bytes, scratch_bytes, workspace_bytes;
  TsPlanMemory *memory; /* scratch: workspace at the end */
  double flops;
  /* one run */
  TsWorkers *workers;
  const TsFeedSource *sources;
  guint64 seed, step;
  TsFault *faults;        /* by thread */
  struct TsShare *shares; /* by thread: the next task of its share */
  guint phase;            /* being run */
};

typedef struct TsShare {
  _Alignas(64) atomic_int next;
} TsShare;

static inline TsStep *
ts_plan_step (const TsPlan *plan, guint i)
{
  return &g_array_index (plan->steps, TsStep, i);
}

static inline TsPlace *
ts_plan_place (const TsPlan *plan, int i)
{
  return &g_array_index (plan->places, TsPlace, i);
}

static inline gboolean
ts_step_is_rows (const TsStep *step)
{
  return step->part.kind == TS_PART_ROWS || step->part.kind == TS_PART_SLOTS;
}

/* Does @step cut place @place along its blocks? */
gboolean ts_step_cuts (const TsStep *step, int place);

/* Is place @place among what @step reads, writes or changes? */
gboolean ts_step_uses (const TsStep *step, int place);
gboolean ts_step_reads (const TsStep *step, int place);

/* plan-steps.c: which steps, in which order, reading and writing what. */
gboolean ts_plan_find_steps (TsPlan *plan, GError **error);
/* plan-levels.c: phases, groups, segments, tasks. */
void ts_plan_find_levels (TsPlan *plan);
void ts_plan_make_tasks (TsPlan *plan);
/* plan-places.c: a place for everything. */
void ts_plan_find_places (TsPlan *plan);

G_END_DECLS
