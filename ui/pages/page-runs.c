/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "ui/models/figure.h"
#include "ui/pages/page.h"
#include "ui/shortcuts/shortcuts.h"
#include "ui/widgets/name-cell.h"
#include "ui/widgets/state-icon.h"

/* All runs of the workspace as a table: sort by any column, F2 renames, Enter opens. */
#define TS_TYPE_PAGE_RUNS (ts_page_runs_get_type ())
G_DECLARE_FINAL_TYPE (TsPageRuns, ts_page_runs, TS, PAGE_RUNS, GtkWidget)

#define MAX_METRICS 8

struct _TsPageRuns {
  GtkWidget parent;
  TsDesk *desk;
  GtkWidget *stack, *count, *open, *rename, *view;
  GtkSortListModel *sorted;
  GtkSingleSelection *selection;
  GPtrArray *metrics; /* tags that have a column, in their order; interned */
  GPtrArray *columns; /* theirs */
};

G_DEFINE_FINAL_TYPE (TsPageRuns, ts_page_runs, GTK_TYPE_WIDGET)

static void
ts_page_runs_dispose (GObject *object)
{
  TsPageRuns *page = TS_PAGE_RUNS (object);

  g_clear_object (&page->selection);
  g_clear_object (&page->sorted);
  g_clear_pointer (&page->stack, gtk_widget_unparent);
  G_OBJECT_CLASS (ts_page_runs_parent_class)->dispose (object);
}

static void
ts_page_runs_finalize (GObject *object)
{
  g_ptr_array_unref (TS_PAGE_RUNS (object)->metrics);
  g_ptr_array_unref (TS_PAGE_RUNS (object)->columns);
  G_OBJECT_CLASS (ts_page_runs_parent_class)->finalize (object);
}

static void
ts_page_runs_class_init (TsPageRunsClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ts_page_runs_dispose;
  G_OBJECT_CLASS (klass)->finalize = ts_page_runs_finalize;
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget, "/org/trainscope/Workbench/page-runs.ui");
  gtk_widget_class_bind_template_child (widget, TsPageRuns, stack);
  gtk_widget_class_bind_template_child (widget, TsPageRuns, count);
  gtk_widget_class_bind_template_child (widget, TsPageRuns, open);
  gtk_widget_class_bind_template_child (widget, TsPageRuns, rename);
  gtk_widget_class_bind_template_child (widget, TsPageRuns, view);
}

static void
ts_page_runs_init (TsPageRuns *page)
{
  gtk_widget_init_template (GTK_WIDGET (page));
  page->metrics = g_ptr_array_new ();
  page->columns = g_ptr_array_new ();
  ts_shortcut_describe (page->open, "win.open-chosen-run", NULL);
  ts_shortcut_describe (page->rename, "win.rename-run", NULL);
}

/* --- Columns --- */

/* What a column shows of a run, as a number to sort by and as text (new). */
typedef struct {
  double (*sort_key) (TsRunItem *item, const char *tag);
  char *(*text) (TsRunItem *item, const char *tag);
} ColumnClass;

static double
created_key (TsRunItem *item, const char *tag)
{
  return (double) ts_run_item_get (item)->created_us;
}

static char *
created_text (TsRunItem *item, const char *tag)
{
  return ts_figure_when (ts_run_item_get (item)->created_us, g_get_real_time ());
}

static double
took_key (TsRunItem *item, const char *tag)
{
  return ts_run_item_get_seconds (item);
}

static char *
took_text (TsRunItem *item, const char *tag)
{
  return ts_figure_duration (ts_run_item_get_seconds (item));
}

static double
points_key (TsRunItem *item, const char *tag)
{
  return (double) ts_run_item_get (item)->n_points;
}

static char *
points_text (TsRunItem *item, const char *tag)
{
  return ts_figure_count (ts_run_item_get (item)->n_points);
}

static double
metric_key (TsRunItem *item, const char *tag)
{
  return ts_run_item_get_last (item, tag, NULL);
}

static char *
metric_text (TsRunItem *item, const char *tag)
{
  gboolean known;
  double value = ts_run_item_get_last (item, tag, &known);

  return known ? ts_figure_number (value) : g_strdup ("–");
}

static const ColumnClass created_column = {created_key, created_text};
static const ColumnClass took_column = {took_key, took_text};
static const ColumnClass points_column = {points_key, points_text};
static const ColumnClass metric_column = {metric_key, metric_text};

typedef struct {
  const ColumnClass *klass;
  const char *tag;
} Column;

static void
show_cell (GtkListItem *cell)
{
  const Column *column = g_object_get_data (G_OBJECT (cell), "column");
  TsRunItem *item = gtk_list_item_get_item (cell);
  GtkWidget *label = gtk_list_item_get_child (cell);

  if (!item)
    return;
  g_autofree char *text = column->klass->text (item, column->tag);
  gtk_label_set_text (GTK_LABEL (label), text);
  if (strcmp (text, "NaN") == 0)
    gtk_widget_add_css_class (label, "bad-value");
  else
    gtk_widget_remove_css_class (label, "bad-value");
}

static void
setup_label (GtkListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "number");
  gtk_list_item_set_child (cell, label);
  g_object_set_data (G_OBJECT (cell), "column", data);
}

static void
bind_label (GtkListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  g_signal_connect_swapped (gtk_list_item_get_item (cell), "changed", G_CALLBACK (show_cell), cell);
  show_cell (cell);
}

static void
unbind_label (GtkListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (cell), show_cell, cell);
}

static int
by_key (gconstpointer a, gconstpointer b, gpointer data)
{
  const Column *column = data;
  double p = column->klass->sort_key ((TsRunItem *) a, column->tag);
  double q = column->klass->sort_key ((TsRunItem *) b, column->tag);

  /* what is not known goes last when ascending */
  if (isnan (p) || isnan (q))
    return isnan (p) - isnan (q);
  return p < q ? -1 : p > q;
}

static GtkColumnViewColumn *
add_column (TsPageRuns *page, const char *title, const ColumnClass *klass, const char *tag,
            int width)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *column = gtk_column_view_column_new (title, factory);
  Column *data = g_new0 (Column, 1);

  data->klass = klass;
  data->tag = tag;
  g_object_set_data_full (G_OBJECT (column), "column", data, g_free);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_label), data);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_label), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_label), NULL);
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (by_key, data, NULL));
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_fixed_width (column, width);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (page->view), column);
  g_object_unref (column); /* the view keeps it */
  return column;
}

/* --- The columns of name and state --- */

static void
setup_name (GtkListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  gtk_list_item_set_child (cell, ts_name_cell_new ());
}

static void
bind_name (GtkListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  ts_name_cell_set_item (TS_NAME_CELL (gtk_list_item_get_child (cell)),
                         gtk_list_item_get_item (cell));
}

static void
unbind_name (GtkListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  ts_name_cell_set_item (TS_NAME_CELL (gtk_list_item_get_child (cell)), NULL);
}

static int
by_name (gconstpointer a, gconstpointer b, gpointer data)
{
  return g_utf8_collate (ts_run_item_get_name ((TsRunItem *) a),
                         ts_run_item_get_name ((TsRunItem *) b));
}

static void
show_state (GtkListItem *cell)
{
  GtkWidget *icon = gtk_widget_get_first_child (gtk_list_item_get_child (cell));
  TsRunState state = ts_run_item_get_state (gtk_list_item_get_item (cell));

  ts_state_icon_set (icon, state);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_next_sibling (icon)), ts_state_get_word (state));
}

static void
setup_state (GtkListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_box_append (GTK_BOX (box), ts_state_icon_new ());
  gtk_box_append (GTK_BOX (box), gtk_label_new (NULL));
  gtk_list_item_set_child (cell, box);
}

static void
bind_state (GtkListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  g_signal_connect_swapped (gtk_list_item_get_item (cell), "changed", G_CALLBACK (show_state),
                            cell);
  show_state (cell);
}

static void
unbind_state (GtkListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (cell), show_state, cell);
}

static int
by_state (gconstpointer a, gconstpointer b, gpointer data)
{
  return strcmp (ts_state_get_word (ts_run_item_get_state ((TsRunItem *) a)),
                 ts_state_get_word (ts_run_item_get_state ((TsRunItem *) b)));
}

static void
add_special (TsPageRuns *page, const char *title, GCallback setup, GCallback bind, GCallback unbind,
             GCompareDataFunc compare, int width, gboolean expand)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (title, factory);
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare, NULL, NULL));

  g_signal_connect (factory, "setup", setup, NULL);
  g_signal_connect (factory, "bind", bind, NULL);
  g_signal_connect (factory, "unbind", unbind, NULL);
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_expand (column, expand);
  if (width)
    gtk_column_view_column_set_fixed_width (column, width);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (page->view), column);
}

/* --- Columns of metrics --- */

static gboolean
is_metric (const char *tag)
{
  return g_str_has_prefix (tag, "val/") || g_str_has_prefix (tag, "train/") ||
         g_str_has_prefix (tag, "test/");
}

/* val before test before train; a metric before the loss. */
static gint
by_tag (gconstpointer a, gconstpointer b)
{
  const char *p = *(const char *const *) a, *q = *(const char *const *) b;
  int ranks[2] = {0};
  const char *const tags[2] = {p, q};

  for (guint i = 0; i < 2; i++)
    ranks[i] = (tags[i][0] == 'v'   ? 0
                : tags[i][1] == 'e' ? 2
                                    : 4) +
               g_str_has_suffix (tags[i], "/loss");
  return ranks[0] != ranks[1] ? ranks[0] - ranks[1] : strcmp (p, q);
}

static GPtrArray *
find_metrics (GListModel *runs)
{
  GPtrArray *tags = g_ptr_array_new ();

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++) {
    g_autoptr (TsRunItem) item = g_list_model_get_item (runs, i);
    const GArray *last = ts_run_item_get (item)->last;
    for (guint k = 0; k < last->len && tags->len < MAX_METRICS; k++) {
      const char *tag = g_intern_string (g_array_index (last, TsLastValue, k).tag);
      if (is_metric (tag) && g_utf8_validate (tag, -1, NULL) && !g_ptr_array_find (tags, tag, NULL))
        g_ptr_array_add (tags, (gpointer) tag);
    }
  }
  g_ptr_array_sort (tags, by_tag);
  return tags;
}

static gboolean
is_equal (GPtrArray *a, GPtrArray *b)
{
  return a->len == b->len &&
         (!a->len || memcmp (a->pdata, b->pdata, a->len * sizeof (gpointer)) == 0);
}

/* Titles of numbers stand at the right, above them; GTK has no word for it. */
static void
align_titles (TsPageRuns *page)
{
  GtkWidget *header = gtk_widget_get_first_child (page->view);
  guint i = 0;

  for (GtkWidget *title = gtk_widget_get_first_child (header); title;
       title = gtk_widget_get_next_sibling (title)) {
    GtkWidget *box = gtk_widget_get_first_child (title);
    if (i++ >= 2 && box)
      gtk_widget_set_halign (box, GTK_ALIGN_END);
  }
}

static void
on_runs (TsPageRuns *page)
{
  GListModel *runs = G_LIST_MODEL (ts_desk_get_runs (page->desk));
  guint n = g_list_model_get_n_items (runs);
  gboolean empty = n == 0 && ts_run_list_is_loaded (ts_desk_get_runs (page->desk));
  g_autofree char *count = ts_figure_count (n),
                  *text = g_strdup_printf ("%s %s", count, n == 1 ? "run" : "runs");
  GPtrArray *metrics = find_metrics (runs);

  gtk_label_set_text (GTK_LABEL (page->count), text);
  gtk_stack_set_visible_child_name (
      GTK_STACK (page->stack), empty || !ts_desk_get_workspace (page->desk) ? "empty" : "list");
  if (is_equal (metrics, page->metrics)) {
    g_ptr_array_unref (metrics);
    return;
  }
  for (guint i = 0; i < page->columns->len; i++)
    gtk_column_view_remove_column (GTK_COLUMN_VIEW (page->view), page->columns->pdata[i]);
  g_ptr_array_set_size (page->columns, 0);
  g_ptr_array_unref (page->metrics);
  page->metrics = metrics;
  for (guint i = 0; i < metrics->len; i++)
    g_ptr_array_add (page->columns,
                     add_column (page, metrics->pdata[i], &metric_column, metrics->pdata[i], 102));
  align_titles (page);
}

/* --- Choosing --- */

static void
on_selected (TsPageRuns *page)
{
  TsRunItem *item =
      page->selection ? gtk_single_selection_get_selected_item (page->selection) : NULL;

  ts_desk_choose_run (page->desk, item ? ts_run_item_get_id (item) : 0);
}

/* The run that is opened is the one that is chosen. */
static void
on_shown (TsPageRuns *page)
{
  gint64 run_id = ts_desk_get_shown_id (page->desk);
  GListModel *runs = G_LIST_MODEL (page->selection);

  for (guint i = 0; run_id && i < g_list_model_get_n_items (runs); i++) {
    g_autoptr (TsRunItem) item = g_list_model_get_item (runs, i);
    if (ts_run_item_get_id (item) == run_id)
      gtk_single_selection_set_selected (page->selection, i);
  }
}

static void
on_activate (TsPageRuns *page, guint position)
{
  g_autoptr (TsRunItem) item = g_list_model_get_item (G_LIST_MODEL (page->selection), position);

  gtk_widget_activate_action (GTK_WIDGET (page), "win.open-run", "x", ts_run_item_get_id (item));
}

static GtkWidget *
create (TsDesk *desk)
{
  TsPageRuns *page = g_object_new (TS_TYPE_PAGE_RUNS, NULL);
  GtkColumnView *view = GTK_COLUMN_VIEW (page->view);
  GtkColumnViewColumn *created;

  page->desk = desk;
  add_special (page, "Run", G_CALLBACK (setup_name), G_CALLBACK (bind_name),
               G_CALLBACK (unbind_name), by_name, 180, TRUE);
  add_special (page, "State", G_CALLBACK (setup_state), G_CALLBACK (bind_state),
               G_CALLBACK (unbind_state), by_state, 104, FALSE);
  created = add_column (page, "Created", &created_column, NULL, 104);
  add_column (page, "Took", &took_column, NULL, 88);
  add_column (page, "Points", &points_column, NULL, 76);
  page->sorted = gtk_sort_list_model_new (g_object_ref (G_LIST_MODEL (ts_desk_get_runs (desk))),
                                          g_object_ref (gtk_column_view_get_sorter (view)));
  page->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (page->sorted)));
  gtk_column_view_set_model (view, GTK_SELECTION_MODEL (page->selection));
  gtk_column_view_sort_by_column (view, created, GTK_SORT_DESCENDING);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, "Runs", -1);
  g_signal_connect_object (page->selection, "notify::selected-item", G_CALLBACK (on_selected), page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "activate", G_CALLBACK (on_activate), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (ts_desk_get_runs (desk), "refreshed", G_CALLBACK (on_runs), page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (desk, "workspace-changed", G_CALLBACK (on_runs), page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (desk, "shown-changed", G_CALLBACK (on_shown), page, G_CONNECT_SWAPPED);
  align_titles (page);
  on_shown (page);
  on_selected (page);
  on_runs (page);
  return GTK_WIDGET (page);
}

const TsPageClass ts_page_runs = {
    .name = "runs",
    .title = "Runs",
    .icon = "ts-runs-symbolic",
    .group = 3,
    .place = 1,
    .create = create,
};
