/* SPDX-License-Identifier: MIT */
/* What sessions, scopes, print, eager execution and the profile promise. */
#include <math.h>
#include <string.h>

#include "engine/graph/autograd.h"
#include "engine/graph/eager.h"
#include "engine/graph/partial.h"
#include "engine/graph/profile.h"
#include "engine/graph/session.h"
#include "engine/graph/variables.h"

static const TsShape scalar = {0};

static TsTensor *
number (double value)
{
  TsTensor *t = ts_tensor_new (TS_F32, &scalar);

  ts_tensor_set (t, 0, value);
  return t;
}

static TsValue *
op (TsGraph *g, const char *name, TsValue *a, TsValue *b)
{
  TsValue *in[] = {a, b};
  g_autoptr (GError) error = NULL;
  TsNode *node = ts_graph_add (g, name, NULL, in, b ? 2 : 1, NULL, &error);

  g_assert_no_error (error);
  return node->n_out ? node->out[0] : NULL;
}

static TsValue *
input (TsGraph *g, const char *name)
{
  return ts_graph_placeholder (g, name, TS_F32, &scalar, NULL);
}

static double
step (TsPartialRun *r, TsValue *feed, double value, TsValue *fetch)
{
  g_autoptr (TsTensor) fed = number (value);
  g_autoptr (GError) error = NULL;
  TsTensor *out = NULL;

  ts_partial_run_step (r, feed ? &feed : NULL, &fed, feed ? 1 : 0, &fetch, 1, &out, &error);
  g_assert_no_error (error);
  double y = ts_tensor_get (out, 0);
  ts_tensor_unref (out);
  return y;
}

/* The example of TensorFlow's partial_run: r1 = a + b, then r2 = r1·c with c := r1. */
static void
test_partial_run (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *a = input (g, "a"), *b = input (g, "b"), *c = input (g, "c");
  TsValue *r1 = op (g, "add", a, b), *r2 = op (g, "mul", r1, c);
  g_autoptr (TsSession) s = ts_session_new (g, 1, 1);
  TsValue *feeds[] = {a, b, c}, *fetches[] = {r1, r2}, *two[] = {a, b};
  g_autoptr (TsTensor) one = number (1), other = number (2);
  TsTensor *tensors[] = {one, other}, *out = NULL;
  g_autoptr (GError) error = NULL;

  ts_session_init_variables (s);
  g_autoptr (TsPartialRun) run = ts_partial_run_new (s, feeds, 3, fetches, 2, TRUE, &error);
  g_assert_no_error (error);
  ts_partial_run_step (run, two, tensors, 2, &r1, 1, &out, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (ts_tensor_get (out, 0), ==, 3);
  ts_tensor_unref (out);

  g_assert_false (ts_partial_run_step (run, NULL, NULL, 0, &r2, 1, &out, &error));
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NOT_FED);
  g_assert_nonnull (strstr (error->message, "'c'"));
  g_clear_error (&error);
  g_assert_cmpfloat (step (run, c, 3, r2), ==, 9);
  g_assert_false (ts_partial_run_step (run, &a, &one, 1, &r1, 1, &out, &error));
  g_assert_nonnull (strstr (error->message, "already been fed"));
}

static TsValue *
counter (TsGraph *g, const char *name)
{
  return ts_graph_variable (g, name, TS_F32, &scalar, "zeros", 0, FALSE, NULL);
}

/* An assignment runs before what was made under its control, and only before that. */
static void
test_control (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *v = counter (g, "v"), *one = ts_graph_constant (g, "one", TS_F32, &scalar, 1);
  TsValue *in[] = {v, one};
  TsValue *outside = op (g, "identity", v, NULL);
  TsNode *add = ts_graph_add (g, "assign_add", NULL, in, 2, NULL, NULL);
  ts_graph_push_control (g, &add, 1);
  TsValue *inside = op (g, "identity", v, NULL);
  ts_graph_pop_control (g);
  TsValue *after = op (g, "identity", v, NULL);
  g_autoptr (TsSession) s = ts_session_new (g, 1, 2);
  TsTensor *out = NULL;

  ts_session_init_variables (s);
  for (guint i = 1; i <= 3; i++) {
    g_assert_true (ts_session_run (s, NULL, NULL, 0, &inside, 1, NULL, 0, FALSE, &out, NULL));
    g_assert_cmpfloat (ts_tensor_get (out, 0), ==, i);
    ts_tensor_unref (out);
  }
  for (guint i = 0; i < 2; i++) {
    TsValue *plain = i ? after : outside;
    g_assert_true (ts_session_run (s, NULL, NULL, 0, &plain, 1, NULL, 0, FALSE, &out, NULL));
    g_assert_cmpfloat (ts_tensor_get (out, 0), ==, 3); /* the assignment did not run again */
    ts_tensor_unref (out);
  }
}

static TsValue *
get (TsGraph *g, TsReuse reuse, const char *name, TsShape shape, GError **error)
{
  ts_graph_push_variable_scope (g, "layer", reuse);
  TsValue *v = ts_graph_get_variable (g, name, TS_F32, &shape, "zeros", 0, TRUE, error);
  ts_graph_pop_variable_scope (g);
  return v;
}

static void
expect (GError **error, const char *words)
{
  g_assert_nonnull (*error);
  if (!strstr ((*error)->message, words))
    g_error ("'%s' does not say '%s'", (*error)->message, words);
  g_clear_error (error);
}

static void
test_reuse (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  g_autoptr (GError) error = NULL;
  TsValue *w = get (g, TS_REUSE_NO, "w", TS_SHAPE (2, 3), &error);

  g_assert_cmpstr (w->node->name, ==, "layer/w");
  g_assert_true (get (g, TS_REUSE_YES, "w", TS_SHAPE (2, 3), &error) == w);
  g_assert_true (get (g, TS_REUSE_AUTO, "w", TS_SHAPE (2, 3), &error) == w);
  g_assert_null (get (g, TS_REUSE_NO, "w", TS_SHAPE (2, 3), &error));
  expect (&error, "Variable layer/w already exists, disallowed.");
  g_assert_null (get (g, TS_REUSE_YES, "u", TS_SHAPE (2), &error));
  expect (&error, "Variable layer/u does not exist, or was not created with");
  g_assert_null (get (g, TS_REUSE_AUTO, "w", TS_SHAPE (2, 4), &error));
  expect (&error, "Trying to share variable layer/w, but specified shape (2, 4) and found shape "
                  "(2, 3).");
  ts_graph_push_variable_scope (g, "outer", TS_REUSE_AUTO);
  TsValue *inner = get (g, TS_REUSE_NO, "w", TS_SHAPE (5), &error);
  g_assert_true (get (g, TS_REUSE_NO, "w", TS_SHAPE (5), &error) == inner); /* inherited */
  g_assert_cmpstr (inner->node->name, ==, "outer/layer/w");
  ts_graph_pop_variable_scope (g);
}

/* The gradient of a variable that is used twice is the sum of both paths: d (w·w + 3w) = 2w + 3. */
static void
test_shared_gradient (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *w = counter (g, "w"), *grad = NULL;
  TsValue *three = ts_graph_constant (g, "three", TS_F32, &scalar, 3);
  TsValue *loss = op (g, "add", op (g, "mul", w, w), op (g, "mul", w, three));
  float five = 5;
  TsTensor *out = NULL;

  g_assert_true (ts_graph_gradients (g, loss, &w, 1, &grad, NULL));
  g_autoptr (TsSession) s = ts_session_new (g, 1, 1);
  ts_session_init_variables (s);
  ts_session_set_variable (s, w, &five);
  g_assert_true (ts_session_run (s, NULL, NULL, 0, &grad, 1, NULL, 0, TRUE, &out, NULL));
  g_assert_cmpfloat (ts_tensor_get (out, 0), ==, 13);
  ts_tensor_unref (out);
}

static void
keep_line (gpointer data, const TsNode *node, const char *text)
{
  g_ptr_array_add (data, g_strdup (text));
}

/* Ten runs, first_n lines; result and gradient have the same bits as without it; and no line when no
 * fetch depends on it. */
static void
test_print (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (TS_ANY, 2), NULL);
  TsValue *shown = ts_graph_print (g, x, "x = ", 3, 3, NULL);
  TsValue *with = op (g, "reduce_mean", op (g, "tanh", shown, NULL), NULL);
  TsValue *without = op (g, "reduce_mean", op (g, "tanh", x, NULL), NULL);
  TsValue *grads[2] = {NULL}, *xs[] = {x};
  g_assert_true (ts_graph_gradients (g, with, xs, 1, &grads[0], NULL));
  g_assert_true (ts_graph_gradients (g, without, xs, 1, &grads[1], NULL));
  g_autoptr (TsSession) s = ts_session_new (g, 1, 3);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (TsTensor) data = ts_tensor_new (TS_F32, &TS_SHAPE (50, 2));
  TsValue *fetches[] = {with, without, grads[0], grads[1]};
  TsTensor *out[4] = {NULL};

  for (gint64 i = 0; i < 100; i++)
    ts_tensor_set (data, i, (double) i / 8);
  ts_session_init_variables (s);
  ts_session_set_printer (s, keep_line, lines);
  g_assert_true (ts_session_run (s, &x, &data, 1, &without, 1, NULL, 0, TRUE, out, NULL));
  ts_tensor_unref (out[0]);
  g_assert_cmpuint (lines->len, ==, 0);
  for (guint i = 0; i < 10; i++) {
    g_assert_true (ts_session_run (s, &x, &data, 1, fetches, 4, NULL, 0, TRUE, out, NULL));
    g_assert_cmpmem (out[0]->data, out[0]->bytes, out[1]->data, out[1]->bytes);
    g_assert_cmpmem (out[2]->data, out[2]->bytes, out[3]->data, out[3]->bytes);
    for (guint k = 0; k < 4; k++)
      ts_tensor_unref (out[k]);
  }
  g_assert_cmpuint (lines->len, ==, 3);
  g_assert_cmpstr (lines->pdata[0], ==, "x = [0 0.125 0.25...]");
}

/* 2 + 3 gives 5 at once; and a tape: d tanh (a·b) / da = b·(1 - tanh²). */
static void
test_eager (void)
{
  g_autoptr (TsEager) e = ts_eager_new (1);
  g_autoptr (GError) error = NULL;
  TsEagerValue *ab[] = {ts_eager_scalar (e, 2), ts_eager_scalar (e, 3)};
  TsEagerValue *sum = ts_eager_apply (e, "add", NULL, ab, 2, NULL, &error);
  TsTensor *grads[2] = {NULL};

  g_assert_no_error (error);
  g_assert_cmpfloat (ts_tensor_get (ts_eager_value_get (sum), 0), ==, 5);
  TsEagerValue *small[] = {ts_eager_scalar (e, 0.5), ts_eager_scalar (e, 0.25)};
  TsEagerValue *product = ts_eager_apply (e, "mul", NULL, small, 2, NULL, &error);
  TsEagerValue *y = ts_eager_apply (e, "tanh", NULL, &product, 1, NULL, &error);
  g_assert_true (ts_eager_gradients (e, y, small, 2, grads, &error));
  double t = tanh (0.125);
  g_assert_cmpfloat_with_epsilon (ts_tensor_get (grads[0], 0), 0.25 * (1 - t * t), 1e-7);
  g_assert_cmpfloat_with_epsilon (ts_tensor_get (grads[1], 0), 0.5 * (1 - t * t), 1e-7);
  ts_tensor_unref (grads[0]);
  ts_tensor_unref (grads[1]);
  g_assert_null (ts_eager_apply (e, "tanh", NULL, ab, 2, NULL, &error));
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM);
}

/* Ten thousand nodes are built without one call of an op; a fetch runs what it needs and no more. */
static void
test_profile (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  TsValue *a = input (g, "a"), *y = a, *early = NULL, *aside;

  for (guint i = 0; i < 10000; i++) {
    y = op (g, i % 2 ? "tanh" : "sigmoid", y, NULL);
    if (i == 19)
      early = y;
  }
  aside = op (g, "sigmoid", a, NULL);
  g_autoptr (TsSession) s = ts_session_new (g, 1, 1);
  g_autoptr (TsProfile) profile = ts_profile_new (1);
  g_autoptr (TsTensor) one = number (1);
  TsTensor *out = NULL;

  ts_session_init_variables (s);
  ts_session_set_profile (s, profile);
  g_assert_cmpuint (ts_profile_count (profile), ==, 0);
  g_assert_true (ts_session_run (s, &a, &one, 1, &early, 1, NULL, 0, TRUE, &out, NULL));
  ts_tensor_unref (out);
  g_assert_cmpuint (ts_profile_count (profile), ==, 20);
  g_autoptr (GArray) entries = ts_profile_dup_entries (profile);
  for (guint i = 0; i < entries->len; i++) {
    const TsProfileEntry *entry = &g_array_index (entries, TsProfileEntry, i);
    g_assert_true (entry->node != aside->node);
    g_assert_cmpuint (entry->calls, ==, 1);
    g_assert_cmpfloat (entry->flops, ==, 1);
    g_assert_cmpfloat (entry->bytes, ==, 8);
  }
  g_autofree char *trace = ts_profile_dup_trace (profile);
  g_assert_nonnull (strstr (trace, "\"traceEvents\""));
}

/* x + 3 has no variables: there is nothing to initialise. */
static void
test_no_variables (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  g_autoptr (GError) error = NULL;
  TsValue *x = ts_graph_placeholder (g, "x", TS_F32, &TS_SHAPE (TS_ANY), NULL);
  TsValue *in[] = {x, ts_graph_constant (g, "three", TS_F32, &TS_SCALAR, 3)};
  TsValue *y = ts_graph_add (g, "add", NULL, in, 2, NULL, NULL)->out[0];
  g_autoptr (TsSession) s = ts_session_new (g, 1, 1);
  TsTensor *data = ts_tensor_new (TS_F32, &TS_SHAPE (2)), *out = NULL;

  ts_tensor_set (data, 1, 4);
  g_assert_true (ts_session_is_initialized (s, NULL));
  ts_session_run (s, &x, &data, 1, &y, 1, NULL, 0, FALSE, &out, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (ts_tensor_get (out, 0), ==, 3);
  g_assert_cmpfloat (ts_tensor_get (out, 1), ==, 7);
  ts_tensor_unref (data);
  ts_tensor_unref (out);
}

/* With a variable it is refused until there is a value. */
static void
test_uninitialised (void)
{
  g_autoptr (TsGraph) g = ts_graph_new ();
  g_autoptr (GError) error = NULL;
  TsValue *v = ts_graph_variable (g, "v", TS_F32, &TS_SCALAR, "ones", 1, TRUE, NULL);
  g_autoptr (TsSession) s = ts_session_new (g, 1, 1);
  TsTensor *out = NULL;

  g_assert_false (ts_session_run (s, NULL, NULL, 0, &v, 1, NULL, 0, FALSE, &out, &error));
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_UNINITIALIZED);
  ts_session_init_variables (s);
  g_assert_true (ts_session_run (s, NULL, NULL, 0, &v, 1, NULL, 0, FALSE, &out, NULL));
  g_assert_cmpfloat (ts_tensor_get (out, 0), ==, 1);
  ts_tensor_unref (out);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/partial-run", test_partial_run);
  g_test_add_func ("/session/control", test_control);
  g_test_add_func ("/session/reuse", test_reuse);
  g_test_add_func ("/session/shared-gradient", test_shared_gradient);
  g_test_add_func ("/session/print", test_print);
  g_test_add_func ("/session/eager", test_eager);
  g_test_add_func ("/session/profile", test_profile);
  g_test_add_func ("/session/no-variables", test_no_variables);
  g_test_add_func ("/session/uninitialised", test_uninitialised);
  return g_test_run ();
}
