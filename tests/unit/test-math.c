/* SPDX-License-Identifier: MIT */
/* The functions of the element-wise families in f32 beside libm's in double, at ordinary and at special
 * values, and their bits in long and short loops. */
#include <math.h>
#include <string.h>

#include "engine/tensor/kernel.h"

#define N 4001

static const TsKernels *k;

static double
softplus (double x)
{
  return fmax (x, 0) + log1p (exp (-fabs (x)));
}

static double
gelu (double x)
{
  return 0.5 * x * (1 + erf (x / sqrt (2)));
}

static double
mish (double x)
{
  return x * tanh (softplus (x));
}

typedef struct {
  const char *name;
  TsUnary kernel;
  double (*want) (double);
  double low, high, relative, absolute;
} Function;

static const Function functions[] = {
    {"log", TS_UNARY_log, log, 1e-30, 1e-3, 1.2e-7, 0},
    {"log", TS_UNARY_log, log, 0.5, 2, 1.2e-7, 0},
    {"log", TS_UNARY_log, log, 2, 1e30, 1.2e-7, 0},
    {"log1p", TS_UNARY_log1p, log1p, -0.9, 5, 1.2e-7, 0},
    {"log1p", TS_UNARY_log1p, log1p, -1e-6, 1e-6, 1.2e-7, 0},
    {"expm1", TS_UNARY_expm1, expm1, -20, 80, 1.2e-7, 0},
    {"expm1", TS_UNARY_expm1, expm1, -1e-3, 1e-3, 1.2e-7, 0},
    {"sin", TS_UNARY_sin, sin, -10, 10, 1.2e-7, 0},
    {"sin", TS_UNARY_sin, sin, -1e5, 1e5, 1.2e-7, 1e-9},
    {"cos", TS_UNARY_cos, cos, -10, 10, 1.2e-7, 1e-12},
    {"erf", TS_UNARY_erf, erf, -5, 5, 1.2e-7, 0},
    {"erf", TS_UNARY_erf, erf, -1e-4, 1e-4, 1.2e-7, 0},
    {"softplus", TS_UNARY_softplus, softplus, -60, 60, 1e-6, 0},
    {"gelu", TS_UNARY_gelu, gelu, -6, 6, 1e-6, 5e-7},
    {"mish", TS_UNARY_mish, mish, -20, 20, 2e-6, 0},
};

static void
test_accuracy (void)
{
  static float x[N], y[N];

  for (guint f = 0; f < G_N_ELEMENTS (functions); f++) {
    const Function *fn = &functions[f];
    for (int i = 0; i < N; i++)
      x[i] = (float) (fn->low + (fn->high - fn->low) * i / (N - 1));
    k->unary[fn->kernel][TS_F32](x, y, N, 0, 0);
    for (int i = 0; i < N; i++) {
      double want = fn->want ((double) x[i]);
      if (fabs ((double) y[i] - want) <= fn->absolute + fn->relative * fabs (want))
        continue;
      g_test_message ("%s (%.9g) is %.9g, not %.9g", fn->name, (double) x[i], (double) y[i], want);
      g_test_fail ();
      break;
    }
  }
}

static void
test_pow (void)
{
  static const float a[] = {2, 0.3f, 10, 1.0001f, -2, -2, -2, 0, 0, 0, NAN, 1, 7, 1e30f, 3};
  static const float b[] = {0.5f, -3, 20, 9000, 3, 2, 0.5f, 2, -1, 0, 0, NAN, 0, 3, NAN};
  gint64 step[] = {1, 1};
  const void *in[] = {a, b};
  float y[G_N_ELEMENTS (a)];

  k->binary[TS_BINARY_pow][TS_F32](in, step, y, G_N_ELEMENTS (a));
  for (guint i = 0; i < G_N_ELEMENTS (a); i++) {
    double want = (double) (float) pow ((double) a[i], (double) b[i]);
    g_assert_true (isnan (want)   ? isnan (y[i])
                   : isinf (want) ? isinf (y[i])
                                  : fabs ((double) y[i] - want) <= 2e-7 * fabs (want));
  }
}

/* log (0) = -infinity, log (-1) is NaN, a NaN passes everything, nothing overflows to NaN. */
static void
test_special (void)
{
  static const float x[] = {NAN, 0, -1, INFINITY, -INFINITY, 1000, -1000};
  enum { N_X = G_N_ELEMENTS (x) };
  float y[N_X];

  for (guint f = 0; f < G_N_ELEMENTS (functions); f++) {
    k->unary[functions[f].kernel][TS_F32](x, y, N_X, 0, 0);
    g_assert_true (isnan (y[0]));
  }
  k->unary[TS_UNARY_log][TS_F32](x, y, N_X, 0, 0);
  g_assert_true (isinf (y[1]) && y[1] < 0 && isnan (y[2]) && isinf (y[3]) && isnan (y[4]));
  k->unary[TS_UNARY_log1p][TS_F32](x, y, N_X, 0, 0);
  g_assert_true (y[1] == 0 && isinf (y[2]) && y[2] < 0 && isinf (y[3]) && isnan (y[6]));
  k->unary[TS_UNARY_expm1][TS_F32](x, y, N_X, 0, 0);
  g_assert_true (y[1] == 0 && isinf (y[3]) && y[4] == -1 && isinf (y[5]) && y[6] == -1);
  k->unary[TS_UNARY_sin][TS_F32](x, y, N_X, 0, 0);
  g_assert_true (y[1] == 0 && isnan (y[3]) && isnan (y[4]));
  k->unary[TS_UNARY_erf][TS_F32](x, y, N_X, 0, 0);
  g_assert_true (y[1] == 0 && y[3] == 1 && y[4] == -1 && y[5] == 1 && y[6] == -1);
  k->unary[TS_UNARY_softplus][TS_F32](x, y, N_X, 0, 0);
  g_assert_true (isinf (y[3]) && y[4] == 0 && y[5] == 1000 && y[6] == 0);
  k->unary[TS_UNARY_log_sigmoid][TS_F32](x, y, N_X, 0, 0);
  g_assert_true (y[3] == 0 && y[5] == 0 && y[6] == -1000);
  k->sigmoid[TS_F32](x, y, N_X);
  g_assert_true (isnan (y[0]) && y[3] == 1 && y[4] == 0 && y[5] == 1 && y[6] == 0);
  k->unary[TS_UNARY_sign][TS_F32](x, y, N_X, 0, 0);
  g_assert_true (isnan (y[0]) && y[1] == 0 && y[2] == -1 && y[3] == 1);
}

/* The same element has the same bits in a long loop and alone, for every member. */
static void
test_bits (void)
{
  enum { M = 203 };
  float x[M], g[M], y[M], one;

  for (int i = 0; i < M; i++) {
    x[i] = (float) (4 * sin (1.7 * i));
    g[i] = (float) cos (0.9 * i);
  }
  for (guint f = 0; f < TS_N_UNARY; f++) {
    if (!k->unary_grad[f][TS_F32])
      continue;
    k->unary[f][TS_F32](x, y, M, 0.2, 0.7);
    for (int i = 0; i < M; i++) {
      k->unary[f][TS_F32](x + i, &one, 1, 0.2, 0.7);
      g_assert_cmpmem (&one, 4, y + i, 4);
    }
    k->unary_grad[f][TS_F32](x, g, y, M, 0.2, 0.7);
    for (int i = 0; i < M; i++) {
      k->unary_grad[f][TS_F32](x + i, g + i, &one, 1, 0.2, 0.7);
      g_assert_cmpmem (&one, 4, y + i, 4);
    }
  }
}

/* Every way of stepping gives what the plain one gives. */
static void
test_steps (void)
{
  enum { M = 37 };
  float a[M], b[M], c[M], want[M], got[M];

  for (guint f = 0; f < TS_N_BINARY; f++)
    for (guint bits = 1; bits < 8; bits++) {
      gint64 step[] = {bits & 1, bits >> 1 & 1, bits >> 2 & 1}, ones[] = {1, 1, 1};
      const void *in[] = {a, b, c};
      if (!k->binary[f][TS_F32] || !(bits & 3) || f == TS_BINARY_where ||
          f == TS_BINARY_where_grad_a || f == TS_BINARY_where_grad_b)
        continue;
      for (int i = 0; i < M; i++) {
        a[i] = step[0] ? (float) sin (i) : 0.75f;
        b[i] = step[1] ? (float) cos (2.0 * i) : -0.5f;
        c[i] = step[2] ? (float) sin (3.0 * i) : 0.25f;
      }
      memset (want, 0, sizeof want);
      memset (got, 0, sizeof got);
      k->binary[f][TS_F32](in, ones, want, M);
      k->binary[f][TS_F32](in, step, got, M);
      g_assert_cmpmem (want, sizeof want, got, sizeof got);
    }
}

static void
test_integers (void)
{
  static const gint32 a[] = {7, -7, 7, -7, G_MININT32, 5, G_MAXINT32};
  static const gint32 b[] = {3, 3, -3, -3, -1, 0, 1};
  static const gint32 quotient[] = {2, -3, -3, 2, G_MININT32, 0, G_MAXINT32};
  static const gint32 rest[] = {1, 2, -2, -1, 0, 0, 0};
  gint64 step[] = {1, 1};
  const void *in[] = {a, b};
  gint32 y[G_N_ELEMENTS (a)];

  k->binary[TS_BINARY_floordiv][TS_I32](in, step, y, G_N_ELEMENTS (a));
  g_assert_cmpmem (y, sizeof y, quotient, sizeof quotient);
  k->binary[TS_BINARY_mod][TS_I32](in, step, y, G_N_ELEMENTS (a));
  g_assert_cmpmem (y, sizeof y, rest, sizeof rest);
  k->unary[TS_UNARY_abs][TS_I32](a, y, 2, 0, 0);
  g_assert_true (y[0] == 7 && y[1] == 7);
  k->binary[TS_BINARY_add][TS_I32](in, step, y, G_N_ELEMENTS (a));
  g_assert_cmpint (y[6], ==, G_MININT32); /* wraps around */
}

/* sigmoid and tanh go vector by vector in their own kernels and element by element inside losses: the same
 * bits, for any argument and length. */
static void
test_vectors (void)
{
  static float x[N], zero[N], one[N], vector[N], element[N];

  for (int i = 0; i < N; i++) {
    x[i] = (float) (i - N / 2) * 240.0f / N;
    one[i] = 1;
  }
  x[0] = -INFINITY, x[1] = INFINITY, x[2] = -0.0f;
  for (gsize n = N - 70; n <= N; n++) {
    k->sigmoid[TS_F32](x, vector, n);
    k->pair_loss_grad[TS_F32](TS_LOSS_SIGMOID_XENT, 0, 0, x, zero, one, element, n);
    g_assert_cmpmem (vector, n * sizeof (float), element, n * sizeof (float));
    k->tanh[TS_F32](x, vector, n);
    k->pair_loss_grad[TS_F32](TS_LOSS_LOG_COSH, 0, 0, x, zero, one, element, n);
    for (gsize i = 0; i < n; i++) /* 1·(-0 - 0) loses the sign of zero */
      g_assert_true (memcmp (vector + i, element + i, sizeof (float)) == 0 || x[i] == 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  k = ts_kernels_get ();
  g_test_add_func ("/math/accuracy", test_accuracy);
  g_test_add_func ("/math/pow", test_pow);
  g_test_add_func ("/math/special", test_special);
  g_test_add_func ("/math/vectors", test_vectors);
  g_test_add_func ("/math/bits", test_bits);
  g_test_add_func ("/math/steps", test_steps);
  g_test_add_func ("/math/integers", test_integers);
  return g_test_run ();
}
