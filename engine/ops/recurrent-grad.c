/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ops/recurrent.h"

/* Gradients of the weights of recurrent cells.  Lines dz [steps, width] come from the cell's own
 * gradient; their sums over all rows and steps are here. */

/* ---- dx = dz[:, first columns]·kernel transposed */

static gboolean
input_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *dz = &node->in[0]->shape;

  ts_recurrent_output (node, out, 0, dz->dim[1], node->in[1]->shape.dim[1]);
  return TRUE;
}

static void
input_forward (TsCall *call)
{
  const TsValue *dz = call->node->in[0];
  const TsShape *k = &call->node->in[1]->shape;
  gint64 lines = ts_recurrent_rows (call, dz) * dz->shape.dim[1];

  ts_step_product (call, &(TsStepProduct){.rows = lines,
                                          .width = k->dim[0],
                                          .n = k->dim[1],
                                          .a = call->in[0],
                                          .a_row = dz->shape.dim[2],
                                          .b = call->in[1],
                                          .b_row = k->dim[1],
                                          .c = call->out[0],
                                          .c_row = k->dim[1]});
}

const TsOpClass ts_recurrent_grad_input = {
    .name = "recurrent_grad_input",
    .formula = "dx[t] = dz[t]·kernelᵀ",
    .category = "recurrent",
    .doc = "Gradient of a recurrent layer with respect to its input.",
    .in_names = "dz, transposed kernel",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_INTERNAL | TS_OP_MANY,
    .inplace = -1,
    .infer = input_infer,
    .partition = ts_recurrent_partition,
    .forward = input_forward,
};

/* ---- dkernel */

static gint64
all_rows (const TsCall *call, const TsValue *v)
{
  return v->kind == TS_VALUE_ROWS ? call->batch : v->shape.dim[0];
}

static TsPartition
weight_partition (const TsNode *node)
{
  const TsShape *w = &node->out[0]->shape;

  return (TsPartition){
      .kind = TS_PART_BLOCKS, .extent = w->dim[0], .unit_elems = w->dim[1], .cut_out = 1};
}

static const TsParamSpec kernel_params[] = {
    {"width", TS_PARAM_INT, .required = TRUE, .doc = "columns of the kernel"},
    {NULL},
};

static gboolean
kernel_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (node->in[0]->shape.dim[2], node->params.v[0].i);
  return TRUE;
}

static void
kernel_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0], *dz = call->node->in[1];
  gint64 n = call->node->params.v[0].i;

  call->k->gemm[call->dtype](&(TsGemm){.m = call->end - call->begin,
                                       .n = n,
                                       .k = all_rows (call, x) * x->shape.dim[1],
                                       .segments = 1,
                                       .a = ts_at (call, call->in[0], call->begin),
                                       .a_row = 1,
                                       .a_col = x->shape.dim[2],
                                       .b = call->in[1],
                                       .b_row = dz->shape.dim[2],
                                       .c = call->out[0],
                                       .c_row = n});
}

static double
weight_flops (const TsNode *node, gint64 batch)
{
  const TsValue *x = node->in[0];
  gint64 rows = x->kind == TS_VALUE_ROWS ? batch : x->shape.dim[0];

  return 2.0 * (double) (rows * x->shape.dim[1]) * (double) ts_shape_elems (&node->out[0]->shape);
}

const TsOpClass ts_recurrent_grad_kernel = {
    .name = "recurrent_grad_kernel",
    .formula = "dkernel[k, n] = sum over rows and steps of x[t, k]·dz[t, n]",
    .category = "recurrent",
    .doc = "Gradient of a recurrent layer with respect to the kernel of its input.",
    .in_names = "x, dz",
    .min_in = 2,
    .max_in = 2,
    .params = kernel_params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = kernel_infer,
    .partition = weight_partition,
    .forward = kernel_forward,
    .flops = weight_flops,
};

/* ---- drecurrent: the state before each step against dz of the step */

static const TsParamSpec state_params[] = {
    {"columns", TS_PARAM_SHAPE, .doc = "triples: columns of dz from, how many, where to"},
    {"extra", TS_PARAM_SHAPE, .doc = "a triple of columns that multiplied the lines' last"},
    {"reverse", TS_PARAM_BOOL, .doc = "the state before a step is that of the next one"},
    {"first", TS_PARAM_BOOL, .doc = "the third input is the initial state"},
    {NULL},
};

static gint64
columns_width (const TsParams *p)
{
  gint64 width = 0;

  for (guint list = 0; list < 2; list++)
    for (guint i = 0; i < p->v[list].n_list; i += 3)
      width += p->v[list].list[i + 1];
  return width;
}

static gboolean
state_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (node->in[0]->shape.dim[2], columns_width (&node->params));
  return TRUE;
}

/* Segments of a product are rows; as many at once as keep a panel of dz in L1. */
#define LINES_AT_ONCE 256

/* c[k, columns] = sum over rows and steps of a[row, step, k]·dz[row, step, columns] */
static void
outer_sum (const TsCall *call, TsGemm g, gint64 rows)
{
  gint64 group = CLAMP (LINES_AT_ONCE / MAX (g.k, 1), 1, rows);

  for (gint64 r = 0; r < rows; r += group) {
    TsGemm part = g;
    part.segments = MIN (group, rows - r);
    part.a = ts_at (call, g.a, r * g.a_segment);
    part.b = ts_at (call, g.b, r * g.b_segment);
    part.accumulate = g.accumulate || r > 0;
    call->k->gemm[call->dtype](&part);
  }
}

static void
state_forward (TsCall *call)
{
  const TsNode *node = call->node;
  const TsParams *p = &node->params;
  const TsShape *y = &node->in[0]->shape;
  gint64 rows = all_rows (call, node->in[0]), steps = y->dim[1], u = y->dim[2];
  gint64 w = node->in[1]->shape.dim[2], n = node->out[0]->shape.dim[1];
  gboolean reverse = p->v[2].i != 0, first = p->v[3].i != 0;
  TsGemm g = {.m = call->end - call->begin, .a_row = 1, .b_row = w, .c_row = n};

  for (guint i = 0; i < p->v[0].n_list; i += 3) {
    const gint64 *c = p->v[0].list + i;
    const void *dz = ts_at (call, call->in[1], c[0]);
    g.n = c[1];
    g.c = ts_at (call, call->out[0], c[2]);
    g.accumulate = FALSE;
    g.segments = 1;
    g.k = first ? rows : 0; /* the initial state, or nothing: that sets c to 0 */
    g.a = first ? ts_at (call, call->in[2], call->begin) : NULL;
    g.a_col = u;
    g.b = ts_at (call, dz, reverse ? (steps - 1) * w : 0);
    g.b_row = steps * w;
    g.b_segment = 0;
    call->k->gemm[call->dtype](&g);
    g.k = steps - 1;
    g.accumulate = TRUE;
    g.a = ts_at (call, call->in[0], call->begin + (reverse ? u : 0));
    g.a_segment = steps * u;
    g.b = ts_at (call, dz, reverse ? 0 : w);
    g.b_row = w;
    g.b_segment = steps * w;
    if (steps > 1)
      outer_sum (call, g, rows);
  }
  if (p->v[1].n_list) {
    const gint64 *c = p->v[1].list;
    const TsValue *lines = node->in[2 + first];
    gint64 width = lines->shape.dim[2];
    g.n = c[1];
    g.c = ts_at (call, call->out[0], c[2]);
    g.accumulate = FALSE;
    g.segments = 1;
    g.k = rows * steps;
    g.a = ts_at (call, call->in[2 + first], width - u + call->begin);
    g.a_col = width;
    g.b = ts_at (call, call->in[1], c[0]);
    g.b_row = w;
    g.b_segment = 0;
    call->k->gemm[call->dtype](&g);
  }
}

const TsOpClass ts_recurrent_grad_state = {
    .name = "recurrent_grad_state",
    .formula = "drecurrent[k, n] = sum over rows and steps of h[t - 1, k]·dz[t, n]",
    .category = "recurrent",
    .doc = "Gradient of a recurrent layer with respect to the kernel of its state.",
    .in_names = "y, dz, first?, lines?",
    .min_in = 2,
    .max_in = 4,
    .params = state_params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = state_infer,
    .partition = weight_partition,
    .forward = state_forward,
    .flops = weight_flops,
};

/* ---- dbias: the columns of a sum, sorted as the weights are */

static const TsParamSpec bias_params[] = {
    {"columns", TS_PARAM_SHAPE, .doc = "triples: columns of the sum from, how many, where to"},
    {"extra", TS_PARAM_SHAPE, .doc = "a triple of columns without a bias of their own"},
    {"width", TS_PARAM_INT, .required = TRUE, .doc = "columns of the kernel"},
    {"both", TS_PARAM_BOOL, .doc = "a second line for the recurrent product"},
    {NULL},
};

static gboolean
bias_infer (TsNode *node, TsValue *out, GError **error)
{
  gint64 width = node->params.v[2].i;

  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = node->params.v[3].i ? TS_SHAPE (2, width) : TS_SHAPE (width);
  return TRUE;
}

static void
bias_forward (TsCall *call)
{
  const TsParams *p = &call->node->params;
  gint64 width = p->v[2].i;
  gsize size = ts_dtype_size (call->dtype);

  memcpy (call->out[0], call->in[0], (gsize) width * size);
  for (guint i = 0; p->v[3].i && i < p->v[0].n_list; i += 3) {
    const gint64 *c = p->v[0].list + i;
    memcpy (ts_at (call, call->out[0], width + c[2]), ts_at (call, call->in[0], c[0]),
            (gsize) c[1] * size);
  }
}

const TsOpClass ts_recurrent_grad_bias = {
    .name = "recurrent_grad_bias",
    .formula = "dbias = the columns of sum dz",
    .category = "recurrent",
    .doc = "Gradient of a recurrent layer with respect to its bias.",
    .in_names = "sum of dz",
    .min_in = 1,
    .max_in = 1,
    .params = bias_params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = bias_infer,
    .partition = ts_partition_whole,
    .forward = bias_forward,
};
