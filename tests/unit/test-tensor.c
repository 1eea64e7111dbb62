/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/tensor/blas.h"
#include "engine/tensor/kernel.h"
#include "engine/tensor/tensor.h"
#include "engine/tensor/workers.h"

static const TsKernels *k;

static TsTensor *
random_tensor (TsDtype dtype, gint64 rows, gint64 cols, const char *name)
{
  TsRng rng = {5, ts_rng_stream (name, 0)};
  TsTensor *t = ts_tensor_new (dtype, &TS_SHAPE (rows, cols));

  for (gint64 i = 0; i < rows * cols; i++)
    ts_tensor_set (t, i, ts_rng_normal (rng, (guint64) i));
  return t;
}

/* The error of a product, in units of sum |a·b| per element. */
static double
product_error (const TsTensor *a, const TsTensor *b, const TsTensor *c)
{
  gint64 m = a->shape.dim[0], n = b->shape.dim[1], depth = a->shape.dim[1];
  double worst = 0;

  for (gint64 i = 0; i < m; i++)
    for (gint64 j = 0; j < n; j++) {
      double sum = 0, size = 1e-30;
      for (gint64 q = 0; q < depth; q++) {
        double p = ts_tensor_get (a, i * depth + q) * ts_tensor_get (b, q * n + j);
        sum += p;
        size += fabs (p);
      }
      worst = MAX (worst, fabs (ts_tensor_get (c, i * n + j) - sum) / size);
    }
  return worst;
}

static void
test_gemm (void)
{
  static const gint64 shapes[][3] = {{1, 1, 1},    {3, 10, 256}, {7, 16, 5},    {6, 64, 300},
                                     {13, 65, 17}, {5, 127, 33}, {14, 95, 600}, {4, 31, 0}};

  for (guint d = 0; d < 2; d++)
    for (guint s = 0; s < G_N_ELEMENTS (shapes); s++) {
      gint64 m = shapes[s][0], n = shapes[s][1], depth = shapes[s][2];
      g_autoptr (TsTensor) a = random_tensor (d, m, depth, "a"),
                           b = random_tensor (d, depth, n, "b");
      g_autoptr (TsTensor) c = random_tensor (d, m, n, "c"), ref = random_tensor (d, m, n, "c");
      TsGemm g = {.m = m,
                  .n = n,
                  .k = depth,
                  .segments = 1,
                  .a = a->data,
                  .a_row = depth,
                  .a_col = 1,
                  .b = b->data,
                  .b_row = n,
                  .c = c->data,
                  .c_row = n};

      k->gemm[d](&g);
      g_assert_cmpfloat (product_error (a, b, c), <, d ? 1e-15 : 4e-7);
      if (depth == 0 || !ts_blas_gemm (d, m, n, depth, a->data, depth, b->data, n, ref->data, n))
        continue;
      g_assert_cmpfloat (product_error (a, b, ref), <, d ? 1e-15 : 4e-7);
    }
}

/* Transposed A, bias, accumulation and segments all equal the plain product on rearranged data. */
static void
test_gemm_forms (void)
{
  for (guint d = 0; d < 2; d++) {
    gint64 m = 11, n = 45, depth = 24;
    gsize size = ts_dtype_size (d);
    g_autoptr (TsTensor) a = random_tensor (d, m, depth, "a"), b = random_tensor (d, depth, n, "b");
    g_autoptr (TsTensor) at = ts_tensor_new (d, &TS_SHAPE (depth, m));
    g_autoptr (TsTensor) bias = random_tensor (d, 1, n, "bias");
    g_autoptr (TsTensor) c = ts_tensor_new (d, &TS_SHAPE (m, n)),
                         e = ts_tensor_new (d, &TS_SHAPE (m, n));
    TsGemm g = {.m = m,
                .n = n,
                .k = depth,
                .segments = 1,
                .a = a->data,
                .a_row = depth,
                .a_col = 1,
                .b = b->data,
                .b_row = n,
                .bias = bias->data,
                .c = c->data,
                .c_row = n};
    TsGemm f = g;

    k->gemm[d](&g);
    k->transpose[d](a->data, depth, m, depth, at->data, m);
    f.a = at->data, f.a_row = 1, f.a_col = m, f.c = e->data;
    k->gemm[d](&f);
    g_assert_cmpmem (c->data, c->bytes, e->data, e->bytes);

    /* three segments of 8, then two halves of which the second accumulates */
    f = g, f.c = e->data, f.k = 8, f.segments = 3, f.a_segment = 8;
    k->gemm[d](&f);
    g_assert_cmpmem (c->data, c->bytes, e->data, e->bytes);
    f = g, f.c = e->data, f.k = 12;
    k->gemm[d](&f);
    f.a = (const char *) a->data + 12 * size, f.b = (const char *) b->data + 12 * n * size;
    f.accumulate = TRUE;
    k->gemm[d](&f);
    g_assert_cmpmem (c->data, c->bytes, e->data, e->bytes);
  }
}

/* A row's bits do not depend on the rows that travel with it: what all determinism rests on. */
static void
test_gemm_rows (void)
{
  for (guint d = 0; d < 2; d++) {
    gint64 m = 23, n = 77, depth = 530;
    gsize size = ts_dtype_size (d);
    g_autoptr (TsTensor) a = random_tensor (d, m, depth, "a"), b = random_tensor (d, depth, n, "b");
    g_autoptr (TsTensor) c = ts_tensor_new (d, &TS_SHAPE (m, n)),
                         e = ts_tensor_new (d, &TS_SHAPE (m, n));
    TsGemm g = {.m = m,
                .n = n,
                .k = depth,
                .segments = 1,
                .a = a->data,
                .a_row = depth,
                .a_col = 1,
                .b = b->data,
                .b_row = n,
                .c = c->data,
                .c_row = n};

    k->gemm[d](&g);
    for (gint64 i = 0, step = 1; i < m; i += step, step = step % 7 + 1) {
      TsGemm part = g;
      part.m = MIN (step, m - i);
      part.a = (const char *) a->data + i * depth * size;
      part.c = (char *) e->data + i * n * size;
      k->gemm[d](&part);
    }
    g_assert_cmpmem (c->data, c->bytes, e->data, e->bytes);
  }
}

/* Copied or turned panel by panel or read where it lies, row by row or all at once: the same bits. */
static void
test_gemm_panels (void)
{
  static const gint64 shapes[][3] = {
      {1, 1, 1}, {5, 20, 7}, {70, 310, 530}, {66, 1030, 40}, {3, 64, 0}};

  for (guint d = 0; d < 2; d++)
    for (guint s = 0; s < G_N_ELEMENTS (shapes); s++) {
      gint64 m = shapes[s][0], n = shapes[s][1], depth = shapes[s][2];
      gsize size = ts_dtype_size (d);
      g_autoptr (TsTensor) a = random_tensor (d, m, depth, "a"),
                           b = random_tensor (d, depth, n, "b");
      g_autoptr (TsTensor) bt = ts_tensor_new (d, &TS_SHAPE (n, depth));
      g_autoptr (TsTensor) c = ts_tensor_new (d, &TS_SHAPE (m, n)),
                           e = random_tensor (d, m, n, "e");
      TsGemm g = {.m = 1,
                  .n = n,
                  .k = depth,
                  .segments = 1,
                  .a_row = depth,
                  .a_col = 1,
                  .b = b->data,
                  .b_row = n,
                  .c_row = n};

      for (gint64 i = 0; i < m; i++) {
        g.a = (const char *) a->data + (gsize) (i * depth) * size;
        g.c = (char *) c->data + (gsize) (i * n) * size;
        k->gemm[d](&g);
      }
      g.m = m, g.a = a->data, g.c = e->data;
      k->gemm[d](&g);
      g_assert_cmpmem (c->data, c->bytes, e->data, e->bytes);
      k->transpose[d](b->data, (gsize) n, (gsize) depth, (gsize) n, bt->data, (gsize) depth);
      memset (e->data, 1, e->bytes);
      g.b = bt->data, g.b_row = depth, g.b_turned = TRUE;
      k->gemm[d](&g);
      g_assert_cmpmem (c->data, c->bytes, e->data, e->bytes);
    }
}

static void
test_functions (void)
{
  enum { N = 4003 };
  g_autoptr (TsTensor) x = ts_tensor_new (TS_F32, &TS_SHAPE (N)),
                       y = ts_tensor_new (TS_F32, &TS_SHAPE (N));
  float *in = x->data, *out = y->data;

  for (int i = 0; i < N; i++)
    in[i] = (float) (i - N / 2) * 0.04f + 1e-4f;
  k->exp[TS_F32](in, out, N);
  for (int i = 0; i < N; i++)
    if (in[i] > -87.0f && in[i] < 88.7f)
      g_assert_cmpfloat (fabs (out[i] / exp ((double) in[i]) - 1), <, 2.5e-7);
  k->tanh[TS_F32](in, out, N);
  for (int i = 0; i < N; i++)
    g_assert_cmpfloat (fabs (out[i] - tanh ((double) in[i])), <=,
                       3e-7 * fabs (tanh ((double) in[i])));
  k->sigmoid[TS_F32](in, out, N);
  for (int i = 0; i < N; i++)
    g_assert_cmpfloat (fabs (out[i] - 1 / (1 + exp (-(double) in[i]))), <, 1.5e-7);

  float special[6] = {NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 1000.0f}, got[6];
  k->exp[TS_F32](special, got, 6);
  g_assert_true (isnan (got[0]) && isinf (got[1]) && got[2] == 0 && got[3] == 1 && got[4] == 1);
  g_assert_true (isinf (got[5]));
  k->tanh[TS_F32](special, got, 6);
  g_assert_true (isnan (got[0]) && got[1] == 1 && got[2] == -1 && got[3] == 0 && got[5] == 1);
  k->sigmoid[TS_F32](special, got, 6);
  g_assert_true (isnan (got[0]) && got[1] == 1 && got[2] == 0 && got[3] == 0.5f);
  k->relu[TS_F32](special, got, 6);
  g_assert_true (isnan (got[0]) && isinf (got[1]) && got[2] == 0);
}

/* The same element has the same bits in a long loop, a short one and at any offset. */
static void
test_element_bits (void)
{
  enum { N = 203 };
  TsUnaryFunc *funcs[] = {k->exp[TS_F32], k->tanh[TS_F32], k->sigmoid[TS_F32], k->relu[TS_F32]};
  g_autoptr (TsTensor) x = random_tensor (TS_F32, 1, N, "x"), y = random_tensor (TS_F32, 1, N, "y");
  const float *in = x->data;
  float *out = y->data, one;

  for (guint f = 0; f < G_N_ELEMENTS (funcs); f++) {
    funcs[f](in, out, N);
    for (int i = 0; i < N; i++) {
      funcs[f](in + i, &one, 1);
      g_assert_cmpmem (&one, 4, out + i, 4);
    }
  }
}

static void
test_dropout (void)
{
  enum { N = 1001 };
  TsRng rng = {3, ts_rng_stream ("dropout", 9)};
  g_autoptr (TsTensor) x = ts_tensor_new (TS_F32, &TS_SHAPE (N)),
                       y = ts_tensor_new (TS_F32, &TS_SHAPE (N));
  float *in = x->data, *out = y->data, part[N];

  k->fill[TS_F32](1, in, N);
  k->dropout[TS_F32](in, out, N, rng, 0, 0.75);
  for (gsize i = 0; i < N; i++)
    g_assert_cmpfloat (out[i], ==, ts_rng_uniform (rng, i) < 0.75f ? 1.0f / 0.75f : 0.0f);
  for (gsize i = 0, step = 1; i < N; i += step, step = step % 90 + 1) {
    gsize n = MIN (step, N - i);
    k->dropout[TS_F32](in + i, part + i, n, rng, i, 0.75);
  }
  g_assert_cmpmem (out, sizeof part, part, sizeof part);
}

static void
test_sums (void)
{
  float x[37 * 300], out[300], again[300];
  double want[300] = {0}, total = 0;

  for (int i = 0; i < 37 * 300; i++) {
    x[i] = ts_rng_normal ((TsRng){1, 2}, (guint64) i);
    want[i % 300] += x[i];
    total += x[i];
  }
  g_assert_cmpfloat_with_epsilon (k->sum[TS_F32](x, 37 * 300), total, 1e-9);
  k->column_sum[TS_F32](x, 300, 37, 300, out, FALSE);
  k->column_sum[TS_F32](x, 300, 20, 300, again, FALSE);
  k->column_sum[TS_F32](x + 20 * 300, 300, 17, 300, again, TRUE);
  g_assert_cmpmem (out, sizeof out, again, sizeof again);
  for (int j = 0; j < 300; j++)
    g_assert_cmpfloat_with_epsilon (out[j], want[j], 2e-5);
  k->tree_sum[TS_F32](x, 300, 37, out, 300);
  for (int j = 0; j < 300; j++)
    g_assert_cmpfloat_with_epsilon (out[j], want[j], 2e-5);
  /* five parts: ((0 + 1) + (2 + 3)) + 4 */
  k->tree_sum[TS_F32](x, 300, 5, out, 1);
  g_assert_cmpfloat (out[0], ==, ((x[0] + x[300]) + (x[600] + x[900])) + x[1200]);
}

static void
test_softmax (void)
{
  float x[5] = {1000, 1001, 999, -1000, 1001.5f}, p[5], dx[5], dy[5] = {1, 0, 0, 0, 0};
  double lse = k->softmax[TS_F32](x, p, 5), z = 0;

  for (int i = 0; i < 5; i++)
    z += exp ((double) x[i] - 1001.5);
  g_assert_cmpfloat_with_epsilon (lse, 1001.5 + log (z), 1e-6);
  for (int i = 0; i < 5; i++)
    g_assert_cmpfloat_with_epsilon (p[i], exp (x[i] - 1001.5) / z, 1e-7);
  k->softmax_grad[TS_F32](p, dy, dx, 5);
  g_assert_cmpfloat_with_epsilon (dx[0], p[0] * (1 - p[0]), 1e-7);
  x[2] = NAN;
  g_assert_true (isnan (k->softmax[TS_F32](x, p, 5)) && isnan (p[0]) && isnan (p[4]));
}

static void
test_denormals (void)
{
  guint32 former = ts_denormals_enter ();
  volatile float tiny = 1e-38f;
  float flushed = tiny * 0.01f;

  ts_denormals_leave (former);
#if defined(__x86_64__) || defined(__aarch64__)
  g_assert_cmpfloat (flushed, ==, 0);
#endif
  g_assert_cmpfloat (tiny * 0.01f, >, 0);
}

typedef struct {
  TsWorkers *workers;
  int counts[4], seen_tail;
  int tails;
} Spmd;

static void
spmd_tail (gpointer data)
{
  ((Spmd *) data)->tails++;
}

static void
spmd_step (guint id, gpointer data)
{
  Spmd *s = data;

  for (int round = 0; round < 50; round++) {
    s->counts[id]++;
    ts_workers_barrier (s->workers, spmd_tail, s);
    for (guint i = 0; i < ts_workers_get_count (s->workers); i++)
      g_assert_cmpint (s->counts[i], ==, s->counts[id]);
    ts_workers_barrier (s->workers, NULL, NULL);
  }
}

static void
test_workers (void)
{
  for (guint n = 1; n <= 4; n++) {
    g_autoptr (TsWorkers) workers = ts_workers_new (n);
    Spmd s = {.workers = workers};

    for (int run = 0; run < 20; run++)
      ts_workers_run (workers, spmd_step, &s);
    for (guint i = 0; i < n; i++)
      g_assert_cmpint (s.counts[i], ==, 20 * 50);
    g_assert_cmpint (s.tails, ==, 20 * 50);
  }
}

static void
test_shape (void)
{
  TsShape s = TS_SHAPE (TS_ANY, 28, 28), v = TS_SHAPE (3), z = TS_SCALAR;
  g_autofree char *full = ts_shape_dup_text (&s), *row = ts_shape_dup_row_text (&s);
  g_autofree char *vector = ts_shape_dup_text (&v), *scalar = ts_shape_dup_text (&z);

  g_assert_cmpstr (full, ==, "(?, 28, 28)");
  g_assert_cmpstr (row, ==, "[28, 28]");
  g_assert_cmpstr (vector, ==, "(3,)");
  g_assert_cmpstr (scalar, ==, "()");
  g_assert_cmpint (ts_shape_elems (&s), ==, TS_ANY);
  g_assert_cmpint (ts_shape_row_elems (&s), ==, 784);
  g_assert_cmpint (ts_shape_elems (&z), ==, 1);
  g_assert_true (ts_shape_compatible (&s, &TS_SHAPE (5, 28, 28)));
  g_assert_false (ts_shape_equal (&s, &TS_SHAPE (5, 28, 28)));
}

static void
add (const char *level, const char *name, GTestFunc func)
{
  g_autofree char *path = g_strdup_printf ("/tensor/%s/%s", level, name);

  g_test_add_func (path, func);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* one level a process run: the build runs this binary once per level with TRAINSCOPE_ISA set */
  k = ts_kernels_get ();
  add (k->isa, "gemm", test_gemm);
  add (k->isa, "gemm-forms", test_gemm_forms);
  add (k->isa, "gemm-rows", test_gemm_rows);
  add (k->isa, "gemm-panels", test_gemm_panels);
  add (k->isa, "functions", test_functions);
  add (k->isa, "element-bits", test_element_bits);
  add (k->isa, "dropout", test_dropout);
  add (k->isa, "sums", test_sums);
  add (k->isa, "softmax", test_softmax);
  g_test_add_func ("/tensor/denormals", test_denormals);
  g_test_add_func ("/tensor/workers", test_workers);
  g_test_add_func ("/tensor/shape", test_shape);
  return g_test_run ();
}
