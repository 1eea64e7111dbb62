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
 * Element (i, k) of segment s of A lies at a[i·a_row + s·a_segment + k·a_col]; row k of segment s of B
 * at b[s·b_segment + k·b_row], where b_segment 0 means K·b_row.  b_turned: B is the transpose of what lies
 * there, column j at b[j·b_row] (one segment only).  All strides in elements. */
typedef struct {
  gint64 m, n, k, segments;
  const void *a;
  gint64 a_row, a_col, a_segment;
  const void *b;
  gint64 b_row, b_segment;
  gboolean b_turned;
  const void *bias; /* or NULL */
  void *c;
  gint64 c_row;
  gboolean accumulate;
} TsGemm;

/* The convolution of one image [in_h, in_w, channels] with a kernel [k_h, 3, channels, filters], without
 * strides, dilation and groups; pixels outside the image are left out.  top, left: how far the first window
 * reaches over the edge, less than the kernel's size, as at the other edges; filters: a multiple of
 * `lanes`.  y[i, j, f] is one chain from bias[f] or 0 over kernel rows, channels, taps.  The gradient adds to
 * dk, from y's gradient in @y, over lines and pixels. */
typedef struct {
  gint64 in_h, in_w, out_h, out_w, top, left, k_h, channels, filters;
  const void *x, *k, *bias; /* bias: or NULL */
  void *y, *dk;
} TsConv3;

/* One line of pixels of a depthwise convolution: @x at the first pixel's first tap, pixels `pixel`
 * elements apart, taps `tap_row` and `tap_col`; the kernel @k is [k_h, k_w, channels·multiplier], @y
 * dense.  The gradients add to x or to k. */
typedef struct {
  gint64 pixels, channels, multiplier, k_h, k_w;
  gint64 pixel, tap_row, tap_col;
  const void *bias; /* or NULL */
  void *x, *k, *y;
} TsDepthwise;

/* A set that is normalised together: `rows` runs of n neighbours, `row` elements apart.  @gamma and
 * @beta (or NULL) have n elements. */
typedef struct {
  gsize rows, n, row;
  gboolean centred; /* FALSE: the mean stays (RMS norm) */
  double epsilon;
  const void *x, *dy, *gamma, *beta;
  void *y; /* or dx */
} TsNorm;

/* Local response normalisation of one pixel's channels. */
typedef struct {
  gsize radius;
  double bias, alpha, beta;
} TsLrn;

/* Losses of a prediction a and its target b, element by element; p: first parameter. */
typedef enum {
  TS_LOSS_SIGMOID_XENT,
  TS_LOSS_WEIGHTED_XENT, /* p: weight of the positive class */
  TS_LOSS_SQUARE,
  TS_LOSS_ABSOLUTE,
  TS_LOSS_HUBER, /* p: where it becomes linear */
  TS_LOSS_LOG_COSH,
  TS_LOSS_HINGE,
  TS_LOSS_SQUARED_HINGE,
  TS_LOSS_KL,
  TS_LOSS_POISSON,
  TS_LOSS_FOCAL, /* p: focus; second parameter: weight of the positive class, negative: none */
} TsPairLoss;

typedef void TsPairLossGrad (TsPairLoss loss, double p0, double p1, const void *a, const void *b,
                             const void *dy, void *dx, gsize n);

/* How a running sum or product goes along its lines. */
typedef struct {
  gboolean product, exclusive, backwards;
} TsScan;

typedef void TsUnaryFunc (const void *x, void *y, gsize n);
typedef void TsBinaryFunc (const void *a, const void *b, void *y, gsize n);

typedef struct {
  const char *isa; /* "x86-64-v4", "x86-64-v3", "x86-64-v2", "portable" */

  gint64 lanes[2]; /* elements of a vector */
  void (*gemm[2]) (const TsGemm *g);
  void (*conv3[2]) (const TsConv3 *g);
  void (*conv3_grad_kernel[2]) (const TsConv3 *g);

  /* Nothing but fused multiply-adds in registers, @turns times round; how many operations that were.
   * What the processor can do at most, for figures. */
  double (*peak[2]) (gsize turns);
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
  /* Over the lines of x[n, inner], of floats, i32 or i64; see kernel-scan.inc. */
  void (*scan[TS_N_DTYPES]) (const void *x, void *y, gsize n, gsize inner, const TsScan *how);
  void (*scan_product_grad[2]) (const void *x, const void *dy, void *dx, gsize n, gsize inner,
                                const TsScan *how);
  /* The index of the first NaN or infinity, or n. */
  gsize (*first_nonfinite[2]) (const void *x, gsize n);

  /* Sum in eight interleaved lanes, each in double and in index order, then pairwise. */
  double (*sum[2]) (const void *x, gsize n);
  /* The same in 32 lanes. */
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

  /* Images: see TsDepthwise.  The lines of one window as for max_select: their mean, and dy / count added
   * to each. */
  void (*depthwise[2]) (const TsDepthwise *d);
  void (*depthwise_grad_input[2]) (const TsDepthwise *d);
  void (*depthwise_grad_kernel[2]) (const TsDepthwise *d);
  void (*window_mean[2]) (const void *const *x, gsize n_windows, gsize n, void *y);
  void (*window_spread[2]) (const void *dy, gsize n_windows, gsize n, void *const *dx);
  /* y[c] = the largest of x[r·n + c] over r, index[c] = its r (first of equals; a NaN wins) */
  void (*column_max[2]) (const void *x, gsize rows, gsize n, void *y, gint32 *index);
  /* y += s·x */
  void (*add_scaled[2]) (const void *x, double s, void *y, gsize n);
  /* y = x[0], x[1], x[2], x[3] (top left, top right, bottom left, bottom right) blended */
  void (*blend[2]) (const void *const x[4], double right, double down, void *y, gsize n);

  /* Channels: moments adds x[lines, n] to @state: count, means, sums of squared deviations
   * (1 + 2n doubles; count 0: nothing yet); combine joins parts by the fixed tree (they are
   * overwritten) and gives mean and biased variance. */
  void (*moments[2]) (const void *x, gsize lines, gsize n, double *state);
  void (*moments_combine[2]) (double *parts, gsize n_parts, gsize n, void *mean, void *variance);
  /* s = gamma (NULL: 1) / sqrt (variance + eps) */
  void (*channel_scale[2]) (const void *variance, const void *gamma, double eps, void *s, gsize n);
  /* y[lines, n] = (x - mean)·s + beta; mean or beta NULL: 0 */
  void (*channel_affine[2]) (const void *x, gsize lines, gsize n, const void *mean, const void *s,
                             const void *beta, void *y);
  /* sums[j] += dy, sums[n + j] += dy·(x - mean)·s over the lines */
  void (*channel_sums[2]) (const void *dy, const void *x, gsize lines, gsize n, const void *mean,
                           const void *s, double *sums);
  /* Gradients of the normalisation with respect to mean and variance, from its sums. */
  void (*channel_stats_grad[2]) (const void *variance, const void *gamma, double eps,
                                 const void *dbeta, const void *dgamma, void *dmean,
                                 void *dvariance, gsize n);
  void (*norm[2]) (const TsNorm *s);
  void (*norm_grad[2]) (const TsNorm *s);
  /* dgamma += dy·normalised x, dbeta += dy, over the runs */
  void (*norm_sums[2]) (const TsNorm *s, double *dgamma, double *dbeta);
  void (*lrn[2]) (const void *x, const TsLrn *p, void *y, gsize n);
  /* @scratch: 2n doubles */
  void (*lrn_grad[2]) (const void *x, const void *dy, const TsLrn *p, double *scratch, void *dx,
                       gsize n);
  /* v = keep·v + (1 - keep)·factor·x */
  void (*moving_average[2]) (void *v, const void *x, gsize n, double keep, double factor);
  /* y = a·sigmoid (b) */
  void (*glu[2]) (const void *a, const void *b, void *y, gsize n);
  void (*glu_grad[2]) (const void *a, const void *b, const void *dy, void *da, void *db, gsize n);

  /* Losses.  The gradients give dy·(d loss / d a) and dy·(d loss / d b). */
  void (*pair_loss[2]) (TsPairLoss loss, double p0, double p1, const void *a, const void *b,
                        void *y, gsize n);
  TsPairLossGrad *pair_loss_grad[2], *pair_loss_grad_target[2];
  /* One line of logits x with lse = log-sum-exp (x): target (1 - s) at @label plus s / n everywhere,
   * classes weighted (NULL: 1); the gradient from the probabilities p. */
  double (*smooth_xent[2]) (const void *x, double lse, gsize label, double smoothing,
                            const void *weights, gsize n);
  void (*smooth_xent_grad[2]) (const void *p, gsize label, double smoothing, const void *weights,
                               double dloss, void *dx, gsize n);
  /* The same with the targets z of all classes. */
  double (*dense_xent[2]) (const void *x, const void *z, double lse, gsize n);
  void (*dense_xent_grad[2]) (const void *p, const void *z, double dloss, void *dx, gsize n);
  /* a·b / (|a|·|b|); da = dy·(its gradient) */
  double (*cosine[2]) (const void *a, const void *b, gsize n);
  void (*cosine_grad[2]) (const void *a, const void *b, double dy, void *da, gsize n);

  /* Row-wise: p = softmax (x), n classes; returns log-sum-exp (x). NaN anywhere gives NaN. */
  double (*softmax[2]) (const void *x, void *p, gsize n);
  /* dx = p·(dy - sum (p·dy)) */
  void (*softmax_grad[2]) (const void *p, const void *dy, void *dx, gsize n);

  /* ---- recurrent cells: one row of one time step, n units */

  /* @z: pre-activations on entry, gates on return, at the offsets at[] of i, f, g, o.  @before: the
   * cell's former state or NULL (0).  c = f·before + i·g; h = o·tanh (c). */
  void (*lstm_cell[2]) (void *z, const gint64 *at, const void *before, void *c, void *h, gsize n,
                        double forget_bias);
  /* @dh, @dc: gradients of the state after the step on entry; dc before the step on return, and dh 0
   * for the product to come.  @dy (or NULL) is added to dh.  @dz may be @gates. */
  void (*lstm_cell_grad[2]) (const void *gates, const gint64 *at, const void *before, const void *c,
                             const void *dy, void *dh, void *dc, void *dz, gsize n);
  /* Lines of a GRU are [z, r, n, extra]; see kernel-recurrent.inc. */
  void (*gru_gates[2]) (void *line, gsize n);
  void (*gru_reset[2]) (void *line, const void *before, gsize n);
  void (*gru_cell[2]) (void *line, const void *before, void *h, gsize n, gboolean after);
  void (*gru_cell_grad[2]) (const void *line, const void *before, const void *dy, void *dh, void *d,
                            gsize n, gboolean after);
  void (*gru_reset_grad[2]) (const void *r, const void *before, void *dh, void *d, gsize n);
  void (*rnn_cell_grad[2]) (const void *h, const void *dy, void *dh, void *dz, gsize n);

  /* ---- attention: one line of scores, in place; see kernel-attention.inc */
  void (*attention_line[2]) (void *s, gsize n, gsize limit, const guint8 *mask, double scale);
  void (*attention_line_grad[2]) (const void *p, void *dp, gsize n, double scale);
  /* Row-wise: y = x - log (sum of exp (x)); dx = dy - exp (y)·sum (dy) */
  void (*log_softmax[2]) (const void *x, void *y, gsize n);
  void (*log_softmax_grad[2]) (const void *y, const void *dy, void *dx, gsize n);

  /* Inverted dropout: y[i] = uniform(first + i) < keep ? x[i]/keep : 0. */
  void (*dropout[2]) (const void *x, void *y, gsize n, TsRng rng, guint64 first, double keep);

  /* y[i] = uniform(first + i) < p[i] ? 1 : 0; NaN stays */
  void (*bernoulli[2]) (const void *p, void *y, gsize n, TsRng rng, guint64 first);
  /* y[i] = low + (high - low)·uniform(first + i) */
  void (*uniform[2]) (void *y, gsize n, TsRng rng, guint64 first, double low, double high);

  /* Elements from storage type @from: y = x·scale (from u8, i32, i64, f32, f64). */
  void (*convert[2]) (TsDtype from, const void *x, void *y, gsize n, double scale);

  /* One step of an optimizer on one run of a variable: see kernel-optim.inc. */
  TsUpdateFunc *update[TS_N_UPDATE][2];
} TsKernels;

/* The table of the best level this processor has; TRAINSCOPE_ISA=v2|v3|v4 asks for a lower one;
 * what there is not is said once on stderr and passed over.
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
