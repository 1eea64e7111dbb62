/* SPDX-License-Identifier: MIT */
#include "engine/graph/plan.h"

#include <string.h>

#include "engine/graph/plan-private.h"
#include "engine/tensor/tensor.h"

TsPlanMemory *
ts_plan_memory_new (guint n_threads)
{
  TsPlanMemory *m = g_new0 (TsPlanMemory, 1);

  m->refs = 1;
  m->n_threads = n_threads;
  m->scratch = g_new0 (char *, n_threads);
  return m;
}

TsPlanMemory *
ts_plan_memory_ref (TsPlanMemory *m)
{
  m->refs++;
  return m;
}

void
ts_plan_memory_unref (TsPlanMemory *m)
{
  if (--m->refs > 0)
    return;
  ts_pages_free (m->arena, m->arena_bytes);
  for (guint i = 0; i < m->n_threads; i++)
    ts_pages_free (m->scratch[i], m->scratch_bytes);
  g_free (m->scratch);
  g_free (m);
}

static void
memory_grow (TsPlanMemory *m, gsize arena, gsize scratch)
{
  if (arena > m->arena_bytes) {
    ts_pages_free (m->arena, m->arena_bytes);
    m->arena = ts_pages_alloc (arena);
    m->arena_bytes = arena;
  }
  for (guint i = 0; scratch > m->scratch_bytes && i < m->n_threads; i++) {
    ts_pages_free (m->scratch[i], m->scratch_bytes);
    m->scratch[i] = ts_pages_alloc (scratch);
  }
  m->scratch_bytes = MAX (m->scratch_bytes, scratch);
}

static void
make_memory (TsPlan *plan)
{
  guint n = plan->spec.n_threads;

  plan->scratch_bytes = (plan->scratch_bytes + 63) & ~(gsize) 63;
  memory_grow (plan->memory, plan->arena_bytes, plan->scratch_bytes + plan->workspace_bytes);
  plan->faults = g_new0 (TsFault, n);
  plan->shares = g_aligned_alloc0 (n, sizeof (TsShare), 64);
}

static void
say_to_stderr (gpointer data, const TsNode *node, const char *text)
{
  g_printerr ("%s\n", text);
}

TsPlan *
ts_plan_new (const TsPlanSpec *spec, GError **error)
{
  TsPlan *plan = g_new0 (TsPlan, 1);
  guint n_values = ts_graph_get_n_values (spec->graph);

  plan->spec = *spec;
  plan->spec.fetches = g_memdup2 (spec->fetches, spec->n_fetches * sizeof (TsValue *));
  plan->spec.targets = g_memdup2 (spec->targets, spec->n_targets * sizeof (TsNode *));
  plan->spec.feeds = g_memdup2 (spec->feeds, spec->n_feeds * sizeof (TsValue *));
  plan->spec.state = g_memdup2 (spec->state, n_values * sizeof (void *));
  if (!spec->say)
    plan->spec.say = say_to_stderr;
  ts_graph_ref (spec->graph);
  plan->memory =
      spec->memory ? ts_plan_memory_ref (spec->memory) : ts_plan_memory_new (spec->n_threads);

  gint64 batch = MAX (spec->batch, 1);
  plan->slot = CLAMP (batch / 16, 1, TS_SLOT_ROWS_MAX);
  plan->n_slots = (batch + plan->slot - 1) / plan->slot;
  gint64 slots_per_run = (plan->n_slots + spec->n_threads - 1) / spec->n_threads;
  plan->run = CLAMP (slots_per_run * plan->slot, plan->slot,
                     MAX (TS_RUN_ROWS_MAX / plan->slot * plan->slot, plan->slot));
  plan->steps = g_array_new (FALSE, TRUE, sizeof (TsStep));
  plan->places = g_array_new (FALSE, TRUE, sizeof (TsPlace));
  plan->place_of = g_new (int, n_values + 1);
  for (guint i = 0; i < n_values; i++)
    plan->place_of[i] = -1;

  if (!ts_plan_find_steps (plan, error)) {
    ts_plan_free (plan);
    return NULL;
  }
  ts_plan_find_levels (plan);
  ts_plan_find_places (plan);
  ts_plan_make_tasks (plan);
  for (guint i = 0; i < plan->steps->len; i++)
    plan->workspace_bytes = MAX (plan->workspace_bytes, ts_plan_step (plan, i)->workspace);
  gsize each = plan->scratch_bytes + plan->workspace_bytes;
  if (!ts_memory_check (plan->arena_bytes, "one step with this batch", error) ||
      !ts_memory_check (each, "the scratch memory of one step", error)) {
    ts_plan_free (plan);
    return NULL;
  }
  make_memory (plan);
  return plan;
}

void
ts_plan_free (TsPlan *plan)
{
  for (guint i = 0; i < plan->n_levels && plan->phases; i++) {
    g_array_unref (plan->phases[i].segments);
    g_array_unref (plan->phases[i].tasks);
  }
  for (guint i = 0; i < plan->steps->len; i++) {
    g_free (ts_plan_step (plan, i)->in);
    g_free (ts_plan_step (plan, i)->pointers);
  }
  for (guint i = 0; i < plan->places->len; i++)
    g_clear_pointer (&ts_plan_place (plan, (int) i)->readers, g_array_unref);
  ts_plan_memory_unref (plan->memory);
  g_array_unref (plan->steps);
  g_array_unref (plan->places);
  g_free (plan->phases);
  g_free (plan->order);
  g_free (plan->place_of);
  g_free (plan->faults);
  g_aligned_free (plan->shares);
  g_free ((gpointer) plan->spec.fetches);
  g_free ((gpointer) plan->spec.targets);
  g_free ((gpointer) plan->spec.feeds);
  g_free ((gpointer) plan->spec.state);
  ts_graph_unref (plan->spec.graph);
  g_free (plan);
}

const void *
ts_plan_get_data (const TsPlan *plan, const TsValue *fetch)
{
  int place = plan->place_of[fetch->id];
  g_return_val_if_fail (place >= 0, NULL);
  const TsPlace *p = ts_plan_place (plan, place);

  if (p->store == TS_STORE_STATE)
    return plan->spec.state[p->value->id];
  g_return_val_if_fail (p->store == TS_STORE_BATCH, NULL);
  return plan->memory->arena + p->off;
}

void
ts_plan_get_stats (const TsPlan *plan, TsPlanStats *stats)
{
  *stats = (TsPlanStats){.arena_bytes = plan->arena_bytes,
                         .scratch_bytes = plan->scratch_bytes + plan->workspace_bytes,
                         .n_phases = plan->n_levels,
                         .n_steps = plan->steps->len,
                         .flops = plan->flops};
  for (guint i = 0; i < plan->places->len; i++) {
    const TsPlace *p = ts_plan_place (plan, (int) i);
    gboolean rows = p->value && p->value->kind == TS_VALUE_ROWS;
    if (p->store != TS_STORE_STATE && p->store != TS_STORE_NONE)
      stats->sum_bytes += p->row_bytes * (gsize) (rows ? plan->spec.batch : 1);
  }
}

static void
append_place (GString *text, const TsPlan *plan, int place)
{
  static const char *const stores[] = {"none", "strip", "run", "batch", "block", "state"};
  const TsPlace *p = ts_plan_place (plan, place);

  g_string_append_printf (text, " %s:%s", p->value ? p->value->node->name : "partials",
                          stores[p->store]);
  if (p->value && p->value->index)
    g_string_append_printf (text, "[%u]", p->value->index);
}

char *
ts_plan_dup_text (const TsPlan *plan)
{
  static const char *const kinds[] = {"", "combine ", "feed ", "derive "};
  GString *text = g_string_new (NULL);

  for (guint level = 0, pos = 0; level < plan->n_levels; level++) {
    const TsPhase *phase = &plan->phases[level];
    g_string_append_printf (text, "phase %u\n", level);
    for (; pos < phase->last_tail; pos++) {
      const TsStep *s = ts_plan_step (plan, plan->order[pos]);
      if (ts_step_is_rows (s))
        g_string_append_printf (text, "  rows %u", s->segment);
      else if (s->part.kind == TS_PART_BLOCKS)
        g_string_append (text, "  blocks");
      else
        g_string_append (text, "  whole");
      g_string_append_printf (text, " %s%s", kinds[s->kind],
                              s->kind == TS_STEP_FEED ? "" : s->node->op->name);
      for (guint i = 0; i < s->n_in; i++)
        append_place (text, plan, s->in[i]);
      g_string_append (text, " ->");
      for (guint i = 0; i < s->n_out; i++)
        append_place (text, plan, s->out[i]);
      if (s->partial >= 0 && s->kind == TS_STEP_MAIN)
        append_place (text, plan, s->partial);
      g_string_append_c (text, '\n');
    }
  }
  return g_string_free (text, FALSE);
}
