/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ops/recurrent.h"

/* Gated recurrent unit (Cho et al. 2014).  Columns of the kernels: z, r, candidate.  With the reset
 * gate after the recurrent product (Keras' default, PyTorch, cuDNN) the bias has two lines, for the
 * product with x and for that with h; before it, one.  A line that is kept of each step is
 * [z, r, candidate, extra]: extra is h·recurrent of the candidate, or r·h. */

static const TsParamSpec params[] = {
    {"reverse", TS_PARAM_BOOL, .doc = "go through the steps from the last to the first"},
    {"reset_after", TS_PARAM_BOOL, .number = 1,
     .doc = "apply the reset gate after the recurrent product"},
    {NULL},
};

static const TsParamSpec grad_params[] = {
    {"reverse", TS_PARAM_BOOL, .doc = "as in gru"},
    {"reset_after", TS_PARAM_BOOL, .number = 1, .doc = "as in gru"},
    {"given", TS_PARAM_INT, .doc = "bits: h0, dy, dh, lengths are among the inputs"},
    {NULL},
};

enum { Y, H, LINES };

static gboolean
is_after (const TsNode *node)
{
  return node->params.v[1].i != 0;
}

static gboolean
gru_infer (TsNode *node, TsValue *out, GError **error)
{
  TsRecurrent r;

  if (!ts_recurrent_init (&r, node, 3, 1, is_after (node) ? 2 : 1, error))
    return FALSE;
  ts_recurrent_output (node, out, Y, r.steps, r.units);
  ts_recurrent_output (node, out, H, 0, r.units);
  ts_recurrent_output (node, out, LINES, r.steps, 4 * r.units);
  return TRUE;
}

/* The state before step @n of row 0, and how far apart the rows are. */
static const void *
states_before (const TsCall *call, const TsRecurrent *r, const void *y, const void *first, gint64 n,
               gint64 *pitch)
{
  *pitch = n > 0 ? r->steps * r->units : r->units;
  return n > 0 ? ts_at (call, y, ts_recurrent_step (r, n - 1) * r->units) : first;
}

/* The products of step @t with the state: into the gates' columns, then the candidate's or extra. */
static void
step_products (const TsCall *call, const TsRecurrent *r, gint64 rows, gint64 t, const void *before,
               gint64 pitch, gboolean after)
{
  gint64 u = r->units, line = r->steps * 4 * u;
  char *lines = ts_at (call, call->out[LINES], t * 4 * u);
  const void *bias = r->bias >= 0 ? ts_at (call, call->in[r->bias], 5 * u) : NULL;
  TsStepProduct p = {.rows = rows,
                     .width = u,
                     .n = 2 * u,
                     .a = before,
                     .a_row = pitch,
                     .b = call->in[2],
                     .b_row = 3 * u,
                     .c = lines,
                     .c_row = line,
                     .accumulate = TRUE};

  if (before)
    ts_step_product (call, &p);
  if (!after)
    return;
  p.n = u;
  p.width = before ? u : 0;
  p.b = ts_at (call, call->in[2], 2 * u);
  p.bias = bias;
  p.c = ts_at (call, lines, 3 * u);
  p.accumulate = FALSE;
  ts_step_product (call, &p);
}

static void
candidate_product (const TsCall *call, const TsRecurrent *r, gint64 rows, gint64 t)
{
  gint64 u = r->units, line = r->steps * 4 * u;
  char *lines = ts_at (call, call->out[LINES], t * 4 * u);

  ts_step_product (call, &(TsStepProduct){.rows = rows,
                                          .width = u,
                                          .n = u,
                                          .a = ts_at (call, lines, 3 * u),
                                          .a_row = line,
                                          .b = ts_at (call, call->in[2], 2 * u),
                                          .b_row = 3 * u,
                                          .c = ts_at (call, lines, 2 * u),
                                          .c_row = line,
                                          .accumulate = TRUE});
}

/* All of x·kernel + bias; with two bias lines the gates' parts of both belong here. */
static void
project (const TsCall *call, const TsRecurrent *r, gint64 rows, gboolean after)
{
  gint64 u = r->units;

  ts_step_product (call, &(TsStepProduct){.rows = rows * r->steps,
                                          .width = r->features,
                                          .n = 3 * u,
                                          .a = call->in[0],
                                          .a_row = r->features,
                                          .b = call->in[1],
                                          .b_row = 3 * u,
                                          .bias = r->bias >= 0 ? call->in[r->bias] : NULL,
                                          .c = call->out[LINES],
                                          .c_row = 4 * u});
  if (!after || r->bias < 0)
    return;
  const void *second = ts_at (call, call->in[r->bias], 3 * u);
  for (gint64 l = 0; l < rows * r->steps; l++) {
    void *line = ts_at (call, call->out[LINES], l * 4 * u);
    call->k->add[call->dtype](line, second, line, (gsize) (2 * u));
  }
}

static void
gru_forward (TsCall *call)
{
  const TsNode *node = call->node;
  gboolean after = is_after (node);
  TsRecurrent r;
  gint64 pitch;

  ts_recurrent_init (&r, node, 3, 1, after ? 2 : 1, NULL);
  ts_recurrent_check_lengths (call, &r);
  gint64 rows = ts_recurrent_rows (call, node->in[0]), u = r.units, all = r.steps * u;
  const void *first = r.state[0] >= 0 ? call->in[r.state[0]] : NULL;
  gsize bytes = (gsize) u * ts_dtype_size (call->dtype);
  project (call, &r, rows, after);
  for (gint64 n = 0; n < r.steps; n++) {
    gint64 t = ts_recurrent_step (&r, n);
    const void *before = states_before (call, &r, call->out[Y], first, n, &pitch);
    step_products (call, &r, rows, t, before, pitch, after);
    for (gint64 row = 0; row < rows; row++) {
      void *line = ts_at (call, call->out[LINES], 4 * (row * all + t * u));
      call->k->gru_gates[call->dtype](line, (gsize) u);
      if (!after)
        call->k->gru_reset[call->dtype](line, before ? ts_at (call, before, row * pitch) : NULL,
                                        (gsize) u);
    }
    if (!after)
      candidate_product (call, &r, rows, t);
    for (gint64 row = 0; row < rows; row++) {
      void *h = ts_at (call, call->out[Y], row * all + t * u);
      const void *former = before ? ts_at (call, before, row * pitch) : NULL;
      if (!ts_recurrent_masked (call, &r, row, t))
        call->k->gru_cell[call->dtype](ts_at (call, call->out[LINES], 4 * (row * all + t * u)),
                                       former, h, (gsize) u, after);
      else
        ts_recurrent_carry (call, former, h, u);
    }
  }
  gint64 last = ts_recurrent_step (&r, r.steps - 1) * u;
  for (gint64 row = 0; row < rows; row++)
    memcpy (ts_at (call, call->out[H], row * u), ts_at (call, call->out[Y], row * all + last),
            bytes);
}

static void
gru_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
              TsValue **grad_in)
{
  TsValue *in[7] = {e->derive (e, "transpose", node->in[2]), node->out[LINES], node->out[Y]};
  gboolean after = is_after (node);
  TsRecurrent r;

  ts_recurrent_init (&r, node, 3, 1, after ? 2 : 1, NULL);
  gint64 u = r.units;
  TsValue *optional[] = {r.state[0] >= 0 ? node->in[r.state[0]] : NULL, grad_out[Y], grad_out[H],
                         r.lengths >= 0 ? node->in[r.lengths] : NULL};
  TsNode *grad =
      ts_recurrent_emit_grad (e, node, "gru_grad", in, 3, optional, G_N_ELEMENTS (optional));
  TsRecurrentBack back = {.dz = grad->out[0],
                          .y = node->out[Y],
                          .lines = after ? NULL : node->out[LINES],
                          .columns = {0, 2 * u, 0, 3 * u, u, 2 * u},
                          .n_columns = after ? 2 : 1,
                          .extra = {2 * u, u, 2 * u}};
  ts_recurrent_backward (e, &r, node, &back, want, grad_in);
  if (r.state[0] >= 0 && want[r.state[0]])
    grad_in[r.state[0]] = grad->out[1];
}

/* ---- gru_grad: d lines [dz, dr, dcandidate, dextra] and d h0, which carries the gradient on */

static gboolean
grad_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *lines = node->in[1], *y = node->in[2];

  ts_infer_like (node, out, 0, lines);
  ts_infer_like (node, out, 1, lines);
  out[1].shape = TS_SHAPE (y->shape.dim[0], y->shape.dim[2]);
  return TRUE;
}

/* dh (+)= d[:, from …]·recurrentᵀ[to …, :] for one step; @to_lines: into the extra column instead */
static void
grad_product (const TsCall *call, const TsRecurrent *r, gint64 rows, gint64 t, gint64 from,
              gint64 width, gint64 to, gboolean to_lines)
{
  gint64 u = r->units, line = r->steps * 4 * u;
  char *d = ts_at (call, call->out[0], t * 4 * u);

  ts_step_product (call, &(TsStepProduct){.rows = rows,
                                          .width = width,
                                          .n = u,
                                          .a = ts_at (call, d, from),
                                          .a_row = line,
                                          .b = ts_at (call, call->in[0], to * u),
                                          .b_row = u,
                                          .c = to_lines ? ts_at (call, d, 3 * u) : call->out[1],
                                          .c_row = to_lines ? line : u,
                                          .accumulate = !to_lines});
}

static void
gru_grad_forward (TsCall *call)
{
  const TsNode *node = call->node;
  const TsValue *y = node->in[2];
  guint given = (guint) node->params.v[2].i, next = 3;
  gboolean after = is_after (node);
  gint64 rows = ts_recurrent_rows (call, y), u = y->shape.dim[2], pitch;
  TsRecurrent r = {
      .steps = y->shape.dim[1], .units = u, .lengths = -1, .reverse = node->params.v[0].i != 0};
  gint64 all = r.steps * u;
  gsize size = ts_dtype_size (call->dtype);
  const void *extra[3];

  for (guint i = 0; i < 3; i++)
    extra[i] = given >> i & 1 ? call->in[next++] : NULL;
  r.lengths = given & 8 ? (int) next : -1;
  ts_recurrent_carry (call, extra[2], call->out[1], rows * u);
  for (gint64 n = r.steps; n-- > 0;) {
    gint64 t = ts_recurrent_step (&r, n);
    const void *before = states_before (call, &r, call->in[2], extra[0], n, &pitch);
    for (gint64 row = 0; row < rows; row++) {
      gint64 cell = row * all + t * u;
      void *d = ts_at (call, call->out[0], 4 * cell), *dh = ts_at (call, call->out[1], row * u);
      const void *dy = extra[1] ? ts_at (call, extra[1], cell) : NULL;
      if (!ts_recurrent_masked (call, &r, row, t)) {
        call->k->gru_cell_grad[call->dtype](ts_at (call, call->in[1], 4 * cell),
                                            before ? ts_at (call, before, row * pitch) : NULL, dy,
                                            dh, d, (gsize) u, after);
        continue;
      }
      memset (d, 0, (gsize) (4 * u) * size);
      if (dy)
        call->k->add[call->dtype](dh, dy, dh, (gsize) u);
    }
    if (after) {
      grad_product (call, &r, rows, t, 3 * u, u, 2 * u, FALSE);
    } else {
      grad_product (call, &r, rows, t, 2 * u, u, 2 * u, TRUE);
      for (gint64 row = 0; row < rows; row++) {
        gint64 cell = 4 * (row * all + t * u);
        if (!ts_recurrent_masked (call, &r, row, t))
          call->k->gru_reset_grad[call->dtype](ts_at (call, call->in[1], cell + u),
                                               before ? ts_at (call, before, row * pitch) : NULL,
                                               ts_at (call, call->out[1], row * u),
                                               ts_at (call, call->out[0], cell), (gsize) u);
      }
    }
    grad_product (call, &r, rows, t, 0, 2 * u, 0, FALSE);
  }
}

static double
grad_flops (const TsNode *node, gint64 batch)
{
  const TsShape *lines = &node->in[1]->shape;
  gint64 rows = lines->dim[0] == TS_ANY ? batch : lines->dim[0];

  return 2.0 * (double) (rows * lines->dim[1]) * (double) ts_shape_elems (&node->in[0]->shape);
}

static const TsOpClass gru_grad = {
    .name = "gru_grad",
    .formula = "d[z, r, candidate, extra][t], dh0, by back-propagation through time",
    .category = "recurrent",
    .doc = "Gradient of gru with respect to its pre-activations and initial state.",
    .in_names = "transposed recurrent, lines, y, h0?, dy?, dh?, lengths?",
    .min_in = 3,
    .max_in = 7,
    .params = grad_params,
    .flags = TS_OP_INTERNAL | TS_OP_MANY,
    .inplace = -1,
    .infer = grad_infer,
    .partition = ts_recurrent_grad_partition,
    .forward = gru_grad_forward,
    .flops = grad_flops,
};

static const TsOpExample examples[] = {
    {.in = {"rows 3 2", "f 2 9", "f 3 9", "f 2 9"}, .low = -1, .high = 1},
    {.in = {"rows 3 2", "f 2 9", "f 3 9", "f 9", "rows 3"},
     .params = "reset_after=false",
     .low = -1,
     .high = 1},
    {.in = {"rows 4 2", "f 2 6", "f 2 6", "f 2 6", "labels 5"},
     .params = "reverse=true",
     .low = -1,
     .high = 1},
    {.in = {"f 3 4 2", "f 2 9", "f 3 9"}, .params = "reset_after=false", .low = -1, .high = 1},
    {.in = {"f 3 1 2", "f 2 9", "f 3 9", "f 3 3"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_gru = {
    .name = "gru",
    .formula = "h[t] = z·h[t-1] + (1 - z)·n; n = tanh (x[t]·kn + bn + r·(h[t-1]·un + cn)) or "
               "tanh (x[t]·kn + bn + (r·h[t-1])·un); z, r = σ (x[t]·k + h[t-1]·u + b)",
    .category = "recurrent",
    .doc = "Gated recurrent unit over a sequence [steps, features]; outputs all h and the last h.",
    .in_names = "x, kernel, recurrent, bias?, h0?, lengths?",
    .min_in = 3,
    .max_in = 6,
    .params = params,
    .flags = TS_OP_MANY,
    .inplace = -1,
    .no_gradient = 1 << LINES,
    .infer = gru_infer,
    .partition = ts_recurrent_partition,
    .forward = gru_forward,
    .backward = gru_backward,
    .flops = ts_recurrent_flops,
    .fault_text = ts_recurrent_fault_text,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&gru_grad, NULL},
};
