/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "tests/ui/support.h"

/* usage: bench-latency [ROUNDS]
 *
 * How late the main loop is, in ms: a timer asks for its turn every 2 ms, and what it waits beyond
 * that counts.  Rounds of 2 s, with nothing to do and while a template trains, in turns; the medians
 * over the rounds are printed. */

#define PERIOD_US 2000
#define ROUND_MS  2000
#define N_PAGES   (G_N_ELEMENTS (pages))

static const char *const pages[] = {"train", "scalars", "histograms", "graph"};

typedef struct {
  GArray *late; /* of double, ms */
  GSource *turn;
  gint64 due;
  gboolean over;
} Watch;

static gboolean
on_turn (gpointer data)
{
  Watch *w = data;
  gint64 now = g_get_monotonic_time ();
  double late = (double) MAX (now - w->due, 0) / 1000;

  g_array_append_val (w->late, late);
  w->due = now + PERIOD_US;
  g_source_set_ready_time (w->turn, w->due);
  return G_SOURCE_CONTINUE;
}

static gboolean
run_turn (GSource *source, GSourceFunc callback, gpointer data)
{
  g_source_set_ready_time (source, -1);
  return callback (data);
}

static GSourceFuncs turns = {.dispatch = run_turn};

static gboolean
on_round_over (gpointer data)
{
  ((Watch *) data)->over = TRUE;
  return G_SOURCE_REMOVE;
}

static int
by_value (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
quantile (GArray *values, double q)
{
  qsort (values->data, values->len, sizeof (double), by_value);
  return g_array_index (values, double, (guint) (q * (values->len - 1) + 0.5));
}

typedef struct {
  GArray *median, *p95, *worst; /* one of each per round */
} Figures;

static void
watch (Figures *figures)
{
  Watch w = {.late = g_array_new (FALSE, FALSE, sizeof (double))};

  ts_test_settle ();
  w.turn = g_source_new (&turns, sizeof (GSource));
  g_source_set_callback (w.turn, on_turn, &w, NULL);
  w.due = g_get_monotonic_time () + PERIOD_US;
  g_source_set_ready_time (w.turn, w.due);
  g_source_attach (w.turn, NULL);
  g_timeout_add (ROUND_MS, on_round_over, &w);
  while (!w.over)
    g_main_context_iteration (NULL, TRUE);
  g_source_destroy (w.turn);
  g_source_unref (w.turn);
  double median = quantile (w.late, 0.5), p95 = quantile (w.late, 0.95),
         worst = quantile (w.late, 1);
  g_array_append_val (figures->median, median);
  g_array_append_val (figures->p95, p95);
  g_array_append_val (figures->worst, worst);
  g_array_unref (w.late);
}

static void
print_line (const char *name, const Figures *f)
{
  g_print ("%-12s %8.2f %8.2f %8.2f\n", name, quantile (f->median, 0.5), quantile (f->p95, 0.5),
           quantile (f->worst, 0.5));
}

static gboolean
has_templates (gpointer data)
{
  return g_list_model_get_n_items (G_LIST_MODEL (ts_desk_get_templates (ts_test_desk (data)))) > 0;
}

static gboolean
trains (gpointer data)
{
  const TsFigures *f = ts_test_figures (data);
  return f->active && f->step > 10;
}

static gboolean
is_over (gpointer data)
{
  const TsFigures *f = ts_test_figures (data);
  return !f->active && !f->preparing;
}

static void
show_page (TsApplication *app, const char *name)
{
  g_autofree char *action = g_strconcat ("win.page::", name, NULL);
  ts_test_do (app, action);
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 5;
  const char *set = "cnn";
  Figures figures[1 + N_PAGES];

  gtk_disable_setlocale ();
  if (!gtk_init_check ())
    return 77;
  g_autofree char *folder = ts_test_new_folder ();
  g_autofree char *path = g_build_filename (folder, "runs.trainscope", NULL);
  TsApplication *app = ts_test_open (path);
  ts_test_wait (has_templates, app);
  for (guint i = 0; i <= N_PAGES; i++)
    for (guint k = 0; k < 3; k++)
      (&figures[i].median)[k] = g_array_new (FALSE, FALSE, sizeof (double));
  for (int r = 0; r < rounds; r++) {
    show_page (app, "train");
    watch (&figures[0]);
    g_autofree char *start = g_strconcat ("win.train-template::", set, NULL);
    ts_test_do (app, start);
    ts_test_wait (trains, app);
    for (guint i = 0; i < N_PAGES; i++) {
      show_page (app, pages[i]);
      watch (&figures[1 + i]);
    }
    ts_test_do (app, "win.stop");
    ts_test_wait (is_over, app);
  }
  g_print ("main loop, ms late (medians of %d rounds; %s trains but in the first line)\n", rounds,
           set);
  g_print ("%-12s %8s %8s %8s\n", "", "median", "p95", "worst");
  print_line ("idle", &figures[0]);
  for (guint i = 0; i < N_PAGES; i++)
    print_line (pages[i], &figures[1 + i]);
  ts_test_close (app);
  return 0;
}
