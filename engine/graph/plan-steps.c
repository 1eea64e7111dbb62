/* SPDX-License-Identifier: MIT */
#include "engine/graph/plan-private.h"

#include <string.h>

/* The largest reduction result that one thread may as well add up alone. */
#define COMBINE_ALONE_ELEMS 4096

static gboolean *
fed_values (const TsPlan *plan)
{
  gboolean *fed = g_new0 (gboolean, ts_graph_get_n_values (plan->spec.graph) + 1);

  for (guint i = 0; i < plan->spec.n_feeds; i++)
    fed[plan->spec.feeds[i]->id] = TRUE;
  return fed;
}

/* Which input a view shows. */
static guint
viewed_input (const TsPlan *plan, const TsNode *view)
{
  return (view->op->flags & TS_OP_PHASE) && !plan->spec.training ? 1 : 0;
}

/* Marks @node and what it needs; fed values and state need nothing. */
static void
need_node (TsPlan *plan, TsNode *node, const gboolean *fed, gboolean *needed)
{
  const gboolean *done = plan->spec.done;

  /* nodes are in topological order, so one sweep downwards settles everything */
  needed[node->id] = TRUE;
  for (guint id = node->id + 1; id-- > 0;) {
    TsNode *n = ts_graph_get_node (plan->spec.graph, id);
    if (!needed[id])
      continue;
    for (guint i = 0; i < n->n_in; i++)
      if ((!(n->op->flags & TS_OP_PHASE) || i == viewed_input (plan, n)) && !fed[n->in[i]->id] &&
          n->in[i]->kind != TS_VALUE_STATE)
        needed[n->in[i]->node->id] = TRUE;
    for (guint i = 0; i < n->n_after; i++)
      needed[n->after[i]->id] |= !(done && done[n->after[i]->id]);
  }
}

static int
add_place (TsPlan *plan, TsValue *value)
{
  TsPlace p = {.value = value, .alias = -1, .inside = -1, .writer = -1};

  if (value)
    p.row_bytes = ts_value_row_bytes (value);
  g_array_append_val (plan->places, p);
  return (int) plan->places->len - 1;
}

/* The place of @value, made when first met; a view has its input's unless it is fed. */
static int
place_of (TsPlan *plan, TsValue *value, const gboolean *fed)
{
  int *slot = &plan->place_of[value->id];

  if (*slot < 0) {
    if ((value->node->op->flags & TS_OP_VIEW) && !fed[value->id])
      *slot = place_of (plan, value->node->in[viewed_input (plan, value->node)], fed);
    else
      *slot = add_place (plan, value);
  }
  return *slot;
}

static gint64
block_units (const TsPartition *part)
{
  gint64 units = TS_BLOCK_ELEMS / MAX (part->unit_elems, 1) / 6 * 6; /* rows of a tile */

  return CLAMP (units, 6, MAX (part->extent, 1));
}

static void
add_step (TsPlan *plan, TsStep step)
{
  if (step.part.kind == TS_PART_BLOCKS)
    step.cut = block_units (&step.part);
  g_array_append_val (plan->steps, step);
}

static TsStep
step_for (TsPlan *plan, TsStepKind kind, TsNode *node, const gboolean *fed)
{
  TsStep s = {.kind = kind, .node = node, .partial = -1, .n_in = node->n_in, .n_out = node->n_out};

  s.in = g_new (int, node->n_in);
  for (guint i = 0; i < node->n_in; i++)
    s.in[i] = place_of (plan, node->in[i], fed);
  for (guint i = 0; i < node->n_out; i++) /* what is fed stays; the node's own goes nowhere */
    s.out[i] =
        fed[node->out[i]->id] ? add_place (plan, node->out[i]) : place_of (plan, node->out[i], fed);
  s.part = node->op->partition ? node->op->partition (node) : ts_partition_elementwise (node);
  if (s.n_in > G_N_ELEMENTS (((TsCall *) NULL)->in)) {
    g_assert (s.part.kind == TS_PART_WHOLE); /* one thread only writes there */
    s.pointers = g_new0 (const void *, s.n_in);
  }
  s.workspace = node->op->workspace ? node->op->workspace (node) : 0;
  s.empty = node->n_out > 0;
  for (guint i = 0; i < node->n_out; i++)
    s.empty &= ts_value_row_bytes (node->out[i]) == 0;
  return s;
}

/* A sum becomes two steps: partials per slot or block, then their combination. */
static void
add_sum (TsPlan *plan, TsStep main_step)
{
  TsNode *node = main_step.node;
  TsStep combine = {.kind = TS_STEP_COMBINE, .node = node, .n_out = node->n_out};
  gint64 count;

  combine.partial = main_step.partial = add_place (plan, NULL);
  memcpy (combine.out, main_step.out, sizeof combine.out);
  main_step.n_out = 0;
  if (main_step.part.kind == TS_PART_SLOTS) {
    count = plan->n_slots;
  } else {
    gint64 units = block_units (&main_step.part);
    count = (main_step.part.extent + units - 1) / units;
  }
  main_step.n_partials = combine.n_partials = count;
  TsPlace *p = ts_plan_place (plan, main_step.partial);
  p->row_bytes = (gsize) count * main_step.part.partial_bytes;
  add_step (plan, main_step);

  combine.part = (TsPartition){.kind = TS_PART_WHOLE, .extent = 1};
  if (!node->op->combine && ts_shape_elems (&node->out[0]->shape) > COMBINE_ALONE_ELEMS) {
    combine.part.kind = TS_PART_BLOCKS;
    combine.part.cut_out = 1;
    ts_value_units (node->out[0], &combine.part.extent, &combine.part.unit_elems);
  }
  add_step (plan, combine);
}

/* After an update: every copy that is derived from what it changed. */
static void
add_derived (TsPlan *plan, TsNode *update, const gboolean *fed)
{
  guint n = ts_graph_get_n_nodes (plan->spec.graph);

  for (guint i = 0; i < update->n_in; i++) {
    if (!(update->op->updates >> i & 1))
      continue;
    for (guint id = 0; id < n; id++) {
      TsNode *copy = ts_graph_get_node (plan->spec.graph, id);
      if (ts_node_is_derived (copy) && copy->in[0] == update->in[i])
        add_step (plan, step_for (plan, TS_STEP_DERIVE, copy, fed));
    }
  }
}

static gboolean
add_node (TsPlan *plan, TsNode *node, const gboolean *fed, GError **error)
{
  const TsOpClass *op = node->op;
  gboolean all_fed = node->n_out > 0;

  for (guint i = 0; i < node->n_out; i++)
    all_fed &= fed[node->out[i]->id] || node->out[i]->kind == TS_VALUE_STATE;
  if (all_fed || (op->flags & TS_OP_VIEW))
    return TRUE;
  if (op->flags & TS_OP_SOURCE) {
    g_autofree char *shape = ts_shape_dup_text (&node->out[0]->shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NOT_FED,
                 "You must feed a value for placeholder tensor '%s' with dtype %s and shape %s",
                 node->name, ts_dtype_name (node->out[0]->dtype), shape);
    return FALSE;
  }
  TsStep s = step_for (plan, TS_STEP_MAIN, node, fed);
  plan->flops += ts_node_flops (node, plan->spec.batch);
  if (s.part.partial_bytes)
    add_sum (plan, s);
  else
    add_step (plan, s);
  if (op->updates)
    add_derived (plan, node, fed);
  return TRUE;
}

/* Copies derived from a variable that is fed are made for this run, from what is fed. */
static void
add_local_copies (TsPlan *plan, const gboolean *fed)
{
  for (guint id = 0; id < ts_graph_get_n_nodes (plan->spec.graph); id++) {
    TsNode *copy = ts_graph_get_node (plan->spec.graph, id);
    if (!ts_node_is_derived (copy) || !fed[copy->in[0]->id] || fed[copy->out[0]->id])
      continue;
    ts_plan_place (plan, place_of (plan, copy->out[0], fed))->local = TRUE;
    add_step (plan, step_for (plan, TS_STEP_DERIVE, copy, fed));
  }
}

gboolean
ts_plan_find_steps (TsPlan *plan, GError **error)
{
  const TsPlanSpec *spec = &plan->spec;
  guint n = ts_graph_get_n_nodes (spec->graph);
  g_autofree gboolean *fed = fed_values (plan), *needed = g_new0 (gboolean, n + 1);

  for (guint i = 0; i < spec->n_fetches; i++)
    if (!fed[spec->fetches[i]->id])
      need_node (plan, spec->fetches[i]->node, fed, needed);
  for (guint i = 0; i < spec->n_targets; i++)
    need_node (plan, spec->targets[i], fed, needed);

  for (guint i = 0; i < spec->n_feeds; i++) {
    TsValue *v = spec->feeds[i];
    int place = place_of (plan, v, fed);
    if (v->kind != TS_VALUE_ROWS) {
      ts_plan_place (plan, place)->pinned = TRUE; /* copied before the first phase */
      ts_plan_place (plan, place)->local = v->kind == TS_VALUE_STATE;
      continue;
    }
    TsStep s = {.kind = TS_STEP_FEED,
                .node = v->node,
                .feed = i,
                .partial = -1,
                .n_out = 1,
                .part = {.kind = TS_PART_ROWS}};
    s.out[0] = place;
    add_step (plan, s);
  }
  add_local_copies (plan, fed);
  for (guint id = 0; id < n; id++)
    if (needed[id] && !add_node (plan, ts_graph_get_node (spec->graph, id), fed, error))
      return FALSE;
  for (guint i = 0; i < spec->n_fetches; i++)
    ts_plan_place (plan, place_of (plan, spec->fetches[i], fed))->pinned = TRUE;
  return TRUE;
}
