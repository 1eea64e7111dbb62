/* SPDX-License-Identifier: MIT */
#include "engine/graph/plan-private.h"

/* Everything below chooses memory, never results: a value kept in the arena and one that lives in a
 * strip of scratch are computed by the same steps. */

#define LINE     64
#define FOR_EVER G_MAXUINT

/* One more line than needed: equal sizes then do not meet on the same 4 KB offset. */
static gsize
padded (gsize bytes)
{
  return (bytes + 2 * LINE - 1) / LINE * LINE;
}

typedef struct {
  gboolean any, rows_only, one_segment, one_level, one_block_group;
  guint segment, last_segment, group;
} Users;

static Users
users_of (TsPlan *plan, int place)
{
  TsPlace *p = ts_plan_place (plan, place);
  Users u = {.rows_only = TRUE, .one_segment = TRUE, .one_level = TRUE, .one_block_group = TRUE};

  p->first_pos = p->first_level = FOR_EVER;
  p->last_pos = p->last_level = 0;
  for (guint pos = 0; pos < plan->steps->len; pos++) {
    const TsStep *s = ts_plan_step (plan, plan->order[pos]);
    if (!ts_step_uses (s, place))
      continue;
    if (!u.any) {
      u = (Users){TRUE, TRUE, TRUE, TRUE, TRUE, s->segment, s->segment, s->group};
      p->first_pos = pos;
      p->first_level = s->level;
    }
    u.rows_only &= ts_step_is_rows (s);
    u.one_segment &= s->segment == u.segment;
    u.one_level &= s->level == p->first_level;
    u.one_block_group &= s->group == u.group && ts_step_cuts (s, place);
    u.last_segment = MAX (u.last_segment, s->segment);
    p->last_pos = pos;
    p->last_level = s->level;
  }
  return u;
}

static const TsSegment *
segment_of (const TsPlan *plan, guint level, guint segment)
{
  return &g_array_index (plan->phases[level].segments, TsSegment, segment);
}

static void
choose_store (TsPlan *plan, int place)
{
  TsPlace *p = ts_plan_place (plan, place);
  Users u = users_of (plan, place);
  gboolean rows = p->value && p->value->kind == TS_VALUE_ROWS;

  if (p->value && p->value->kind == TS_VALUE_STATE && !p->local) {
    p->store = TS_STORE_STATE;
    return;
  }
  if (!u.any && !p->pinned)
    return;
  if (p->pinned || !p->value || !u.one_level)
    p->store = TS_STORE_BATCH;
  else if (!rows)
    p->store = u.one_block_group ? TS_STORE_BLOCK : TS_STORE_BATCH;
  else if (!u.rows_only)
    p->store = TS_STORE_BATCH;
  else
    p->store = u.one_segment ? TS_STORE_STRIP : TS_STORE_RUN;

  switch (p->store) {
  case TS_STORE_STRIP:
    p->bytes = padded (p->row_bytes * (gsize) segment_of (plan, p->first_level, u.segment)->strip);
    break;
  case TS_STORE_RUN: /* strips loop inside segments: alive through whole ones */
    p->bytes = padded (p->row_bytes * (gsize) plan->run);
    p->first_pos = segment_of (plan, p->first_level, u.segment)->first;
    p->last_pos = segment_of (plan, p->first_level, u.last_segment)->last - 1;
    break;
  case TS_STORE_BLOCK: {
    const TsStep *s = ts_plan_step (plan, plan->order[p->first_pos]);
    p->bytes = padded (p->row_bytes / (gsize) s->part.extent * (gsize) s->cut);
    break;
  }
  case TS_STORE_BATCH:
    p->bytes = padded (rows ? p->row_bytes * (gsize) plan->spec.batch : p->row_bytes);
    if (p->pinned) {
      p->first_level = 0;
      p->last_level = FOR_EVER;
    }
    break;
  case TS_STORE_NONE:
  case TS_STORE_STATE:
    break;
  }
}

/* The output of a step may take the memory of an input that nobody needs afterwards; or, when the
 * output is kept, the input may be made in the output's place from the start. */
static void
share_in_place (TsPlan *plan, guint pos)
{
  const TsStep *s = ts_plan_step (plan, plan->order[pos]);
  int q = s->kind == TS_STEP_MAIN ? s->node->op->inplace : -1;

  if (q < 0 || (guint) q >= s->n_in || s->n_out == 0 || !ts_step_is_rows (s) ||
      s->part.kind != TS_PART_ROWS)
    return;
  int ia = s->in[q], ib = s->out[0];
  TsPlace *a = ts_plan_place (plan, ia), *b = ts_plan_place (plan, ib);
  for (guint k = 0; k < s->n_in; k++)
    if ((int) k != q && s->in[k] == ia)
      return;
  for (guint later = pos + 1; later < plan->steps->len; later++)
    if (ts_step_uses (ts_plan_step (plan, plan->order[later]), ia))
      return;
  if (!a->value || a->value->kind != TS_VALUE_ROWS || a->row_bytes != b->row_bytes || a->pinned ||
      (a->store != TS_STORE_STRIP && a->store != TS_STORE_RUN))
    return;
  if (b->store == TS_STORE_BATCH) {
    a->inside = ib;
    return;
  }
  if (a->store != b->store || a->bytes != b->bytes)
    return;
  while (ts_plan_place (plan, ia)->alias >= 0)
    ia = ts_plan_place (plan, ia)->alias;
  a = ts_plan_place (plan, ia);
  b->alias = ia;
  a->first_pos = MIN (a->first_pos, b->first_pos);
  a->last_pos = MAX (a->last_pos, b->last_pos);
}

typedef struct {
  TsPlace *place;
  guint from, to;
} Life;

static int
by_size (gconstpointer a, gconstpointer b)
{
  const Life *x = a, *y = b;

  if (x->place->bytes != y->place->bytes)
    return x->place->bytes < y->place->bytes ? 1 : -1;
  return x->place < y->place ? -1 : x->place > y->place; /* array order: the same every time */
}

/* First fit, largest first; returns the end. */
static gsize
pack (GArray *lives)
{
  gsize end = 0;

  g_array_sort (lives, by_size);
  for (guint i = 0; i < lives->len; i++) {
    const Life *a = &g_array_index (lives, Life, i);
    gboolean moved;
    a->place->off = 0;
    do {
      moved = FALSE;
      for (guint j = 0; j < i; j++) {
        const Life *b = &g_array_index (lives, Life, j);
        if (b->from <= a->to && a->from <= b->to &&
            b->place->off < a->place->off + a->place->bytes &&
            a->place->off < b->place->off + b->place->bytes) {
          a->place->off = b->place->off + b->place->bytes;
          moved = TRUE;
        }
      }
    } while (moved);
    end = MAX (end, a->place->off + a->place->bytes);
  }
  return end;
}

void
ts_plan_find_places (TsPlan *plan)
{
  g_autoptr (GArray) arena = g_array_new (FALSE, FALSE, sizeof (Life));
  g_autoptr (GArray) scratch = g_array_new (FALSE, FALSE, sizeof (Life));

  for (guint i = 0; i < plan->places->len; i++)
    choose_store (plan, (int) i);
  for (guint pos = 0; pos < plan->steps->len; pos++)
    share_in_place (plan, pos);
  for (guint i = 0; i < plan->places->len; i++) {
    TsPlace *p = ts_plan_place (plan, (int) i);
    if (p->store == TS_STORE_BATCH) {
      Life life = {p, p->first_level, p->last_level};
      g_array_append_val (arena, life);
    } else if (p->store != TS_STORE_NONE && p->store != TS_STORE_STATE && p->alias < 0 &&
               p->inside < 0) {
      Life life = {p, p->first_pos, p->last_pos};
      g_array_append_val (scratch, life);
    }
  }
  plan->arena_bytes = pack (arena);
  plan->scratch_bytes = pack (scratch);
  for (guint i = 0; i < plan->places->len; i++) {
    TsPlace *p = ts_plan_place (plan, (int) i);
    if (p->alias >= 0) {
      /* an input that moved into the arena left its memory: its heirs follow it */
      const TsPlace *root = ts_plan_place (plan, p->alias);
      g_assert (root->inside < 0 || p->inside >= 0);
      p->off = root->off;
    }
  }
  for (guint i = 0; i < plan->places->len; i++) {
    TsPlace *p = ts_plan_place (plan, (int) i);
    if (p->inside >= 0) {
      p->store = TS_STORE_BATCH;
      p->off = ts_plan_place (plan, p->inside)->off;
    }
  }
}
