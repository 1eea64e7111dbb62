/* SPDX-License-Identifier: MIT */
#include "app/bench-model.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "app/templates.h"
#include "engine/graph/session.h"
#include "engine/optim/optimizer.h"
#include "engine/train/config.h"

GResource *ts_bench_get_resource (void); /* made by the build */

#define ROWS   20000
#define TOKENS 1000

struct TsBenchModel {
  TsModel *model;
  TsGraph *graph;
  TsSession *session;
  TsProgram *program;
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
  static const char *const names[] = {"logreg", "mlp", "cnn", "lstm", "gru", "autoencoder", NULL};

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
prepare (TsBenchModel *m, const char *name, guint threads, GError **error)
{
  g_autoptr (TsSource) source = find_source (name, error);
  g_autoptr (TsDiags) diags = source ? ts_diags_new (source) : NULL;
  TsTrainConfig config;
  TsMinimize minimize;

  if (!source)
    return FALSE;
  if (!(m->model = ts_model_new (source, diags)) ||
      !ts_train_config_init (&config, m->model, diags)) {
    g_autofree char *text = ts_diags_dup_text (diags);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME, "%s", text);
    return FALSE;
  }
  if (!ts_minimize (m->model->graph, m->model->losses[0].value, config.optimizer,
                    &config.optimizer_params, &minimize, error))
    return FALSE;
  TsValue *feeds[2] = {m->model->inputs[0].value};
  TsValue *fetches[] = {m->model->losses[0].value, minimize.norm};
  m->n_feeds = 1;
  if (m->model->n_inputs > 1)
    feeds[m->n_feeds++] = m->model->inputs[1].value;
  make_data (m, feeds[0]);
  m->graph = ts_graph_ref (m->model->graph);
  m->batch = config.batch;
  m->session = ts_session_new (m->graph, 1, threads);
  ts_session_init_variables (m->session);
  m->program = ts_program_new (m->session, feeds, m->n_feeds, fetches, 2, &minimize.step, 1,
                               m->batch, TRUE, error);
  ts_minimize_clear (&minimize);
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
