/* SPDX-License-Identifier: MIT */
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "engine/graph/session.h"
#include "engine/optim/optimizer.h"
#include "engine/optim/schedule.h"

/* ---- trajectories of tf.json and torch.json: w0 = [1, -2, 0.5, 0], g = sin (w·t) + 0.1·t, t = 1 … 6.
 * The variable has one axis, as a bias has: `decay_all` where it is to decay. */

typedef struct {
  const char *file, *name;
  const char *optimizer, *params;
  double tolerance; /* 0: 1e-5, and 1e-9 where file and variable are f64 */
} Trajectory;

static const Trajectory trajectories[] = {
    {"tf", "opt_sgd", "sgd", "lr=0.1"},
    {"tf", "opt_momentum", "momentum", "lr=0.1"},
    {"tf", "opt_momentum", "momentum", "lr=0.1, form=torch"},
    {"tf", "opt_nesterov", "momentum", "lr=0.1, nesterov=true"},
    {"tf", "opt_nesterov", "momentum", "lr=0.1, nesterov=true, form=torch"},
    {"tf", "opt_adagrad", "adagrad", "lr=0.1"},
    {"tf", "opt_adam", "adam", "lr=0.1, form=torch"},
    {"tf", "opt_adamax", "adamax", "lr=0.1"},
    {"tf", "opt_rmsprop", "rmsprop", "lr=0.1"},
    {"tf", "opt_rmsprop_mom", "rmsprop", "lr=0.1, momentum=0.9"},
    /* TensorFlow.js takes eps off under the root, where TensorFlow and Keras add it */
    {"tf", "opt_rmsprop_centered", "rmsprop", "lr=0.1, momentum=0.9, centered=true", 3e-4},
    {"torch", "opt_adadelta", "adadelta", "lr=1, eps=1e-7"},
    {"torch", "opt_adamw", "adamw",
     "lr=0.1, form=torch, eps=1e-8, weight_decay=0.01, decay_all=true"},
    {"torch", "opt_adam_l2", "adam",
     "lr=0.1, form=torch, eps=1e-8, weight_decay=0.01, decay=coupled, decay_all=true"},
    {"torch", "opt_amsgrad", "adam", "lr=0.1, form=torch, eps=1e-8, amsgrad=true"},
    {"torch", "opt_nadam_torch", "nadam", "lr=0.1, eps=1e-8, momentum_decay=0.004, form=torch"},
    {"torch", "opt_nadam_keras_equiv", "nadam", "lr=0.1, eps=1e-7, form=torch"},
    {"torch", "opt_radam", "radam", "lr=0.1, eps=1e-8"},
    {"torch", "opt_adamax", "adamax", "lr=0.1, form=torch, eps=1e-8"},
    {"torch", "opt_rmsprop_torch", "rmsprop", "lr=0.1, rho=0.9, form=torch, eps=1e-7"},
    {"torch", "opt_sgd_nesterov_wd", "momentum",
     "lr=0.1, nesterov=true, form=torch, weight_decay=0.01, decay=coupled, decay_all=true"},
    {"torch", "opt_adagrad", "adagrad", "lr=0.1, form=torch, eps=1e-10, initial_accumulator=0.1"},
    {"torch", "opt_rprop", "rprop", "lr=0.1"},
};

static JsonNode *
load (const char *file, const char *name)
{
  g_autofree char *path =
      g_strdup_printf ("%s/tests/golden/%s.json", g_getenv ("TS_SOURCE_ROOT"), file);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;

  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  JsonObject *root = json_node_get_object (json_parser_get_root (parser));
  g_assert_true (json_object_has_member (root, name));
  return json_node_copy (json_object_get_member (root, name));
}

typedef struct {
  TsGraph *graph;
  TsValue *w, *gradient;
  TsMinimize minimize;
  TsSession *session;
  TsTensor *data;
} Net;

static void
net_init (Net *n, TsDtype dtype, const TsShape *shape, const char *optimizer, const char *text)
{
  const TsOptimizerClass *o = ts_optimizer_lookup (optimizer);
  TsParams p;
  g_autoptr (GError) error = NULL;

  n->graph = ts_graph_new ();
  n->w = ts_graph_variable (n->graph, "w", dtype, shape, "zeros", 0, TRUE, NULL);
  n->gradient = ts_graph_placeholder (n->graph, "gradient", dtype, shape, NULL);
  ts_params_init (&p, o->params);
  ts_params_parse_all (&p, text, &error);
  g_assert_no_error (error);
  ts_apply_gradients (n->graph, &n->w, &n->gradient, 1, o, &p, NULL, &n->minimize, &error);
  g_assert_no_error (error);
  n->session = ts_session_new (n->graph, 1, 1);
  ts_session_init_variables (n->session);
  n->data = ts_tensor_new (dtype, shape);
}

static void
net_clear (Net *n)
{
  ts_tensor_unref (n->data);
  ts_minimize_clear (&n->minimize);
  ts_session_free (n->session);
  ts_graph_unref (n->graph);
}

static double
weight (const Net *n, gint64 i)
{
  const void *w = ts_session_get_variable (n->session, n->w);

  return n->w->dtype == TS_F32 ? (double) ((const float *) w)[i] : ((const double *) w)[i];
}

static void
set_weights (const Net *n, const double *w)
{
  float single[4];

  for (guint i = 0; i < 4; i++)
    single[i] = (float) w[i];
  ts_session_set_variable (n->session, n->w, n->w->dtype == TS_F32 ? (void *) single : (void *) w);
}

/* One step by the gradient in n->data. */
static void
step (Net *n)
{
  g_autoptr (GError) error = NULL;

  ts_session_run (n->session, &n->gradient, &n->data, 1, NULL, 0, &n->minimize.step, 1, TRUE, NULL,
                  &error);
  g_assert_no_error (error);
}

static void
check_trajectory (const Trajectory *c, TsDtype dtype)
{
  double tolerance = dtype == TS_F64 && c->file[1] == 'o' ? 1e-9 : 1e-5;
  g_autoptr (JsonNode) node = load (c->file, c->name);
  JsonArray *rows = json_object_get_array_member (json_node_get_object (node), "trajectory");
  Net n;

  net_init (&n, dtype, &TS_SHAPE (4), c->optimizer, c->params);
  set_weights (&n, (double[]){1, -2, 0.5, 0});
  for (guint t = 1; t <= json_array_get_length (rows); t++) {
    JsonArray *want = json_array_get_array_element (rows, t - 1);
    for (int i = 0; i < 4; i++)
      ts_tensor_set (n.data, i, sin (weight (&n, i) * t) + 0.1 * t);
    step (&n);
    for (guint i = 0; i < 4; i++) {
      double got = weight (&n, i), known = json_array_get_double_element (want, i);
      if (!(fabs (got - known) <= (c->tolerance ? c->tolerance : tolerance)))
        g_error ("%s of %s.json with %s(%s) in %s, step %u: w[%u] is %.12g, not %.12g", c->name,
                 c->file, c->optimizer, c->params, ts_dtype_name (dtype), t, i, got, known);
    }
  }
  net_clear (&n);
}

static void
test_trajectories (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (trajectories); i++) {
    check_trajectory (&trajectories[i], TS_F32);
    check_trajectory (&trajectories[i], TS_F64);
  }
}

/* Every trajectory of the files is there. */
static void
test_all_trajectories (void)
{
  static const char *const files[] = {"tf", "torch"};

  for (guint f = 0; f < 2; f++) {
    g_autofree char *path =
        g_strdup_printf ("%s/tests/golden/%s.json", g_getenv ("TS_SOURCE_ROOT"), files[f]);
    g_autoptr (JsonParser) parser = json_parser_new ();
    g_assert_true (json_parser_load_from_file (parser, path, NULL));
    g_autoptr (GList) names =
        json_object_get_members (json_node_get_object (json_parser_get_root (parser)));
    for (GList *l = names; l; l = l->next) {
      gboolean found = !g_str_has_prefix (l->data, "opt_");
      for (guint i = 0; !found && i < G_N_ELEMENTS (trajectories); i++)
        found = g_str_equal (trajectories[i].file, files[f]) &&
                g_str_equal (trajectories[i].name, l->data);
      if (!found)
        g_error ("%s of %s.json is not tested", (char *) l->data, files[f]);
    }
  }
}

/* ---- what no file knows: by hand */

/* @text on w = [1, -2, 0.5, 0] of shape (2, 2), gradients 1, -1, 0.25, 0 in every step. */
static void
check_steps (const char *optimizer, const char *text, guint steps, const double want[4])
{
  Net n;

  net_init (&n, TS_F64, &TS_SHAPE (2, 2), optimizer, text);
  set_weights (&n, (double[]){1, -2, 0.5, 0});
  for (int i = 0; i < 4; i++)
    ts_tensor_set (n.data, i, (double[]){1, -1, 0.25, 0}[i]);
  for (guint k = 0; k < steps; k++)
    step (&n);
  for (guint i = 0; i < 4; i++)
    if (!isnan (want[i]) && !(fabs (weight (&n, i) - want[i]) < 1e-12))
      g_error ("%s(%s): w[%u] is %.15g, not %.15g", optimizer, text, i, weight (&n, i), want[i]);
  net_clear (&n);
}

static void
test_by_hand (void)
{
  double root = sqrt (1 - 0.999), corrected = 0.1 * root / 0.1;

  /* eps beside the root that is not corrected for its start */
  check_steps ("adam", "lr=0.1, eps=0.5", 1,
               (double[]){1 - corrected * 0.1 / (sqrt (0.001) + 0.5),
                          -2 + corrected * 0.1 / (sqrt (0.001) + 0.5),
                          0.5 - corrected * 0.025 / (sqrt (0.001 / 16) + 0.5), 0});
  /* Nadam: the momenta of steps 1 and 2 are 0.468 and 0.48528; the gradient alone has weight 1 */
  double nadam = 0.1 * (1 + 0.1 * 0.48528 / (1 - 0.468 * 0.48528));
  check_steps ("nadam", "lr=0.1, eps=0", 1,
               (double[]){1 - nadam, -2 + nadam, 0.5 - nadam, NAN /* 0 / 0 */});
  /* Lion: the sign only, and 0 for 0 */
  check_steps ("lion", "lr=0.1", 3, (double[]){0.7, -1.7, 0.2, 0});
  /* FTRL, first step: n = 0.1 + g², z = g - (sqrt n - sqrt 0.1)/lr·w; |z| <= l1 gives exactly 0 */
  double s1 = sqrt (1.1), s0 = sqrt (0.1), s2 = sqrt (0.1 + 0.0625);
  double z[3] = {1 - (s1 - s0) * 2, -1 + (s1 - s0) * 4, 0.25 - (s2 - s0)};
  g_assert_true (z[0] < -0.25 && z[1] > 0.25 && fabs (z[2]) < 0.25);
  check_steps ("ftrl", "lr=0.5, l1=0.25", 1,
               (double[]){(-0.25 - z[0]) / (s1 * 2), (0.25 - z[1]) / (s1 * 2), 0, 0});
  /* decay: of the weights before the step, or in the gradient */
  check_steps ("sgd", "lr=0.1, weight_decay=0.5", 1, (double[]){0.85, -1.8, 0.45, 0});
  check_steps ("sgd", "lr=0.1, weight_decay=0.5, decay=coupled", 1,
               (double[]){1 - 0.1 * 1.5, -2 + 0.1 * 2, 0.5 - 0.1 * 0.5, 0});
  /* forms of the momentum do not differ while the rate stays */
  check_steps ("momentum", "lr=0.1, momentum=0.5", 2, (double[]){0.75, -1.75, 0.4375, 0});
  check_steps ("momentum", "lr=0.1, momentum=0.5, form=torch", 2,
               (double[]){0.75, -1.75, 0.4375, 0});
}

/* ---- clipping, accumulation, averages: two variables of shapes (3) and (2, 2) */

typedef struct {
  TsGraph *graph;
  TsValue *w[2], *gradient[2];
  TsMinimize minimize;
  TsSession *session;
  TsTensor *data[2];
} Pair;

static void
pair_init (Pair *p, TsDtype dtype, const char *clip, double limit, gint64 accumulate, double ema,
           guint threads)
{
  static const char *const names[] = {"a", "b"};
  const TsShape shapes[] = {TS_SHAPE (3), TS_SHAPE (2, 2)};
  const TsOptimizerClass *o = ts_optimizer_lookup ("sgd");
  TsMinimizeOptions options = {.accumulate = accumulate, .ema = ema};
  TsParams params;
  g_autoptr (GError) error = NULL;

  p->graph = ts_graph_new ();
  for (guint i = 0; i < 2; i++) {
    p->w[i] = ts_graph_variable (p->graph, names[i], dtype, &shapes[i], "zeros", 0, TRUE, NULL);
    p->gradient[i] = ts_graph_placeholder (p->graph, NULL, dtype, &shapes[i], NULL);
    p->data[i] = ts_tensor_new (dtype, &shapes[i]);
    /* as in torch.json: 4·sin (0.7·i + seed), rounded to f32 */
    for (int k = 0; k < ts_tensor_elems (p->data[i]); k++)
      ts_tensor_set (p->data[i], k, (double) (float) (4 * sin (0.7 * k + 1 + i)));
  }
  if (clip) {
    ts_option_set (&options.clip, ts_clips, "clip", clip, NULL);
    ts_params_set_number (&options.clip.params, "limit", limit, NULL);
  }
  ts_params_init (&params, o->params);
  ts_params_set_number (&params, "lr", 1, NULL);
  ts_apply_gradients (p->graph, p->w, p->gradient, 2, o, &params, &options, &p->minimize, &error);
  g_assert_no_error (error);
  p->session = ts_session_new (p->graph, 1, threads);
  ts_session_init_variables (p->session);
}

static void
pair_clear (Pair *p)
{
  ts_minimize_clear (&p->minimize);
  ts_session_free (p->session);
  ts_graph_unref (p->graph);
  ts_tensor_unref (p->data[0]);
  ts_tensor_unref (p->data[1]);
}

/* Runs @target; the norm. */
static double
pair_run (Pair *p, TsNode *target)
{
  TsTensor *out = NULL;
  g_autoptr (GError) error = NULL;

  ts_session_run (p->session, p->gradient, p->data, 2, &p->minimize.norm, 1, &target, 1, TRUE, &out,
                  &error);
  g_assert_no_error (error);
  double norm = ts_tensor_get (out, 0);
  ts_tensor_unref (out);
  return norm;
}

static double
state_of (const Pair *p, const TsValue *v, gint64 i)
{
  const void *w = ts_session_get_variable (p->session, v);

  return v->dtype == TS_F32 ? (double) ((const float *) w)[i] : ((const double *) w)[i];
}

/* PyTorch divides by the norm + 1e-6. */
static void
test_global_clip (void)
{
  g_autoptr (JsonNode) node = load ("torch", "global_clip1");
  JsonObject *o = json_node_get_object (node);
  JsonArray *grads = json_object_get_array_member (o, "grads");

  for (guint dtype = TS_F32; dtype <= TS_F64; dtype++) {
    Pair p;
    pair_init (&p, dtype, "global_norm", 1, 0, 0, 1);
    double norm = pair_run (&p, p.minimize.step);
    g_assert_cmpfloat_with_epsilon (norm, json_object_get_double_member (o, "norm"), 1e-12);
    for (guint i = 0; i < 2; i++) {
      JsonArray *want =
          json_object_get_array_member (json_array_get_object_element (grads, i), "data");
      for (guint k = 0; k < json_array_get_length (want); k++)
        g_assert_cmpfloat_with_epsilon (-state_of (&p, p.w[i], k),
                                        json_array_get_double_element (want, k), 1e-6);
    }
    pair_clear (&p);
  }
}

static void
test_clips (void)
{
  Pair p;

  pair_init (&p, TS_F64, "value", 0.5, 0, 0, 1);
  ts_tensor_set (p.data[0], 0, 0.25);
  ts_tensor_set (p.data[0], 2, NAN);
  pair_run (&p, p.minimize.step);
  g_assert_cmpfloat (state_of (&p, p.w[0], 0), ==, -0.25);
  g_assert_cmpfloat (state_of (&p, p.w[0], 1), ==, -0.5);
  g_assert_true (isnan (state_of (&p, p.w[0], 2)));
  g_assert_cmpfloat (state_of (&p, p.w[1], 3), ==, 0.5);
  pair_clear (&p);

  /* each by its own norm: 3, 4 is 5 long; the other is short enough and stays to the bit */
  pair_init (&p, TS_F64, "norm", 2.5, 0, 0, 1);
  for (int k = 0; k < 3; k++)
    ts_tensor_set (p.data[0], k, (double[]){3, 0, 4}[k]);
  for (int k = 0; k < 4; k++)
    ts_tensor_set (p.data[1], k, 0.1 * k);
  double norm = pair_run (&p, p.minimize.step);
  g_assert_cmpfloat_with_epsilon (norm, sqrt (25 + 0.14), 1e-12);
  g_assert_cmpfloat (state_of (&p, p.w[0], 0), ==, -1.5);
  g_assert_cmpfloat (state_of (&p, p.w[0], 2), ==, -2);
  g_assert_cmpfloat (state_of (&p, p.w[1], 3), ==, -0.1 * 3);
  pair_clear (&p);

  /* a norm that is not finite makes everything NaN: nothing passes as 0 */
  for (guint i = 0; i < 2; i++) {
    pair_init (&p, TS_F32, "global_norm", 1, 0, 0, 1);
    ts_tensor_set (p.data[0], 1, i ? INFINITY : NAN);
    pair_run (&p, p.minimize.step);
    g_assert_true (isnan (state_of (&p, p.w[1], 0)) && isnan (state_of (&p, p.w[0], 0)));
    pair_clear (&p);
  }
}

/* Three batches, one update by their mean, clipped; then the next three. */
static void
test_accumulation (void)
{
  Pair p;

  pair_init (&p, TS_F64, "value", 5, 3, 0, 2);
  for (int round = 0; round < 2; round++)
    for (int k = 1; k <= 3; k++) {
      ts_tensor_set (p.data[0], 0, k);
      ts_tensor_set (p.data[0], 1, 3 * k);
      pair_run (&p, k < 3 ? p.minimize.accumulate : p.minimize.step);
      g_assert_cmpfloat (state_of (&p, p.w[0], 0), ==, k < 3 ? -2.0 * round : -2.0 * (round + 1));
    }
  g_assert_cmpfloat (state_of (&p, p.w[0], 1), ==, -10); /* 6 each time, clipped */
  g_assert_nonnull (ts_graph_lookup (p.graph, "b/accumulator"));
  pair_clear (&p);
}

/* The first average is the weight; later ones follow it. */
static void
test_ema (void)
{
  Pair p;

  pair_init (&p, TS_F64, NULL, 0, 0, 0.75, 1);
  ts_tensor_set (p.data[0], 0, -1); /* the weight goes 1, 2, 3 */
  static const double want[] = {1, 0.75 + 0.25 * 2, 0.75 * 1.25 + 0.25 * 3};
  for (guint k = 0; k < 3; k++) {
    pair_run (&p, p.minimize.step);
    g_assert_cmpfloat (state_of (&p, p.minimize.averages[0], 0), ==, want[k]);
  }
  g_assert_cmpstr (p.minimize.averages[0]->node->name, ==, "a/ema");
  pair_clear (&p);
}

/* ---- schedules */

static TsOption
schedule (const char *name, const char *params)
{
  TsOption o;
  g_autoptr (GError) error = NULL;

  ts_option_set (&o, ts_schedules, "schedule", name, &error);
  g_assert_no_error (error);
  ts_params_parse_all (&o.params, params, &error);
  g_assert_no_error (error);
  ts_schedule_check (&o, &error);
  g_assert_no_error (error);
  return o;
}

/* The lists of torch.json: the rates of steps 1 to 12, lr 1. */
static void
test_schedule_lists (void)
{
  static const char *const lists[][3] = {
      {"lr_onecycle12", "one_cycle", "steps=12"},
      {"lr_cosine10", "cosine", "steps=10, form=torch"},
      {"lr_cosine_restarts3_m2", "cosine_restarts", "steps=3"},
      {"lr_exp.9", "exponential", "steps=1, rate=0.9"},
      {"lr_step4_.5", "step", "size=4, factor=0.5"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++) {
    g_autoptr (JsonNode) node = load ("torch", lists[i][0]);
    JsonArray *want = json_node_get_array (node);
    TsOption o = schedule (lists[i][1], lists[i][2]);
    for (guint t = 0; t < json_array_get_length (want); t++) {
      double got = ts_schedule_at (&o, 1, t), known = json_array_get_double_element (want, t);
      if (!(fabs (got - known) < 1e-9))
        g_error ("%s: after %u steps %.12g, not %.12g", lists[i][0], t, got, known);
    }
  }
}

typedef struct {
  const char *name, *params;
  gint64 t;
  double want; /* with lr 2 */
} At;

/* Keras' formulas, worked out by hand. */
static void
test_schedules (void)
{
  static const At points[] = {
      {"constant", "", 1000, 2},
      {"exponential", "steps=10, rate=0.25", 5, 1},
      {"exponential", "steps=10, rate=0.25, staircase=true", 9, 2},
      {"exponential", "steps=10, rate=0.25, staircase=true", 10, 0.5},
      {"inverse_time", "steps=10, rate=3", 10, 0.5},
      {"inverse_time", "steps=10, rate=3, staircase=true", 9, 2},
      {"polynomial", "steps=10, end=1", 5, 1.5},
      {"polynomial", "steps=10, end=1", 11, 1},
      {"polynomial", "steps=10, end=1, power=2", 5, 1.25},
      {"polynomial", "steps=10, end=1, cycle=true", 0, 2},
      {"polynomial", "steps=10, end=1, cycle=true", 10, 1},
      {"polynomial", "steps=10, end=1, cycle=true", 15, 1.25},
      {"piecewise", "boundaries=[10, 20], values=[3, 2.5, 1]", 10, 3},
      {"piecewise", "boundaries=[10, 20], values=[3, 2.5, 1]", 11, 2.5},
      {"piecewise", "boundaries=[10, 20], values=[3, 2.5, 1]", 21, 1},
      {"cosine", "steps=10, warmup=4", 1, 0.5},
      {"cosine", "steps=10, warmup=4", 4, 2},
      {"cosine", "steps=10, warmup=4", 9, 1},
      {"cosine", "steps=10, alpha=0.5", 1000, 1},
      {"cosine_restarts", "steps=10, t_mul=1, m_mul=0.5", 20, 0.5},
      {"cosine_restarts", "steps=10, t_mul=2, m_mul=0.5, alpha=0.5", 10, 1.5},
      {"one_cycle", "steps=10, up=0.5", 4, 2},
      {"one_cycle", "steps=10, up=0.5", 1000, 2 / 25e4},
      {"one_cycle", "steps=1", 0, 2},
      {"step", "size=3", 5, 0.2},
  };

  for (guint i = 0; i < G_N_ELEMENTS (points); i++) {
    TsOption o = schedule (points[i].name, points[i].params);
    double got = ts_schedule_at (&o, 2, points[i].t);
    if (!(fabs (got - points[i].want) < 1e-12))
      g_error ("%s(%s) after %d steps: %.15g, not %.15g", points[i].name, points[i].params,
               (int) points[i].t, got, points[i].want);
  }
}

static void
expect_schedule_error (const char *name, const char *params, const char *want)
{
  TsOption o = {0};
  g_autoptr (GError) error = NULL;
  gboolean ok = ts_option_set (&o, ts_schedules, "schedule", name, &error) &&
                ts_params_parse_all (&o.params, params, &error) && ts_schedule_check (&o, &error);

  g_assert_false (ok);
  g_assert_nonnull (strstr (error->message, want));
}

static void
test_schedule_errors (void)
{
  expect_schedule_error ("cosin", "", "unknown schedule 'cosin'\nknown: none, constant");
  expect_schedule_error ("cosine", "", "cosine needs 'steps'");
  expect_schedule_error ("cosine", "steps=0", "steps 0 is not in [1");
  expect_schedule_error ("piecewise", "boundaries=[1, 2], values=[1, 2]",
                         "2 boundaries need 3 values, not 2");
  expect_schedule_error ("piecewise", "boundaries=[2, 2], values=[1, 2, 3]",
                         "boundary 2 does not come after 2");
}

/* Biases and their like decay only when they are asked to. */
static void
test_what_decays (void)
{
  static const struct {
    const char *params;
    double want;
  } cases[] = {{"lr=0.1, weight_decay=0.5", 1}, {"lr=0.1, weight_decay=0.5, decay_all=true", 0.95}};

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Net n;
    net_init (&n, TS_F64, &TS_SHAPE (4), "sgd", cases[i].params);
    set_weights (&n, (double[]){1, 0, 0, 0});
    for (int k = 0; k < 4; k++)
      ts_tensor_set (n.data, k, 0);
    step (&n);
    g_assert_cmpfloat (weight (&n, 0), ==, cases[i].want);
    net_clear (&n);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/optim/trajectories", test_trajectories);
  g_test_add_func ("/optim/all-trajectories", test_all_trajectories);
  g_test_add_func ("/optim/by-hand", test_by_hand);
  g_test_add_func ("/optim/what-decays", test_what_decays);
  g_test_add_func ("/optim/global-clip", test_global_clip);
  g_test_add_func ("/optim/clips", test_clips);
  g_test_add_func ("/optim/accumulation", test_accumulation);
  g_test_add_func ("/optim/ema", test_ema);
  g_test_add_func ("/optim/schedule-lists", test_schedule_lists);
  g_test_add_func ("/optim/schedules", test_schedules);
  g_test_add_func ("/optim/schedule-errors", test_schedule_errors);
  return g_test_run ();
}
