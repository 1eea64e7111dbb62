/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/bench-model.h"
#include "app/bench-peer.h"
#include "app/cli.h"
#include "data/store/reader.h"
#include "engine/tensor/blas.h"
#include "engine/tensor/kernel.h"
#include "engine/tensor/tensor.h"

extern const TsCommand ts_command_bench;

/* Figures are ratios against a peer, measured in turns in one run: medians of the rounds. */

typedef struct {
  const char *name, *unit;
  double ours, peer, ratio; /* peer, ratio: NaN where there is none */
  guint rounds;
} Figure;

static int
by_value (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static double
median (double *values, guint n)
{
  if (n == 0)
    return NAN;
  qsort (values, n, sizeof (double), by_value);
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static double
now (void)
{
  return (double) g_get_monotonic_time () / G_USEC_PER_SEC;
}

/* ---- training throughput */

static void
add_figure (GArray *figures, Figure figure)
{
  g_array_append_val (figures, figure);
}

static char *
figure_name (const char *format, const char *model)
{
  g_autofree char *text = g_strdup_printf (format, model);

  return (char *) g_intern_string (text);
}

/* With one thread samples per second of CPU time, which other programs disturb least; with more, of
 * wall-clock time. */
static gboolean
bench_model (const char *name, guint threads, double seconds, guint rounds, gboolean profile,
             GArray *figures, GError **error)
{
  g_autofree double *mine = g_new0 (double, rounds), *theirs = g_new0 (double, rounds);
  g_autofree double *ratios = g_new0 (double, rounds), *shares = g_new0 (double, rounds);
  guint n = 0, n_peer = 0;
  gsize planned, sum;
  TsBenchModel *model = ts_bench_model_new (name, threads, error);

  if (!model)
    return FALSE;
  TsPeer *peer = ts_peer_new (name, threads);
  ts_bench_model_run (model, 0.5); /* wide vectors start at half speed */
  if (peer)
    ts_peer_run (peer, 0.5);
  for (guint i = 0; i < rounds; i++) {
    TsBenchRate rate = ts_bench_model_run (model, seconds);
    double peak = ts_bench_peak_flops () * threads;
    mine[n] = threads == 1 ? rate.cpu : rate.wall;
    shares[n] = 100 * mine[n] * ts_bench_model_get_flops (model) / peak;
    n++;
    TsPeerRate other = peer ? ts_peer_run (peer, seconds) : (TsPeerRate){NAN, NAN, NAN};
    if (isnan (other.wall))
      continue;
    theirs[n_peer] = threads == 1 ? other.cpu : other.wall;
    ratios[n_peer] = mine[n - 1] / theirs[n_peer];
    n_peer++;
  }
  const char *unit = threads == 1 ? "samples/CPU-s" : "samples/s";
  add_figure (figures, (Figure){g_intern_string (name), unit, median (mine, n),
                                median (theirs, n_peer), median (ratios, n_peer), n});
  add_figure (figures, (Figure){figure_name ("%s, share of FMA peak", name), "%",
                                median (shares, n), NAN, NAN, n});
  if (profile) {
    g_autofree char *table = ts_bench_model_dup_profile (model, seconds);
    g_printerr ("%s", table);
  }
  ts_bench_model_get_memory (model, &planned, &sum);
  add_figure (figures,
              (Figure){figure_name ("%s, memory of a step", name), "MB", (double) planned / 1e6,
                       (double) sum / 1e6, (double) planned / (double) sum, 1});
  g_clear_pointer (&peer, ts_peer_free);
  ts_bench_model_free (model);
  return TRUE;
}

/* ---- our product against OpenBLAS, one thread, the shapes of the MLP */

static double
gemm_rate (gboolean blas, gint64 m, gint64 n, gint64 k, TsTensor *a, TsTensor *b, TsTensor *c)
{
  double start = now ();
  guint runs = 0;
  TsGemm g = {.m = m,
              .n = n,
              .k = k,
              .segments = 1,
              .a = a->data,
              .a_row = k,
              .a_col = 1,
              .b = b->data,
              .b_row = n,
              .c = c->data,
              .c_row = n};

  do {
    for (guint i = 0; i < 8; i++, runs++)
      if (blas)
        ts_blas_gemm (TS_F32, m, n, k, a->data, k, b->data, n, c->data, n);
      else
        ts_kernels_get ()->gemm[TS_F32](&g);
  } while (now () - start < 0.05);
  return 2e-9 * (double) (m * n * k) * runs / (now () - start);
}

static void
bench_gemm (guint rounds, Figure *f)
{
  gint64 m = 128, n = 512, k = 784;
  g_autoptr (TsTensor) a = ts_tensor_new (TS_F32, &TS_SHAPE (m, k)),
                       b = ts_tensor_new (TS_F32, &TS_SHAPE (k, n));
  g_autoptr (TsTensor) c = ts_tensor_new (TS_F32, &TS_SHAPE (m, n));
  g_autofree double *mine = g_new0 (double, rounds), *theirs = g_new0 (double, rounds);
  g_autofree double *ratios = g_new0 (double, rounds);

  gemm_rate (FALSE, m, n, k, a, b, c);
  gemm_rate (TRUE, m, n, k, a, b, c);
  for (guint i = 0; i < rounds; i++) {
    mine[i] = gemm_rate (FALSE, m, n, k, a, b, c);
    theirs[i] = gemm_rate (TRUE, m, n, k, a, b, c);
    ratios[i] = mine[i] / theirs[i];
  }
  *f = (Figure){"gemm 128x512x784, OpenBLAS", "GFLOP/s",
                median (mine, rounds),        median (theirs, rounds),
                median (ratios, rounds),      rounds};
}

/* ---- whole processes */

typedef struct {
  double seconds, megabytes;
} Process;

static gboolean
run_self (char **args, Process *p)
{
  double start = now ();
  struct rusage usage;
  int status;
  pid_t pid = fork ();

  if (pid == 0) {
    execv ("/proc/self/exe", args);
    _exit (127);
  }
  if (pid < 0 || wait4 (pid, &status, 0, &usage) != pid)
    return FALSE;
  *p = (Process){now () - start, (double) usage.ru_maxrss / 1024};
  return WIFEXITED (status) && WEXITSTATUS (status) == 0;
}

static void
remove_workspace (const char *folder)
{
  const char *args[] = {"rm", "-rf", "--", folder, NULL};

  g_spawn_sync (NULL, (char **) args, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                NULL);
}

/* When the first step of the workspace's only run was recorded: µs since the epoch, or 0. */
static gint64
first_step_us (const char *path)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));
  TsReader *reader = ts_reader_open (path, NULL);
  g_autoptr (GPtrArray) runs = reader ? ts_reader_list_runs (reader, FALSE, NULL) : NULL;
  gint64 when = 0;

  if (runs && runs->len) {
    const TsRun *run = runs->pdata[0];
    TsTagInfo *tag = ts_reader_find_tag (reader, run->run_id, "train/loss", TS_SERIES_SCALAR, NULL);
    if (tag && ts_reader_read_points (reader, tag->series_id, 0, 1, points, NULL) && points->len)
      when = g_array_index (points, TsStoredPoint, 0).wall_us;
    g_clear_pointer (&tag, ts_tag_info_free);
  }
  g_clear_pointer (&reader, ts_reader_close);
  return when;
}

/* Starting: from fork to the end of the first step as the run records it, data made up; and until the
 * process has ended with the run kept on disk.  Memory: the peak of an epoch of the MLP on rows as many
 * as Fashion-MNIST has, beside the peer's. */
static void
bench_processes (guint rounds, GArray *figures)
{
  g_autofree char *folder = g_dir_make_tmp ("trainscope-bench-XXXXXX", NULL);
  g_autofree char *path = folder ? g_build_filename (folder, "w.trainscope", NULL) : NULL;
  char *args[] = {"trainscope",
                  "train",
                  "mlp",
                  "--data",
                  "synthetic",
                  "--set",
                  "data.features=784",
                  "--set",
                  "data.classes=10",
                  "--set",
                  "data.dtype=u8",
                  "--quiet",
                  "--workspace",
                  path,
                  "--set",
                  NULL,
                  "--steps",
                  NULL,
                  NULL};
  g_autofree double *first = g_new0 (double, rounds), *whole = g_new0 (double, rounds);
  Process p;
  guint n = 0;

  if (!path)
    return;
  args[15] = "data.rows=1000";
  args[17] = "1";
  for (guint i = 0; i < rounds; i++) {
    gint64 start = g_get_real_time ();
    g_autofree char *pattern = g_strconcat (folder, "/w.trainscope", NULL);
    g_unlink (pattern);
    if (!run_self (args, &p))
      continue;
    whole[n] = p.seconds * 1000;
    first[n++] = (double) (first_step_us (path) - start) / 1000;
  }
  add_figure (figures,
              (Figure){"start to first step of mlp", "ms", median (first, n), NAN, NAN, n});
  add_figure (figures, (Figure){"start, one step of mlp, run kept, end", "ms", median (whole, n),
                                NAN, NAN, n});
  args[15] = "data.rows=70000";
  args[17] = "400";
  TsPeer *peer = ts_peer_new ("mlp-70000", 1);
  double theirs = peer ? ts_peer_run (peer, 0.5).megabytes : NAN;
  g_clear_pointer (&peer, ts_peer_free);
  if (run_self (args, &p))
    add_figure (figures, (Figure){"peak memory, mlp on 70000 rows", "MB", p.megabytes, theirs,
                                  p.megabytes / theirs, 1});
  remove_workspace (folder);
}

/* ---- output */

static void
print_json (GArray *figures, guint threads)
{
  g_autoptr (JsonBuilder) b = json_builder_new ();

  json_builder_begin_object (b);
  json_builder_set_member_name (b, "machine");
  json_builder_begin_object (b);
  ts_cli_json_int (b, "cores", g_get_num_processors ());
  ts_cli_json_int (b, "threads", threads);
  ts_cli_json_text (b, "isa", ts_kernels_get ()->isa);
  ts_cli_json_text (b, "blas_core", ts_blas_core ());
  ts_cli_json_text (b, "blas_version", ts_blas_version ());
  json_builder_end_object (b);
  json_builder_set_member_name (b, "results");
  json_builder_begin_array (b);
  for (guint i = 0; i < figures->len; i++) {
    const Figure *f = &g_array_index (figures, Figure, i);
    json_builder_begin_object (b);
    ts_cli_json_text (b, "name", f->name);
    ts_cli_json_text (b, "unit", f->unit);
    ts_cli_json_number (b, "ours", f->ours);
    if (isnan (f->peer)) {
      ts_cli_json_text (b, "peer", NULL);
      ts_cli_json_text (b, "ratio", NULL);
    } else {
      ts_cli_json_number (b, "peer", f->peer);
      ts_cli_json_number (b, "ratio", f->ratio);
    }
    ts_cli_json_int (b, "rounds", f->rounds);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
  json_builder_end_object (b);
  ts_cli_json_print (b, TRUE);
}

static void
print_table (GArray *figures, guint threads)
{
  g_print ("%s, %u thread%s, %s\n%-40s %12s %12s %8s\n", ts_kernels_get ()->isa, threads,
           threads == 1 ? "" : "s", ts_blas_core (), "", "ours", "peer", "ratio");
  for (guint i = 0; i < figures->len; i++) {
    const Figure *f = &g_array_index (figures, Figure, i);
    g_print ("%-40s %12.1f", f->name, f->ours);
    if (isnan (f->peer))
      g_print (" %12s %8s", "-", "-");
    else
      g_print (" %12.1f %8.2f", f->peer, f->ratio);
    g_print ("  %s, %u rounds\n", f->unit, f->rounds);
  }
}

/* OpenBLAS picks its kernels by processor model and falls back to old ones for models it does not
 * know; both it and PyTorch get the best that this processor runs, so that the peer is at its best.
 * It reads the variable when it is loaded: the program starts again. */
static void
wake_blas (char **argv)
{
  const char *core = g_str_has_suffix (ts_kernels_list ()[0]->isa, "v4")   ? "SkylakeX"
                     : g_str_has_suffix (ts_kernels_list ()[0]->isa, "v3") ? "Haswell"
                                                                           : NULL;
  gboolean old = strcmp (ts_blas_core (), "Prescott") == 0 ||
                 strcmp (ts_blas_core (), "Core2") == 0 || strcmp (ts_blas_core (), "Generic") == 0;

  if (!core || !old || g_getenv ("OPENBLAS_CORETYPE"))
    return;
  g_setenv ("OPENBLAS_CORETYPE", core, TRUE);
  g_autoptr (GPtrArray) args = g_ptr_array_new ();
  g_ptr_array_add (args, "trainscope");
  for (guint i = 0; argv[i]; i++)
    g_ptr_array_add (args, argv[i]);
  g_ptr_array_add (args, NULL);
  execv ("/proc/self/exe", (char **) args->pdata);
}

static int
run_bench (int argc, char **argv)
{
  const char *const *all = ts_bench_model_names ();
  int threads = 1, rounds = 5;
  double seconds = 2;
  gboolean json = FALSE, profile = FALSE;
  g_auto (GStrv) operands = NULL;
  const GOptionEntry entries[] = {
      {"threads", 0, 0, G_OPTION_ARG_INT, &threads, "for both sides [1]", "N"},
      {"seconds", 0, 0, G_OPTION_ARG_DOUBLE, &seconds, "per round and side [2]", "S"},
      {"rounds", 0, 0, G_OPTION_ARG_INT, &rounds, "in turns; medians are shown [5]", "N"},
      {"profile", 0, 0, G_OPTION_ARG_NONE, &profile, "say which ops took how long", NULL},
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "as JSON", NULL},
      {NULL},
  };
  g_autoptr (GArray) figures = g_array_new (FALSE, TRUE, sizeof (Figure));
  g_autoptr (GError) error = NULL;
  int status;

  wake_blas (argv);
  if (!ts_cli_parse (&ts_command_bench, argc, argv, entries, 0, 1, &operands, &status))
    return status;
  if (threads < 1 || threads > 256 || rounds < 1 || rounds > 1000 ||
      !(seconds > 0 && seconds < 3600))
    return ts_cli_usage_error (&ts_command_bench,
                               "threads, rounds and seconds must be positive and reasonable");
  for (guint i = 0; all[i]; i++) {
    if (operands[0] && strcmp (operands[0], all[i]) != 0)
      continue;
    if (!bench_model (all[i], (guint) threads, seconds, (guint) rounds, profile, figures, &error))
      return ts_cli_fail (error);
  }
  if (figures->len == 0) {
    g_autofree char *names = g_strjoinv (", ", (char **) all);
    return ts_cli_usage_error (&ts_command_bench, "there is a peer for %s, not for '%s'", names,
                               operands[0]);
  }
  if (!operands[0]) {
    Figure f;
    bench_gemm ((guint) rounds, &f);
    g_array_append_val (figures, f);
    bench_processes ((guint) rounds, figures);
  }
  if (json)
    print_json (figures, (guint) threads);
  else
    print_table (figures, (guint) threads);
  return TS_EXIT_DONE;
}

const TsCommand ts_command_bench = {
    .name = "bench",
    .usage = "[MODEL] [--threads N] [--seconds S] [--rounds N] [--profile] [--json]",
    .summary = "training speed against PyTorch, memory and start-up time",
    .run = run_bench,
};
