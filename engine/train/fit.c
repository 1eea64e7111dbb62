/* SPDX-License-Identifier: MIT */
#include "engine/train/fit.h"

#include <string.h>

#include "engine/base/error.h"

/* ---- the model */

static gboolean
passes_gradient (const TsNode *node)
{
  gboolean floats = FALSE;

  for (guint i = 0; i < node->n_in; i++)
    floats |= ts_dtype_is_float (node->in[i]->dtype);
  return floats && node->op->backward;
}

/* Does a gradient of @loss reach a variable?  If not, *dead_end: the node nearest to the loss that passes none
 * on; NULL: the loss depends on no variable. */
static gboolean
reaches_variable (const TsGraph *graph, const TsNode *loss, const TsNode **dead_end)
{
  g_autofree gboolean *flows = g_new0 (gboolean, loss->id + 1);

  *dead_end = NULL;
  flows[loss->id] = TRUE;
  for (guint id = loss->id + 1; id-- > 0;) { /* nodes are in topological order */
    const TsNode *node = ts_graph_get_node (graph, id);
    if (!flows[id])
      continue;
    if (ts_node_is_trainable (node))
      return TRUE;
    if (node->n_in && !passes_gradient (node)) {
      *dead_end = *dead_end ? *dead_end : node;
      continue;
    }
    for (guint i = 0; i < node->n_in; i++)
      flows[node->in[i]->node->id] |= ts_dtype_is_float (node->in[i]->dtype);
  }
  return FALSE;
}

static void
check_loss (const TsModel *m, TsDiags *diags)
{
  const TsModelValue *loss = &m->losses[0];
  const TsNode *dead_end;

  if (m->n_losses > 1) {
    ts_diags_error (diags, m->losses[1].span, "a training makes one loss small; this is a second");
    ts_diags_note_at (diags, loss->span, "the first one is here");
    ts_diags_note (diags, "add them in one loss, or make the other a metric");
    return;
  }
  if (!m->train_span.end)
    return;
  if (m->n_losses == 0) {
    ts_diags_error (diags, m->train_span, "a training needs a loss and the model has none");
    return;
  }
  if (reaches_variable (m->graph, loss->value->node, &dead_end))
    return;
  if (dead_end)
    ts_diags_error (diags, loss->span, "'%s' cannot be trained: %s has no gradient", loss->name,
                    dead_end->op->name);
  else
    ts_diags_error (diags, loss->span, "'%s' cannot be trained: it depends on no variable",
                    loss->name);
}

static const char *const bound[][2] = {{"x", "features"}, {"t", "labels"}};

void
ts_fit_check_model (const TsModel *m, TsDiags *diags)
{
  if (m->n_metrics > TS_METRICS_MAX)
    ts_diags_error (diags, m->metrics[TS_METRICS_MAX].span,
                    "a model has at most %d metrics; this is one too many", TS_METRICS_MAX);
  check_loss (m, diags);
  for (guint i = 0; m->data.name && i < G_N_ELEMENTS (bound); i++)
    if (!ts_model_lookup_input (m, bound[i][0]))
      ts_diags_error (diags, m->data.span,
                      "the model has no 'input %s', to which the %s of %s are bound", bound[i][0],
                      bound[i][1], m->data.name);
}

/* ---- the data */

static const TsValue *
bind (const TsModel *m, const TsDataset *d, guint i, TsSpan *span, GError **error)
{
  const TsModelValue *input = ts_model_lookup_input (m, bound[i][0]);

  if (input) {
    *span = input->span;
    return input->value;
  }
  *span = m->data.span;
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME,
               "the model has no 'input %s', to which the %s of %s are bound", bound[i][0],
               bound[i][1], d->name);
  return NULL;
}

static gboolean
check_features (const TsValue *x, TsDataset *d, GError **error)
{
  gsize have = ts_dataset_elements (d);
  TsShape row = {.rank = d->rank};

  if (ts_dtype_is_float (x->dtype) && (gsize) ts_shape_row_elems (&x->shape) == have)
    return TRUE;
  memcpy (row.dim, d->shape, sizeof (gint64) * row.rank);
  g_autofree char *want = ts_shape_dup_row_text (&x->shape), *got = ts_shape_dup_row_text (&row);
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
               "the model's input x is %s %s but a row of %s is %s (%" G_GSIZE_FORMAT " numbers)",
               ts_dtype_is_float (x->dtype) ? "float" : "int", want, d->name, got, have);
  return FALSE;
}

static gboolean
check_labels (const TsValue *t, GError **error)
{
  if (t->dtype == TS_I32 && ts_shape_row_elems (&t->shape) == 1)
    return TRUE;
  g_autofree char *want = ts_shape_dup_row_text (&t->shape);
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
               "the model's input t must be one int, the class, but it is %s %s",
               t->dtype == TS_I32 ? "int" : "float", want);
  return FALSE;
}

static gboolean
check_scores (const TsModel *m, const TsDataset *d, GError **error)
{
  const TsShape *s = m->n_outputs ? &m->outputs[0].value->shape : NULL;
  gint64 n = s && s->rank ? s->dim[s->rank - 1] : 1;

  if (n <= 1 || n >= d->n_classes)
    return TRUE;
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
               "the model gives %" G_GINT64_FORMAT " scores but %s has %u classes", n, d->name,
               d->n_classes);
  return FALSE;
}

static gboolean
check_watched (const TsOption *option, TsDataset *d, GError **error)
{
  if (!option->kind || d->split[TS_SPLIT_VAL].n > 0)
    return TRUE;
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
               "%s watches %s but %s has no validation rows", option->kind->name,
               ts_params_text (&option->params, "monitor"), d->name);
  return FALSE;
}

gboolean
ts_fit_check_data (const TsModel *m, TsDataset *d, const TsTrainConfig *c, TsSpan *span,
                   GError **error)
{
  TsSpan ignored;
  const TsValue *x, *t;

  span = span ? span : &ignored;
  if (!(x = bind (m, d, 0, span, error)) || !check_features (x, d, error) ||
      !(t = bind (m, d, 1, span, error)) || !check_labels (t, error))
    return FALSE;
  *span = m->n_outputs ? m->outputs[0].span : m->data.span;
  if (!check_scores (m, d, error))
    return FALSE;
  *span = m->stop.span;
  if (!check_watched (&c->stop, d, error))
    return FALSE;
  *span = m->reduce.span;
  return check_watched (&c->reduce, d, error);
}

void
ts_fit_lint (const TsModel *m, const TsDataset *d, const TsTrainConfig *c, TsDiags *diags)
{
  gint64 rows = d ? (gint64) d->split[TS_SPLIT_TRAIN].n : 0;
  gint64 per_epoch = (rows + c->batch - 1) / c->batch;
  gint64 steps = d && c->epochs ? c->epochs * per_epoch : G_MAXINT64;

  steps = c->steps ? MIN (c->steps, steps) : steps;
  if (c->accumulate <= steps)
    return;
  ts_diags_warning (diags, m->accumulate_span.end ? m->accumulate_span : (TsSpan){0, 1},
                    "accumulate %" G_GINT64_FORMAT " is more than all %" G_GINT64_FORMAT
                    " steps of the training: no weight ever changes",
                    c->accumulate, steps);
}
