/* SPDX-License-Identifier: MIT */
#include "ui/widgets/run-sidebar.h"

#include "ui/widgets/run-row.h"

struct _TsRunSidebar {
  GtkWidget parent;
  TsRunSet *set;
  const char *tag;
  GtkWidget *box, *filter, *metric, *view, *foot, *all;
  GtkSingleSelection *selection;
  GPtrArray *rows; /* of TsRunRow, borrowed */
};

G_DEFINE_FINAL_TYPE (TsRunSidebar, ts_run_sidebar, GTK_TYPE_WIDGET)

static void
ts_run_sidebar_dispose (GObject *object)
{
  TsRunSidebar *sidebar = TS_RUN_SIDEBAR (object);

  if (sidebar->set)
    g_signal_handlers_disconnect_by_data (sidebar->set, sidebar);
  g_clear_pointer (&sidebar->box, gtk_widget_unparent);
  g_clear_object (&sidebar->selection);
  g_clear_object (&sidebar->set);
  G_OBJECT_CLASS (ts_run_sidebar_parent_class)->dispose (object);
}

static void
ts_run_sidebar_finalize (GObject *object)
{
  g_ptr_array_unref (TS_RUN_SIDEBAR (object)->rows);
  G_OBJECT_CLASS (ts_run_sidebar_parent_class)->finalize (object);
}

static void
ts_run_sidebar_class_init (TsRunSidebarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ts_run_sidebar_dispose;
  G_OBJECT_CLASS (klass)->finalize = ts_run_sidebar_finalize;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

/* --- Rows --- */

static void
forget_row (TsRunSidebar *sidebar, GtkWidget *row)
{
  g_ptr_array_remove_fast (sidebar->rows, row);
}

/* By the row's own end: later versions of GTK tear a cell down when its child has gone already. */
static void
setup_row (GtkListItemFactory *factory, GtkListItem *cell, TsRunSidebar *sidebar)
{
  GtkWidget *row = ts_run_row_new (sidebar->set);

  g_ptr_array_add (sidebar->rows, row);
  g_signal_connect_object (row, "destroy", G_CALLBACK (forget_row), sidebar, G_CONNECT_SWAPPED);
  gtk_list_item_set_child (cell, row);
}

static void
bind_row (GtkListItemFactory *factory, GtkListItem *cell, TsRunSidebar *sidebar)
{
  TsRunRow *row = TS_RUN_ROW (gtk_list_item_get_child (cell));

  ts_run_row_set_item (row, gtk_list_item_get_item (cell));
  ts_run_row_set_tag (row, sidebar->tag);
}

static void
unbind_row (GtkListItemFactory *factory, GtkListItem *cell, TsRunSidebar *sidebar)
{
  GtkWidget *row = gtk_list_item_get_child (cell);

  if (row)
    ts_run_row_set_item (TS_RUN_ROW (row), NULL);
}

static void
on_selected (TsRunSidebar *sidebar)
{
  TsRunItem *item;

  if (!sidebar->selection)
    return;
  item = gtk_single_selection_get_selected_item (sidebar->selection);
  ts_run_set_select (sidebar->set, item ? ts_run_item_get_id (item) : 0);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state,
        TsRunSidebar *sidebar)
{
  TsRunItem *item = gtk_single_selection_get_selected_item (sidebar->selection);

  if (!item || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)))
    return FALSE;
  if (keyval == GDK_KEY_space)
    ts_run_set_show (sidebar->set, ts_run_item_get_id (item),
                     !ts_run_set_shows (sidebar->set, item));
  else if (keyval == GDK_KEY_h)
    ts_run_set_show (sidebar->set, ts_run_item_get_id (item), FALSE);
  else if (keyval == GDK_KEY_H)
    ts_run_set_show_only (sidebar->set, ts_run_item_get_id (item));
  else
    return FALSE;
  return TRUE;
}

/* --- What stands around them --- */

static void
update (TsRunSidebar *sidebar)
{
  guint shown = ts_run_set_count_shown (sidebar->set), all = ts_run_set_count_all (sidebar->set);
  g_autofree char *text = g_strdup_printf ("%u of %u shown", shown, all);

  gtk_label_set_text (GTK_LABEL (sidebar->foot), text);
  gtk_widget_set_visible (sidebar->all, shown < all);
}

static void
on_filter (TsRunSidebar *sidebar)
{
  ts_run_set_set_filter (sidebar->set, gtk_editable_get_text (GTK_EDITABLE (sidebar->filter)));
}

static void
on_show_all (TsRunSidebar *sidebar)
{
  gtk_editable_set_text (GTK_EDITABLE (sidebar->filter), "");
  ts_run_set_set_filter (sidebar->set, "");
  ts_run_set_show_all (sidebar->set);
}

static GtkWidget *
make_head (TsRunSidebar *sidebar)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *title = gtk_label_new ("Runs");

  sidebar->metric = gtk_label_new (NULL);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (sidebar->metric), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (title, "caption-text");
  gtk_widget_add_css_class (sidebar->metric, "caption-text");
  gtk_widget_add_css_class (head, "run-head");
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), sidebar->metric);
  return head;
}

static GtkWidget *
make_list (TsRunSidebar *sidebar)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), sidebar);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), sidebar);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_row), sidebar);
  sidebar->selection =
      gtk_single_selection_new (g_object_ref (ts_run_set_get_fitting (sidebar->set)));
  gtk_single_selection_set_autoselect (sidebar->selection, FALSE);
  gtk_single_selection_set_can_unselect (sidebar->selection, TRUE);
  gtk_single_selection_set_selected (sidebar->selection, GTK_INVALID_LIST_POSITION);
  sidebar->view =
      gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (sidebar->selection)), factory);
  gtk_widget_add_css_class (sidebar->view, "run-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (sidebar->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Runs", -1);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), sidebar);
  gtk_widget_add_controller (sidebar->view, keys);
  g_signal_connect_object (sidebar->selection, "notify::selected-item", G_CALLBACK (on_selected),
                           sidebar, G_CONNECT_SWAPPED);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), sidebar->view);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWidget *
make_foot (TsRunSidebar *sidebar)
{
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  sidebar->foot = gtk_label_new (NULL);
  sidebar->all = gtk_button_new_with_label ("Show all");
  gtk_label_set_xalign (GTK_LABEL (sidebar->foot), 0);
  gtk_widget_set_hexpand (sidebar->foot, TRUE);
  gtk_widget_add_css_class (sidebar->foot, "hint");
  gtk_widget_add_css_class (sidebar->all, "tool");
  gtk_widget_add_css_class (sidebar->all, "plain");
  gtk_widget_add_css_class (foot, "run-foot");
  g_signal_connect_swapped (sidebar->all, "clicked", G_CALLBACK (on_show_all), sidebar);
  gtk_box_append (GTK_BOX (foot), sidebar->foot);
  gtk_box_append (GTK_BOX (foot), sidebar->all);
  return foot;
}

static void
ts_run_sidebar_init (TsRunSidebar *sidebar)
{
  sidebar->rows = g_ptr_array_new ();
  sidebar->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_parent (sidebar->box, GTK_WIDGET (sidebar));
  gtk_widget_add_css_class (GTK_WIDGET (sidebar), "run-sidebar");
}

GtkWidget *
ts_run_sidebar_new (TsRunSet *set)
{
  TsRunSidebar *sidebar = g_object_new (TS_TYPE_RUN_SIDEBAR, NULL);

  sidebar->set = g_object_ref (set);
  sidebar->filter = gtk_search_entry_new ();
  g_object_set (sidebar->filter, "placeholder-text", "Filter runs", NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (sidebar->filter), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Filter runs", -1);
  gtk_widget_add_css_class (sidebar->filter, "run-filter");
  g_signal_connect_swapped (sidebar->filter, "search-changed", G_CALLBACK (on_filter), sidebar);
  gtk_box_append (GTK_BOX (sidebar->box), sidebar->filter);
  gtk_box_append (GTK_BOX (sidebar->box), make_head (sidebar));
  gtk_box_append (GTK_BOX (sidebar->box), make_list (sidebar));
  gtk_box_append (GTK_BOX (sidebar->box), make_foot (sidebar));
  g_signal_connect_swapped (set, "changed", G_CALLBACK (update), sidebar);
  update (sidebar);
  return GTK_WIDGET (sidebar);
}

void
ts_run_sidebar_set_tag (TsRunSidebar *sidebar, const char *tag)
{
  if (sidebar->tag == tag)
    return;
  sidebar->tag = tag;
  gtk_label_set_text (GTK_LABEL (sidebar->metric), tag ? tag : "");
  for (guint i = 0; i < sidebar->rows->len; i++)
    ts_run_row_set_tag (sidebar->rows->pdata[i], tag);
}
