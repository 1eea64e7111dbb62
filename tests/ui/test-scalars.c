/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "data/store/writer.h"
#include "tests/ui/support.h"
#include "ui/widgets/chart-board.h"
#include "ui/widgets/card-group.h"

/* The Scalars page over a workspace that another program writes. */

#define N_RUNS 3

typedef struct {
  char *folder, *path;
  TsWriter *writer;
  TsRunRef runs[N_RUNS];
  TsApplication *app;
  TsChartBoard *board;
  const char *tag;   /* what a wait is about */
  guint run, wanted; /* that many points of that run, or runs of that chart */
} Page;

static void
push (Page *page, guint run, const char *tag, gint64 step, double value)
{
  TsEvent *event = ts_event_new (TS_EVENT_SCALARS, step, 1);
  TsSink *sink = ts_writer_get_sink (page->writer, &page->runs[run]);
  GError *error = NULL;

  event->u.scalars.items[0] = (TsScalar){g_intern_string (tag), value};
  sink->push (sink, event, &error);
  g_assert_no_error (error);
}

static void
flush (Page *page)
{
  GError *error = NULL;

  ts_writer_flush (page->writer, &error);
  g_assert_no_error (error);
}

/* Those that are drawn. */
static guint
count_points (Page *page, const char *tag, guint run)
{
  TsChartCard *card = ts_chart_board_lookup (page->board, tag);
  const TsLayout *l = card ? ts_chart_view_get_layout (ts_chart_card_get_view (card)) : NULL;

  for (guint i = 0; l && i < l->n_series; i++)
    if (strcmp (l->series[i].name, page->runs[run].name) == 0)
      return (guint) l->series[i].n;
  return 0;
}

static gboolean
has_points (gpointer data)
{
  Page *page = data;

  return count_points (page, page->tag, page->run) == page->wanted;
}

static gboolean
has_runs (gpointer data)
{
  Page *page = data;
  TsChartCard *card = ts_chart_board_lookup (page->board, page->tag);
  const TsLayout *l = card ? ts_chart_view_get_layout (ts_chart_card_get_view (card)) : NULL;

  return l && l->n_series == page->wanted;
}

static void
wait_points (Page *page, const char *tag, guint run, guint n)
{
  page->tag = tag;
  page->run = run;
  page->wanted = n;
  ts_test_wait (has_points, page);
}

static void
wait_runs (Page *page, const char *tag, guint n)
{
  page->tag = tag;
  page->wanted = n;
  ts_test_wait (has_runs, page);
}

static gboolean
has_list (gpointer data)
{
  return g_list_model_get_n_items (G_LIST_MODEL (ts_desk_get_runs (ts_test_desk (data)))) == N_RUNS;
}

static void
set_up (Page *page, gconstpointer data)
{
  GError *error = NULL;

  page->folder = ts_test_new_folder ();
  page->path = g_build_filename (page->folder, "w.trainscope", NULL);
  page->writer = ts_writer_open (page->path, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < N_RUNS; i++) {
    g_autofree char *name = g_strdup_printf ("run-%u", i);
    ts_writer_begin_run (page->writer, &(TsRunInfo){.name = name}, &page->runs[i], &error);
    g_assert_no_error (error);
    for (gint64 step = 1; step <= 100; step++)
      push (page, i, "val/loss", step, (i + 1.) / (double) step);
  }
  push (page, 1, "lr", 1, .1);
  push (page, 2, "odd/tag", 1, 1);
  flush (page);
  page->app = ts_test_open (page->path);
  /* the first list of runs decides which page the window opens with */
  ts_test_wait (has_list, page->app);
  ts_test_settle ();
  ts_test_do (page->app, "win.page::scalars");
  page->board = TS_CHART_BOARD (ts_test_find (GTK_WIDGET (ts_application_get_window (page->app)),
                                              TS_TYPE_CHART_BOARD, NULL, NULL));
  g_assert_nonnull (page->board);
  wait_points (page, "val/loss", 0, 100);
}

static void
tear_down (Page *page, gconstpointer data)
{
  GError *error = NULL;

  ts_test_close (page->app);
  ts_writer_close (page->writer, &error);
  g_assert_no_error (error);
  g_free (page->path);
  g_free (page->folder);
}

static TsChartView *
view_of (Page *page, const char *tag)
{
  return ts_chart_card_get_view (ts_chart_board_lookup (page->board, tag));
}

static void
test_cards (Page *page, gconstpointer data)
{
  g_assert_cmpuint (ts_chart_board_count_all (page->board), ==, 3);
  g_assert_cmpuint (ts_chart_board_count_shown (page->board), ==, 3);
  g_assert_cmpstr (ts_chart_board_get_metric (page->board), ==, "val/loss");
  g_assert_cmpuint (ts_chart_view_get_n_runs (view_of (page, "val/loss")), ==, 3);
  g_assert_cmpuint (ts_chart_view_get_n_runs (view_of (page, "lr")), ==, 1);
  ts_chart_board_set_filter (page->board, "VAL");
  g_assert_cmpuint (ts_chart_board_count_shown (page->board), ==, 1);
  ts_chart_board_set_filter (page->board, "*d*");
  g_assert_cmpuint (ts_chart_board_count_shown (page->board), ==, 1);
  ts_chart_board_set_filter (page->board, "?");
  g_assert_cmpuint (ts_chart_board_count_shown (page->board), ==, 0);
  ts_chart_board_set_filter (page->board, "");
  g_assert_cmpuint (ts_chart_board_count_shown (page->board), ==, 3);
}

/* New points, a new tag and a new run appear by themselves. */
static void
test_live (Page *page, gconstpointer data)
{
  TsRunRef extra;
  GError *error = NULL;

  for (gint64 step = 101; step <= 250; step++)
    push (page, 1, "val/loss", step, 2. / (double) step);
  push (page, 0, "val/accuracy", 1, .5);
  flush (page);
  wait_points (page, "val/loss", 1, 250);
  wait_points (page, "val/accuracy", 0, 1);
  g_assert_cmpuint (count_points (page, "val/loss", 0), ==, 100);
  const TsLayout *l = ts_chart_view_get_layout (view_of (page, "val/loss"));
  for (guint i = 0; i < 250; i++)
    g_assert_cmpfloat (l->series[1].y[i], ==, 2. / (i + 1.));
  ts_writer_begin_run (page->writer, &(TsRunInfo){.name = "late"}, &extra, &error);
  g_assert_no_error (error);
  page->runs[2] = extra;
  push (page, 2, "val/loss", 1, 9);
  flush (page);
  wait_runs (page, "val/loss", 4);
}

static TsRunItem *
item_of (Page *page, guint run)
{
  return ts_run_list_lookup (ts_desk_get_runs (ts_test_desk (page->app)), page->runs[run].run_id);
}

/* A run keeps its colour whatever is hidden; cards without a run are hidden and counted. */
static void
test_hide (Page *page, gconstpointer data)
{
  TsRunSet *set = ts_desk_get_run_set (ts_test_desk (page->app));

  ts_run_set_show (set, page->runs[1].run_id, FALSE);
  wait_runs (page, "val/loss", 2);
  const TsLayout *l = ts_chart_view_get_layout (view_of (page, "val/loss"));
  g_assert_cmpuint (l->series[0].color, ==, 0);
  g_assert_cmpuint (l->series[1].color, ==, 2);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (ts_chart_board_lookup (page->board, "lr"))));
  g_assert_cmpuint (ts_chart_board_count_shown (page->board), ==, 2);
  g_assert_cmpuint (ts_run_set_count_shown (set), ==, 2);
  ts_run_set_show_only (set, page->runs[1].run_id);
  wait_runs (page, "val/loss", 1);
  g_assert_cmpuint (ts_run_set_count_shown (set), ==, 1);
  /* once more: all again */
  ts_run_set_show_only (set, page->runs[1].run_id);
  wait_runs (page, "val/loss", 3);
  ts_run_set_set_filter (set, "RUN-2");
  wait_runs (page, "val/loss", 1);
  g_assert_true (ts_run_set_shows (set, item_of (page, 2)));
  g_assert_false (ts_run_set_shows (set, item_of (page, 0)));
  ts_run_set_set_filter (set, "");
  wait_runs (page, "val/loss", 3);
  /* the selected one is drawn last */
  ts_run_set_select (set, page->runs[0].run_id);
  ts_test_settle ();
  wait_runs (page, "val/loss", 3);
}

static void
test_linked (Page *page, gconstpointer data)
{
  TsChartView *loss = view_of (page, "val/loss"), *lr = view_of (page, "lr");
  const TsLayout *l = ts_chart_view_get_layout (loss);
  double x, other;

  ts_chart_view_point (loss, ts_scale_to_px (&l->x_scale, 40.2), l->plot.y + 20);
  g_assert_true (ts_chart_view_get_cursor (loss, &x));
  g_assert_cmpfloat (x, ==, 40);
  g_assert_true (ts_chart_view_get_cursor (lr, &other));
  g_assert_cmpfloat (other, ==, 40);
  g_assert_false (ts_chart_view_is_pointed (lr));
  ts_chart_view_leave (loss);
  g_assert_false (ts_chart_view_get_cursor (lr, &other));
}

static gboolean
is_smooth (gpointer data)
{
  Page *page = data;
  const TsLayout *l = ts_chart_view_get_layout (view_of (page, "val/loss"));

  return (l->series[0].smooth != NULL) == (page->wanted != 0);
}

static gboolean
is_log (gpointer data)
{
  return ts_chart_view_get_layout (view_of (data, "val/loss"))->options.log_y;
}

static gboolean
is_fit (gpointer data)
{
  return ts_chart_viewport_is_fit (ts_chart_view_get_viewport (view_of (data, "val/loss")));
}

static gboolean
can_fit (gpointer data)
{
  Page *page = data;
  GActionMap *map = G_ACTION_MAP (ts_application_get_window (page->app));

  return g_action_get_enabled (g_action_map_lookup_action (map, "fit")) == (page->wanted != 0);
}

static void
test_actions (Page *page, gconstpointer data)
{
  page->wanted = 1;
  ts_test_wait (is_smooth, page);
  ts_test_do (page->app, "win.smoothing");
  page->wanted = 0;
  ts_test_wait (is_smooth, page);
  ts_test_do (page->app, "win.smoothing");
  page->wanted = 1;
  ts_test_wait (is_smooth, page);
  ts_test_do (page->app, "win.log-y");
  ts_test_wait (is_log, page);
  ts_chart_view_zoom (view_of (page, "val/loss"), 100, .5);
  g_assert_false (is_fit (page));
  ts_test_do (page->app, "win.fit");
  ts_test_wait (is_fit, page);
  /* elsewhere these keys mean nothing */
  ts_test_do (page->app, "win.page::runs");
  page->wanted = 0;
  ts_test_wait (can_fit, page);
  ts_test_do (page->app, "win.page::scalars");
  page->wanted = 1;
  ts_test_wait (can_fit, page);
}

/* A closed group is neither read nor drawn. */
static void
test_group (Page *page, gconstpointer data)
{
  TsChartCard *card = ts_chart_board_lookup (page->board, "odd/tag");
  TsCardGroup *group =
      TS_CARD_GROUP (gtk_widget_get_ancestor (GTK_WIDGET (card), TS_TYPE_CARD_GROUP));

  ts_card_group_set_expanded (group, FALSE);
  g_assert_cmpuint (ts_chart_view_get_n_runs (view_of (page, "odd/tag")), ==, 0);
  ts_card_group_set_expanded (group, TRUE);
  wait_runs (page, "odd/tag", 1);
}

/* Another workspace: nothing of the first is left, although run ids are the same. */
static void
test_other_workspace (Page *page, gconstpointer data)
{
  Page other = {.app = page->app, .board = page->board};
  GError *error = NULL;

  other.path = g_build_filename (page->folder, "other.trainscope", NULL);
  other.writer = ts_writer_open (other.path, &error);
  g_assert_no_error (error);
  ts_writer_begin_run (other.writer, &(TsRunInfo){.name = "only"}, &other.runs[0], &error);
  g_assert_no_error (error);
  g_assert_cmpint (other.runs[0].run_id, ==, page->runs[0].run_id);
  push (&other, 0, "val/loss", 1, 5);
  flush (&other);
  ts_desk_set_workspace (ts_test_desk (page->app), other.path);
  wait_points (&other, "val/loss", 0, 1);
  g_assert_cmpuint (ts_chart_board_count_all (page->board), ==, 1);
  ts_writer_close (other.writer, &error);
  g_assert_no_error (error);
  g_free (other.path);
}

int
main (int argc, char **argv)
{
  gtk_disable_setlocale ();
  gtk_test_init (&argc, &argv, NULL);
#define ADD(path, test) g_test_add (path, Page, NULL, set_up, test, tear_down)
  ADD ("/scalars/cards", test_cards);
  ADD ("/scalars/live", test_live);
  ADD ("/scalars/hide", test_hide);
  ADD ("/scalars/linked", test_linked);
  ADD ("/scalars/actions", test_actions);
  ADD ("/scalars/group", test_group);
  ADD ("/scalars/other-workspace", test_other_workspace);
  return g_test_run ();
}
