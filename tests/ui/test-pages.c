/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "data/store/reader.h"
#include "tests/ui/support.h"
#include "ui/widgets/graph-view.h"
#include "ui/widgets/ridge-view.h"

/* The pages that show what a run keeps: its graph, its histograms. */

typedef struct {
  TsApplication *app;
  const char *page;
  GType type;
} Job;

static gboolean
has_templates (gpointer data)
{
  return g_list_model_get_n_items (
             G_LIST_MODEL (ts_desk_get_templates (ts_test_desk (((Job *) data)->app)))) > 0;
}

static gboolean
is_over (gpointer data)
{
  const TsFigures *f = ts_test_figures (((Job *) data)->app);
  return f->run_id && !f->active && !f->preparing;
}

static GtkWidget *
page (const Job *job)
{
  return ts_window_get_page_widget (ts_application_get_window (job->app), job->page);
}

/* The page's first widget of the type is there and on screen. */
static gboolean
is_filled (gpointer data)
{
  Job *job = data;
  GtkWidget *widget = ts_test_find (page (job), job->type, NULL, NULL);

  return widget && gtk_widget_get_mapped (widget) && gtk_widget_get_width (widget) > 0;
}

static Job
open_trained (const char *path)
{
  Job job = {.app = ts_test_open (path)};

  ts_test_wait (has_templates, &job);
  ts_test_do (job.app, "win.train-template::iris");
  ts_test_wait (is_over, &job);
  return job;
}

static void
go (Job *job, const char *name, GType type)
{
  g_autofree char *action = g_strconcat ("win.page::", name, NULL);

  job->page = name;
  job->type = type;
  ts_test_do (job->app, action);
  ts_test_wait (is_filled, job);
}

static gboolean
says (GtkWidget *widget, gpointer text)
{
  const char *label = GTK_IS_BUTTON (widget)  ? gtk_button_get_label (GTK_BUTTON (widget))
                      : GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget))
                                              : NULL;
  return label && strstr (label, text);
}

static GtkWidget *
find (const Job *job, GType type, const char *text)
{
  GtkWidget *found = ts_test_find (page (job), type, says, (gpointer) text);

  if (!found)
    g_error ("no %s on the page says '%s'", g_type_name (type), text);
  return found;
}

static gboolean
has_model (gpointer data)
{
  const TsGraphModel *m = ts_graph_view_get_model (data);
  return m && m->nodes->len > 1;
}

static gboolean
has_backward (gpointer data)
{
  const TsGraphModel *m = ts_graph_view_get_model (data);
  for (guint i = 0; m && i < m->nodes->len; i++)
    if (g_str_has_prefix (ts_graph_model_node (m, i)->name, "gradients/"))
      return TRUE;
  return FALSE;
}

static int
find_node (TsGraphView *view, const char *op)
{
  const TsGraphModel *m = ts_graph_view_get_model (view);
  for (guint i = 0; i < m->nodes->len; i++)
    if (strcmp (ts_graph_model_node (m, i)->op, op) == 0)
      return (int) i;
  g_error ("no node with op %s", op);
}

static void
test_graph (gconstpointer path)
{
  Job job = open_trained (path);
  graphene_rect_t area;
  int node, scope;

  go (&job, "graph", TS_TYPE_GRAPH_VIEW);
  TsGraphView *view = TS_GRAPH_VIEW (ts_test_find (page (&job), TS_TYPE_GRAPH_VIEW, NULL, NULL));
  ts_test_wait (has_model, view);
  find (&job, GTK_TYPE_LABEL, "iris-1");

  /* every box holds something, and the parameters are those of the layers */
  const TsGraphModel *m = ts_graph_view_get_model (view);
  guint64 sum = 0;
  for (guint i = 0; i < m->nodes->len; i++)
    sum += ts_graph_model_node (m, i)->n_parameters;
  g_assert_cmpuint (sum, ==, ts_graph_model_scope (m, 0)->n_parameters);
  g_assert_cmpuint (sum, >, 0);
  for (guint i = 1; i < m->scopes->len; i++) {
    gboolean used = FALSE;
    for (guint k = 0; k < m->nodes->len; k++)
      used |= ts_graph_model_node (m, k)->scope == (int) i;
    g_assert_true (used);
  }

  /* all open: the input can be found where it is drawn, and chosen */
  ts_graph_view_open_all (view, TRUE);
  ts_test_settle ();
  int loss = find_node (view, "softmax_xent");
  g_assert_true (ts_graph_view_get_node_area (view, loss, &area));
  ts_graph_view_pick (view, area.origin.x + area.size.width / 2,
                      area.origin.y + area.size.height / 2, &node, &scope);
  g_assert_cmpint (node, ==, loss);
  ts_graph_view_select (view, loss, -1);
  ts_test_settle ();
  find (&job, GTK_TYPE_LABEL, ts_graph_model_node (m, loss)->label);

  /* the backward pass comes and goes */
  g_assert_false (has_backward (view));
  GtkWidget *backward = find (&job, GTK_TYPE_TOGGLE_BUTTON, "Backward");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (backward), TRUE);
  ts_test_wait (has_backward, view);
  g_assert_cmpuint (ts_graph_model_scope (ts_graph_view_get_model (view), 0)->n_parameters, ==, sum);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (backward), FALSE);
  ts_test_wait (has_model, view);
  ts_test_settle ();
  g_assert_false (has_backward (view));
  ts_test_close (job.app);
}

/* How many cards are on the page, and whether each has data. */
static guint
count_cards (GtkWidget *root, guint *n_filled)
{
  guint n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child;
       child = gtk_widget_get_next_sibling (child)) {
    n += count_cards (child, n_filled);
    if (TS_IS_RIDGE_VIEW (child) && gtk_widget_get_child_visible (child)) {
      n++;
      *n_filled += ts_ridge_view_get_n (TS_RIDGE_VIEW (child)) > 1;
    }
  }
  return n;
}

static void
test_histograms (gconstpointer path)
{
  Job job = open_trained (path);
  guint filled = 0;

  go (&job, "histograms", TS_TYPE_RIDGE_VIEW);
  guint n = count_cards (page (&job), &filled);
  g_assert_cmpuint (n, >=, 2);
  g_assert_cmpuint (filled, ==, n);
  TsRidgeView *card = TS_RIDGE_VIEW (ts_test_find (page (&job), TS_TYPE_RIDGE_VIEW, NULL, NULL));
  g_autofree char *words = ts_ridge_view_dup_words (card, 0);
  g_assert_nonnull (strstr (words, "step 1"));
  g_assert_nonnull (strstr (words, "mean"));

  /* another kind of drawing, and the gradients: as many as weights */
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (find (&job, GTK_TYPE_TOGGLE_BUTTON, "Bands")),
                                TRUE);
  ts_test_settle ();
  gtk_toggle_button_set_active (
      GTK_TOGGLE_BUTTON (find (&job, GTK_TYPE_TOGGLE_BUTTON, "Gradients")), TRUE);
  ts_test_wait (is_filled, &job);
  filled = 0;
  g_assert_cmpuint (count_cards (page (&job), &filled), ==, n);
  g_assert_cmpuint (filled, ==, n);
  ts_test_close (job.app);
}

/* "TAG STEP BITS" of all points but the speed, and the hash of the last checkpoint. */
static char *
dup_facts (const char *path)
{
  GError *error = NULL;
  g_autoptr (GString) s = g_string_new (NULL);
  g_autoptr (TsReader) reader = ts_reader_open (path, &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) runs = ts_reader_list_runs (reader, FALSE, &error);
  g_assert_no_error (error);
  gint64 run_id = ((TsRun *) runs->pdata[0])->run_id;
  g_autoptr (GPtrArray) tags = ts_reader_list_tags (reader, run_id, &error);
  g_assert_no_error (error);

  for (guint t = 0; t < tags->len; t++) {
    const TsTagInfo *tag = tags->pdata[t];
    g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));
    if (tag->kind != TS_SERIES_SCALAR || strcmp (tag->tag, "steps_per_s") == 0)
      continue;
    g_assert_true (ts_reader_read_points (reader, tag->series_id, 0, G_MAXUINT, points, &error));
    for (guint i = 0; i < points->len; i++) {
      const TsStoredPoint *p = &g_array_index (points, TsStoredPoint, i);
      g_string_append_printf (s, "%s %" G_GINT64_FORMAT " %" G_GINT64_MODIFIER "x\n", tag->tag,
                              p->step, p->bits);
    }
  }
  g_autoptr (GArray) last = ts_reader_last_checkpoint (reader, run_id, &error);
  g_assert_cmpuint (last->len, ==, 1);
  for (guint i = 0; i < 32; i++)
    g_string_append_printf (s, "%02x", g_array_index (last, TsCheckpointInfo, 0).sha256[i]);
  return g_strdup (s->str);
}

/* The window changes nothing: the same model trained from the command line gives the same bits. */
static void
test_same_as_headless (gconstpointer path)
{
  Job job = open_trained (path);
  GError *error = NULL;
  int status = 1;
  g_autofree char *other = g_strconcat (path, ".headless.trainscope", NULL);
  g_autofree char *program =
      g_build_filename (g_getenv ("TS_BUILD_ROOT"), "app", "trainscope", NULL);
  char *argv[] = {program, "train", "iris", "--quiet", "--workspace", other, NULL};

  ts_test_close (job.app);
  g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_autofree char *a = dup_facts (path), *b = dup_facts (other);
  g_assert_nonnull (strstr (a, "train/loss"));
  g_assert_cmpstr (a, ==, b);
}

/* Without a run each page says what to do. */
static void
test_empty (gconstpointer path)
{
  static const char *pages[] = {"graph", "histograms"};
  Job job = {.app = ts_test_open (path)};

  ts_test_wait (has_templates, &job);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++) {
    job.page = pages[i];
    g_autofree char *action = g_strconcat ("win.page::", pages[i], NULL);
    ts_test_do (job.app, action);
    job.type = ADW_TYPE_STATUS_PAGE;
    ts_test_wait (is_filled, &job);
  }
  ts_test_close (job.app);
}

static void
add (const char *name, GTestDataFunc test)
{
  g_autofree char *folder = ts_test_new_folder ();

  g_test_add_data_func_full (name, g_build_filename (folder, "runs.trainscope", NULL), test,
                             g_free);
}

int
main (int argc, char **argv)
{
  gtk_disable_setlocale ();
  gtk_test_init (&argc, &argv, NULL);
  add ("/pages/graph", test_graph);
  add ("/pages/histograms", test_histograms);
  add ("/pages/same-as-headless", test_same_as_headless);
  add ("/pages/empty", test_empty);
  return g_test_run ();
}
