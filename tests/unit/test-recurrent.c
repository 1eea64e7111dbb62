/* SPDX-License-Identifier: MIT */
/* What recurrent ops promise beyond their gradients: windows with carried state, lengths, directions, and
 * the gate orders of other frameworks. */
#include <string.h>

#include "engine/graph/eager.h"

#define B 3
#define T 8
#define F 2
#define U 3

static TsTensor *
numbers (TsShape shape, guint which)
{
  TsTensor *t = ts_tensor_new (TS_F32, &shape);
  TsRng rng = {7, which};

  for (gint64 i = 0; i < ts_tensor_elems (t); i++)
    ts_tensor_set (t, i, 2 * (double) ts_rng_uniform (rng, (guint64) i) - 1);
  return t;
}

/* Steps [from, from + n) of x. */
static TsTensor *
window (const TsTensor *x, gint64 from, gint64 n)
{
  TsTensor *w = ts_tensor_new (TS_F32, &TS_SHAPE (B, n, F));

  for (gint64 b = 0; b < B; b++)
    memcpy ((float *) w->data + b * n * F, (const float *) x->data + (b * T + from) * F,
            (gsize) (n * F) * sizeof (float));
  return w;
}

typedef struct {
  TsEager *eager;
  TsEagerValue *kernel, *recurrent, *bias;
  TsTensor *x;
} Cell;

static void
cell_init (Cell *c)
{
  g_autoptr (TsTensor) k = numbers (TS_SHAPE (F, 4 * U), 1), u = numbers (TS_SHAPE (U, 4 * U), 2);
  g_autoptr (TsTensor) b = numbers (TS_SHAPE (4 * U), 3);

  c->eager = ts_eager_new (1);
  c->kernel = ts_eager_tensor (c->eager, k);
  c->recurrent = ts_eager_tensor (c->eager, u);
  c->bias = ts_eager_tensor (c->eager, b);
  c->x = numbers (TS_SHAPE (B, T, F), 4);
}

static void
cell_clear (Cell *c)
{
  ts_eager_free (c->eager);
  ts_tensor_unref (c->x);
}

/* Outputs 0, 1, 2: all h, last h, last c. */
static void
run (Cell *c, TsTensor *x, TsEagerValue *h, TsEagerValue *state, TsTensor *lengths,
     const char *text, TsEagerValue **out)
{
  g_autoptr (GError) error = NULL;
  TsEagerValue *in[7] = {ts_eager_batch (c->eager, x, &error), c->kernel, c->recurrent, c->bias};
  guint n = 4, n_out;
  TsParams p;

  g_assert_no_error (error);
  if (h) {
    in[n++] = h;
    in[n++] = state;
  }
  if (lengths)
    in[n++] = ts_eager_batch (c->eager, lengths, &error);
  ts_params_init (&p, ts_op_lookup ("lstm")->params);
  g_assert_true (ts_params_parse_all (&p, text, &error));
  ts_eager_apply_all (c->eager, "lstm", NULL, in, n, &p, out, &n_out, &error);
  g_assert_no_error (error);
}

static const float *
data (const TsEagerValue *v)
{
  return ts_eager_value_get (v)->data;
}

/* Truncated back-propagation: a second window that starts from the first one's state gives the same bits
 * as one long sequence. */
static void
test_carried_state (void)
{
  TsEagerValue *whole[8], *first[8], *second[8];
  Cell c;

  cell_init (&c);
  g_autoptr (TsTensor) a = window (c.x, 0, 5), b = window (c.x, 5, T - 5);
  run (&c, c.x, NULL, NULL, NULL, NULL, whole);
  run (&c, a, NULL, NULL, NULL, NULL, first);
  run (&c, b, first[1], first[2], NULL, NULL, second);
  for (gint64 row = 0; row < B; row++) {
    g_assert_cmpmem (data (whole[0]) + row * T * U, 5 * U * 4, data (first[0]) + row * 5 * U,
                     5 * U * 4);
    g_assert_cmpmem (data (whole[0]) + (row * T + 5) * U, 3 * U * 4, data (second[0]) + row * 3 * U,
                     3 * U * 4);
  }
  g_assert_cmpmem (data (whole[2]), B * U * 4, data (second[2]), B * U * 4);
  cell_clear (&c);
}

/* A row of length 5 ends as five steps do, and keeps that state. */
static void
test_lengths (void)
{
  TsEagerValue *masked[8], *shorter[8];
  g_autoptr (TsTensor) lengths = ts_tensor_new (TS_I32, &TS_SHAPE (B));
  Cell c;

  cell_init (&c);
  ts_tensor_set (lengths, 0, 5);
  ts_tensor_set (lengths, 1, T);
  ts_tensor_set (lengths, 2, 0);
  g_autoptr (TsTensor) five = window (c.x, 0, 5);
  run (&c, c.x, NULL, NULL, lengths, NULL, masked);
  run (&c, five, NULL, NULL, NULL, NULL, shorter);
  g_assert_cmpmem (data (masked[1]), U * 4, data (shorter[1]), U * 4);
  g_assert_cmpmem (data (masked[2]), U * 4, data (shorter[2]), U * 4);
  for (gint64 t = 5; t < T; t++)
    g_assert_cmpmem (data (masked[0]) + t * U, U * 4, data (shorter[1]), U * 4);
  for (gint64 i = 0; i < U; i++)
    g_assert_cmpfloat (data (masked[1])[2 * U + i], ==, 0);
  cell_clear (&c);
}

/* Backwards over a sequence is forwards over the reversed one, read from its end. */
static void
test_reverse (void)
{
  TsEagerValue *backward[8], *forward[8];
  Cell c;

  cell_init (&c);
  g_autoptr (TsTensor) turned = ts_tensor_new (TS_F32, &TS_SHAPE (B, T, F));
  for (gint64 b = 0; b < B; b++)
    for (gint64 t = 0; t < T; t++)
      memcpy ((float *) turned->data + (b * T + t) * F,
              (float *) c.x->data + (b * T + T - 1 - t) * F, F * sizeof (float));
  run (&c, c.x, NULL, NULL, NULL, "reverse=true", backward);
  run (&c, turned, NULL, NULL, NULL, NULL, forward);
  for (gint64 b = 0; b < B; b++)
    for (gint64 t = 0; t < T; t++)
      g_assert_cmpmem (data (backward[0]) + (b * T + t) * U, U * 4,
                       data (forward[0]) + (b * T + T - 1 - t) * U, U * 4);
  g_assert_cmpmem (data (backward[1]), B * U * 4, data (forward[1]), B * U * 4);
  cell_clear (&c);
}

/* The columns of a kernel in another order: gate k of ours is gate order[k] of theirs. */
static TsEagerValue *
reorder (Cell *c, const TsEagerValue *v, const char *order)
{
  const TsTensor *ours = ts_eager_value_get (v);
  g_autoptr (TsTensor) theirs = ts_tensor_new (TS_F32, &ours->shape);
  gint64 lines = ts_tensor_elems (ours) / (4 * U);

  for (gint64 l = 0; l < lines; l++)
    for (guint g = 0; g < 4; g++) {
      guint at = (guint) (strchr ("ifgo", order[g]) - "ifgo");
      memcpy ((float *) theirs->data + (l * 4 + g) * U, data (v) + (l * 4 + at) * U,
              U * sizeof (float));
    }
  return ts_eager_tensor (c->eager, theirs);
}

/* TensorFlow 1 (with its forget bias) and ONNX keep the gates in another order; the cell is the same. */
static void
test_orders (void)
{
  static const char *const orders[] = {"igfo", "iofg"};
  TsEagerValue *ours[8], *theirs[8];
  Cell c;

  cell_init (&c);
  TsEagerValue *kernel = c.kernel, *recurrent = c.recurrent, *bias = c.bias;
  run (&c, c.x, NULL, NULL, NULL, "forget_bias=1", ours);
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++) {
    g_autofree char *text = g_strdup_printf ("order=%s, forget_bias=1", orders[i]);
    c.kernel = reorder (&c, kernel, orders[i]);
    c.recurrent = reorder (&c, recurrent, orders[i]);
    c.bias = reorder (&c, bias, orders[i]);
    run (&c, c.x, NULL, NULL, NULL, text, theirs);
    g_assert_cmpmem (data (ours[0]), B * T * U * 4, data (theirs[0]), B * T * U * 4);
  }
  c.bias = bias;
  run (&c, c.x, NULL, NULL, NULL, "order=iofg", theirs);
  g_assert_cmpint (memcmp (data (ours[0]), data (theirs[0]), B * T * U * 4), !=, 0);
  cell_clear (&c);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recurrent/carried-state", test_carried_state);
  g_test_add_func ("/recurrent/lengths", test_lengths);
  g_test_add_func ("/recurrent/reverse", test_reverse);
  g_test_add_func ("/recurrent/orders", test_orders);
  return g_test_run ();
}
