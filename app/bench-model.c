/* SPDX-License-Identifier: MIT */
#include "app/bench-model.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "app/templates.h"
#include "engine/graph/session.h"
#include "engine/optim/contrastive.h"
#include "engine/train/config.h"

GResource *ts_bench_get_resource (void); /* made by the build */

#define ROWS   20000
#define TOKENS 1000

/* What a step runs and reads. */
typedef struct {
  TsValue *feeds[2], *fetches[2];
  TsMinimize minimize;
} Step;

struct TsBenchModel {
  TsModel *model;
  TsGraph *graph;
  TsSession *session;
  TsProgram *program;
  Step step_of;
  guint threads;
  TsDtype dtype;
  void *features;
  gint32 *labels, *order;
  gint64 batch, rows, at;
  guint n_feeds;
  guint64 step;
};

const char *const *
ts_bench_model_names (void)
{
  static const char *const names[] = {"logreg",   "mlp",         "cnn", "lstm",
                                      "gru",      "autoencoder", "rbm", "resnet8",
                                      "resnet20", "transformer", NULL};

  return names;
}

static TsSource *
find_source (const char *name, GError **error)
{
  g_autofree char *path = g_strdup_printf ("/trainscope/bench/models/%s.model", name);
  g_autofree char *file = g_strdup_printf ("%s.model", name);
  g_autoptr (GBytes) bytes =
      g_resource_lookup_data (ts_bench_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  gsize n;

  if (!bytes)
    return ts_template_find_model (name, error);
  const char *text = g_bytes_get_data (bytes, &n);
  return ts_source_new (file, text, n, error);
}

/* Uniform numbers of the input's type; bytes where one colour is meant, as image files have. */
static void
make_data (TsBenchModel *m, const TsValue *x)
{
  gsize n = (gsize) ts_shape_row_elems (&x->shape);
  gboolean colour = x->shape.rank == 4 && x->shape.dim[3] > 1;
  TsRng rng = {1, ts_rng_stream ("bench", 0)};

  m->rows = colour ? 4000 : ROWS;
  m->dtype = x->dtype == TS_I32 ? TS_I32 : colour ? TS_F32 : TS_U8;
  gsize total = n * (gsize) m->rows;
  m->features = g_malloc (total * ts_dtype_size (m->dtype));
  for (gsize i = 0; i < total; i++)
    ts_dtype_set (m->dtype, m->features, (gint64) i,
                  (double) ts_rng_uniform (rng, i) * (m->dtype == TS_I32  ? TOKENS
                                                      : m->dtype == TS_U8 ? 256
                                                                          : 1));
  m->labels = g_new (gint32, m->rows);
  m->order = g_new (gint32, m->rows);
  for (gint64 i = 0; i < m->rows; i++) {
    m->labels[i] = (gint32) (i * 7 % 10);
    m->order[i] = (gint32) (i * 7919 % m->rows); /* 7919 is prime: a permutation */
  }
}

static gboolean
build_model (TsBenchModel *m, const char *name, Step *step, GError **error)
{
  g_autoptr (TsSource) source = find_source (name, error);
  g_autoptr (TsDiags) diags = source ? ts_diags_new (source) : NULL;
  TsTrainConfig config;

  if (!source)
    return FALSE;
  if (!(m->model = ts_model_new (source, diags)) ||
      !ts_train_config_init (&config, m->model, diags)) {
    g_autofree char *text = ts_diags_dup_text (diags);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME, "%s", text);
    return FALSE;
  }
  m->graph = ts_graph_ref (m->model->graph);
  m->batch = config.batch;
  m->n_feeds = MIN (m->model->n_inputs, 2);
  for (guint i = 0; i < m->n_feeds; i++)
    step->feeds[i] = m->model->inputs[i].value;
  step->fetches[0] = m->model->losses[0].value;
  return ts_minimize (m->graph, step->fetches[0], config.optimizer, &config.optimizer_params,
                      &step->minimize, error);
}

/* The one net of the list that is no gradient descent: RBM 784-500 by contrastive divergence. */
static gboolean
build_rbm (TsBenchModel *m, Step *step, GError **error)
{
  const TsOptimizerClass *sgd = ts_optimizer_lookup ("sgd");
  TsContrastive cd;
  TsParams params;
  TsRbm rbm;

  m->graph = ts_graph_new ();
  m->batch = 100;
  m->n_feeds = 1;
  step->feeds[0] = ts_graph_placeholder (m->graph, "x", TS_F32, &TS_SHAPE (TS_ANY, 784), error);
  rbm.kernel = ts_graph_variable (m->graph, "kernel", TS_F32, &TS_SHAPE (784, 500), "normal", 0.01,
                                  TRUE, error);
  rbm.visible =
      ts_graph_variable (m->graph, "visible", TS_F32, &TS_SHAPE (784), "zeros", 0, TRUE, error);
  rbm.hidden =
      ts_graph_variable (m->graph, "hidden", TS_F32, &TS_SHAPE (500), "zeros", 0, TRUE, error);
  ts_params_init (&params, sgd->params);
  ts_params_set_number (&params, "lr", 0.05, NULL);
  if (!ts_contrastive_divergence (m->graph, &rbm, step->feeds[0], 1, sgd, &params, &cd, error))
    return FALSE;
  step->minimize = cd.minimize;
  step->fetches[0] = cd.error;
  return TRUE;
}

static TsProgram *
make_program (TsBenchModel *m, GError **error)
{
  Step *step = &m->step_of;

  return ts_program_new (m->session, step->feeds, m->n_feeds, step->fetches, 2,
                         &step->minimize.step, 1, m->batch, TRUE, error);
}

static gboolean
prepare (TsBenchModel *m, const char *name, guint threads, GError **error)
{
  Step *step = &m->step_of;

  if (!(strcmp (name, "rbm") == 0 ? build_rbm (m, step, error)
                                  : build_model (m, name, step, error)))
    return FALSE;
  step->fetches[1] = step->minimize.norm;
  make_data (m, step->feeds[0]);
  m->threads = threads;
  m->session = ts_session_new (m->graph, 1, threads);
  ts_session_init_variables (m->session);
  m->program = make_program (m, error);
  return m->program != NULL;
}

TsBenchModel *
ts_bench_model_new (const char *name, guint threads, GError **error)
{
  TsBenchModel *m = g_new0 (TsBenchModel, 1);

  if (prepare (m, name, threads, error))
    return m;
  ts_bench_model_free (m);
  return NULL;
}

void
ts_bench_model_free (TsBenchModel *m)
{
  g_clear_pointer (&m->program, ts_program_free);
  g_clear_pointer (&m->session, ts_session_free);
  ts_minimize_clear (&m->step_of.minimize);
  g_clear_pointer (&m->graph, ts_graph_unref);
  g_clear_pointer (&m->model, ts_model_unref);
  g_free (m->features);
  g_free (m->labels);
  g_free (m->order);
  g_free (m);
}

static double
clock_seconds (clockid_t clock)
{
  struct timespec t;

  clock_gettime (clock, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

TsBenchRate
ts_bench_model_run (TsBenchModel *m, double seconds)
{
  double wall = clock_seconds (CLOCK_MONOTONIC), cpu = clock_seconds (CLOCK_PROCESS_CPUTIME_ID);
  guint64 steps = 0;

  while (clock_seconds (CLOCK_MONOTONIC) - wall < seconds) {
    if (m->at + m->batch > m->rows)
      m->at = 0;
    TsFeedSource sources[] = {
        {m->dtype, m->features, m->order + m->at, m->dtype == TS_U8 ? 1.0 / 255 : 1},
        {TS_I32, m->labels, m->order + m->at, 1}};
    m->at += m->batch;
    ts_session_set_step (m->session, ++m->step);
    if (!ts_program_run (m->program, sources, NULL))
      return (TsBenchRate){NAN, NAN};
    steps++;
  }
  double samples = (double) steps * (double) m->batch;
  return (TsBenchRate){samples / (clock_seconds (CLOCK_MONOTONIC) - wall),
                       samples / (clock_seconds (CLOCK_PROCESS_CPUTIME_ID) - cpu)};
}

double
ts_bench_model_get_flops (TsBenchModel *m)
{
  TsPlanStats stats;

  ts_plan_get_stats (ts_program_get_plan (m->program), &stats);
  return stats.flops / (double) m->batch;
}

void
ts_bench_model_get_memory (TsBenchModel *m, gsize *planned, gsize *sum)
{
  TsPlanStats stats;

  ts_plan_get_stats (ts_program_get_plan (m->program), &stats);
  *planned = stats.arena_bytes + stats.scratch_bytes;
  *sum = stats.sum_bytes;
}

/* One op, or one node. */
static void
append_line (GString *table, const char *name, const TsProfileEntry *e, double total, guint64 steps)
{
  g_string_append_printf (table, "%-36s %8.1f %6.1f %9.2f %9.2f\n", name,
                          1e6 * e->seconds / (double) steps, 100 * e->seconds / total,
                          1e-9 * e->flops / e->seconds, 1e-9 * e->bytes / e->seconds);
}

static int
by_seconds (gconstpointer a, gconstpointer b)
{
  double x = ((const TsProfileEntry *) a)->seconds, y = ((const TsProfileEntry *) b)->seconds;

  return x < y ? 1 : x > y ? -1 : 0;
}

/* The entries of nodes, summed over nodes of one op. */
static GArray *
group_by_op (const GArray *entries)
{
  GArray *ops = g_array_new (FALSE, FALSE, sizeof (TsProfileEntry));

  for (guint i = 0; i < entries->len; i++) {
    const TsProfileEntry *e = &g_array_index (entries, TsProfileEntry, i);
    TsProfileEntry *sum = NULL;
    for (guint k = 0; k < ops->len && !sum; k++)
      if (g_array_index (ops, TsProfileEntry, k).node->op == e->node->op)
        sum = &g_array_index (ops, TsProfileEntry, k);
    if (!sum) {
      g_array_append_val (ops, *e);
      continue;
    }
    sum->calls += e->calls;
    sum->seconds += e->seconds;
    sum->flops += e->flops;
    sum->bytes += e->bytes;
  }
  g_array_sort (ops, by_seconds);
  return ops;
}

char *
ts_bench_model_dup_profile (TsBenchModel *m, double seconds)
{
  g_autoptr (TsProfile) profile = ts_profile_new (m->threads);
  GString *table = g_string_new (NULL);
  TsProgram *plain = m->program;
  double total = 0;

  ts_session_set_profile (m->session, profile);
  m->program = make_program (m, NULL);
  ts_bench_model_run (m, seconds / 4);
  ts_profile_clear (profile);
  guint64 before = m->step;
  ts_bench_model_run (m, seconds);
  guint64 steps = MAX (m->step - before, 1);
  g_autoptr (GArray) nodes = ts_profile_dup_entries (profile), ops = group_by_op (nodes);
  for (guint i = 0; i < ops->len; i++)
    total += g_array_index (ops, TsProfileEntry, i).seconds;
  g_string_append_printf (table, "%-36s %8s %6s %9s %9s\n", "op", "us/step", "%", "GFLOP/s",
                          "GB/s");
  for (guint i = 0; i < ops->len; i++) {
    const TsProfileEntry *e = &g_array_index (ops, TsProfileEntry, i);
    append_line (table, e->node->op->name, e, total, steps);
  }
  g_string_append_printf (table, "%-36s\n", "the longest nodes");
  for (guint i = 0; i < MIN (nodes->len, 12); i++) {
    const TsProfileEntry *e = &g_array_index (nodes, TsProfileEntry, i);
    append_line (table, e->node->name, e, total, steps);
  }
  ts_program_free (m->program);
  m->program = plain;
  ts_session_set_profile (m->session, NULL);
  return g_string_free (table, FALSE);
}

double
ts_bench_peak_flops (void)
{
  double start = clock_seconds (CLOCK_THREAD_CPUTIME_ID), now, flops = 0;

  do {
    flops += ts_kernels_get ()->peak[TS_F32](1000);
    now = clock_seconds (CLOCK_THREAD_CPUTIME_ID);
  } while (now - start < 0.05);
  return flops / (now - start);
}
