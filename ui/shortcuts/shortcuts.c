/* SPDX-License-Identifier: MIT */
#include "ui/shortcuts/shortcuts.h"

#include <adwaita.h>
#include <string.h>

static const TsShortcut commands[] = {
    {"win.start-pause", "Start or pause", "Training", {"space"}, TRUE},
    {"win.step", "One step, then pause", "Training", {"s"}, TRUE},
    {"win.stop", "Stop and save", "Training", {"<Control>period"}},
    {"win.lr-half", "Halve the learning rate", "Training", {"<Control>minus"}},
    {"win.lr-double", "Double the learning rate", "Training", {"<Control>plus", "<Control>equal"}},
    {"win.show-live", "Show the run that trains", "Training", {"<Control>l"}},
    {"win.welcome", "New training from a template", "Workspace", {"<Control>n"}},
    {"win.train-template", "Start the chosen template", "Workspace", {"Return"}, FALSE, TRUE},
    {"win.prepare-template",
     "Look at the chosen template first; it waits",
     "Workspace",
     {"e"},
     TRUE,
     TRUE},
    {"win.open-workspace", "Open a workspace", "Workspace", {"<Control>o"}},
    {"win.new-workspace", "New workspace", "Workspace", {"<Control><Shift>n"}},
    {"win.filter", "Filter the charts", "Charts", {"slash"}, TRUE},
    {"win.smoothing", "Smoothing on or off", "Charts", {"m"}, TRUE},
    {"win.log-y", "Logarithmic values, of all charts or the focused one", "Charts", {"y"}, TRUE},
    {"win.fit", "Fit all charts, or the focused one", "Charts", {"0"}, TRUE},
    {"win.rename-run", "Rename the chosen run", "Runs", {"F2"}},
    {"win.open-chosen-run", "Open the chosen run", "Runs", {"<Control>Return"}},
    {"win.sidebar", "Show or hide the sidebar", "Window", {"F9"}},
    {"win.next-pane", "Next pane", "Window", {"F6"}},
    {"win.dark", "Light or dark", "Window", {"<Control><Shift>d"}},
    {"win.shortcuts", "Keyboard shortcuts", "Window", {"<Control>question", "<Control>slash"}},
    {"win.about", "About Trainscope", "Window", {"F1"}},
    {"win.close",
     "Close the window; a training is saved first",
     "Window",
     {"<Control>w", "<Control>q"}},
};

static const TsShortcut help = {"win.shortcuts", NULL, NULL, {"question"}, TRUE};

/* The table that is being used; with the pages' commands first, once they are known. */
static GArray *table;

void
ts_shortcuts_set_pages (const char *const *names, const char *const *titles, gboolean sidebar)
{
  g_clear_pointer (&table, g_array_unref);
  table = g_array_new (TRUE, TRUE, sizeof (TsShortcut));
  for (guint i = 0; names && names[i]; i++) {
    g_autofree char *action = g_strconcat ("win.page::", names[i], NULL);
    g_autofree char *key = g_strdup_printf ("<Control>%u", i + 1);
    TsShortcut s = {g_intern_string (action), titles[i], "Pages", {g_intern_string (key)}, FALSE};
    g_array_append_val (table, s);
  }
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (sidebar || strcmp (commands[i].action, "win.sidebar") != 0)
      g_array_append_val (table, commands[i]);
}

const TsShortcut *
ts_shortcuts_get (void)
{
  if (!table)
    ts_shortcuts_set_pages (NULL, NULL, FALSE);
  return (const TsShortcut *) (gpointer) table->data;
}

const TsShortcut *
ts_shortcut_lookup (const char *action)
{
  for (const TsShortcut *s = ts_shortcuts_get (); s->action; s++)
    if (strcmp (s->action, action) == 0)
      return s;
  return NULL;
}

static void
add_plain (GtkShortcutController *controller, const TsShortcut *s)
{
  for (guint i = 0; i < G_N_ELEMENTS (s->keys) && s->keys[i]; i++)
    gtk_shortcut_controller_add_shortcut (
        controller, gtk_shortcut_new (gtk_shortcut_trigger_parse_string (s->keys[i]),
                                      gtk_named_action_new (s->action)));
}

void
ts_shortcuts_install (GtkApplicationWindow *window)
{
  GtkApplication *app = gtk_window_get_application (GTK_WINDOW (window));
  GtkShortcutController *plain = GTK_SHORTCUT_CONTROLLER (gtk_shortcut_controller_new ());

  /* plain keys come last, after whatever has the focus */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (plain), GTK_PHASE_BUBBLE);
  for (const TsShortcut *s = ts_shortcuts_get (); s->action; s++)
    if (s->local)
      continue;
    else if (s->plain)
      add_plain (plain, s);
    else
      gtk_application_set_accels_for_action (app, s->action, s->keys);
  add_plain (plain, &help);
  gtk_widget_add_controller (GTK_WIDGET (window), GTK_EVENT_CONTROLLER (plain));
}

static char *
dup_key_label (const char *key)
{
  guint keyval;
  GdkModifierType modifiers;

  if (!gtk_accelerator_parse (key, &keyval, &modifiers))
    return g_strdup (key);
  return gtk_accelerator_get_label (keyval, modifiers);
}

char *
ts_shortcut_dup_tooltip (const char *action, const char *title)
{
  const TsShortcut *s = ts_shortcut_lookup (action);

  if (!s || !s->keys[0])
    return g_strdup (title);
  g_autofree char *key = dup_key_label (s->keys[0]);
  return g_strdup_printf ("%s (%s)", title ? title : s->title, key);
}

void
ts_shortcut_describe (GtkWidget *widget, const char *action, const char *title)
{
  g_autofree char *tooltip = ts_shortcut_dup_tooltip (action, title);
  const TsShortcut *s = ts_shortcut_lookup (action);

  gtk_widget_set_tooltip_text (widget, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title ? title
                                  : s   ? s->title
                                        : "",
                                  -1);
}

static GtkWidget *
make_row (const TsShortcut *s)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), s->title);
  for (guint i = 0; i < G_N_ELEMENTS (s->keys) && s->keys[i]; i++) {
    g_autofree char *text = dup_key_label (s->keys[i]);
    GtkWidget *label = gtk_label_new (text);
    gtk_widget_add_css_class (label, "keycap");
    gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
  }
  gtk_widget_set_focusable (row, TRUE);
  gtk_widget_set_name (row, s->action);
  return row;
}

static void
close_by_key (GtkWidget *window, guint key, GdkModifierType modifiers)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (key, modifiers),
                                                          gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, keys);
}

GtkWindow *
ts_shortcuts_window_new (GtkWindow *parent)
{
  GtkWidget *window = adw_window_new (), *page = adw_preferences_page_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *bar = adw_header_bar_new ();
  AdwPreferencesGroup *group = NULL;
  const char *name = NULL;

  for (const TsShortcut *s = ts_shortcuts_get (); s->action; s++) {
    if (g_strcmp0 (name, s->group) != 0) {
      name = s->group;
      group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
      adw_preferences_group_set_title (group, name);
      adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), group);
    }
    adw_preferences_group_add (group, make_row (s));
  }
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), page);
  gtk_widget_set_vexpand (page, TRUE);
  gtk_widget_add_css_class (window, "trainscope");
  gtk_widget_add_css_class (page, "keys-list");
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_set_title (GTK_WINDOW (window), "Keyboard Shortcuts");
  gtk_window_set_default_size (GTK_WINDOW (window), 520, 640);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  close_by_key (window, GDK_KEY_Escape, 0);
  close_by_key (window, GDK_KEY_w, GDK_CONTROL_MASK);
  return GTK_WINDOW (window);
}
