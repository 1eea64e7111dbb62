/* SPDX-License-Identifier: MIT */
#include "engine/ops/binary.h"

/* The last two axes are matrices, those before them broadcast, the batch among them.  One case more:
 * a batch of vectors, a[?, K] times b[K, N], is a matrix whose lines are the rows. */

static const TsParamSpec params[] = {
    {"transpose_a", TS_PARAM_BOOL, .doc = "the matrices of a are turned first"},
    {"transpose_b", TS_PARAM_BOOL, .doc = "the matrices of b are turned first"},
    {NULL},
};

/* One product [m, k]·[k, n], and how the others go on. */
typedef struct {
  gint64 m, n, k;
  gboolean turn_a, turn_b;
  TsShape lead_a, lead_b; /* the axes before the matrices */
  gboolean lines;         /* m is the batch */
} Product;

static TsShape
lead_of (const TsShape *s)
{
  TsShape lead = *s;

  lead.rank -= 2;
  return lead;
}

static Product
product_of (const TsNode *node)
{
  const TsShape *a = &node->in[0]->shape, *b = &node->in[1]->shape;
  Product p = {.turn_a = ts_params_bool (&node->params, "transpose_a"),
               .turn_b = ts_params_bool (&node->params, "transpose_b"),
               .lead_a = lead_of (a),
               .lead_b = lead_of (b)};

  p.m = a->dim[a->rank - (p.turn_a ? 1 : 2)];
  p.k = a->dim[a->rank - (p.turn_a ? 2 : 1)];
  p.n = b->dim[b->rank - (p.turn_b ? 2 : 1)];
  p.lines = p.m == TS_ANY;
  return p;
}

static gboolean
refuse (const TsNode *node, const char *why, GError **error)
{
  const TsValue *a = node->in[0], *b = node->in[1];
  g_autofree char *ta = ts_shape_dup_row_text (&a->shape), *tb = ts_shape_dup_row_text (&b->shape);

  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
               "matmul: '%s' is %s and '%s' is %s; %s", a->node->name, ta, b->node->name, tb, why);
  return FALSE;
}

static gboolean
matmul_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *a = &node->in[0]->shape, *b = &node->in[1]->shape;
  TsShape lead;

  if (!ts_infer_floats (node, error))
    return FALSE;
  if (a->rank < 2 || b->rank < 2)
    return refuse (node, "both need at least two axes", error);
  Product p = product_of (node);
  gint64 k = b->dim[b->rank - (p.turn_b ? 1 : 2)];
  if (p.k == TS_ANY || p.n == TS_ANY || k == TS_ANY || (p.lines && b->rank > 2))
    return refuse (node, "the batch may lead both, or be the lines of the first", error);
  if (k != p.k)
    return refuse (node, "the columns of the first must be the lines of the second", error);
  if (!ts_broadcast_shapes (node, &p.lead_a, &p.lead_b, &lead, NULL))
    return refuse (node, "the axes before the matrices do not broadcast", error);
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = lead;
  out[0].shape.dim[lead.rank] = p.m;
  out[0].shape.dim[lead.rank + 1] = p.n;
  out[0].shape.rank = lead.rank + 2;
  return TRUE;
}

static TsPartition
matmul_partition (const TsNode *node)
{
  const TsShape *y = &node->out[0]->shape;
  Product p = product_of (node);

  if (node->out[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  TsShape lead = lead_of (y);
  gint64 matrices = ts_shape_elems (&lead);
  if (matrices == 1) /* by lines of the only one, else by matrices */
    return (TsPartition){.kind = TS_PART_BLOCKS, .extent = p.m, .unit_elems = p.n, .cut_out = 1};
  return (TsPartition){
      .kind = TS_PART_BLOCKS, .extent = matrices, .unit_elems = p.m * p.n, .cut_out = 1};
}

/* Room for one turned matrix of b. */
static gsize
matmul_workspace (const TsNode *node)
{
  Product p = product_of (node);

  return p.turn_b ? (gsize) (p.k * p.n) * ts_dtype_size (node->out[0]->dtype) : 0;
}

/* c[m, n] = a·b, beginning with line @first of a */
static void
multiply (const TsCall *call, const Product *p, const char *a, gint64 first, const char *b, char *c,
          gint64 m)
{
  gint64 size = (gint64) ts_dtype_size (call->dtype);

  call->k->gemm[call->dtype](&(TsGemm){.m = m,
                                       .n = p->n,
                                       .k = p->k,
                                       .segments = 1,
                                       .a = a + first * (p->turn_a ? 1 : p->k) * size,
                                       .a_row = p->turn_a ? 1 : p->k,
                                       .a_col = p->turn_a ? p->m : 1,
                                       .b = b,
                                       .b_row = p->n,
                                       .c = c,
                                       .c_row = p->n});
}

/* @b, turned into the workspace if need be */
static const char *
straight (const TsCall *call, const Product *p, const char *b)
{
  if (!p->turn_b)
    return b;
  call->k->transpose[call->dtype](b, (gsize) p->k, (gsize) p->n, (gsize) p->k, call->workspace,
                                  (gsize) p->n);
  return call->workspace;
}

static void
matmul_forward (TsCall *call)
{
  const TsNode *node = call->node;
  gint64 size = (gint64) ts_dtype_size (call->dtype), begin = call->begin, end = call->end;
  Product p = product_of (node);
  TsShape lead = lead_of (&node->out[0]->shape);
  const TsShape *in[] = {&p.lead_a, &p.lead_b};
  const char *b = NULL;
  gint64 last_b = -1;
  TsBroadcast w;

  if (p.lines || (node->out[0]->kind != TS_VALUE_ROWS && ts_shape_elems (&lead) == 1)) {
    multiply (call, &p, call->in[0], p.lines ? 0 : begin, straight (call, &p, call->in[1]),
              call->out[0], end - begin);
    return;
  }
  if (node->out[0]->kind == TS_VALUE_ROWS) {
    end = (end - begin) * ts_shape_row_elems (&lead);
    begin = 0;
    lead.dim[0] = call->end - call->begin;
  }
  ts_broadcast_init (&w, &lead, in, 2);
  if (w.rank == 1 && w.step[1][0] == 0 &&
      !p.turn_a) { /* one b for all: one product of many lines */
    gint64 first = ts_broadcast_offset (&w, 0, begin);
    if (w.step[0][0] == 1) {
      multiply (call, &p, call->in[0], first * p.m, straight (call, &p, call->in[1]), call->out[0],
                (end - begin) * p.m);
      return;
    }
  }
  for (gint64 i = begin; i < end; i++) {
    gint64 at_a = ts_broadcast_offset (&w, 0, i), at_b = ts_broadcast_offset (&w, 1, i);
    if (at_b != last_b)
      b = straight (call, &p, (const char *) call->in[1] + at_b * p.k * p.n * size);
    last_b = at_b;
    multiply (call, &p, (const char *) call->in[0] + at_a * p.m * p.k * size, 0, b,
              (char *) call->out[0] + (i - begin) * p.m * p.n * size, p.m);
  }
}

static TsValue *
emit_product (TsEmitter *e, TsValue *a, gboolean turn_a, TsValue *b, gboolean turn_b)
{
  TsValue *in[] = {a, b};
  TsParams turn;

  ts_params_init (&turn, params);
  ts_params_set_bool (&turn, "transpose_a", turn_a, NULL);
  ts_params_set_bool (&turn, "transpose_b", turn_b, NULL);
  return e->emit (e, "matmul", in, 2, &turn)->out[0];
}

static void
matmul_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                 TsValue **grad_in)
{
  TsValue *a = node->in[0], *b = node->in[1], *dy = grad_out[0];
  Product p = product_of (node);

  if (want[0]) {
    TsValue *da = p.turn_a ? emit_product (e, b, p.turn_b, dy, TRUE)
                           : emit_product (e, dy, FALSE, b, !p.turn_b);
    grad_in[0] = ts_emit_sum_to (e, da, a);
  }
  if (want[1] && b->shape.rank == 2 && !p.turn_a) { /* all lines in one chain */
    grad_in[1] = p.turn_b ? ts_emit_op (e, "dense_grad_kernel", dy, a, NULL)
                          : ts_emit_op (e, "dense_grad_kernel", a, dy, NULL);
  } else if (want[1]) {
    TsValue *db = p.turn_b ? emit_product (e, dy, TRUE, a, p.turn_a)
                           : emit_product (e, a, !p.turn_a, dy, FALSE);
    grad_in[1] = ts_emit_sum_to (e, db, b);
  }
}

static double
matmul_flops (const TsNode *node, gint64 batch)
{
  const TsShape *y = &node->out[0]->shape;
  double elems = node->out[0]->kind == TS_VALUE_ROWS
                     ? (double) batch * (double) ts_shape_row_elems (y)
                     : (double) ts_shape_elems (y);

  return 2 * elems * (double) product_of (node).k;
}

static const TsOpExample examples[] = {
    {.in = {"rows 7", "f 7 3"}, .low = -1, .high = 1},
    {.in = {"rows 4", "f 3 4"}, .params = "transpose_b=true", .low = -1, .high = 1},
    {.in = {"rows 2 4", "f 4 3"}, .low = -1, .high = 1},
    {.in = {"rows 2 2", "rows 2 2"}, .low = -1, .high = 1},
    {.in = {"rows 3 2", "rows 3 2"}, .params = "transpose_a=true", .low = -1, .high = 1},
    {.in = {"f 1 2 3", "rows 2 3"}, .params = "transpose_b=true", .low = -1, .high = 1},
    {.in = {"f 3 2", "rows 1 2"}, .params = "transpose_b=true", .low = -1, .high = 1},
    {.in = {"f 7 5", "f 5 6"}, .low = -1, .high = 1},
    {.in = {"f 5 7", "f 6 5"},
     .params = "transpose_a=true, transpose_b=true",
     .low = -1,
     .high = 1},
    {.in = {"f 2 1 3 2", "f 3 2 4"}, .low = -1, .high = 1},
    {.in = {"f 3 2 4", "f 4 2"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_matmul = {
    .name = "matmul",
    .formula = "y[…, m, n] = sum over k of a[…, m, k]·b[…, k, n]",
    .category = "linear",
    .doc = "Matrix product over the last two axes; the axes before them broadcast.",
    .in_names = "a, b",
    .min_in = 2,
    .max_in = 2,
    .params = params,
    .inplace = -1,
    .infer = matmul_infer,
    .partition = matmul_partition,
    .workspace = matmul_workspace,
    .forward = matmul_forward,
    .backward = matmul_backward,
    .flops = matmul_flops,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
