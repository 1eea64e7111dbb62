/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The element-wise families: an op names its member and shared code finds the kernel.  The lists
 * kernel-unary-list.inc and kernel-binary-list.inc hold the formulas. */

typedef enum {
#define TS_UNARY_X(name, forward, gradient) TS_UNARY_##name,
#define TS_UNARY_Y(name, forward, gradient) TS_UNARY_##name,
#define TS_UNARY_STEP(name, forward)        TS_UNARY_##name,
#define TS_UNARY_TEST(name, condition)      TS_UNARY_##name,
#define TS_UNARY_BOOL(name, forward)        TS_UNARY_##name,
#include "engine/tensor/kernel-unary-list.inc"
#undef TS_UNARY_X
#undef TS_UNARY_Y
#undef TS_UNARY_STEP
#undef TS_UNARY_TEST
#undef TS_UNARY_BOOL
  TS_N_UNARY
} TsUnary;

typedef enum {
#define TS_BINARY_NUMBER(name, formula) TS_BINARY_##name,
#define TS_BINARY_FLOAT(name, formula)  TS_BINARY_##name,
#define TS_COMPARE(name, formula)       TS_BINARY_##name,
#define TS_BINARY_BOOL(name, formula)   TS_BINARY_##name,
#define TS_TERNARY(name, formula)       TS_BINARY_##name,
#define TS_SELECT(name, formula)        TS_BINARY_##name,
#include "engine/tensor/kernel-binary-list.inc"
#undef TS_BINARY_NUMBER
#undef TS_BINARY_FLOAT
#undef TS_COMPARE
#undef TS_BINARY_BOOL
#undef TS_TERNARY
#undef TS_SELECT
  TS_N_BINARY
} TsBinary;

/* What a line of elements comes to: sum, squares: of x²; deviations: sum of (x - c)²; exp: sum of
 * exp (x - c); prod; max and min, which a NaN makes NaN. */
typedef enum {
  TS_FOLD_SUM,
  TS_FOLD_SQUARES,
  TS_FOLD_DEVIATIONS,
  TS_FOLD_EXP,
  TS_FOLD_PROD,
  TS_FOLD_MAX,
  TS_FOLD_MIN,
  TS_N_FOLD
} TsFold;

/* The fold of x[0 … n) on top of @before, which is that of what lies ahead (0, 1 or ∓infinity). */
typedef double TsFoldFunc (const void *x, gsize n, double before, double c);

/* y[i] = f (x[i]); p and q are the function's own numbers, 0 where it has none. */
typedef void TsMapFunc (const void *x, void *y, gsize n, double p, double q);

/* dx[i] from v[i], which is x or y as `unary_from_y` says, and dy[i]. */
typedef void TsMapGradFunc (const void *v, const void *dy, void *dx, gsize n, double p, double q);

/* y[i] = f (in[0][i·step[0]], …) of two or three inputs; a step is 0 or 1, not
 * all of them 0 unless n is 1. */
typedef void TsZipFunc (const void *const *in, const gint64 *step, void *y, gsize n);

/* Optimizers.  What each of them takes from slot[] and c[] stands in kernel-optim.inc. */
typedef enum {
  TS_UPDATE_SGD,
  TS_UPDATE_MOMENTUM,
  TS_UPDATE_ADAGRAD,
  TS_UPDATE_RMSPROP,
  TS_UPDATE_ADADELTA,
  TS_UPDATE_ADAM,
  TS_UPDATE_ADAMAX,
  TS_UPDATE_NADAM,
  TS_UPDATE_FTRL,
  TS_UPDATE_LION,
  TS_UPDATE_RPROP,
  TS_N_UPDATE
} TsUpdateKind;

/* One run of n elements of a variable w, its gradient g and its slots.  First w = keep·w (decay that is
 * decoupled from the gradient) and g = g + pull·w (decay that is not). */
typedef struct {
  void *w;
  const void *g;
  void *slot[3]; /* NULL where there is none */
  gsize n;
  double keep, pull;
  double c[6]; /* numbers of the step */
} TsUpdate;

typedef void TsUpdateFunc (const TsUpdate *update);

G_END_DECLS
