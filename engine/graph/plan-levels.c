/* SPDX-License-Identifier: MIT */
#include "engine/graph/plan-private.h"

/* A step's level is its phase.  Two steps may share a phase when the later one needs, for each part
 * of its work, only the same part of the earlier one's (they are aligned); otherwise a barrier lies
 * between.  Steps done by one thread run in the tail of a phase and cost no barrier. */

gboolean
ts_step_reads (const TsStep *s, int place)
{
  for (guint i = 0; i < s->n_in; i++)
    if (s->in[i] == place)
      return TRUE;
  return s->kind == TS_STEP_COMBINE && s->partial == place;
}

gboolean
ts_step_uses (const TsStep *s, int place)
{
  for (guint i = 0; i < s->n_out; i++)
    if (s->out[i] == place)
      return TRUE;
  return s->partial == place || ts_step_reads (s, place);
}

gboolean
ts_step_cuts (const TsStep *s, int place)
{
  gboolean cuts = FALSE;

  if (s->part.kind != TS_PART_BLOCKS)
    return FALSE;
  for (guint i = 0; i < s->n_in; i++)
    if (s->in[i] == place) {
      if (!(s->part.cut_in >> i & 1))
        return FALSE;
      cuts = TRUE;
    }
  for (guint i = 0; i < s->n_out; i++)
    if (s->out[i] == place) {
      if (!(s->part.cut_out >> i & 1))
        return FALSE;
      cuts = TRUE;
    }
  return cuts;
}

static gboolean
aligned (const TsPlan *plan, const TsStep *m, const TsStep *n, int place)
{
  const TsPlace *p = ts_plan_place (plan, place);

  if (ts_step_is_rows (m) && ts_step_is_rows (n))
    return p->value && p->value->kind == TS_VALUE_ROWS;
  return m->part.kind == TS_PART_BLOCKS && n->part.kind == TS_PART_BLOCKS &&
         m->part.extent == n->part.extent && m->cut == n->cut && ts_step_cuts (m, place) &&
         ts_step_cuts (n, place);
}

static guint
root_group (guint *parent, guint i)
{
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

/* Step @i comes after step @m because of @place. */
static void
depend (TsPlan *plan, guint i, int m_index, int place)
{
  if (m_index < 0 || (guint) m_index == i)
    return;
  TsStep *n = ts_plan_step (plan, i), *m = ts_plan_step (plan, (guint) m_index);
  gboolean same = n->part.kind == TS_PART_WHOLE ||
                  (m->part.kind != TS_PART_WHOLE && aligned (plan, m, n, place));

  n->level = MAX (n->level, m->level + !same);
}

static void
read_place (TsPlan *plan, guint i, int place)
{
  TsPlace *p = ts_plan_place (plan, place);

  depend (plan, i, p->writer, place);
  if (!p->readers)
    p->readers = g_array_new (FALSE, FALSE, sizeof (int));
  g_array_append_val (p->readers, i);
}

static void
write_place (TsPlan *plan, guint i, int place)
{
  TsPlace *p = ts_plan_place (plan, place);

  depend (plan, i, p->writer, place);
  for (guint r = 0; p->readers && r < p->readers->len; r++)
    depend (plan, i, g_array_index (p->readers, int, r), place);
  if (p->readers)
    g_array_set_size (p->readers, 0);
  p->writer = (int) i;
}

/* Views are no steps: who made what they show stands for them. */
static const TsNode *
maker (const TsNode *node)
{
  while ((node->op->flags & TS_OP_VIEW) && node->n_in)
    node = node->in[0]->node;
  return node;
}

/* Control dependencies of @node, and of the views that it reads: after all of it, without sharing. */
static void
follow_controls (TsPlan *plan, guint i, const TsNode *node)
{
  TsStep *s = ts_plan_step (plan, i);

  for (guint k = 0; k < node->n_after; k++) {
    const TsNode *before = maker (node->after[k]);
    for (guint j = 0; j < i; j++)
      if (ts_plan_step (plan, j)->node == before)
        s->level = MAX (s->level, ts_plan_step (plan, j)->level + (s->part.kind != TS_PART_WHOLE));
  }
  for (guint k = 0; k < node->n_in; k++)
    if (node->in[k]->node->op->flags & TS_OP_VIEW)
      follow_controls (plan, i, node->in[k]->node);
}

static void
find_level (TsPlan *plan, guint i)
{
  TsStep *s = ts_plan_step (plan, i);
  guint updates = s->kind == TS_STEP_MAIN ? s->node->op->updates : 0;

  for (guint k = 0; k < s->n_in; k++)
    if (!(updates >> MIN (k, 31) & 1))
      read_place (plan, i, s->in[k]);
  if (s->kind == TS_STEP_COMBINE)
    read_place (plan, i, s->partial);
  for (guint k = 0; k < s->n_in && k < 32; k++)
    if (updates >> k & 1)
      write_place (plan, i, s->in[k]);
  for (guint k = 0; k < s->n_out; k++)
    write_place (plan, i, s->out[k]);
  if (s->kind == TS_STEP_MAIN && s->partial >= 0)
    write_place (plan, i, s->partial);
  if (s->kind == TS_STEP_MAIN)
    follow_controls (plan, i, s->node);
  plan->n_levels = MAX (plan->n_levels, s->level + 1);
}

/* Blocks steps of one level that are aligned form a group: one task takes a block through them all. */
static void
find_groups (TsPlan *plan)
{
  guint n = plan->steps->len;
  g_autofree guint *parent = g_new (guint, n);

  for (guint i = 0; i < n; i++)
    parent[i] = i;
  for (guint i = 0; i < n; i++) {
    TsStep *a = ts_plan_step (plan, i);
    if (a->part.kind != TS_PART_BLOCKS)
      continue;
    for (guint j = 0; j < i; j++) {
      TsStep *b = ts_plan_step (plan, j);
      gboolean joined = FALSE;
      if (b->part.kind != TS_PART_BLOCKS || b->level != a->level)
        continue;
      for (guint k = 0; k < a->n_in && !joined; k++)
        joined = ts_step_uses (b, a->in[k]) && aligned (plan, b, a, a->in[k]);
      for (guint k = 0; k < a->n_out && !joined; k++)
        joined = ts_step_uses (b, a->out[k]) && aligned (plan, b, a, a->out[k]);
      if (joined)
        parent[root_group (parent, i)] = root_group (parent, j);
    }
  }
  for (guint i = 0; i < n; i++)
    ts_plan_step (plan, i)->group = root_group (parent, i);
}

/* Positions: by level; rows in list order, then group by group, then the tail. */
static void
find_order (TsPlan *plan)
{
  guint n = plan->steps->len, pos = 0;

  plan->order = g_new0 (guint, n + 1);
  for (guint level = 0; level < plan->n_levels; level++) {
    TsPhase *phase = &plan->phases[level];
    for (guint i = 0; i < n; i++)
      if (ts_plan_step (plan, i)->level == level && ts_step_is_rows (ts_plan_step (plan, i)))
        plan->order[pos++] = i;
    for (guint g = 0; g < n; g++) /* a group is named by one of its steps */
      for (guint i = 0; i < n; i++) {
        TsStep *s = ts_plan_step (plan, i);
        if (s->group == g && s->level == level && s->part.kind == TS_PART_BLOCKS)
          plan->order[pos++] = i;
      }
    phase->first_tail = pos;
    for (guint i = 0; i < n; i++)
      if (ts_plan_step (plan, i)->level == level &&
          ts_plan_step (plan, i)->part.kind == TS_PART_WHOLE)
        plan->order[pos++] = i;
    phase->last_tail = pos;
  }
  for (guint i = 0; i < pos; i++)
    ts_plan_step (plan, plan->order[i])->pos = i;
}

static gsize
row_bytes_touched (const TsPlan *plan, const TsStep *s)
{
  gsize bytes = 0;

  for (guint i = 0; i < s->n_in + s->n_out; i++) {
    const TsPlace *p = ts_plan_place (plan, i < s->n_in ? s->in[i] : s->out[i - s->n_in]);
    if (p->value && p->value->kind == TS_VALUE_ROWS)
      bytes += p->row_bytes;
  }
  return bytes;
}

/* How many rows a step wants at once: all of the run when its product has a line per row, few when
 * rows are large, 0 when it does not care. */
static gint64
wanted_rows (const TsPlan *plan, const TsStep *s)
{
  gsize bytes = row_bytes_touched (plan, s);

  if (s->kind == TS_STEP_MAIN && (s->node->op->flags & TS_OP_MANY))
    return plan->run;
  if (bytes < TS_STRIP_BYTES / 8)
    return 0;
  return CLAMP ((gint64) (TS_STRIP_BYTES / bytes), 1, plan->run);
}

/* The rows chain of a phase is cut where one kind of wish follows the other. */
static void
find_segments (TsPlan *plan, TsPhase *phase, guint first, guint last)
{
  gint64 current = 0;

  for (guint pos = first; pos < last; pos++) {
    TsStep *s = ts_plan_step (plan, plan->order[pos]);
    gint64 want = wanted_rows (plan, s);
    TsSegment *open = phase->segments->len
                          ? &g_array_index (phase->segments, TsSegment, phase->segments->len - 1)
                          : NULL;
    if (!open || (want && current && (want == plan->run) != (current == plan->run))) {
      TsSegment fresh = {pos, pos + 1, want};
      g_array_append_val (phase->segments, fresh);
      current = want;
    } else {
      if (want && (!current || want < current))
        open->strip = current = want;
      open->last = pos + 1;
    }
    s->segment = phase->segments->len - 1;
  }
  for (guint i = 0; i < phase->segments->len; i++) {
    TsSegment *segment = &g_array_index (phase->segments, TsSegment, i);
    if (!segment->strip)
      segment->strip = plan->run;
  }
}

void
ts_plan_find_levels (TsPlan *plan)
{
  for (guint i = 0; i < plan->steps->len; i++)
    find_level (plan, i);
  find_groups (plan);
  plan->phases = g_new0 (TsPhase, plan->n_levels);
  for (guint i = 0; i < plan->n_levels; i++) {
    plan->phases[i].segments = g_array_new (FALSE, TRUE, sizeof (TsSegment));
    plan->phases[i].tasks = g_array_new (FALSE, TRUE, sizeof (TsTask));
  }
  find_order (plan);
  for (guint level = 0, pos = 0; level < plan->n_levels; level++) {
    guint first = pos, last = first;
    while (last < plan->phases[level].first_tail &&
           ts_step_is_rows (ts_plan_step (plan, plan->order[last])))
      last++;
    find_segments (plan, &plan->phases[level], first, last);
    pos = plan->phases[level].last_tail;
  }
}

static void
add_block_tasks (TsPlan *plan, TsPhase *phase, guint first, guint last)
{
  const TsStep *s = ts_plan_step (plan, plan->order[first]);

  for (gint64 a = 0, b = 0; a < s->part.extent; a += s->cut, b++) {
    TsTask t = {FALSE, a, MIN (a + s->cut, s->part.extent), b, first, last};
    g_array_append_val (phase->tasks, t);
  }
}

/* Rows first (they take longest), then groups, those with large blocks first. */
void
ts_plan_make_tasks (TsPlan *plan)
{
  guint pos = 0;

  for (guint level = 0; level < plan->n_levels; level++) {
    TsPhase *phase = &plan->phases[level];
    guint first = pos, blocks = pos;

    while (blocks < phase->first_tail && ts_step_is_rows (ts_plan_step (plan, plan->order[blocks])))
      blocks++;
    for (gint64 r = 0; blocks > first && r < plan->spec.batch; r += plan->run) {
      TsTask t = {TRUE, r, MIN (r + plan->run, plan->spec.batch), 0, first, blocks};
      g_array_append_val (phase->tasks, t);
    }
    for (int large = 1; large >= 0; large--)
      for (guint i = blocks, end; i < phase->first_tail; i = end) {
        const TsStep *s = ts_plan_step (plan, plan->order[i]);
        for (end = i + 1;
             end < phase->first_tail && ts_plan_step (plan, plan->order[end])->group == s->group;)
          end++;
        if ((s->part.extent * s->part.unit_elems > TS_BLOCK_ELEMS / 2) == large)
          add_block_tasks (plan, phase, i, end);
      }
    pos = phase->last_tail;
  }
}
