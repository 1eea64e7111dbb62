/* SPDX-License-Identifier: MIT */
#include "ui/widgets/point-table.h"

#include <adwaita.h>
#include <math.h>

#include "ui/models/figure.h"
#include "ui/models/point-list.h"
#include "ui/widgets/chart-hover.h"

typedef struct {
  TsChartRequest *request; /* the runs and their points */
  GtkWidget *runs, *count, *view;
} Table;

static void
table_free (gpointer data)
{
  ts_chart_request_free (((Table *) data)->request);
  g_free (data);
}

/* --- Columns --- */

static char *
dup_step (TsPointItem *item)
{
  double step, wall, y;

  ts_point_item_get (item, &step, &wall, &y);
  return ts_figure_count ((gint64) step);
}

static char *
dup_time (TsPointItem *item)
{
  double step, wall, y;

  ts_point_item_get (item, &step, &wall, &y);
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc ((gint64) floor (wall));
  g_autoptr (GDateTime) local = utc ? g_date_time_to_local (utc) : NULL;
  g_autofree char *text = local ? g_date_time_format (local, "%F %T") : g_strdup ("–");
  return g_strdup_printf ("%s.%03d", text, (int) ((wall - floor (wall)) * 1000));
}

static char *
dup_value (TsPointItem *item)
{
  double step, wall, y;

  ts_point_item_get (item, &step, &wall, &y);
  return ts_figure_exact (y);
}

typedef char *(*CellText) (TsPointItem *item);

static void
setup_cell (GtkListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_add_css_class (label, "number");
  gtk_list_item_set_child (cell, label);
}

static void
bind_cell (GtkListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  g_autofree char *text = ((CellText) data) (gtk_list_item_get_item (cell));

  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (cell)), text);
}

static void
add_column (GtkColumnView *view, const char *title, CellText text)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (title, factory);

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), (gpointer) text);
  gtk_column_view_column_set_expand (column, TRUE);
  gtk_column_view_append_column (view, column);
}

/* --- The window --- */

static void
show_run (Table *table)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (table->runs));
  g_autoptr (GtkNoSelection) model = NULL;

  if (selected < table->request->lines->len) {
    /* the list keeps the numbers by itself */
    TsCurveSlice slice;
    ts_curve_slice_copy (&g_array_index (table->request->lines, TsChartLine, selected).slice,
                         &slice);
    g_autofree char *count = ts_figure_count ((gint64) slice.n);
    g_autofree char *text = g_strdup_printf ("%s points", count);
    gtk_label_set_text (GTK_LABEL (table->count), text);
    model = gtk_no_selection_new (G_LIST_MODEL (ts_point_list_new (&slice)));
  }
  gtk_column_view_set_model (GTK_COLUMN_VIEW (table->view), GTK_SELECTION_MODEL (model));
}

static GtkWidget *
make_head (Table *table)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkStringList *names = gtk_string_list_new (NULL);

  for (guint i = 0; i < table->request->lines->len; i++)
    gtk_string_list_append (names, g_array_index (table->request->lines, TsChartLine, i).name);
  table->runs = gtk_drop_down_new (G_LIST_MODEL (names), NULL);
  table->count = gtk_label_new (NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (table->runs), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Run", -1);
  gtk_widget_add_css_class (table->count, "hint");
  gtk_widget_add_css_class (head, "toolbar-row");
  gtk_box_append (GTK_BOX (head), table->runs);
  gtk_box_append (GTK_BOX (head), table->count);
  return head;
}

GtkWindow *
ts_point_table_new (GtkWindow *parent, TsChartView *view)
{
  GtkWidget *window = adw_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  Table *table = g_new0 (Table, 1);

  table->request = ts_chart_view_dup_request (view, 1, 1);
  table->view = gtk_column_view_new (NULL);
  g_object_set_data_full (G_OBJECT (window), "table", table, table_free);
  add_column (GTK_COLUMN_VIEW (table->view), "Step", dup_step);
  add_column (GTK_COLUMN_VIEW (table->view), "Time", dup_time);
  add_column (GTK_COLUMN_VIEW (table->view), "Value", dup_value);
  gtk_accessible_update_property (GTK_ACCESSIBLE (table->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  ts_chart_view_get_tag (view), -1);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), make_head (table));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), table->view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), scrolled);
  g_signal_connect_swapped (table->runs, "notify::selected", G_CALLBACK (show_run), table);
  show_run (table);
  gtk_widget_add_css_class (window, "trainscope");
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_set_title (GTK_WINDOW (window), ts_chart_view_get_tag (view));
  gtk_window_set_default_size (GTK_WINDOW (window), 520, 600);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  return GTK_WINDOW (window);
}
