/* SPDX-License-Identifier: MIT */
#include "engine/ops/recurrent.h"

#include <string.h>

static gboolean
refuse (const TsNode *node, const char *what, const TsShape *got, const char *want, GError **error)
{
  g_autofree char *text = ts_shape_dup_text (got);

  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE, "%s: the %s is %s; it must be %s",
               node->op->name, what, text, want);
  return FALSE;
}

static gboolean
is_matrix (const TsNode *node, guint i, gint64 rows, gint64 cols)
{
  const TsShape *s = &node->in[i]->shape;

  return s->rank == 2 && s->dim[0] == rows && s->dim[1] == cols;
}

/* A state is [units] per row of x. */
static gboolean
is_state (const TsNode *node, guint i, gint64 units)
{
  return is_matrix (node, i, node->in[0]->shape.dim[0], units);
}

static gboolean
refuse_bias (const TsNode *node, const TsShape *got, guint lines, gint64 width, GError **error)
{
  g_autofree char *want = lines == 2 ? g_strdup_printf ("(2, %" G_GINT64_FORMAT ")", width)
                                     : g_strdup_printf ("(%" G_GINT64_FORMAT ",)", width);

  return refuse (node, "bias", got, want, error);
}

static gboolean
find_optional (TsRecurrent *r, const TsNode *node, guint n_states, guint bias_lines, GError **error)
{
  guint at = 3, n = node->n_in;
  gint64 width = r->gates * r->units;

  if (n > at && node->in[n - 1]->dtype == TS_I32) {
    const TsShape *s = &node->in[n - 1]->shape;
    if (s->rank != 1 || s->dim[0] != node->in[0]->shape.dim[0])
      return refuse (node, "number of steps", s, "one integer per row", error);
    r->lengths = (int) --n;
  }
  if ((n - at) % n_states == 1 || (n_states == 1 && n == 5) ||
      (n_states == 1 && n == 4 && !is_state (node, 3, r->units))) {
    const TsShape *s = &node->in[at]->shape;
    if (bias_lines == 2 ? !is_matrix (node, at, 2, width) : s->rank != 1 || s->dim[0] != width)
      return refuse_bias (node, s, bias_lines, width, error);
    r->bias = (int) at++;
  }
  for (guint i = 0; i < n_states && at < n; i++, at++) {
    if (!is_state (node, at, r->units))
      return refuse (node, "initial state", &node->in[at]->shape, "[units] for each row", error);
    r->state[i] = (int) at;
  }
  if (at != n)
    return refuse (node, "last input", &node->in[n - 1]->shape, "a bias, a state or lengths",
                   error);
  return TRUE;
}

gboolean
ts_recurrent_init (TsRecurrent *r, const TsNode *node, guint gates, guint n_states,
                   guint bias_lines, GError **error)
{
  const TsShape *x = &node->in[0]->shape, *k = &node->in[1]->shape, *u = &node->in[2]->shape;

  *r = (TsRecurrent){.gates = gates, .bias = -1, .state = {-1, -1}, .lengths = -1};
  for (guint i = 0; i < node->n_in; i++) {
    const TsValue *v = node->in[i];
    if (v->dtype == node->in[0]->dtype && ts_dtype_is_float (v->dtype))
      continue;
    if (v->dtype == TS_I32 && i + 1 == node->n_in && i > 2)
      continue;
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                 "%s needs float tensors of one type, but '%s' is %s", node->op->name,
                 v->node->name, ts_dtype_name (v->dtype));
    return FALSE;
  }
  if (x->rank != 3)
    return refuse (node, "input", x, "a sequence [steps, features]", error);
  r->steps = x->dim[1];
  r->features = x->dim[2];
  if (k->rank != 2 || k->dim[0] != r->features || k->dim[1] % gates)
    return refuse (node, "kernel", k, "[features, gates·units]", error);
  r->units = k->dim[1] / gates;
  if (u->rank != 2 || u->dim[0] != r->units || u->dim[1] != k->dim[1])
    return refuse (node, "recurrent kernel", u, "[units, gates·units]", error);
  int reverse = ts_params_lookup (&node->params, "reverse");
  r->reverse = reverse >= 0 && node->params.v[reverse].i;
  return find_optional (r, node, n_states, bias_lines, error);
}

void
ts_recurrent_output (TsNode *node, TsValue *out, guint i, gint64 steps, gint64 width)
{
  gint64 batch = node->in[0]->shape.dim[0];

  ts_infer_like (node, out, i, node->in[0]);
  out[i].shape = steps ? TS_SHAPE (batch, steps, width) : TS_SHAPE (batch, width);
}

gint64
ts_recurrent_rows (const TsCall *call, const TsValue *x)
{
  return x->kind == TS_VALUE_ROWS ? call->end - call->begin : x->shape.dim[0];
}

TsPartition
ts_recurrent_partition (const TsNode *node)
{
  if (node->in[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  return ts_partition_whole (node);
}

void
ts_step_product (const TsCall *call, const TsStepProduct *p)
{
  call->k->gemm[call->dtype](&(TsGemm){.m = p->rows,
                                       .n = p->n,
                                       .k = p->width,
                                       .segments = 1,
                                       .a = p->a,
                                       .a_row = p->a_row,
                                       .a_col = 1,
                                       .b = p->b,
                                       .b_row = p->b_row,
                                       .bias = p->bias,
                                       .c = p->c,
                                       .c_row = p->c_row,
                                       .accumulate = p->accumulate});
}

void
ts_recurrent_check_lengths (TsCall *call, const TsRecurrent *r)
{
  const TsValue *x = call->node->in[0];
  gint64 rows = ts_recurrent_rows (call, x);
  gint64 first = x->kind == TS_VALUE_ROWS ? call->begin : 0;

  for (gint64 row = 0; r->lengths >= 0 && row < rows; row++) {
    gint32 length = ((const gint32 *) call->in[r->lengths])[row];
    if (length < 0 || length > r->steps)
      ts_call_fault (call, first + row, length, r->steps);
  }
}

char *
ts_recurrent_fault_text (const TsNode *node, const TsFault *f)
{
  return g_strdup_printf ("length %" G_GINT64_FORMAT " of row %" G_GINT64_FORMAT
                          " is outside [0, %" G_GINT64_FORMAT "], the steps that there are",
                          f->value, f->position, f->limit);
}

gboolean
ts_recurrent_masked (const TsCall *call, const TsRecurrent *r, gint64 row, gint64 t)
{
  return r->lengths >= 0 && t >= ((const gint32 *) call->in[r->lengths])[row];
}

void
ts_recurrent_backward (TsEmitter *e, const TsRecurrent *r, TsNode *node,
                       const TsRecurrentBack *back, const gboolean *want, TsValue **grad_in)
{
  TsValue *dz = back->dz;
  TsParams p;

  if (want[0]) {
    TsValue *in[] = {dz, e->derive (e, "transpose", node->in[1])};
    grad_in[0] = e->emit (e, "recurrent_grad_input", in, 2, NULL)->out[0];
  }
  if (want[1]) {
    TsValue *in[] = {node->in[0], dz};
    ts_params_init (&p, ts_recurrent_grad_kernel.params);
    ts_params_set_number (&p, "width", (double) (r->gates * r->units), NULL);
    grad_in[1] = e->emit (e, "recurrent_grad_kernel", in, 2, &p)->out[0];
  }
  if (want[2]) {
    TsValue *in[4] = {back->y, dz};
    guint n = 2;
    ts_params_init (&p, ts_recurrent_grad_state.params);
    ts_params_set_list (&p, "columns", back->columns, 3 * back->n_columns, NULL);
    ts_params_set_list (&p, "extra", back->extra, back->lines ? 3 : 0, NULL);
    ts_params_set_bool (&p, "reverse", r->reverse, NULL);
    ts_params_set_bool (&p, "first", r->state[0] >= 0, NULL);
    if (r->state[0] >= 0)
      in[n++] = node->in[r->state[0]];
    if (back->lines)
      in[n++] = back->lines;
    grad_in[2] = e->emit (e, "recurrent_grad_state", in, n, &p)->out[0];
  }
  if (r->bias >= 0 && want[r->bias]) {
    TsValue *sum = e->emit (e, "bias_grad", &dz, 1, NULL)->out[0];
    if (!ts_shape_equal (&sum->shape, &node->in[r->bias]->shape)) {
      ts_params_init (&p, ts_recurrent_grad_bias.params);
      ts_params_set_list (&p, "columns", back->columns, 3 * back->n_columns, NULL);
      ts_params_set_list (&p, "extra", back->extra, back->lines ? 3 : 0, NULL);
      ts_params_set_number (&p, "width", (double) (r->gates * r->units), NULL);
      ts_params_set_bool (&p, "both", node->in[r->bias]->shape.rank == 2, NULL);
      sum = e->emit (e, "recurrent_grad_bias", &sum, 1, &p)->out[0];
    }
    grad_in[r->bias] = sum;
  }
}

double
ts_recurrent_flops (const TsNode *node, gint64 batch)
{
  const TsShape *x = &node->in[0]->shape;
  gint64 rows = x->dim[0] == TS_ANY ? batch : x->dim[0];

  return 2.0 * (double) (rows * x->dim[1]) *
         (double) (ts_shape_elems (&node->in[1]->shape) + ts_shape_elems (&node->in[2]->shape));
}

TsPartition
ts_recurrent_grad_partition (const TsNode *node)
{
  if (node->in[1]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  return ts_partition_whole (node);
}

void
ts_recurrent_carry (const TsCall *call, const void *from, void *to, gint64 n)
{
  gsize bytes = (gsize) n * ts_dtype_size (call->dtype);

  if (from)
    memcpy (to, from, bytes);
  else
    memset (to, 0, bytes);
}

TsNode *
ts_recurrent_emit_grad (TsEmitter *e, const TsNode *node, const char *op, TsValue **in, guint n,
                        TsValue *const *optional, guint n_optional)
{
  guint given = 0;
  TsParams p;

  for (guint i = 0; i < n_optional; i++)
    if (optional[i]) {
      given |= 1u << i;
      in[n++] = optional[i];
    }
  ts_params_init (&p, ts_op_lookup (op)->params);
  ts_params_take (&p, &node->params);
  ts_params_set_number (&p, "given", given, NULL);
  return e->emit (e, op, in, n, &p);
}
