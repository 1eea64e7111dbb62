/* SPDX-License-Identifier: MIT */
/* The kernels that go through images channel by channel, and those that draw, each against the sum written
 * out: for every level, element type, odd channel count and edge. */
#include <math.h>
#include <string.h>

#include "engine/tensor/kernel.h"
#include "engine/tensor/tensor.h"

static const TsKernels *k;

static TsTensor *
random_tensor (TsDtype dtype, gint64 n, const char *name)
{
  TsRng rng = {5, ts_rng_stream (name, 0)};
  TsTensor *t = ts_tensor_new (dtype, &TS_SHAPE (n));

  for (gint64 i = 0; i < n; i++)
    ts_tensor_set (t, i, ts_rng_normal (rng, (guint64) i));
  return t;
}

typedef struct {
  TsDtype dtype;
  TsTensor *x, *kernel, *bias, *y, *dk;
  double tolerance;
} Images;

static double
input_at (const Images *m, const TsConv3 *g, gint64 i, gint64 j, gint64 c)
{
  if (i < 0 || i >= g->in_h || j < 0 || j >= g->in_w)
    return 0;
  return ts_tensor_get (m->x, (i * g->in_w + j) * g->channels + c);
}

static void
check_forward (const Images *m, const TsConv3 *g)
{
  for (gint64 i = 0; i < g->out_h; i++)
    for (gint64 j = 0; j < g->out_w; j++)
      for (gint64 f = 0; f < g->filters; f++) {
        double sum = g->bias ? ts_tensor_get (m->bias, f) : 0;
        for (gint64 r = 0; r < g->k_h; r++)
          for (gint64 s = 0; s < 3; s++)
            for (gint64 c = 0; c < g->channels; c++)
              sum += input_at (m, g, i + r - g->top, j + s - g->left, c) *
                     ts_tensor_get (m->kernel, ((r * 3 + s) * g->channels + c) * g->filters + f);
        g_assert_cmpfloat_with_epsilon (ts_tensor_get (m->y, (i * g->out_w + j) * g->filters + f),
                                        sum, m->tolerance);
      }
}

static void
check_gradient (const Images *m, const TsConv3 *g)
{
  for (gint64 r = 0; r < g->k_h; r++)
    for (gint64 s = 0; s < 3; s++)
      for (gint64 c = 0; c < g->channels; c++)
        for (gint64 f = 0; f < g->filters; f++) {
          double sum = 1;
          for (gint64 i = 0; i < g->out_h; i++)
            for (gint64 j = 0; j < g->out_w; j++)
              sum += input_at (m, g, i + r - g->top, j + s - g->left, c) *
                     ts_tensor_get (m->y, (i * g->out_w + j) * g->filters + f);
          g_assert_cmpfloat_with_epsilon (
              ts_tensor_get (m->dk, ((r * 3 + s) * g->channels + c) * g->filters + f), sum,
              m->tolerance * 30);
        }
}

/* One image of width @in with @before and @after pixels of padding, and kernels of 1 to 4 rows that reach over
 * its edges by any number of them. */
static void
check_conv3 (Images *m, gint64 in, gint64 before, gint64 after, gint64 channels, gint64 filters)
{
  gint64 rows = 1 + (in + before + channels) % 4, top = in % rows, bottom = in / 2 % rows;
  TsConv3 g = {.in_h = 4,
               .in_w = in,
               .out_h = 4 + top + bottom - rows + 1,
               .out_w = in + before + after - 2,
               .top = top,
               .left = before,
               .k_h = rows,
               .channels = channels,
               .filters = filters,
               .x = m->x->data,
               .k = m->kernel->data,
               .bias = (in + filters) % 2 ? m->bias->data : NULL,
               .y = m->y->data,
               .dk = m->dk->data};

  if (g.out_w < 1)
    return;
  k->conv3[m->dtype](&g);
  check_forward (m, &g);
  for (gint64 i = 0; i < rows * 3 * channels * filters; i++)
    ts_tensor_set (m->dk, i, 1);
  k->conv3_grad_kernel[m->dtype](&g);
  check_gradient (m, &g);
}

static void
test_conv3 (void)
{
  static const gint64 channels[] = {1, 3, 8, 15};

  for (TsDtype d = TS_F32; d <= TS_F64; d++) {
    gint64 lanes = k->lanes[d];
    Images m = {.dtype = d, .tolerance = d == TS_F32 ? 2e-4 : 1e-11};
    m.x = random_tensor (d, 4 * 36 * 15, "x");
    m.kernel = random_tensor (d, 12 * 15 * 3 * lanes, "kernel");
    m.bias = random_tensor (d, 3 * lanes, "bias");
    m.y = random_tensor (d, 7 * 40 * 3 * lanes, "y");
    m.dk = random_tensor (d, 12 * 15 * 3 * lanes, "dk");
    for (gint64 in = 1; in <= 36; in = in < 20 ? in + 1 : in + 8)
      for (gint64 pad = 0; pad < 9; pad++)
        for (guint c = 0; c < G_N_ELEMENTS (channels); c++)
          check_conv3 (&m, in, pad / 3, pad % 3, channels[c], lanes * (1 + (in + pad) % 3));
    ts_tensor_unref (m.x);
    ts_tensor_unref (m.kernel);
    ts_tensor_unref (m.bias);
    ts_tensor_unref (m.y);
    ts_tensor_unref (m.dk);
  }
}

/* What no window sees is not multiplied with the kernel: infinite weights give no NaN at the edge. */
static void
test_conv3_edges (void)
{
  gint64 n = k->lanes[TS_F32];
  g_autofree float *x = g_new0 (float, 6), *w = g_new0 (float, 9 * n), *y = g_new0 (float, 6 * n);
  TsConv3 g = {.in_h = 2,
               .in_w = 3,
               .out_h = 2,
               .out_w = 3,
               .top = 1,
               .left = 1,
               .k_h = 3,
               .channels = 1,
               .filters = n,
               .x = x,
               .k = w,
               .y = y};

  for (int i = 0; i < 6; i++)
    x[i] = 1;
  w[0] = INFINITY; /* the tap above and to the left */
  k->conv3[TS_F32](&g);
  for (int i = 0; i < 6; i++)
    g_assert_cmpfloat (y[i * n], ==, i == 4 || i == 5 ? INFINITY : 0);
}

/* Sums are one chain of doubles per channel over the lines: equal to the bit. */
static void
check_channels (TsDtype d, gsize lines, gsize n)
{
  g_autoptr (TsTensor) x = random_tensor (d, (gint64) (lines * n), "x");
  g_autoptr (TsTensor) dy = random_tensor (d, (gint64) (lines * n), "dy");
  g_autoptr (TsTensor) mean = random_tensor (d, (gint64) n, "mean");
  g_autoptr (TsTensor) scale = random_tensor (d, (gint64) n, "scale");
  g_autoptr (TsTensor) y = random_tensor (d, (gint64) (lines * n), "y");
  g_autofree double *sums = g_new0 (double, 2 * n), *state = g_new0 (double, 1 + 2 * n);

  k->channel_sums[d](dy->data, x->data, lines, n, mean->data, scale->data, sums);
  k->moments[d](x->data, lines, n, state);
  k->channel_affine[d](x->data, lines, n, mean->data, scale->data, NULL, y->data);
  g_assert_cmpfloat (state[0], ==, (double) lines);
  for (gsize c = 0; c < n; c++) {
    double plain = 0, scaled = 0, sum = 0, square = 0;
    for (gsize r = 0; r < lines; r++) {
      double v = ts_tensor_get (x, (gint64) (r * n + c)), m = ts_tensor_get (mean, (gint64) c);
      double hat = d == TS_F32 ? (float) ((float) v - (float) m) : v - m;
      hat = d == TS_F32 ? (float) hat * (float) ts_tensor_get (scale, (gint64) c)
                        : hat * ts_tensor_get (scale, (gint64) c);
      plain += ts_tensor_get (dy, (gint64) (r * n + c));
      scaled += ts_tensor_get (dy, (gint64) (r * n + c)) * hat;
      sum += v;
      g_assert_cmpfloat (ts_tensor_get (y, (gint64) (r * n + c)), ==, hat);
    }
    sum /= (double) lines;
    for (gsize r = 0; r < lines; r++) {
      double v = ts_tensor_get (x, (gint64) (r * n + c)) - sum;
      square += v * v;
    }
    g_assert_cmpfloat (sums[c], ==, plain);
    g_assert_cmpfloat (sums[n + c], ==, scaled);
    g_assert_cmpfloat (state[1 + c], ==, sum);
    g_assert_cmpfloat (state[1 + n + c], ==, square);
  }
}

static void
test_channels (void)
{
  for (TsDtype d = TS_F32; d <= TS_F64; d++)
    for (gsize n = 1; n <= 150; n = n < 40 ? n + 1 : n + 37) {
      check_channels (d, 1, n);
      check_channels (d, 23, n);
    }
}

/* Element i is made of word first + i, wherever a call begins and however long it is. */
static void
test_draws (void)
{
  TsRng rng = {0x123456789abcdef0u, 0xfedcba9876543210u};
  float p[700], y[700], u[700];

  for (int i = 0; i < 700; i++)
    p[i] = (float) (i % 7) / 6;
  p[5] = NAN;
  for (guint64 first = 0xfffffff0u; first < 0xfffffff0u + 6; first++)
    for (gsize n = 1; n <= 700; n = n * 2 + 1) {
      k->bernoulli[TS_F32](p, y, n, rng, first * 4 + first % 3);
      k->uniform[TS_F32](u, n, rng, first * 4 + first % 3, 0, 1);
      for (gsize i = 0; i < n; i++) {
        float want = ts_rng_uniform (rng, first * 4 + first % 3 + i);
        g_assert_cmpfloat (u[i], ==, want);
        g_assert_true (isnan (p[i]) ? isnan (y[i]) : y[i] == (want < p[i] ? 1 : 0));
      }
    }
}

static void
add (const char *name, GTestFunc func)
{
  g_autofree char *path = g_strdup_printf ("/channels/%s/%s", k->isa, name);

  g_test_add_func (path, func);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  k = ts_kernels_get (); /* one level a process run, by TRAINSCOPE_ISA */
  add ("conv3", test_conv3);
  add ("conv3-edges", test_conv3_edges);
  add ("sums", test_channels);
  add ("draws", test_draws);
  return g_test_run ();
}
