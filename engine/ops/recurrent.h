/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* What the recurrent ops share: x [steps, features] of a row (batch first) goes through one cell per
 * step.  Inputs: x, kernel [features, gates·units], recurrent [units, gates·units], bias?, the initial
 * state(s) [units]?, lengths? (i32, one per row: steps from there on copy the state).
 *
 * The projection of x for all steps is one product, the recurrent one a product per step over all rows
 * of the call; both are row-invariant.  Gradients of the weights are sums over all rows and steps in
 * one chain per element, cut by lines of the weight. */

typedef struct {
  gint64 steps, features, units, gates;
  int bias, state[2], lengths; /* which input, or -1 */
  gboolean reverse;            /* the last step first */
} TsRecurrent;

/* Finds the inputs and checks their shapes.  @bias_lines: 1, or 2 for a bias of its own in the recurrent
 * product.  @error NULL: the node has been checked before. */
gboolean ts_recurrent_init (TsRecurrent *r, const TsNode *node, guint gates, guint n_states,
                            guint bias_lines, GError **error);

/* Output @i is [steps, width] per row, or [width] when @steps is 0. */
void ts_recurrent_output (TsNode *node, TsValue *out, guint i, gint64 steps, gint64 width);

/* Rows of x in a call. */
gint64 ts_recurrent_rows (const TsCall *call, const TsValue *x);

/* The batch as rows, or all of it on one thread. */
TsPartition ts_recurrent_partition (const TsNode *node);

/* The two products of every step; and by rows of input 1, for gradients. */
double ts_recurrent_flops (const TsNode *node, gint64 batch);
TsPartition ts_recurrent_grad_partition (const TsNode *node);

/* @n elements of @from, or zeros where that is NULL: a state that stays, or starts. */
void ts_recurrent_carry (const TsCall *call, const void *from, void *to, gint64 n);

/* Which step comes @n-th, and which came before it (-1: none). */
static inline gint64
ts_recurrent_step (const TsRecurrent *r, gint64 n)
{
  return r->reverse ? r->steps - 1 - n : n;
}

/* line[row, step, from …] (+)= a[row]·b for all rows; a has @width values every @a_row elements. */
typedef struct {
  gint64 rows, width, n; /* of a, of the result */
  const void *a, *b;
  gint64 a_row, b_row;
  const void *bias;
  void *c;
  gint64 c_row;
  gboolean accumulate;
} TsStepProduct;

void ts_step_product (const TsCall *call, const TsStepProduct *p);

/* Element @i of an array of the call's type. */
static inline void *
ts_at (const TsCall *call, const void *data, gint64 i)
{
  return (char *) data + (gsize) i * ts_dtype_size (call->dtype);
}

/* Notes a fault for each length that no sequence of these steps can have, before they are used. */
void ts_recurrent_check_lengths (TsCall *call, const TsRecurrent *r);
char *ts_recurrent_fault_text (const TsNode *node, const TsFault *fault);

/* Does row @row of the call stop before step @t? */
gboolean ts_recurrent_masked (const TsCall *call, const TsRecurrent *r, gint64 row, gint64 t);

/* The gradients of kernel, recurrent and bias, for backward functions.  @dz: [steps, width] per row,
 * whose first gates·units columns are those of the kernel's product.  @columns: triples (from, width,
 * to): which columns of dz belong to which of the recurrent weight, in elements.  @lines: not NULL:
 * the recurrent weight's columns @extra (one more triple) multiplied the last columns of these. */
typedef struct {
  TsValue *dz, *y, *lines;
  gint64 columns[6], extra[3];
  guint n_columns;
} TsRecurrentBack;

void ts_recurrent_backward (TsEmitter *e, const TsRecurrent *r, TsNode *node,
                            const TsRecurrentBack *back, const gboolean *want, TsValue **grad_in);

/* @op on the @n inputs in @in and those of @optional that are there, with the node's parameters; bit i of
 * its parameter `given`: optional[i] is.  @in has room for all. */
TsNode *ts_recurrent_emit_grad (TsEmitter *e, const TsNode *node, const char *op, TsValue **in,
                                guint n, TsValue *const *optional, guint n_optional);

/* The classes that ts_recurrent_backward emits; one of the op files has them as its parts. */
extern const TsOpClass ts_recurrent_grad_input, ts_recurrent_grad_kernel, ts_recurrent_grad_state,
    ts_recurrent_grad_bias;

G_END_DECLS
