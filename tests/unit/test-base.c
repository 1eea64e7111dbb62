/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "engine/base/error.h"
#include "engine/base/event.h"
#include "engine/base/json-depth.h"
#include "engine/base/param.h"
#include "engine/base/queue.h"
#include "engine/base/rng.h"

static void
test_philox (void)
{
  /* The known answers of the Random123 distribution. */
  static const struct {
    guint64 seed, block, stream;
    guint32 want[4];
  } known[] = {
      {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {~0ull, ~0ull, ~0ull, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {0x299f31d0a4093822,
       0x85a308d3243f6a88,
       0x0370734413198a2e,
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    guint32 got[4];
    ts_rng_block ((TsRng){known[i].seed, known[i].stream}, known[i].block, got);
    g_assert_cmpmem (got, sizeof got, known[i].want, sizeof got);
  }

  TsRng rng = {42, 0};
  static const float uniform[4] = {0.835459113f, 0.916297317f, 0.494649529f, 0.521113276f};
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat (ts_rng_uniform (rng, i), ==, uniform[i]);
  g_assert_cmpfloat_with_epsilon (ts_rng_normal (rng, 0), -0.301015801f, 1e-7f);
  g_assert_cmpfloat_with_epsilon (ts_rng_normal (rng, 1), 0.518591579f, 1e-7f);
}

static void
test_normal_moments (void)
{
  TsRng rng = {7, ts_rng_stream ("moments", 0)};
  double sum = 0, squares = 0;
  const int n = 100000;

  for (int i = 0; i < n; i++) {
    double x = ts_rng_normal (rng, (guint64) i);
    sum += x;
    squares += x * x;
  }
  g_assert_cmpfloat_with_epsilon (sum / n, 0, 0.02);
  g_assert_cmpfloat_with_epsilon (squares / n, 1, 0.02);
}

static void
test_shuffle (void)
{
  gint32 a[1000], b[1000];
  gboolean seen[1000] = {FALSE};

  for (int i = 0; i < 1000; i++)
    a[i] = b[i] = i;
  ts_rng_shuffle ((TsRng){1, ts_rng_stream ("shuffle", 0)}, a, 1000);
  ts_rng_shuffle ((TsRng){1, ts_rng_stream ("shuffle", 1)}, b, 1000);
  for (int i = 0; i < 1000; i++) {
    g_assert_false (seen[a[i]]);
    seen[a[i]] = TRUE;
  }
  int same = 0;
  for (int i = 0; i < 1000; i++)
    same += a[i] == b[i];
  g_assert_cmpint (same, <, 20);
}

static const TsParamSpec specs[] = {
    {"units", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 1e6, .doc = "outputs"},
    {"rate", TS_PARAM_FLOAT, .number = 0.5, .min = 0, .max = 1, .max_open = TRUE, .doc = "share"},
    {"bias", TS_PARAM_BOOL, .number = 1, .doc = "add a bias"},
    {"act", TS_PARAM_WORD, .text = "linear", .words = "linear|relu|tanh", .doc = "activation"},
    {"shape", TS_PARAM_SHAPE, .doc = "sizes"},
    {"rates", TS_PARAM_NUMBERS, .min = 0, .max = 1, .doc = "several"},
    {NULL},
};

static void
expect_param_error (gboolean ok, GError **error, const char *text)
{
  g_assert_false (ok);
  g_assert_error (*error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM);
  g_assert_nonnull (strstr ((*error)->message, text));
  g_clear_error (error);
}

static void
test_params (void)
{
  TsParams p;
  GError *error = NULL;

  ts_params_init (&p, specs);
  expect_param_error (ts_params_check (&p, "dense", &error), &error, "'units'");
  expect_param_error (ts_params_set_number (&p, "units", 2.5, &error), &error, "2.5");
  expect_param_error (ts_params_set_number (&p, "units", 0, &error), &error, "[1, 1000000]");
  expect_param_error (ts_params_set_number (&p, "rate", 1, &error), &error, "[0, 1)");
  expect_param_error (ts_params_set_number (&p, "rate", NAN, &error), &error, "NaN");
  expect_param_error (ts_params_set_text (&p, "act", "rel", &error), &error, "'rel'");
  expect_param_error (ts_params_set_number (&p, "unit", 1, &error), &error, "'unit'");
  expect_param_error (ts_params_parse (&p, "bias", "maybe", &error), &error, "maybe");
  g_assert_true (ts_params_parse (&p, "units", "64", NULL));
  g_assert_true (ts_params_parse (&p, "rate", "1e-3", NULL));
  g_assert_true (ts_params_set_text (&p, "act", "relu", NULL));
  g_assert_true (ts_params_set_list (&p, "shape", (gint64[]){32, -1}, 2, NULL));
  g_assert_true (ts_params_check (&p, "dense", NULL));
  g_assert_cmpint (ts_params_int (&p, "units"), ==, 64);
  g_assert_true (ts_params_bool (&p, "bias"));
  g_assert_cmpstr (ts_params_text (&p, "act"), ==, "relu");
  g_autofree char *rate = ts_params_dup_value (&p, 1), *shape = ts_params_dup_value (&p, 4);
  g_assert_cmpstr (rate, ==, "0.001");
  g_assert_cmpstr (shape, ==, "[32, -1]");

  guint n;
  expect_param_error (ts_params_parse (&p, "rates", "0.5", &error), &error, "a list of numbers");
  expect_param_error (ts_params_parse (&p, "rates", "[0.5, 2]", &error), &error,
                      "2 is not in [0, 1]");
  expect_param_error (ts_params_parse (&p, "rates", "[0,0,0,0,0,0,0,0,0,0,0,0,0]", &error), &error,
                      "at most 12");
  g_assert_true (ts_params_parse (&p, "rates", "[0.5, 1e-3]", NULL));
  g_assert_cmpfloat (ts_params_numbers (&p, "rates", &n)[1], ==, 1e-3);
  g_assert_cmpuint (n, ==, 2);
  g_autofree char *rates = ts_params_dup_value (&p, 5);
  g_assert_cmpstr (rates, ==, "[0.5, 0.001]");
}

static gpointer
produce (gpointer data)
{
  TsQueue *q = data;

  for (gsize i = 1; i <= 20000; i++)
    g_assert_true (ts_queue_push (q, GSIZE_TO_POINTER (i)));
  ts_queue_close (q);
  return NULL;
}

static void
test_queue (void)
{
  g_autoptr (TsQueue) q = ts_queue_new (7, NULL);
  GThread *t = g_thread_new ("producer", produce, q);
  gsize want = 1, got;

  while ((got = GPOINTER_TO_SIZE (ts_queue_pop (q, -1))))
    g_assert_cmpuint (got, ==, want++);
  g_assert_cmpuint (want, ==, 20001);
  g_thread_join (t);
  g_assert_false (ts_queue_try_push (q, q));
  g_assert_null (ts_queue_pop (q, 1000));
}

static int freed;

static void
count_free (gpointer item)
{
  freed++;
}

static void
test_queue_frees (void)
{
  TsQueue *q = ts_queue_new (2, count_free);

  g_assert_true (ts_queue_try_push (q, q));
  g_assert_true (ts_queue_try_push (q, q));
  g_assert_false (ts_queue_try_push (q, q));
  ts_queue_close (q);
  g_assert_false (ts_queue_push (q, q));
  g_assert_cmpint (freed, ==, 1);
  ts_queue_unref (q);
  g_assert_cmpint (freed, ==, 3);
}

static void
test_event (void)
{
  TsEvent *e = ts_event_new (TS_EVENT_SCALARS, 3, 2);

  e->u.scalars.items[1] = (TsScalar){g_intern_string ("train/loss"), 0.5};
  ts_event_ref (e);
  ts_event_unref (e);
  g_assert_cmpfloat (e->u.scalars.items[1].value, ==, 0.5);
  ts_event_unref (e);
  g_assert_cmpstr (ts_run_state_name (TS_RUN_PAUSED), ==, "paused");
}

/* Brackets in strings do not count, nor those that were closed; a quote may be escaped. */
static void
test_json_depth (void)
{
  g_autoptr (GString) deep = g_string_new (NULL);

  for (int i = 0; i < TS_JSON_DEPTH_MAX; i++)
    g_string_append_c (deep, i % 2 ? '[' : '{');
  g_assert_true (ts_json_is_shallow (deep->str, -1));
  g_string_append (deep, "\"[[\\\"[[\"]}[{");
  g_assert_true (ts_json_is_shallow (deep->str, -1));
  g_string_append_c (deep, '[');
  g_assert_false (ts_json_is_shallow (deep->str, -1));
  g_assert_true (ts_json_is_shallow (deep->str, (gssize) deep->len - 1));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/philox", test_philox);
  g_test_add_func ("/base/normal-moments", test_normal_moments);
  g_test_add_func ("/base/shuffle", test_shuffle);
  g_test_add_func ("/base/params", test_params);
  g_test_add_func ("/base/queue", test_queue);
  g_test_add_func ("/base/queue-frees", test_queue_frees);
  g_test_add_func ("/base/event", test_event);
  g_test_add_func ("/base/json-depth", test_json_depth);
  return g_test_run ();
}
