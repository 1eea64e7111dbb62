/* SPDX-License-Identifier: MIT */
#include "engine/graph/plan-private.h"

#include <string.h>

typedef struct {
  TsPlan *plan;
  guint thread;
  char *scratch;
  gint64 run_begin;  /* first row of the run */
  gint64 begin, end; /* rows or units */
  gint64 block;
} Range;

static void *
place_pointer (const Range *r, const TsStep *s, int place)
{
  const TsPlace *p = ts_plan_place (r->plan, place);
  gboolean rows = p->value && p->value->kind == TS_VALUE_ROWS;
  gsize shift = 0;

  if (ts_step_is_rows (s) && rows) {
    if (p->store == TS_STORE_RUN)
      shift = (gsize) (r->begin - r->run_begin) * p->row_bytes;
    else if (p->store == TS_STORE_BATCH)
      shift = (gsize) r->begin * p->row_bytes;
  } else if (p->store != TS_STORE_BLOCK && r->begin > 0 && ts_step_cuts (s, place)) {
    shift = p->row_bytes / (gsize) s->part.extent * (gsize) r->begin;
  }
  switch (p->store) {
  case TS_STORE_STRIP:
  case TS_STORE_RUN:
  case TS_STORE_BLOCK:
    return r->scratch + p->off + shift;
  case TS_STORE_BATCH:
    return r->plan->memory->arena + p->off + shift;
  case TS_STORE_STATE:
    return (char *) r->plan->spec.state[p->value->id] + shift;
  case TS_STORE_NONE:
    break;
  }
  return NULL;
}

static TsDtype
float_type (const TsNode *node)
{
  for (guint i = 0; i < node->n_in; i++)
    if (ts_dtype_is_float (node->in[i]->dtype))
      return node->in[i]->dtype;
  return node->n_out && ts_dtype_is_float (node->out[0]->dtype) ? node->out[0]->dtype : TS_F32;
}

/* Rows of a batch lie anywhere in the data set: the one after the next is fetched meanwhile. */
#define FETCH_AHEAD 2
#define FETCH_MOST  4096
#define LINE        64

static void
fetch_ahead (const TsFeedSource *src, gint64 row, gsize row_bytes)
{
  const char *data = (const char *) src->data + (gsize) src->rows[row] * row_bytes;

  for (gsize i = 0; i < MIN (row_bytes, FETCH_MOST); i += LINE)
    __builtin_prefetch (data + i);
}

static void
copy_feed (const TsFeedSource *src, const TsValue *v, gint64 begin, gint64 end, void *out)
{
  const TsKernels *k = ts_kernels_get ();
  gsize n = (gsize) (v->kind == TS_VALUE_ROWS ? ts_shape_row_elems (&v->shape)
                                              : ts_shape_elems (&v->shape));
  gsize from = n * ts_dtype_size (src->dtype), to = n * ts_dtype_size (v->dtype);

  if (!src->rows && src->dtype == v->dtype && src->scale == 1) {
    memcpy (out, (const char *) src->data + (gsize) begin * from, (gsize) (end - begin) * to);
    return;
  }
  for (gint64 r = begin; r < end; r++) {
    const char *in = (const char *) src->data + (gsize) (src->rows ? src->rows[r] : r) * from;
    char *y = (char *) out + (gsize) (r - begin) * to;
    if (src->rows && r + FETCH_AHEAD < end)
      fetch_ahead (src, r + FETCH_AHEAD, from);
    if (src->dtype == v->dtype && src->scale == 1)
      memcpy (y, in, to);
    else if (ts_dtype_is_float (v->dtype))
      k->convert[v->dtype](src->dtype, in, y, n, src->scale);
    else
      for (gsize i = 0; i < n; i++) /* integers: labels and indices */
        ((gint32 *) y)[i] = src->dtype == TS_U8 ? ((const guint8 *) in)[i]
                            : src->dtype == TS_I64
                                ? (gint32) CLAMP (((const gint64 *) in)[i], G_MININT32, G_MAXINT32)
                                : ((const gint32 *) in)[i];
  }
}

static void
run_step (const Range *r, TsStep *s)
{
  TsPlan *plan = r->plan;
  const TsNode *node = s->node;
  TsCall call = {.node = node,
                 .k = ts_kernels_get (),
                 .batch = plan->spec.batch,
                 .begin = r->begin,
                 .end = r->end,
                 .workspace = r->scratch + plan->scratch_bytes,
                 .training = plan->spec.training,
                 .seed = plan->seed,
                 .step = plan->step,
                 .fault = &plan->faults[r->thread],
                 .say = plan->spec.say,
                 .say_data = plan->spec.say_data};

  if (s->kind == TS_STEP_FEED) {
    copy_feed (&plan->sources[s->feed], plan->spec.feeds[s->feed], r->begin, r->end,
               place_pointer (r, s, s->out[0]));
    return;
  }
  if (s->empty)
    return;
  call.dtype = float_type (node);
  call.inputs = s->pointers ? s->pointers : call.in;
  for (guint i = 0; i < s->n_in && i < G_N_ELEMENTS (call.in); i++)
    call.in[i] = place_pointer (r, s, s->in[i]);
  for (guint i = 0; s->pointers && i < s->n_in; i++)
    s->pointers[i] = place_pointer (r, s, s->in[i]);
  for (guint i = 0; i < s->n_out; i++)
    call.out[i] = place_pointer (r, s, s->out[i]);
  if (s->kind != TS_STEP_COMBINE && s->partial < 0) {
    node->op->forward (&call);
    return;
  }

  char *parts = plan->memory->arena + ts_plan_place (plan, s->partial)->off;
  gsize bytes = s->part.partial_bytes;
  if (s->kind == TS_STEP_COMBINE) {
    call.partial = parts;
    call.n_partials = s->n_partials;
    if (node->op->combine) {
      node->op->combine (&call);
    } else {
      gint64 extent = MAX (s->part.extent, 1);
      gsize unit = (gsize) (ts_shape_elems (&node->out[0]->shape) / extent);
      gsize elems = (gsize) (call.end - call.begin) * unit;
      call.k->tree_sum[call.dtype](parts + (gsize) call.begin * unit * ts_dtype_size (call.dtype),
                                   (gsize) extent * unit, (gsize) s->n_partials, call.out[0],
                                   elems);
    }
    return;
  }
  if (s->part.kind == TS_PART_BLOCKS) {
    call.partial = parts + (gsize) r->block * bytes;
    node->op->forward (&call);
    return;
  }
  /* a strip may cross slots: one call for each, so that a slot is always added in the same order */
  for (gint64 a = r->begin, e; a < r->end; a = e) {
    Range piece = *r;
    gint64 slot = a / plan->slot;
    e = MIN ((slot + 1) * plan->slot, r->end);
    piece.begin = call.begin = a;
    piece.end = call.end = e;
    for (guint i = 0; i < s->n_in && i < TS_CALL_INPUTS_MAX; i++) {
      const TsPlace *p = ts_plan_place (plan, s->in[i]);
      gboolean rows = p->value && p->value->kind == TS_VALUE_ROWS;
      call.in[i] = place_pointer (&piece, s, s->in[i]);
      if (rows && p->store == TS_STORE_STRIP)
        call.in[i] = (const char *) call.in[i] + (gsize) (a - r->begin) * p->row_bytes;
    }
    call.partial = parts + (gsize) slot * bytes;
    call.accumulate = a % plan->slot != 0;
    node->op->forward (&call);
  }
}

static double
operand_bytes (const Range *r, const TsStep *s, int place)
{
  const TsPlace *p = ts_plan_place (r->plan, place);

  if (p->value && p->value->kind == TS_VALUE_ROWS)
    return (double) p->row_bytes *
           (double) (ts_step_is_rows (s) ? r->end - r->begin : r->plan->spec.batch);
  if (ts_step_cuts (s, place))
    return (double) p->row_bytes * (double) (r->end - r->begin) / (double) s->part.extent;
  return (double) p->row_bytes;
}

/* The same with a note of what it took. */
static void
run_step_noted (const Range *r, TsStep *s)
{
  TsPlan *plan = r->plan;
  const TsNode *node = s->node;
  double whole = s->kind == TS_STEP_MAIN ? ts_node_flops (node, plan->spec.batch) : 0;
  double extent =
      ts_step_is_rows (s) ? (double) plan->spec.batch : (double) MAX (s->part.extent, 1);
  TsProfileCall call = {.node = node, .thread = r->thread, .start_ns = ts_profile_now ()};

  run_step (r, s);
  call.end_ns = ts_profile_now ();
  call.flops = whole * (double) (r->end - r->begin) / MAX (extent, 1);
  for (guint i = 0; i < s->n_in; i++)
    call.bytes += operand_bytes (r, s, s->in[i]);
  for (guint i = 0; i < s->n_out; i++)
    call.bytes += operand_bytes (r, s, s->out[i]);
  ts_profile_add (plan->spec.profile, &call);
}

static void
do_step (const Range *r, TsStep *s)
{
  if (r->plan->spec.profile)
    run_step_noted (r, s);
  else
    run_step (r, s);
}

static void
run_rows (Range *r, const TsPhase *phase, gint64 begin, gint64 end)
{
  r->run_begin = begin;
  for (guint i = 0; i < phase->segments->len; i++) {
    const TsSegment *segment = &g_array_index (phase->segments, TsSegment, i);
    for (r->begin = begin; r->begin < end; r->begin = r->end) {
      r->end = MIN (r->begin + segment->strip, end);
      for (guint pos = segment->first; pos < segment->last; pos++)
        do_step (r, ts_plan_step (r->plan, r->plan->order[pos]));
    }
  }
}

static void
run_task (Range *r, const TsPhase *phase, const TsTask *task)
{
  if (task->rows) {
    run_rows (r, phase, task->begin, task->end);
    return;
  }
  r->begin = task->begin;
  r->end = task->end;
  r->block = task->block;
  for (guint pos = task->first; pos < task->last; pos++)
    do_step (r, ts_plan_step (r->plan, r->plan->order[pos]));
}

/* The last thread to arrive does what one thread does alone, then all go on to the next phase. */
static void
phase_tail (gpointer data)
{
  TsPlan *plan = data;
  const TsPhase *phase = &plan->phases[plan->phase];
  Range r = {plan, 0, plan->memory->scratch[0], 0, 0, 0, 0};

  for (guint pos = phase->first_tail; pos < phase->last_tail; pos++) {
    TsStep *s = ts_plan_step (plan, plan->order[pos]);
    r.begin = 0;
    r.end = MAX (s->part.extent, 1);
    do_step (&r, s);
  }
  for (guint i = 0; i < plan->spec.n_threads; i++)
    atomic_store_explicit (&plan->shares[i].next, 0, memory_order_relaxed);
  plan->phase++;
}

/* Own share first, for its blocks are in this core's cache; then help the others. */
static void
plan_worker (guint id, gpointer data)
{
  TsPlan *plan = data;
  guint n_threads = plan->spec.n_threads;
  Range r = {plan, id, plan->memory->scratch[id], 0, 0, 0, 0};

  for (guint level = 0; level < plan->n_levels; level++) {
    const TsPhase *phase = &plan->phases[level];
    guint n = phase->tasks->len;
    for (guint k = 0; k < n_threads; k++) {
      guint q = (id + k) % n_threads;
      int begin = (int) (n * q / n_threads), end = (int) (n * (q + 1) / n_threads), t;
      while ((t = begin +
                  atomic_fetch_add_explicit (&plan->shares[q].next, 1, memory_order_relaxed)) < end)
        run_task (&r, phase, &g_array_index (phase->tasks, TsTask, t));
    }
    ts_workers_barrier (plan->workers, phase_tail, plan);
  }
}

/* A batch without rows has no task that would set its sums. */
static void
clear_sums (TsPlan *plan)
{
  for (guint i = 0; i < plan->steps->len; i++) {
    const TsStep *s = ts_plan_step (plan, i);
    if (s->kind != TS_STEP_MAIN || s->part.kind != TS_PART_SLOTS || s->partial < 0)
      continue;
    const TsPlace *p = ts_plan_place (plan, s->partial);
    memset (plan->memory->arena + p->off, 0, p->bytes);
  }
}

gboolean
ts_plan_run (TsPlan *plan, TsWorkers *workers, const TsFeedSource *sources, guint64 seed,
             guint64 step, TsFault *fault)
{
  plan->workers = workers;
  plan->sources = sources;
  plan->seed = seed;
  plan->step = step;
  plan->phase = 0;
  memset (plan->faults, 0, plan->spec.n_threads * sizeof (TsFault));
  for (guint i = 0; i < plan->spec.n_feeds; i++) {
    const TsValue *v = plan->spec.feeds[i];
    if (v->kind != TS_VALUE_ROWS)
      copy_feed (&sources[i], v, 0, 1,
                 plan->memory->arena + ts_plan_place (plan, plan->place_of[v->id])->off);
  }
  if (plan->spec.batch == 0)
    clear_sums (plan);
  if (plan->n_levels)
    ts_workers_run (workers, plan_worker, plan);

  *fault = (TsFault){0};
  for (guint i = 0; i < plan->spec.n_threads; i++) {
    const TsFault *f = &plan->faults[i];
    if (f->node && (!fault->node || f->node->id < fault->node->id ||
                    (f->node == fault->node && f->position < fault->position)))
      *fault = *f;
  }
  return fault->node == NULL;
}
