/* SPDX-License-Identifier: MIT */
#include "ui/widgets/name-cell.h"

struct _TsNameCell {
  GtkWidget parent;
  TsRunItem *item;
  GtkWidget *label, *entry;
  gulong changed, editing;
};

G_DEFINE_FINAL_TYPE (TsNameCell, ts_name_cell, GTK_TYPE_WIDGET)

static void
show_name (TsNameCell *cell)
{
  const char *name = ts_run_item_get_name (cell->item);

  gtk_label_set_text (GTK_LABEL (cell->label), name);
  gtk_widget_set_tooltip_text (cell->label, name);
}

static void
show_editing (TsNameCell *cell)
{
  gboolean editing = cell->item && ts_run_item_get_editing (cell->item);

  gtk_widget_set_visible (cell->label, !editing);
  gtk_widget_set_visible (cell->entry, editing);
  if (!editing)
    return;
  gtk_editable_set_text (GTK_EDITABLE (cell->entry), ts_run_item_get_name (cell->item));
  gtk_widget_grab_focus (cell->entry);
}

static void
end (TsNameCell *cell)
{
  if (cell->item)
    ts_run_item_set_editing (cell->item, FALSE);
}

static void
on_enter (TsNameCell *cell)
{
  const char *name = gtk_editable_get_text (GTK_EDITABLE (cell->entry));

  if (cell->item && *name && g_strcmp0 (name, ts_run_item_get_name (cell->item)) != 0)
    gtk_widget_activate_action (GTK_WIDGET (cell), "win.rename-to", "(xs)",
                                ts_run_item_get_id (cell->item), name);
  end (cell);
}

static gboolean
on_escape (GtkWidget *widget, GVariant *args, gpointer data)
{
  end (data);
  return TRUE;
}

void
ts_name_cell_set_item (TsNameCell *cell, TsRunItem *item)
{
  if (cell->item) {
    g_clear_signal_handler (&cell->changed, cell->item);
    g_clear_signal_handler (&cell->editing, cell->item);
  }
  if (!g_set_object (&cell->item, item) && !item)
    return;
  if (item) {
    cell->changed = g_signal_connect_swapped (item, "changed", G_CALLBACK (show_name), cell);
    cell->editing =
        g_signal_connect_swapped (item, "notify::editing", G_CALLBACK (show_editing), cell);
    show_name (cell);
  }
  show_editing (cell);
}

static void
ts_name_cell_dispose (GObject *object)
{
  TsNameCell *cell = TS_NAME_CELL (object);

  if (cell->item) {
    g_clear_signal_handler (&cell->changed, cell->item);
    g_clear_signal_handler (&cell->editing, cell->item);
  }
  g_clear_object (&cell->item);
  g_clear_pointer (&cell->label, gtk_widget_unparent);
  g_clear_pointer (&cell->entry, gtk_widget_unparent);
  G_OBJECT_CLASS (ts_name_cell_parent_class)->dispose (object);
}

static void
ts_name_cell_class_init (TsNameCellClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ts_name_cell_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ts_name_cell_init (TsNameCell *cell)
{
  GtkShortcutController *keys = GTK_SHORTCUT_CONTROLLER (gtk_shortcut_controller_new ());
  GtkEventController *focus = gtk_event_controller_focus_new ();

  cell->label = gtk_label_new (NULL);
  cell->entry = gtk_entry_new ();
  gtk_label_set_xalign (GTK_LABEL (cell->label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (cell->label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (cell->label, "card-title");
  gtk_widget_set_hexpand (cell->label, TRUE);
  gtk_widget_set_visible (cell->entry, FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (cell->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "New name", -1);
  gtk_shortcut_controller_add_shortcut (
      keys, gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                              gtk_callback_action_new (on_escape, cell, NULL)));
  gtk_widget_add_controller (cell->entry, GTK_EVENT_CONTROLLER (keys));
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (end), cell);
  gtk_widget_add_controller (cell->entry, focus);
  g_signal_connect_swapped (cell->entry, "activate", G_CALLBACK (on_enter), cell);
  gtk_widget_set_parent (cell->label, GTK_WIDGET (cell));
  gtk_widget_set_parent (cell->entry, GTK_WIDGET (cell));
}

GtkWidget *
ts_name_cell_new (void)
{
  return g_object_new (TS_TYPE_NAME_CELL, NULL);
}
