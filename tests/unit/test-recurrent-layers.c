/* SPDX-License-Identifier: MIT */
/* Recurrent layers in both directions, beside the same layer in one. */
#include <string.h>

#include "engine/graph/session.h"
#include "engine/nn/apply.h"

#define ROWS  5
#define STEPS 4
#define UNITS 3

/* Copies variable @from of @s to @to. */
static void
copy_variable (TsGraph *g, TsSession *s, const char *from, const char *to)
{
  TsNode *a = ts_graph_lookup (g, from), *b = ts_graph_lookup (g, to);

  g_assert_nonnull (a);
  g_assert_nonnull (b);
  ts_session_set_variable (s, b->out[0], ts_session_get_variable (s, a->out[0]));
}

static void
copy_layer (TsGraph *g, TsSession *s, const char *from, const char *to)
{
  static const char *const names[] = {"kernel", "recurrent", "bias"};

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *a = g_strconcat (from, names[i], NULL), *b = g_strconcat (to, names[i], NULL);
    copy_variable (g, s, a, b);
  }
}

static void
test_both_directions (gconstpointer data)
{
  const char *layer = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *x = ts_graph_placeholder (g, "x", TS_F64, &TS_SHAPE (TS_ANY, STEPS, 2), NULL);
  TsValue *y[] = {
      ts_apply (g, x, layer, "units=3, seq=true, bidirectional=true", &error),
      ts_apply (g, x, layer, "units=3, bidirectional=true", &error),
      ts_apply (g, x, layer, "units=3, seq=true", &error),
      ts_apply (g, x, layer, "units=3, seq=true, reverse=true", &error),
  };
  TsTensor *out[4] = {NULL};
  g_autofree char *both = g_strconcat (layer, "/", NULL),
                  *second = g_strconcat (layer, "_1/", NULL);
  g_autofree char *forward = g_strconcat (layer, "_2/", NULL),
                  *back = g_strconcat (layer, "_3/", NULL);
  g_autofree char *both_back = g_strconcat (both, "reverse_", NULL);
  g_autofree char *second_back = g_strconcat (second, "reverse_", NULL);

  g_assert_no_error (error);
  g_assert_true (ts_shape_equal (&y[0]->shape, &TS_SHAPE (TS_ANY, STEPS, 2 * UNITS)));
  g_assert_true (ts_shape_equal (&y[1]->shape, &TS_SHAPE (TS_ANY, 2 * UNITS)));
  g_autoptr (TsSession) s = ts_session_new (g, 1, 1);
  ts_session_init_variables (s);
  copy_layer (g, s, both, second);
  copy_layer (g, s, both_back, second_back);
  copy_layer (g, s, both, forward);
  copy_layer (g, s, both_back, back);
  g_autoptr (TsTensor) in = ts_tensor_new (TS_F64, &TS_SHAPE (ROWS, STEPS, 2));
  for (gint64 i = 0; i < ts_tensor_elems (in); i++)
    ts_tensor_set (in, i, (double) (i * 7 % 11) / 5 - 1);
  ts_session_run (s, &x, &in, 1, y, 4, NULL, 0, FALSE, out, &error);
  g_assert_no_error (error);
  for (gint64 r = 0; r < ROWS; r++)
    for (gint64 u = 0; u < UNITS; u++) {
      for (gint64 t = 0; t < STEPS; t++) {
        gint64 line = r * STEPS + t;
        g_assert_cmpfloat (ts_tensor_get (out[0], line * 2 * UNITS + u), ==,
                           ts_tensor_get (out[2], line * UNITS + u));
        g_assert_cmpfloat (ts_tensor_get (out[0], line * 2 * UNITS + UNITS + u), ==,
                           ts_tensor_get (out[3], line * UNITS + u));
      }
      /* where each direction ends: at the last step and at the first */
      g_assert_cmpfloat (ts_tensor_get (out[1], r * 2 * UNITS + u), ==,
                         ts_tensor_get (out[2], (r * STEPS + STEPS - 1) * UNITS + u));
      g_assert_cmpfloat (ts_tensor_get (out[1], r * 2 * UNITS + UNITS + u), ==,
                         ts_tensor_get (out[3], r * STEPS * UNITS + u));
    }
  for (guint i = 0; i < 4; i++)
    ts_tensor_unref (out[i]);
}

/* The directions start with different numbers, and reverse=true makes no sense beside them. */
static void
test_variables (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (TS_ANY, STEPS, 2), NULL);

  g_assert_nonnull (ts_apply (g, x, "lstm", "units=3, bidirectional=true", &error));
  g_autoptr (TsSession) s = ts_session_new (g, 1, 1);
  ts_session_init_variables (s);
  const TsNode *a = ts_graph_lookup (g, "lstm/kernel"),
               *b = ts_graph_lookup (g, "lstm/reverse_kernel");
  g_assert_cmpint (memcmp (ts_session_get_variable (s, a->out[0]),
                           ts_session_get_variable (s, b->out[0]), ts_value_row_bytes (a->out[0])),
                   !=, 0);
  g_assert_null (ts_apply (g, x, "lstm", "units=3, bidirectional=true, reverse=true", &error));
  g_assert_nonnull (strstr (error->message, "reverse=true"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/recurrent-layers/lstm", "lstm", test_both_directions);
  g_test_add_data_func ("/recurrent-layers/gru", "gru", test_both_directions);
  g_test_add_data_func ("/recurrent-layers/simple-rnn", "simple_rnn", test_both_directions);
  g_test_add_func ("/recurrent-layers/variables", test_variables);
  return g_test_run ();
}
