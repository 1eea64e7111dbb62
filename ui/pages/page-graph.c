/* SPDX-License-Identifier: MIT */
#include <adwaita.h>
#include <string.h>

#include "data/store/error.h"
#include "ui/models/figure.h"
#include "ui/pages/page.h"
#include "ui/widgets/graph-view.h"

/* The computation graph of the run that is shown, and what is selected in it. */
#define TS_TYPE_PAGE_GRAPH (ts_page_graph_get_type ())
G_DECLARE_FINAL_TYPE (TsPageGraph, ts_page_graph, TS, PAGE_GRAPH, GtkWidget)

struct _TsPageGraph {
  GtkWidget parent;
  TsDesk *desk;
  GtkWidget *stack, *empty, *title, *backward, *open_all, *close_all, *fit, *view, *inspector;
  GtkWidget *name, *about, *rows, *toggle;
  gint64 run_id; /* whose graph is shown or asked for */
  char *json;
  gboolean narrow;
};

enum { PROP_NARROW = 1 };

G_DEFINE_FINAL_TYPE (TsPageGraph, ts_page_graph, GTK_TYPE_WIDGET)

/* --- The inspector --- */

static void
add_row (TsPageGraph *page, int *row, const char *key, const char *value)
{
  GtkWidget *left = gtk_label_new (key), *right = gtk_label_new (value);

  gtk_label_set_xalign (GTK_LABEL (left), 0);
  gtk_widget_set_valign (left, GTK_ALIGN_START);
  gtk_widget_add_css_class (left, "hint");
  gtk_label_set_xalign (GTK_LABEL (right), 0);
  gtk_label_set_wrap (GTK_LABEL (right), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (right), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (right), TRUE);
  gtk_widget_set_hexpand (right, TRUE);
  gtk_widget_add_css_class (right, "secondary");
  gtk_grid_attach (GTK_GRID (page->rows), left, 0, *row, 1, 1);
  gtk_grid_attach (GTK_GRID (page->rows), right, 1, (*row)++, 1, 1);
}

static void
show_node (TsPageGraph *page, const TsGraphModel *m, int node, int *row)
{
  const TsGraphNode *n = ts_graph_model_node (m, (guint) node);
  g_auto (GStrv) lines = g_strsplit (n->details, "\n", -1);
  g_autoptr (GString) from = g_string_new (NULL), to = g_string_new (NULL);

  gtk_label_set_text (GTK_LABEL (page->name), n->name);
  gtk_label_set_text (GTK_LABEL (page->about), n->kind == TS_GRAPH_INPUT ? "input" : n->op);
  add_row (page, row, "output", n->shape);
  for (guint i = 0; i < m->edges->len; i++) {
    const TsGraphEdge *e = ts_graph_model_edge (m, i);
    if (e->to == node)
      g_string_append_printf (from, "%s%s", from->len ? "\n" : "",
                              ts_graph_model_node (m, (guint) e->from)->name);
    if (e->from == node)
      g_string_append_printf (to, "%s%s", to->len ? "\n" : "",
                              ts_graph_model_node (m, (guint) e->to)->name);
  }
  if (from->len)
    add_row (page, row, "from", from->str);
  if (to->len)
    add_row (page, row, "to", to->str);
  for (guint i = 0; lines[i]; i++) {
    char *colon = strstr (lines[i], ": ");
    if (!colon)
      continue;
    *colon = 0;
    add_row (page, row, lines[i], colon + 2);
  }
  if (n->line) {
    g_autofree char *line = g_strdup_printf ("line %d of the model", n->line);
    add_row (page, row, "written", line);
  }
}

static void
show_scope (TsPageGraph *page, const TsGraphModel *m, int scope, int *row)
{
  const TsGraphScope *s = ts_graph_model_scope (m, (guint) scope);
  g_autofree char *ops = g_strdup_printf ("%u", s->n_nodes);
  g_autofree char *parameters = ts_figure_count ((gint64) s->n_parameters);

  gtk_label_set_text (GTK_LABEL (page->name), s->name);
  gtk_label_set_text (GTK_LABEL (page->about), "group");
  add_row (page, row, "ops", ops);
  add_row (page, row, "parameters", parameters);
  gtk_button_set_label (GTK_BUTTON (page->toggle), "Open or close");
}

static void
on_selected (TsPageGraph *page)
{
  TsGraphView *view = TS_GRAPH_VIEW (page->view);
  const TsGraphModel *m = ts_graph_view_get_model (view);
  int node = ts_graph_view_get_selected_node (view),
      scope = ts_graph_view_get_selected_scope (view), row = 0;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (page->rows)))
    gtk_grid_remove (GTK_GRID (page->rows), child);
  if (m && node >= 0)
    show_node (page, m, node, &row);
  else if (m && scope > 0)
    show_scope (page, m, scope, &row);
  gtk_widget_set_visible (page->toggle, m && node < 0 && scope > 0);
  gtk_widget_set_visible (page->inspector, m && (node >= 0 || scope > 0) && !page->narrow);
}

/* --- Reading --- */

static void
show_graph (TsPageGraph *page)
{
  gboolean all = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (page->backward));
  g_autoptr (GError) error = NULL;
  TsGraphModel *model = page->json ? ts_graph_model_new (page->json, all, &error) : NULL;
  TsRunItem *run = ts_desk_get_shown (page->desk);

  ts_graph_view_take_model (TS_GRAPH_VIEW (page->view), model);
  on_selected (page);
  adw_status_page_set_description (
      ADW_STATUS_PAGE (page->empty),
      error ? error->message
            : "Train a template or open a run: its computation graph is drawn here.");
  if (model) {
    g_autofree char *parameters =
        ts_figure_count ((gint64) ts_graph_model_scope (model, 0)->n_parameters);
    g_autofree char *title =
        g_strdup_printf ("%s · %u ops · %s parameters", run ? ts_run_item_get_name (run) : "",
                         model->nodes->len, parameters);
    gtk_label_set_text (GTK_LABEL (page->title), title);
  }
  gtk_stack_set_visible_child_name (GTK_STACK (page->stack), model ? "graph" : "empty");
}

typedef struct {
  TsAsk ask;
  TsPageGraph *page; /* weak */
  gint64 run_id;
  char *json;
} GraphAsk;

static void
graph_run (TsAsk *ask, TsReader *reader)
{
  GraphAsk *self = (GraphAsk *) ask;

  self->json = ts_reader_dup_graph (reader, self->run_id, &ask->error);
}

static void
graph_done (TsAsk *ask)
{
  GraphAsk *self = (GraphAsk *) ask;

  if (!self->page || self->page->run_id != self->run_id)
    return;
  if (!self->json) /* not written yet: the next refresh asks again */
    self->page->run_id = 0;
  g_free (self->page->json);
  self->page->json = g_steal_pointer (&self->json);
  show_graph (self->page);
}

static void
graph_free (TsAsk *ask)
{
  GraphAsk *self = (GraphAsk *) ask;

  if (self->page)
    g_object_remove_weak_pointer (G_OBJECT (self->page), (gpointer *) &self->page);
  g_clear_error (&ask->error);
  g_free (self->json);
  g_free (self);
}

static void
ask_graph (TsPageGraph *page)
{
  TsQuery *query = ts_desk_get_query (page->desk);
  gint64 run_id = ts_desk_get_shown_id (page->desk);

  if (run_id == page->run_id && run_id)
    return;
  page->run_id = run_id;
  if (!query || !run_id) {
    g_clear_pointer (&page->json, g_free);
    show_graph (page);
    return;
  }
  GraphAsk *ask = g_new0 (GraphAsk, 1);
  ask->ask = (TsAsk){graph_run, graph_done, graph_free, NULL};
  ask->page = page;
  ask->run_id = run_id;
  g_object_add_weak_pointer (G_OBJECT (page), (gpointer *) &ask->page);
  ts_query_push (query, &ask->ask);
}

/* --- The page --- */

static void
on_toggle (TsPageGraph *page)
{
  int scope = ts_graph_view_get_selected_scope (TS_GRAPH_VIEW (page->view));

  if (scope > 0)
    ts_graph_view_toggle_scope (TS_GRAPH_VIEW (page->view), scope);
}

static void
on_open_all (TsPageGraph *page)
{
  ts_graph_view_open_all (TS_GRAPH_VIEW (page->view), TRUE);
}

static void
on_close_all (TsPageGraph *page)
{
  ts_graph_view_open_all (TS_GRAPH_VIEW (page->view), FALSE);
}

static void
on_fit (TsPageGraph *page)
{
  ts_graph_view_fit (TS_GRAPH_VIEW (page->view));
}

static void
ts_page_graph_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  TS_PAGE_GRAPH (object)->narrow = g_value_get_boolean (value);
  on_selected (TS_PAGE_GRAPH (object));
}

static void
ts_page_graph_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_boolean (value, TS_PAGE_GRAPH (object)->narrow);
}

static void
ts_page_graph_dispose (GObject *object)
{
  g_clear_pointer (&TS_PAGE_GRAPH (object)->stack, gtk_widget_unparent);
  G_OBJECT_CLASS (ts_page_graph_parent_class)->dispose (object);
}

static void
ts_page_graph_finalize (GObject *object)
{
  g_free (TS_PAGE_GRAPH (object)->json);
  G_OBJECT_CLASS (ts_page_graph_parent_class)->finalize (object);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget, TsPageGraph, child)

static void
ts_page_graph_class_init (TsPageGraphClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ts_page_graph_dispose;
  G_OBJECT_CLASS (klass)->finalize = ts_page_graph_finalize;
  G_OBJECT_CLASS (klass)->set_property = ts_page_graph_set_property;
  G_OBJECT_CLASS (klass)->get_property = ts_page_graph_get_property;
  g_object_class_install_property (
      G_OBJECT_CLASS (klass), PROP_NARROW,
      g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  g_type_ensure (TS_TYPE_GRAPH_VIEW);
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget, "/org/trainscope/Workbench/page-graph.ui");
  BIND (stack);
  BIND (empty);
  BIND (title);
  BIND (backward);
  BIND (open_all);
  BIND (close_all);
  BIND (fit);
  BIND (view);
  BIND (inspector);
  BIND (name);
  BIND (about);
  BIND (rows);
  BIND (toggle);
}

static void
ts_page_graph_init (TsPageGraph *page)
{
  gtk_widget_init_template (GTK_WIDGET (page));
  g_signal_connect_swapped (page->view, "selected", G_CALLBACK (on_selected), page);
  g_signal_connect_swapped (page->backward, "toggled", G_CALLBACK (show_graph), page);
  g_signal_connect_swapped (page->open_all, "clicked", G_CALLBACK (on_open_all), page);
  g_signal_connect_swapped (page->close_all, "clicked", G_CALLBACK (on_close_all), page);
  g_signal_connect_swapped (page->fit, "clicked", G_CALLBACK (on_fit), page);
  g_signal_connect_swapped (page->toggle, "clicked", G_CALLBACK (on_toggle), page);
}

static GtkWidget *
create (TsDesk *desk)
{
  TsPageGraph *page = g_object_new (TS_TYPE_PAGE_GRAPH, NULL);

  page->desk = desk;
  g_signal_connect_object (desk, "shown-changed", G_CALLBACK (ask_graph), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (desk, "workspace-changed", G_CALLBACK (ask_graph), page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (desk, "committed", G_CALLBACK (ask_graph), page, G_CONNECT_SWAPPED);
  ask_graph (page);
  return GTK_WIDGET (page);
}

const TsPageClass ts_page_graph = {
    .name = "graph",
    .title = "Graph",
    .icon = "ts-graph-symbolic",
    .group = 2,
    .place = 3,
    .create = create,
};
