/* SPDX-License-Identifier: MIT */
#include "engine/graph/lint.h"

typedef struct {
  const TsGraph *graph;
  gboolean *used;   /* by node id: something fetched needs it */
  gboolean *learnt; /* by value id: a loss changes with it, as far as gradients can tell */
  TsLintFunc func;
  gpointer data;
} Lint;

static void
report (const Lint *l, const TsNode *node, const char *note, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  l->func (l->data, node, message, note);
}

/* Both spread from the end to the start; nodes are in topological order. */
static void
spread (Lint *l)
{
  for (guint id = ts_graph_get_n_nodes (l->graph); id-- > 0;) {
    const TsNode *node = ts_graph_get_node (l->graph, id);
    gboolean learnt = FALSE;
    for (guint i = 0; i < node->n_out; i++)
      learnt |= l->learnt[node->out[i]->id];
    for (guint i = 0; i < node->n_in; i++) {
      l->used[node->in[i]->node->id] |= l->used[id];
      if (learnt && node->op->backward && ts_dtype_is_float (node->in[i]->dtype))
        l->learnt[node->in[i]->id] = TRUE;
    }
    for (guint i = 0; l->used[id] && i < node->n_after; i++)
      l->used[node->after[i]->id] = TRUE;
  }
}

/* Through what passes values on as they are. */
static const TsValue *
origin (const TsValue *v)
{
  while ((v->node->op->flags & (TS_OP_VIEW | TS_OP_SAYS)) && v->node->n_in)
    v = v->node->in[0];
  return v;
}

static void
check_node (const Lint *l, const TsNode *node)
{
  if (ts_node_is_trainable (node)) {
    if (!l->used[node->id])
      report (l, node, "nothing that is computed needs it", "the variable '%s' is never used",
              node->name);
    else if (!l->learnt[node->out[0]->id])
      report (l, node, "no gradient reaches it: training will leave it as it is",
              "the loss does not depend on the variable '%s'", node->name);
  }
  if ((node->op->flags & TS_OP_SAYS) && !l->used[node->id])
    report (l, node, "go on with what it returns instead of with its input",
            "'%s' says nothing: what it returns is on no path to a loss, metric or output",
            node->name);
  if ((node->op->flags & TS_OP_LOGITS) &&
      (origin (node->in[0])->node->op->flags & TS_OP_PROBABILITIES))
    report (l, node,
            "give it what comes before; it applies its own, which is exact for large scores",
            "%s takes logits, but '%s' gives probabilities", node->op->name,
            origin (node->in[0])->node->op->name);
}

void
ts_graph_lint (const TsGraph *graph, TsValue *const *losses, guint n_losses, TsValue *const *others,
               guint n_others, TsLintFunc func, gpointer data)
{
  guint n = ts_graph_get_n_nodes (graph);
  g_autofree gboolean *used = g_new0 (gboolean, n + 1);
  g_autofree gboolean *learnt = g_new0 (gboolean, ts_graph_get_n_values (graph) + 1);
  Lint l = {graph, used, learnt, func, data};

  for (guint i = 0; i < n_losses; i++)
    used[losses[i]->node->id] = learnt[losses[i]->id] = TRUE;
  for (guint i = 0; i < n_others; i++)
    used[others[i]->node->id] = TRUE;
  for (guint i = 0; i < ts_graph_get_n_updates (graph); i++)
    used[ts_graph_get_update (graph, i)->id] = TRUE;
  spread (&l);
  for (guint id = 0; id < n; id++)
    check_node (&l, ts_graph_get_node (graph, id));
}
