/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/base/rng.h"
#include "engine/tensor/dtype.h"
#include "engine/tensor/kernel-list.h"

G_BEGIN_DECLS

/* All arithmetic of the engine, one table per instruction-set level, chosen once at start.  A kernel
 * is pure: no allocation, no global, no failure.  Every function exists for TS_F32 and TS_F64 and
 * is called through `k->name[dtype]`; pointers are to elements of that type.
 *
 * Bits: within one level an output element depends on its own inputs only, never on how many
 * elements or rows travel with it.  Sums say in which order they add. */

/* C[M, N] = init + A·B with init = C (accumulate), bias[N], or 0; each element is one chain of fused
 * multiply-adds over k = 0 … segments·K - 1 (level v2 has no fused form and rounds twice).
 * Element (i, k) of segment s of A lies at a[i·a_row + s·a_segment + k·a_col]; row s·K + k of B at
 * b[(s·K + k)·b_row].  All strides in elements. */
typedef struct {
  gint64 m, n, k, segments;
  const void *a;
  gint64 a_row, a_col, a_segment;
  const void *b;
  gint64 b_row;
  const void *bias; /* or NULL */
  void *c;
  gint64 c_row;
  gboolean accumulate;
} TsGemm;

typedef void TsUnaryFunc (const void *x, void *y, gsize n);
typedef void TsBinaryFunc (const void *a, const void *b, void *y, gsize n);

typedef struct {
  const char *isa; /* "x86-64-v4", "x86-64-v3", "x86-64-v2", "portable" */

  void (*gemm[2]) (const TsGemm *g);

  /* The element-wise families, by member and type; NULL where a type has no such function. */
  TsMapFunc *unary[TS_N_UNARY][TS_N_DTYPES];
  TsMapGradFunc *unary_grad[TS_N_UNARY][2];
  TsZipFunc *binary[TS_N_BINARY][TS_N_DTYPES];

  TsUnaryFunc *relu[2], *sigmoid[2], *tanh[2], *exp[2];
  TsBinaryFunc *add[2], *sub[2], *mul[2];
  TsBinaryFunc *relu_grad[2], *sigmoid_grad[2], *tanh_grad[2]; /* (y, dy) -> dx */
  /* y = x·s */
  void (*scale[2]) (const void *x, double s, void *y, gsize n);
  /* y = v everywhere */
  void (*fill[2]) (double v, void *y, gsize n);

  TsFoldFunc *fold[TS_N_FOLD][2];
  /* sum[i] += x[i] */
  void (*accumulate[2]) (const void *x, double *sum, gsize n);
  /* Forwards: y[i] = before·x[0]·…·x[i-1].  Backwards: y[i] *= before·x[i+1]·…·x[n-1].  Returns
   * before times all of x. */
  double (*running_product[2]) (const void *x, void *y, gsize n, double before, gboolean backwards);
  /* The index of the first NaN or infinity, or n. */
  gsize (*first_nonfinite[2]) (const void *x, gsize n);

  /* Sum in eight interleaved lanes, each in double and in index order, then pairwise. */
  double (*sum[2]) (const void *x, gsize n);
  double (*sum_squares[2]) (const void *x, gsize n);
  /* out[j] (+)= sum of x[r·row + j] over r, in row order; j < n. */
  void (*column_sum[2]) (const void *x, gsize row, gsize rows, gsize n, void *out,
                         gboolean accumulate);
  /* out[i] = sum of parts[p·stride + i] over p by the binary tree that p's count alone fixes. */
  void (*tree_sum[2]) (const void *parts, gsize stride, gsize n_parts, void *out, gsize n);

  /* b[j·b_row + i] = a[i·a_row + j] for i < rows, j < cols. */
  void (*transpose[2]) (const void *a, gsize a_row, gsize rows, gsize cols, void *b, gsize b_row);

  /* y[c] = the largest of x[w][c] over the windows w of one pixel, index[c] which (the first of equals;
   * a NaN wins); c < n.  @x: addresses of n_windows ≤ 255 lines, NULL where the window leaves the
   * image. */
  void (*max_select[2]) (const void *const *x, gsize n_windows, gsize n, void *y, guint8 *index);
  /* dx[w][c] += dy[c] where index[c] == w */
  void (*max_scatter[2]) (const void *dy, const guint8 *index, gsize n_windows, gsize n,
                          void *const *dx);

  /* Row-wise: p = softmax (x), n classes; returns log-sum-exp (x). NaN anywhere gives NaN. */
  double (*softmax[2]) (const void *x, void *p, gsize n);
  /* dx = p·(dy - sum (p·dy)) */
  void (*softmax_grad[2]) (const void *p, const void *dy, void *dx, gsize n);

  /* Row-wise: y = x - log (sum of exp (x)); dx = dy - exp (y)·sum (dy) */
  void (*log_softmax[2]) (const void *x, void *y, gsize n);
  void (*log_softmax_grad[2]) (const void *y, const void *dy, void *dx, gsize n);

  /* Inverted dropout: y[i] = uniform(first + i) < keep ? x[i]/keep : 0. */
  void (*dropout[2]) (const void *x, void *y, gsize n, TsRng rng, guint64 first, double keep);

  /* Elements from storage type @from: y = x·scale (from u8, i32, i64, f32, f64). */
  void (*convert[2]) (TsDtype from, const void *x, void *y, gsize n, double scale);

  /* p -= lr·g */
  void (*sgd[2]) (void *p, const void *g, gsize n, double lr);
  /* v = mu·v + g; p -= lr·(nesterov ? g + mu·v : v) */
  void (*momentum[2]) (void *p, void *v, const void *g, gsize n, double lr, double mu,
                       gboolean nesterov);
  /* m = b1·m + (1-b1)·g; v = b2·v + (1-b2)·g²; p -= rate·m / (sqrt (v) + eps) */
  void (*adam[2]) (void *p, void *m, void *v, const void *g, gsize n, double rate, double eps,
                   double beta1, double beta2);
} TsKernels;

/* The table of the best level this processor has; TRAINSCOPE_ISA=v2|v3|v4 asks for a lower one.
 * Never NULL, thread-safe, the same for the life of the process. */
const TsKernels *ts_kernels_get (void);

/* The tables that can run here, NULL-ended, best first (for tests and bench). */
const TsKernels *const *ts_kernels_list (void);

/* Denormals are flushed to zero in every thread that runs kernels: Adam's moments of rarely used
 * weights would otherwise halve its speed after some hundred steps.  enter returns the thread's
 * former mode for leave. */
guint32 ts_denormals_enter (void);
void ts_denormals_leave (guint32 former);

G_END_DECLS
