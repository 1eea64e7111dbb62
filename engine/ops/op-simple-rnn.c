/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ops/recurrent.h"

/* Elman, "Finding Structure in Time", 1990: h[t] = tanh (x[t]·kernel + h[t-1]·recurrent + bias). */

static const TsParamSpec params[] = {
    {"reverse", TS_PARAM_BOOL, .doc = "go through the steps from the last to the first"},
    {NULL},
};

static const TsParamSpec grad_params[] = {
    {"reverse", TS_PARAM_BOOL, .doc = "as in simple_rnn"},
    {"given", TS_PARAM_INT, .doc = "bits: dy, dh, lengths are among the inputs"},
    {NULL},
};

static gboolean
rnn_infer (TsNode *node, TsValue *out, GError **error)
{
  TsRecurrent r;

  if (!ts_recurrent_init (&r, node, 1, 1, 1, error))
    return FALSE;
  ts_recurrent_output (node, out, 0, r.steps, r.units);
  ts_recurrent_output (node, out, 1, 0, r.units);
  return TRUE;
}

static void
rnn_forward (TsCall *call)
{
  const TsNode *node = call->node;
  TsRecurrent r;

  ts_recurrent_init (&r, node, 1, 1, 1, NULL);
  ts_recurrent_check_lengths (call, &r);
  gint64 rows = ts_recurrent_rows (call, node->in[0]), u = r.units, line = r.steps * u;
  gsize bytes = (gsize) u * ts_dtype_size (call->dtype);
  const void *first = r.state[0] >= 0 ? call->in[r.state[0]] : NULL;

  ts_step_product (call, &(TsStepProduct){.rows = rows * r.steps,
                                          .width = r.features,
                                          .n = u,
                                          .a = call->in[0],
                                          .a_row = r.features,
                                          .b = call->in[1],
                                          .b_row = u,
                                          .bias = r.bias >= 0 ? call->in[r.bias] : NULL,
                                          .c = call->out[0],
                                          .c_row = u});
  for (gint64 n = 0; n < r.steps; n++) {
    gint64 t = ts_recurrent_step (&r, n);
    const void *before =
        n > 0 ? ts_at (call, call->out[0], ts_recurrent_step (&r, n - 1) * u) : first;
    gint64 pitch = n > 0 ? line : u;
    if (before)
      ts_step_product (call, &(TsStepProduct){.rows = rows,
                                              .width = u,
                                              .n = u,
                                              .a = before,
                                              .a_row = pitch,
                                              .b = call->in[2],
                                              .b_row = u,
                                              .c = ts_at (call, call->out[0], t * u),
                                              .c_row = line,
                                              .accumulate = TRUE});
    for (gint64 row = 0; row < rows; row++) {
      void *h = ts_at (call, call->out[0], row * line + t * u);
      if (!ts_recurrent_masked (call, &r, row, t))
        call->k->tanh[call->dtype](h, h, (gsize) u);
      else
        ts_recurrent_carry (call, before ? ts_at (call, before, row * pitch) : NULL, h, u);
    }
  }
  gint64 last = ts_recurrent_step (&r, r.steps - 1) * u;
  for (gint64 row = 0; row < rows; row++)
    memcpy (ts_at (call, call->out[1], row * u), ts_at (call, call->out[0], row * line + last),
            bytes);
}

static void
rnn_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
              TsValue **grad_in)
{
  TsValue *in[5] = {e->derive (e, "transpose", node->in[2]), node->out[0]};
  TsRecurrent r;

  ts_recurrent_init (&r, node, 1, 1, 1, NULL);
  TsValue *optional[] = {grad_out[0], grad_out[1], r.lengths >= 0 ? node->in[r.lengths] : NULL};
  TsNode *grad =
      ts_recurrent_emit_grad (e, node, "simple_rnn_grad", in, 2, optional, G_N_ELEMENTS (optional));
  ts_recurrent_backward (
      e, &r, node,
      &(TsRecurrentBack){
          .dz = grad->out[0], .y = node->out[0], .columns = {0, r.units, 0}, .n_columns = 1},
      want, grad_in);
  if (r.state[0] >= 0 && want[r.state[0]])
    grad_in[r.state[0]] = grad->out[1];
}

static gboolean
grad_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *y = &node->in[1]->shape;

  ts_infer_like (node, out, 0, node->in[1]);
  ts_infer_like (node, out, 1, node->in[1]);
  out[1].shape = TS_SHAPE (y->dim[0], y->dim[2]);
  return TRUE;
}

static void
grad_forward (TsCall *call)
{
  const TsValue *y = call->node->in[1];
  guint given = (guint) call->node->params.v[1].i, next = 2;
  gint64 rows = ts_recurrent_rows (call, y), u = y->shape.dim[2];
  TsRecurrent r = {.steps = y->shape.dim[1],
                   .units = u,
                   .lengths = -1,
                   .reverse = call->node->params.v[0].i != 0};
  const void *dy = given & 1 ? call->in[next++] : NULL, *dh = given & 2 ? call->in[next++] : NULL;
  gint64 line = r.steps * u;
  gsize size = ts_dtype_size (call->dtype);

  r.lengths = given & 4 ? (int) next : -1;
  ts_recurrent_carry (call, dh, call->out[1], rows * u);
  for (gint64 n = r.steps; n-- > 0;) {
    gint64 t = ts_recurrent_step (&r, n);
    for (gint64 row = 0; row < rows; row++) {
      gint64 cell = row * line + t * u;
      void *carry = ts_at (call, call->out[1], row * u), *dz = ts_at (call, call->out[0], cell);
      const void *above = dy ? ts_at (call, dy, cell) : NULL;
      if (!ts_recurrent_masked (call, &r, row, t)) {
        call->k->rnn_cell_grad[call->dtype](ts_at (call, call->in[1], cell), above, carry, dz,
                                            (gsize) u);
        continue;
      }
      memset (dz, 0, (gsize) u * size);
      if (above)
        call->k->add[call->dtype](carry, above, carry, (gsize) u);
    }
    ts_step_product (call, &(TsStepProduct){.rows = rows,
                                            .width = u,
                                            .n = u,
                                            .a = ts_at (call, call->out[0], t * u),
                                            .a_row = line,
                                            .b = call->in[0],
                                            .b_row = u,
                                            .c = call->out[1],
                                            .c_row = u,
                                            .accumulate = TRUE});
  }
}

static const TsOpClass simple_rnn_grad = {
    .name = "simple_rnn_grad",
    .formula = "dz[t] = dh[t]·(1 - h[t]²), dh0, by back-propagation through time",
    .category = "recurrent",
    .doc = "Gradient of simple_rnn with respect to its pre-activations and initial state.",
    .in_names = "transposed recurrent, y, dy?, dh?, lengths?",
    .min_in = 2,
    .max_in = 5,
    .params = grad_params,
    .flags = TS_OP_INTERNAL | TS_OP_MANY,
    .inplace = -1,
    .infer = grad_infer,
    .partition = ts_recurrent_grad_partition,
    .forward = grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 3 2", "f 2 3", "f 3 3", "f 3"}, .low = -1, .high = 1},
    {.in = {"rows 3 2", "f 2 4", "f 4 4", "f 4", "labels 4"},
     .params = "reverse=true",
     .low = -1,
     .high = 1},
    {.in = {"f 3 4 2", "f 2 3", "f 3 3"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_simple_rnn = {
    .name = "simple_rnn",
    .formula = "h[t] = tanh (x[t]·kernel + h[t-1]·recurrent + bias)",
    .category = "recurrent",
    .doc = "Fully connected recurrence over a sequence [steps, features]; outputs all h and the "
           "last h.",
    .in_names = "x, kernel, recurrent, bias?, h0?, lengths?",
    .min_in = 3,
    .max_in = 6,
    .params = params,
    .flags = TS_OP_MANY,
    .inplace = -1,
    .infer = rnn_infer,
    .partition = ts_recurrent_partition,
    .forward = rnn_forward,
    .backward = rnn_backward,
    .flops = ts_recurrent_flops,
    .fault_text = ts_recurrent_fault_text,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&simple_rnn_grad, &ts_recurrent_grad_input,
                                        &ts_recurrent_grad_kernel, &ts_recurrent_grad_state,
                                        &ts_recurrent_grad_bias, NULL},
};
