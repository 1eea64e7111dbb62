/* SPDX-License-Identifier: MIT */
#include "engine/graph/eager.h"

#include "engine/graph/autograd.h"

struct TsEagerValue {
  TsValue *value; /* on the tape */
  TsTensor *tensor;
};

/* The tape is a graph whose placeholders are what was brought in.  One op runs as a graph of its own, so
 * that a step costs the same however long the tape is. */
struct TsEager {
  TsGraph *tape;
  guint64 seed, step;
  gboolean training;
  /* of the operations on the tape: how they were run */
  gboolean any, mixed, tape_training;
  guint64 tape_step;
  gint64 batch;      /* -1: none yet */
  GPtrArray *values; /* of TsEagerValue, owned */
};

static void
eager_value_free (gpointer data)
{
  TsEagerValue *v = data;

  ts_tensor_unref (v->tensor);
  g_free (v);
}

TsEager *
ts_eager_new (guint64 seed)
{
  TsEager *e = g_new0 (TsEager, 1);

  e->tape = ts_graph_new ();
  ts_graph_set_rewrites (e->tape, FALSE);
  e->seed = seed;
  e->training = TRUE;
  e->batch = -1;
  e->values = g_ptr_array_new_with_free_func (eager_value_free);
  return e;
}

void
ts_eager_free (TsEager *e)
{
  g_ptr_array_unref (e->values);
  ts_graph_unref (e->tape);
  g_free (e);
}

/* Takes @tensor. */
static TsEagerValue *
add_value (TsEager *e, TsValue *value, TsTensor *tensor)
{
  TsEagerValue *v = g_new (TsEagerValue, 1);

  *v = (TsEagerValue){value, tensor};
  g_ptr_array_add (e->values, v);
  return v;
}

static TsEagerValue *
bring_in (TsEager *e, TsTensor *tensor, gboolean batch)
{
  TsShape shape = tensor->shape;

  if (batch)
    shape.dim[0] = TS_ANY;
  return add_value (e, ts_graph_placeholder (e->tape, NULL, tensor->dtype, &shape, NULL),
                    ts_tensor_ref (tensor));
}

TsEagerValue *
ts_eager_tensor (TsEager *e, TsTensor *tensor)
{
  return bring_in (e, tensor, FALSE);
}

TsEagerValue *
ts_eager_batch (TsEager *e, TsTensor *tensor, GError **error)
{
  g_autofree char *text = ts_shape_dup_text (&tensor->shape);

  if (tensor->shape.rank == 0 || (e->batch >= 0 && tensor->shape.dim[0] != e->batch)) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "a tensor of shape %s cannot join a tape whose batch is %" G_GINT64_FORMAT " rows",
                 text, e->batch);
    return NULL;
  }
  e->batch = tensor->shape.dim[0];
  return bring_in (e, tensor, TRUE);
}

TsEagerValue *
ts_eager_scalar (TsEager *e, double value)
{
  TsShape scalar = TS_SCALAR;
  g_autoptr (TsTensor) t = ts_tensor_new (TS_F32, &scalar);

  ts_tensor_set (t, 0, value);
  return ts_eager_tensor (e, t);
}

static TsSession *
session_of (TsEager *e, TsGraph *graph)
{
  TsSession *s = ts_session_new (graph, e->seed, 1);

  ts_session_init_variables (s);
  ts_session_set_step (s, e->tape_step);
  return s;
}

/* Runs @node of the tape on the tensors of its inputs. */
static gboolean
run_alone (TsEager *e, const TsNode *node, TsEagerValue *const *in, TsTensor **out, GError **error)
{
  g_autoptr (TsGraph) graph = ts_graph_new ();
  g_autofree TsValue **values = g_new0 (TsValue *, node->n_in + 1);
  g_autofree TsTensor **tensors = g_new0 (TsTensor *, node->n_in + 1);

  for (guint i = 0; i < node->n_in; i++) {
    TsShape shape = in[i]->value->shape;
    g_autofree char *name = g_strdup_printf ("in/%u", i);
    values[i] = ts_graph_placeholder (graph, name, in[i]->value->dtype, &shape, NULL);
    tensors[i] = in[i]->tensor;
  }
  TsNode *alone =
      ts_graph_add (graph, node->op->name, node->name, values, node->n_in, &node->params, error);
  if (!alone)
    return FALSE;
  g_autoptr (TsSession) s = session_of (e, graph);
  ts_session_set_step (s, e->step);
  return ts_session_run (s, values, tensors, node->n_in, alone->out, alone->n_out, NULL, 0,
                         e->training, out, error);
}

gboolean
ts_eager_apply_all (TsEager *e, const char *op, const char *name, TsEagerValue *const *in,
                    guint n_in, const TsParams *params, TsEagerValue **out, guint *n_out,
                    GError **error)
{
  g_autofree TsValue **values = g_new0 (TsValue *, n_in + 1);
  TsTensor *tensors[TS_NODE_OUTPUTS_MAX] = {NULL};

  for (guint i = 0; i < n_in; i++)
    values[i] = in[i]->value;
  TsNode *node = ts_graph_add (e->tape, op, name, values, n_in, params, error);
  e->mixed |= e->any && (e->tape_step != e->step || e->tape_training != e->training);
  e->tape_step = e->any ? e->tape_step : e->step;
  e->tape_training = e->any ? e->tape_training : e->training;
  e->any = TRUE;
  if (!node || !run_alone (e, node, in, tensors, error))
    return FALSE;
  *n_out = node->n_out;
  for (guint i = 0; i < node->n_out; i++)
    out[i] = add_value (e, node->out[i], tensors[i]);
  return TRUE;
}

TsEagerValue *
ts_eager_apply (TsEager *e, const char *op, const char *name, TsEagerValue *const *in, guint n_in,
                const char *params, GError **error)
{
  TsEagerValue *out[TS_NODE_OUTPUTS_MAX] = {NULL};
  const TsOpClass *klass = ts_op_lookup (op);
  TsParams p;
  guint n;

  ts_params_init (&p, klass ? klass->params : NULL);
  if (klass && !ts_params_parse_all (&p, params, error))
    return NULL;
  return ts_eager_apply_all (e, op, name, in, n_in, &p, out, &n, error) ? out[0] : NULL;
}

const TsTensor *
ts_eager_value_get (const TsEagerValue *v)
{
  return v->tensor;
}

void
ts_eager_set_training (TsEager *e, gboolean training)
{
  e->training = training;
}

void
ts_eager_set_step (TsEager *e, guint64 step)
{
  e->step = step;
}

gboolean
ts_eager_gradients (TsEager *e, TsEagerValue *loss, TsEagerValue *const *xs, guint n,
                    TsTensor **grads, GError **error)
{
  g_autofree TsValue **values = g_new0 (TsValue *, n + 1), **found = g_new0 (TsValue *, n + 1);
  g_autoptr (GPtrArray) fed = g_ptr_array_new (), with = g_ptr_array_new ();
  g_autofree TsTensor **got = g_new0 (TsTensor *, n + 1);
  guint n_found = 0;

  if (e->mixed) {
    g_set_error (
        error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
        "the tape holds operations of several steps, or of training and evaluation: begin a "
        "new one for each");
    return FALSE;
  }
  for (guint i = 0; i < n; i++)
    values[i] = xs[i]->value;
  if (!ts_graph_gradients (e->tape, loss->value, values, n, found, error))
    return FALSE;
  for (guint i = 0; i < e->values->len; i++) {
    TsEagerValue *v = e->values->pdata[i];
    g_ptr_array_add (fed, v->value);
    g_ptr_array_add (with, v->tensor);
  }
  for (guint i = 0; i < n; i++)
    if (found[i])
      values[n_found++] = found[i];
  g_autoptr (TsSession) s = session_of (e, e->tape);
  if (!ts_session_run (s, (TsValue **) fed->pdata, (TsTensor **) with->pdata, fed->len, values,
                       n_found, NULL, 0, e->tape_training, got, error))
    return FALSE;
  for (guint i = 0, k = 0; i < n; i++)
    grads[i] = found[i] ? got[k++] : NULL;
  return TRUE;
}
