/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/ops/op.h"

/* Scaled dot-product attention of several heads (Vaswani et al. 2017).  Queries are [steps, heads,
 * depth] or [steps, heads·depth] per row, keys and values alike with their own number of steps.  Heads
 * lie beside each other in a line, so that nothing is moved: a head is a stride.  The weights are an
 * output of their own, for looking at and for the way back. */

static const TsParamSpec params[] = {
    {"heads", TS_PARAM_INT, .number = 1, .min = 1, .max = 4096,
     .doc = "how many, when the input does not have an axis of them"},
    {"causal", TS_PARAM_BOOL, .doc = "a step sees itself and what came before"},
    {"packed", TS_PARAM_BOOL, .doc = "query, key and value are the thirds of the first input"},
    {NULL},
};

typedef struct {
  gint64 heads, depth, queries, keys; /* depth: of one head; queries, keys: steps */
  gint64 line_q, line_k;              /* elements from step to step */
  gboolean rows, packed, causal;
  int mask;                   /* which input, or -1 */
  gint64 mask_row, mask_step; /* bytes from row to row, from query to query */
} Attention;

static gboolean
refuse (const TsNode *node, guint i, const char *want, GError **error)
{
  g_autofree char *text = ts_shape_dup_text (&node->in[i]->shape);

  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE, "%s: '%s' is %s; %s", node->op->name,
               node->in[i]->node->name, text, want);
  return FALSE;
}

static gboolean
find_mask (Attention *a, const TsNode *node, GError **error)
{
  guint i = (guint) a->mask;
  const TsValue *m = node->in[i];
  const TsShape *s = &m->shape;
  /* without a batch axis [keys] for each item and [queries, keys] look alike: the latter is meant */
  gboolean lead = a->rows ? m->kind == TS_VALUE_ROWS
                          : s->rank == 3 || (s->rank == 2 && s->dim[0] != a->queries);
  guint axes = s->rank - lead;

  if (m->dtype != TS_BOOL || axes < 1 || axes > 2 || s->dim[s->rank - 1] != a->keys ||
      (axes == 2 && s->dim[s->rank - 2] != a->queries) ||
      (lead && s->dim[0] != node->in[0]->shape.dim[0]) || (!a->rows && m->kind == TS_VALUE_ROWS))
    return refuse (node, i,
                   "a mask is boolean, [keys] or [queries, keys], one for all or one for each row",
                   error);
  a->mask_step = axes == 2 ? a->keys : 0;
  a->mask_row = lead ? a->keys * (axes == 2 ? a->queries : 1) : 0;
  return TRUE;
}

static gboolean
attention_of (Attention *a, const TsNode *node, guint first, gboolean packed, guint given_mask,
              GError **error)
{
  const TsShape *q = &node->in[first]->shape, *k = &node->in[packed ? first : first + 1]->shape;
  gboolean axis = q->rank == 4 && !packed;

  *a = (Attention){.rows = node->in[first]->kind == TS_VALUE_ROWS,
                   .packed = packed,
                   .causal = node->params.v[1].i != 0,
                   .mask = given_mask ? (int) given_mask : -1};
  if (q->rank != 3 && !axis)
    return refuse (node, first, "it must be [steps, heads, depth] or [steps, width]", error);
  a->queries = q->dim[1];
  a->keys = k->rank == q->rank ? k->dim[1] : 0;
  gint64 width = axis ? q->dim[2] * q->dim[3] : q->dim[2] / (packed ? 3 : 1);
  a->heads = axis ? q->dim[2] : node->params.v[0].i;
  if (width % a->heads || (packed && q->dim[2] % 3))
    return refuse (node, first, "its width does not divide by the number of heads", error);
  a->depth = width / a->heads;
  a->line_q = a->line_k = packed ? 3 * width : width;
  for (guint i = first + 1; !packed && i < first + 3; i++) {
    TsShape want = *q;
    want.dim[1] = a->keys;
    if (!ts_shape_equal (&node->in[i]->shape, &want))
      return refuse (node, i, "keys and values must be alike and go with the queries", error);
  }
  return a->mask < 0 || find_mask (a, node, error);
}

static gboolean
attention_infer (TsNode *node, TsValue *out, GError **error)
{
  gboolean packed = node->params.v[2].i != 0;
  guint n = packed ? 1 : 3;
  Attention a;

  if (node->n_in != n && node->n_in != n + 1) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "attention takes %u tensors and perhaps a mask, not %u", n, node->n_in);
    return FALSE;
  }
  for (guint i = 0; i < n; i++)
    if (!ts_dtype_is_float (node->in[i]->dtype) || node->in[i]->dtype != node->in[0]->dtype) {
      g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                   "attention needs float tensors of one type, but '%s' is %s",
                   node->in[i]->node->name, ts_dtype_name (node->in[i]->dtype));
      return FALSE;
    }
  if (!attention_of (&a, node, 0, packed, node->n_in > n ? n : 0, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  if (packed)
    out[0].shape.dim[2] = a.heads * a.depth;
  ts_infer_like (node, out, 1, node->in[0]);
  out[1].shape = TS_SHAPE (node->in[0]->shape.dim[0], a.heads, a.queries, a.keys);
  return TRUE;
}

static TsPartition
attention_partition (const TsNode *node)
{
  if (node->in[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  return ts_partition_whole (node);
}

/* One head's keys (values) with steps and depth exchanged. */
static gsize
attention_workspace (const TsNode *node)
{
  const TsShape *k = &node->in[0]->shape;
  gint64 steps = MAX (k->dim[1], node->n_in > 1 ? node->in[1]->shape.dim[1] : 0);
  gint64 last = node->n_in > 2 && node->op->min_in > 2 ? node->in[2]->shape.dim[1] : 0;

  return (gsize) (MAX (steps, last) * k->dim[k->rank - 1] + 16) *
         ts_dtype_size (node->out[0]->dtype);
}

static void *
at (const TsCall *call, const void *data, gint64 i)
{
  return (char *) data + (gsize) i * ts_dtype_size (call->dtype);
}

static void
product (const TsCall *call, gint64 m, gint64 n, gint64 k, const void *a, gint64 a_row,
         gint64 a_col, const void *b, gint64 b_row, void *c, gint64 c_row)
{
  call->k->gemm[call->dtype](&(TsGemm){.m = m,
                                       .n = n,
                                       .k = k,
                                       .segments = 1,
                                       .a = a,
                                       .a_row = a_row,
                                       .a_col = a_col,
                                       .b = b,
                                       .b_row = b_row,
                                       .c = c,
                                       .c_row = c_row});
}

static gint64
row_count (const TsCall *call, const TsValue *x)
{
  return x->kind == TS_VALUE_ROWS ? call->end - call->begin : x->shape.dim[0];
}

static void
attention_forward (TsCall *call)
{
  gboolean packed = call->node->params.v[2].i != 0;
  guint n = packed ? 1 : 3;
  Attention a;

  attention_of (&a, call->node, 0, packed, call->node->n_in > n ? n : 0, NULL);
  gint64 width = a.heads * a.depth, rows = row_count (call, call->node->in[0]);
  double scale = 1 / sqrt ((double) a.depth);
  for (gint64 item = 0; item < rows * a.heads; item++) {
    gint64 row = item / a.heads, h = item % a.heads;
    const char *q = at (call, call->in[0], row * a.queries * a.line_q + h * a.depth);
    const char *k = packed ? at (call, q, width)
                           : at (call, call->in[1], row * a.keys * a.line_k + h * a.depth);
    const char *v = packed ? at (call, q, 2 * width)
                           : at (call, call->in[2], row * a.keys * a.line_k + h * a.depth);
    char *p = at (call, call->out[1], item * a.queries * a.keys);
    const guint8 *mask = a.mask >= 0 ? (const guint8 *) call->in[a.mask] + row * a.mask_row : NULL;
    call->k->transpose[call->dtype](k, (gsize) a.line_k, (gsize) a.keys, (gsize) a.depth,
                                    call->workspace, (gsize) a.keys);
    product (call, a.queries, a.keys, a.depth, q, a.line_q, 1, call->workspace, a.keys, p, a.keys);
    for (gint64 i = 0; i < a.queries; i++)
      call->k->attention_line[call->dtype](
          at (call, p, i * a.keys), (gsize) a.keys,
          (gsize) (a.causal ? CLAMP (i + 1 + a.keys - a.queries, 0, a.keys) : a.keys),
          mask ? mask + i * a.mask_step : NULL, scale);
    product (call, a.queries, a.depth, a.keys, p, a.keys, 1, v, a.line_k,
             at (call, call->out[0], row * a.queries * width + h * a.depth), width);
  }
}

static double
attention_flops (const TsNode *node, gint64 batch)
{
  const TsShape *p = &node->out[1]->shape, *y = &node->out[0]->shape;
  gint64 rows = p->dim[0] == TS_ANY ? batch : p->dim[0];
  gint64 width = ts_shape_row_elems (y) / y->dim[1];

  return 4.0 * (double) rows * (double) (p->dim[2] * p->dim[3]) * (double) width;
}

static void
attention_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                    TsValue **grad_in)
{
  gboolean packed = node->params.v[2].i != 0;
  TsValue *in[] = {node->in[0], node->in[packed ? 0 : 1], node->in[packed ? 0 : 2], node->out[1],
                   grad_out[0]};

  if (!grad_out[0])
    return; /* only somebody who looks at the weights asked */
  if (packed) {
    TsValue *one[] = {node->in[0], node->out[1], grad_out[0]};
    grad_in[0] = e->emit (e, "attention_grad", one, 3, &node->params)->out[0];
    return;
  }
  TsNode *grad = e->emit (e, "attention_grad", in, 5, &node->params);
  for (guint i = 0; i < 3; i++)
    if (want[i])
      grad_in[i] = grad->out[i];
}

/* ---- the way back: dv = pᵀ·dy, dp = dy·vᵀ, ds = the softmax' of dp, dq = ds·k, dk = dsᵀ·q.  The last
 * output holds dp and then ds. */

static gboolean
grad_infer (TsNode *node, TsValue *out, GError **error)
{
  guint n = node->params.v[2].i ? 1 : 3;

  for (guint i = 0; i < n; i++)
    ts_infer_like (node, out, i, node->in[i]);
  ts_infer_like (node, out, n, node->in[n]);
  return TRUE;
}

static void
attention_grad_forward (TsCall *call)
{
  gboolean packed = call->node->params.v[2].i != 0;
  guint n = packed ? 1 : 3;
  Attention a;

  attention_of (&a, call->node, 0, packed, 0, NULL);
  gint64 width = a.heads * a.depth, rows = row_count (call, call->node->in[0]);
  double scale = 1 / sqrt ((double) a.depth);
  for (gint64 item = 0; item < rows * a.heads; item++) {
    gint64 row = item / a.heads, h = item % a.heads;
    gint64 first = row * a.queries * a.line_q + h * a.depth;
    gint64 other = packed ? first : row * a.keys * a.line_k + h * a.depth;
    const char *q = at (call, call->in[0], first);
    const char *k = at (call, call->in[packed ? 0 : 1], other + (packed ? width : 0));
    const char *v = at (call, call->in[packed ? 0 : 2], other + (packed ? 2 * width : 0));
    const char *p = at (call, call->in[n], item * a.queries * a.keys);
    const char *dy = at (call, call->in[n + 1], row * a.queries * width + h * a.depth);
    char *ds = at (call, call->out[n], item * a.queries * a.keys);
    char *dq = at (call, call->out[0], first);
    char *dk = at (call, call->out[packed ? 0 : 1], other + (packed ? width : 0));
    char *dv = at (call, call->out[packed ? 0 : 2], other + (packed ? 2 * width : 0));
    product (call, a.keys, a.depth, a.queries, p, 1, a.keys, dy, width, dv, a.line_k);
    call->k->transpose[call->dtype](v, (gsize) a.line_k, (gsize) a.keys, (gsize) a.depth,
                                    call->workspace, (gsize) a.keys);
    product (call, a.queries, a.keys, a.depth, dy, width, 1, call->workspace, a.keys, ds, a.keys);
    for (gint64 i = 0; i < a.queries; i++)
      call->k->attention_line_grad[call->dtype](at (call, p, i * a.keys), at (call, ds, i * a.keys),
                                                (gsize) a.keys, scale);
    product (call, a.queries, a.depth, a.keys, ds, a.keys, 1, k, a.line_k, dq, a.line_q);
    product (call, a.keys, a.depth, a.queries, ds, 1, a.keys, q, a.line_q, dk, a.line_k);
  }
}

static double
grad_flops (const TsNode *node, gint64 batch)
{
  const TsShape *p = &node->in[node->params.v[2].i ? 1 : 3]->shape;
  const TsShape *y = &node->in[node->params.v[2].i ? 2 : 4]->shape;
  gint64 rows = p->dim[0] == TS_ANY ? batch : p->dim[0];

  return 8.0 * (double) rows * (double) (p->dim[2] * p->dim[3]) *
         (double) (ts_shape_row_elems (y) / y->dim[1]);
}

static const TsOpClass attention_grad = {
    .name = "attention_grad",
    .formula = "dv = pᵀ·dy; ds = p·(dy·vᵀ - sum (p·dy·vᵀ)) / √depth; dq = ds·k; dk = dsᵀ·q",
    .category = "attention",
    .doc = "Gradient of attention with respect to queries, keys and values.",
    .in_names = "q, k?, v?, weights, dy",
    .min_in = 3,
    .max_in = 5,
    .params = params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = grad_infer,
    .partition = attention_partition,
    .workspace = attention_workspace,
    .forward = attention_grad_forward,
    .flops = grad_flops,
};

static const TsOpExample examples[] = {
    {.in = {"rows 3 4", "rows 3 4", "rows 3 4"}, .params = "heads=2", .low = -1, .high = 1},
    {.in = {"rows 3 2 2", "rows 3 2 2", "rows 3 2 2"},
     .params = "causal=true",
     .low = -1,
     .high = 1},
    {.in = {"rows 2 12"}, .params = "heads=2, packed=true", .low = -1, .high = 1},
    {.in = {"f 2 3 4", "f 2 5 4", "f 2 5 4"}, .params = "heads=2", .low = -1, .high = 1},
    {.in = {"rows 3 4", "rows 3 4", "rows 3 4", "flags 3"},
     .params = "heads=2",
     .low = -1,
     .high = 1},
};

const TsOpClass ts_op_attention = {
    .name = "attention",
    .formula = "y = softmax (q·kᵀ / √depth where seen)·v, for each head",
    .category = "attention",
    .doc = "Scaled dot-product attention of several heads; a query that sees nothing gives 0.  The "
           "second output holds the weights.",
    .in_names = "q, k?, v?, mask?",
    .min_in = 1,
    .max_in = 4,
    .params = params,
    .inplace = -1,
    .no_gradient = 2,
    .infer = attention_infer,
    .partition = attention_partition,
    .workspace = attention_workspace,
    .forward = attention_forward,
    .backward = attention_backward,
    .flops = attention_flops,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&attention_grad, NULL},
};
