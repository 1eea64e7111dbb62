/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ops/recurrent.h"

/* Long short-term memory (Hochreiter, Schmidhuber 1997; forget gate: Gers et al. 2000).  The gates
 * are kept for the backward pass, which writes their gradients in the same place. */

static const TsParamSpec params[] = {
    {"reverse", TS_PARAM_BOOL, .doc = "go through the steps from the last to the first"},
    {"order", TS_PARAM_WORD, .text = "ifgo", .words = "ifgo|igfo|iofg",
     .doc = "gates in the kernels: Keras and PyTorch, TensorFlow 1, ONNX"},
    {"forget_bias", TS_PARAM_FLOAT, .doc = "added to the forget gate when run (TensorFlow 1: 1)"},
    {NULL},
};

static const TsParamSpec grad_params[] = {
    {"reverse", TS_PARAM_BOOL, .doc = "as in lstm"},
    {"order", TS_PARAM_WORD, .text = "ifgo", .words = "ifgo|igfo|iofg", .doc = "as in lstm"},
    {"given", TS_PARAM_INT, .doc = "bits: c0, dy, dh, dc, lengths are among the inputs"},
    {NULL},
};

enum { Y, H, C, GATES, CELLS };
enum { GIVEN_C0 = 1, GIVEN_DY = 2, GIVEN_DH = 4, GIVEN_DC = 8, GIVEN_LENGTHS = 16 };

/* Where i, f, g, o begin. */
static void
gate_offsets (const TsNode *node, gint64 units, gint64 *at)
{
  const char *order = node->params.v[1].s;
  static const char names[] = "ifgo";

  for (guint i = 0; i < 4; i++)
    at[i] = (strchr (order, names[i]) - order) * units;
}

static gboolean
lstm_infer (TsNode *node, TsValue *out, GError **error)
{
  TsRecurrent r;

  if (!ts_recurrent_init (&r, node, 4, 2, 1, error))
    return FALSE;
  ts_recurrent_output (node, out, Y, r.steps, r.units);
  ts_recurrent_output (node, out, H, 0, r.units);
  ts_recurrent_output (node, out, C, 0, r.units);
  ts_recurrent_output (node, out, GATES, r.steps, 4 * r.units);
  ts_recurrent_output (node, out, CELLS, r.steps, r.units);
  return TRUE;
}

static const void *
state_before (const TsCall *call, const TsRecurrent *r, const void *all, int first, gint64 n,
              gint64 row)
{
  if (n > 0)
    return ts_at (call, all, (row * r->steps + ts_recurrent_step (r, n - 1)) * r->units);
  return r->state[first] >= 0 ? ts_at (call, call->in[r->state[first]], row * r->units) : NULL;
}

/* One step of one row whose sequence has ended: the state stays. */
static void
keep_state (const TsCall *call, const TsRecurrent *r, gint64 n, gint64 row)
{
  gint64 at = (row * r->steps + ts_recurrent_step (r, n)) * r->units;

  ts_recurrent_carry (call, state_before (call, r, call->out[Y], 0, n, row),
                      ts_at (call, call->out[Y], at), r->units);
  ts_recurrent_carry (call, state_before (call, r, call->out[CELLS], 1, n, row),
                      ts_at (call, call->out[CELLS], at), r->units);
}

static void
lstm_forward (TsCall *call)
{
  const TsNode *node = call->node;
  TsRecurrent r;
  gint64 at[4];

  ts_recurrent_init (&r, node, 4, 2, 1, NULL);
  ts_recurrent_check_lengths (call, &r);
  gate_offsets (node, r.units, at);
  gint64 rows = ts_recurrent_rows (call, node->in[0]), u = r.units, line = r.steps * u;
  ts_step_product (call, &(TsStepProduct){.rows = rows * r.steps,
                                          .width = r.features,
                                          .n = 4 * u,
                                          .a = call->in[0],
                                          .a_row = r.features,
                                          .b = call->in[1],
                                          .b_row = 4 * u,
                                          .bias = r.bias >= 0 ? call->in[r.bias] : NULL,
                                          .c = call->out[GATES],
                                          .c_row = 4 * u});
  for (gint64 n = 0; n < r.steps; n++) {
    gint64 t = ts_recurrent_step (&r, n);
    const void *before = state_before (call, &r, call->out[Y], 0, n, 0);
    if (before)
      ts_step_product (call, &(TsStepProduct){.rows = rows,
                                              .width = u,
                                              .n = 4 * u,
                                              .a = before,
                                              .a_row = n > 0 ? line : u,
                                              .b = call->in[2],
                                              .b_row = 4 * u,
                                              .c = ts_at (call, call->out[GATES], t * 4 * u),
                                              .c_row = 4 * line,
                                              .accumulate = TRUE});
    for (gint64 row = 0; row < rows; row++) {
      gint64 cell = row * line + t * u;
      if (ts_recurrent_masked (call, &r, row, t)) {
        keep_state (call, &r, n, row);
        continue;
      }
      call->k->lstm_cell[call->dtype](ts_at (call, call->out[GATES], 4 * cell), at,
                                      state_before (call, &r, call->out[CELLS], 1, n, row),
                                      ts_at (call, call->out[CELLS], cell),
                                      ts_at (call, call->out[Y], cell), (gsize) u,
                                      node->params.v[2].f);
    }
  }
  gint64 last = ts_recurrent_step (&r, r.steps - 1) * u;
  for (gint64 row = 0; row < rows; row++) {
    gsize bytes = (gsize) u * ts_dtype_size (call->dtype);
    memcpy (ts_at (call, call->out[H], row * u), ts_at (call, call->out[Y], row * line + last),
            bytes);
    memcpy (ts_at (call, call->out[C], row * u), ts_at (call, call->out[CELLS], row * line + last),
            bytes);
  }
}

static void
lstm_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
               TsValue **grad_in)
{
  TsValue *in[8] = {e->derive (e, "transpose", node->in[2]), node->out[GATES], node->out[CELLS]};
  TsRecurrent r;

  ts_recurrent_init (&r, node, 4, 2, 1, NULL);
  TsValue *optional[] = {r.state[1] >= 0 ? node->in[r.state[1]] : NULL, grad_out[Y], grad_out[H],
                         grad_out[C], r.lengths >= 0 ? node->in[r.lengths] : NULL};
  TsNode *grad =
      ts_recurrent_emit_grad (e, node, "lstm_grad", in, 3, optional, G_N_ELEMENTS (optional));
  ts_recurrent_backward (
      e, &r, node,
      &(TsRecurrentBack){
          .dz = grad->out[0], .y = node->out[Y], .columns = {0, 4 * r.units, 0}, .n_columns = 1},
      want, grad_in);
  for (guint i = 0; i < 2; i++)
    if (r.state[i] >= 0 && want[r.state[i]])
      grad_in[r.state[i]] = grad->out[1 + i];
}

/* ---- lstm_grad: d lines, d h0, d c0; the last two carry the gradient from step to step */

static gboolean
grad_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *gates = node->in[1], *cells = node->in[2];
  gint64 batch = gates->shape.dim[0], units = cells->shape.dim[2];

  ts_infer_like (node, out, 0, gates);
  for (guint i = 1; i < 3; i++) {
    ts_infer_like (node, out, i, gates);
    out[i].shape = TS_SHAPE (batch, units);
  }
  return TRUE;
}

static void
lstm_grad_forward (TsCall *call)
{
  const TsNode *node = call->node;
  const TsValue *cells = node->in[2];
  guint given = (guint) node->params.v[2].i, next = 3;
  const void *extra[5];
  gint64 at[4], rows = ts_recurrent_rows (call, cells), u = cells->shape.dim[2];
  TsRecurrent r = {
      .steps = cells->shape.dim[1], .units = u, .lengths = -1, .reverse = node->params.v[0].i != 0};
  gint64 line = r.steps * u;

  for (guint i = 0; i < 5; i++) {
    if (given >> i & 1 && (1u << i) == GIVEN_LENGTHS)
      r.lengths = (int) next;
    extra[i] = given >> i & 1 ? call->in[next++] : NULL;
  }
  gate_offsets (node, u, at);
  ts_recurrent_carry (call, extra[2], call->out[1], rows * u);
  ts_recurrent_carry (call, extra[3], call->out[2], rows * u);
  for (gint64 n = r.steps; n-- > 0;) {
    gint64 t = ts_recurrent_step (&r, n);
    gint64 former = n > 0 ? ts_recurrent_step (&r, n - 1) : -1;
    for (gint64 row = 0; row < rows; row++) {
      gint64 cell = row * line + t * u;
      void *dz = ts_at (call, call->out[0], 4 * cell);
      const void *dy = extra[1] ? ts_at (call, extra[1], cell) : NULL;
      void *dh = ts_at (call, call->out[1], row * u);
      const void *before = former >= 0 ? ts_at (call, call->in[2], row * line + former * u)
                           : extra[0]  ? ts_at (call, extra[0], row * u)
                                       : NULL;
      if (ts_recurrent_masked (call, &r, row, t)) {
        memset (dz, 0, (gsize) (4 * u) * ts_dtype_size (call->dtype));
        if (dy)
          call->k->add[call->dtype](dh, dy, dh, (gsize) u);
        continue;
      }
      call->k->lstm_cell_grad[call->dtype](ts_at (call, call->in[1], 4 * cell), at, before,
                                           ts_at (call, call->in[2], cell), dy, dh,
                                           ts_at (call, call->out[2], row * u), dz, (gsize) u);
    }
    if (n > 0 || (given & GIVEN_C0))
      ts_step_product (call, &(TsStepProduct){.rows = rows,
                                              .width = 4 * u,
                                              .n = u,
                                              .a = ts_at (call, call->out[0], t * 4 * u),
                                              .a_row = 4 * line,
                                              .b = call->in[0],
                                              .b_row = u,
                                              .c = call->out[1],
                                              .c_row = u,
                                              .accumulate = TRUE});
  }
}

static double
grad_flops (const TsNode *node, gint64 batch)
{
  const TsShape *gates = &node->in[1]->shape;
  gint64 rows = gates->dim[0] == TS_ANY ? batch : gates->dim[0];

  return 2.0 * (double) (rows * gates->dim[1]) * (double) ts_shape_elems (&node->in[0]->shape);
}

static const TsOpClass lstm_grad = {
    .name = "lstm_grad",
    .formula = "dz[t] of the four gates, dh0, dc0, by back-propagation through time",
    .category = "recurrent",
    .doc = "Gradient of lstm with respect to its pre-activations and initial state.",
    .in_names = "transposed recurrent, gates, cells, c0?, dy?, dh?, dc?, lengths?",
    .min_in = 3,
    .max_in = 8,
    .params = grad_params,
    .flags = TS_OP_INTERNAL | TS_OP_MANY,
    .inplace = 1,
    .infer = grad_infer,
    .partition = ts_recurrent_grad_partition,
    .forward = lstm_grad_forward,
    .flops = grad_flops,
};

static const TsOpExample examples[] = {
    {.in = {"rows 3 2", "f 2 12", "f 3 12", "f 12"}, .low = -1, .high = 1},
    {.in = {"rows 3 2", "f 2 8", "f 2 8", "f 8", "rows 2", "rows 2"},
     .params = "reverse=true, order=igfo, forget_bias=1",
     .low = -1,
     .high = 1},
    {.in = {"rows 4 2", "f 2 8", "f 2 8", "labels 5"}, .low = -1, .high = 1},
    {.in = {"f 3 4 2", "f 2 12", "f 3 12", "f 12"}, .low = -1, .high = 1},
    {.in = {"rows 1 3", "f 3 8", "f 2 8", "rows 2", "rows 2"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_lstm = {
    .name = "lstm",
    .formula = "c[t] = σ(f)·c[t-1] + σ(i)·tanh (g); h[t] = σ(o)·tanh (c[t]); "
               "[i f g o] = x[t]·kernel + h[t-1]·recurrent + bias",
    .category = "recurrent",
    .doc =
        "Long short-term memory over a sequence [steps, features]; outputs all h, the last h and "
        "the last c.",
    .in_names = "x, kernel, recurrent, bias?, h0?, c0?, lengths?",
    .min_in = 3,
    .max_in = 7,
    .params = params,
    .flags = TS_OP_MANY,
    .inplace = -1,
    .no_gradient = 1 << GATES | 1 << CELLS,
    .infer = lstm_infer,
    .partition = ts_recurrent_partition,
    .forward = lstm_forward,
    .backward = lstm_backward,
    .flops = ts_recurrent_flops,
    .fault_text = ts_recurrent_fault_text,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&lstm_grad, NULL},
};
