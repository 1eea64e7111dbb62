/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* Ops that only move elements say for each axis of the output where on an axis of the input it reads.
 * Elements of any type are copied by their size, in runs as long as they lie together. */

typedef enum {
  TS_AXIS_STEP,      /* begin + step·o */
  TS_AXIS_WRAP,      /* (begin + o) mod in */
  TS_AXIS_REPEAT,    /* o / step */
  TS_AXIS_INSIDE,    /* o - begin, outside of [0, in) nothing */
  TS_AXIS_REFLECT,   /* o - begin, reflected at the first and the last element */
  TS_AXIS_SYMMETRIC, /* o - begin, reflected at the edges, so that these are met twice */
} TsAxisRule;

typedef struct {
  TsAxisRule rule;
  gint64 out, in; /* sizes */
  gint64 begin, step;
  gint64 pitch; /* elements between neighbours of the input's axis */
} TsAxis;

/* The axes of the output, outermost first. */
typedef struct {
  guint rank;
  TsAxis axis[TS_SHAPE_MAX];
} TsLayout;

/* How an op reads its input: fills @l, given the input's shape. While a graph is built the batch is
 * TS_ANY. */
typedef void (*TsLayoutFunc) (const TsNode *node, const TsShape *x, TsLayout *l);

/* Every axis of @x as it is. */
void ts_layout_init (TsLayout *l, const TsShape *x);

/* Output 0 has the sizes of the layout's axes: SHAPE when that is too large. */
gboolean ts_layout_infer (TsNode *node, TsValue *out, TsLayoutFunc layout, GError **error);

/* Output 0 from input 0.  @nothing: the element where the layout reads none, or NULL. */
void ts_layout_forward (TsCall *call, TsLayoutFunc layout, const void *nothing);

/* The gradient: inputs dy and x, output dx = the sum of dy over where x was read, in the order of dy.
 * `layout` sees the gradient's own node, which has the op's parameters. */
void ts_layout_grad_forward (TsCall *call, TsLayoutFunc layout);
gboolean ts_layout_grad_infer (TsNode *node, TsValue *out, GError **error);

/* The shape of @v in this call: rows of the range, or of the whole batch. */
TsShape ts_call_shape (const TsCall *call, const TsValue *v);

/* Input 0's gradient by @op (dy, x) with the node's parameters. */
void ts_emit_layout_grad (TsEmitter *e, const TsNode *node, const char *op, TsValue *dy,
                          const gboolean *want, TsValue **grad_in);

/* NAME_backward and the class NAME_grad of a file that has `params` and `layout`. */
#define TS_LAYOUT_GRAD(NAME, FORMULA)                                                              \
  static void NAME##_grad_forward (TsCall *call)                                                   \
  {                                                                                                \
    ts_layout_grad_forward (call, layout);                                                         \
  }                                                                                                \
  static void NAME##_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out,               \
                               const gboolean *want, TsValue **grad_in)                            \
  {                                                                                                \
    ts_emit_layout_grad (e, node, #NAME "_grad", grad_out[0], want, grad_in);                      \
  }                                                                                                \
  static const TsOpClass NAME##_grad = {                                                           \
      .name = #NAME "_grad",                                                                       \
      .formula = FORMULA,                                                                          \
      .category = "array",                                                                         \
      .doc = "Gradient of " #NAME ".",                                                             \
      .in_names = "dy, x",                                                                         \
      .min_in = 2,                                                                                 \
      .max_in = 2,                                                                                 \
      .params = params,                                                                            \
      .flags = TS_OP_INTERNAL,                                                                     \
      .inplace = -1,                                                                               \
      .infer = ts_layout_grad_infer,                                                               \
      .partition = ts_partition_rows,                                                              \
      .forward = NAME##_grad_forward,                                                              \
  }

/* The parts (inputs; or outputs when @split) lie one after the other on @axis of the whole. */
void ts_call_join (TsCall *call, guint axis, gboolean split);

/* ---- axes as parameters: negative ones count from the end */

/* @axis of @x, which has it. */
guint ts_axis (gint64 axis, guint rank);

/* PARAM when parameter @name says an axis that a value of shape @x, and rank @rank, does not have. */
gboolean ts_check_axis (const TsNode *node, const char *name, gint64 axis, const TsShape *x,
                        guint rank, GError **error);

/* PARAM that parameter @name would change the batch axis. */
gboolean ts_refuse_batch (const TsNode *node, const char *name, GError **error);

/* All inputs are of one type: DTYPE. */
gboolean ts_infer_one_type (const TsNode *node, GError **error);

/* A value, or one row, of shape @y can be addressed, at 2^40 elements the most: SHAPE. */
gboolean ts_check_size (const TsNode *node, const TsShape *y, GError **error);

/* @value in @n elements of any type at @to. */
void ts_fill (TsDtype dtype, void *to, gint64 n, double value);

/* The product of @s's sizes on the axes from @from to before @to. */
gint64 ts_shape_product (const TsShape *s, guint from, guint to);

G_END_DECLS
