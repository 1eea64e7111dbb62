/* SPDX-License-Identifier: MIT */
#include "ui/window.h"

#include <string.h>

#include "ui/pages/page.h"
#include "ui/shortcuts/shortcuts.h"
#include "ui/widgets/notice-bar.h"
#include "ui/widgets/pulse-pill.h"

#define RESOURCES "/org/trainscope/Workbench/"
#define NARROW_PX 900
#define TINY_PX   640

struct _TsWindow {
  AdwApplicationWindow parent;
  TsDesk *desk;
  GtkWidget *header, *sidebar_button, *workspace_button, *workspace_name, *center, *transport;
  GtkWidget *start_button, *step_button, *stop_button, *menu_button, *rail, *body, *pages;
  GtkWidget *pill;
  GPtrArray *rail_labels;
  const TsPageClass *page;
  gboolean narrow, tiny;
  guint width_source;
};

G_DEFINE_FINAL_TYPE (TsWindow, ts_window, ADW_TYPE_APPLICATION_WINDOW)

/* --- Width --- */

static void
set_narrow (GtkWidget *page, gboolean narrow)
{
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (page), "narrow"))
    g_object_set (page, "narrow", narrow, NULL);
}

static gboolean
apply_width (gpointer data)
{
  TsWindow *window = data;

  window->width_source = 0;
  for (GtkWidget *w = gtk_widget_get_first_child (window->pages); w;
       w = gtk_widget_get_next_sibling (w))
    set_narrow (w, window->narrow);
  for (guint i = 0; i < window->rail_labels->len; i++)
    gtk_widget_set_visible (window->rail_labels->pdata[i], !window->tiny);
  ts_pulse_pill_set_short (TS_PULSE_PILL (window->pill), window->narrow);
  (window->narrow ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (GTK_WIDGET (window),
                                                                             "narrow");
  (window->tiny ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (GTK_WIDGET (window),
                                                                           "tiny");
  return G_SOURCE_REMOVE;
}

/* What depends on the width changes after this frame: sizes may not be asked anew in here. */
static void
ts_window_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsWindow *window = TS_WINDOW (widget);
  gboolean narrow = width < NARROW_PX, tiny = width < TINY_PX;

  if (narrow != window->narrow || tiny != window->tiny) {
    window->narrow = narrow;
    window->tiny = tiny;
    if (!window->width_source)
      window->width_source = g_idle_add_full (GTK_PRIORITY_RESIZE - 1, apply_width, window, NULL);
  }
  GTK_WIDGET_CLASS (ts_window_parent_class)->size_allocate (widget, width, height, baseline);
}

/* --- Pages --- */

GtkWidget *
ts_window_get_page_widget (TsWindow *window, const char *name)
{
  GtkWidget *widget = gtk_stack_get_child_by_name (GTK_STACK (window->pages), name);
  const TsPageClass *page = ts_page_lookup (name);

  if (widget || !page)
    return widget;
  widget = page->create (window->desk);
  gtk_widget_set_name (widget, name);
  set_narrow (widget, window->narrow);
  gtk_stack_add_named (GTK_STACK (window->pages), widget, name);
  return widget;
}

static void
show_sidebar (TsWindow *window, gboolean show)
{
  if (window->page && window->page->sidebar)
    g_object_set (ts_window_get_page_widget (window, window->page->name), "show-sidebar", show,
                  NULL);
}

void
ts_window_show_page (TsWindow *window, const char *name)
{
  const TsPageClass *page = ts_page_lookup (name);
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (window), "page");
  GAction *sidebar = g_action_map_lookup_action (G_ACTION_MAP (window), "sidebar");

  g_return_if_fail (page);
  ts_window_get_page_widget (window, name);
  window->page = page;
  gtk_stack_set_visible_child_name (GTK_STACK (window->pages), name);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (name));
  gtk_widget_set_visible (window->rail, page->group != 0);
  gtk_widget_set_visible (window->sidebar_button, page->sidebar);
  if (sidebar) {
    g_autoptr (GVariant) state = g_action_get_state (sidebar);
    g_simple_action_set_enabled (G_SIMPLE_ACTION (sidebar), page->sidebar);
    show_sidebar (window, g_variant_get_boolean (state));
  }
}

const char *
ts_window_get_page (TsWindow *window)
{
  return window->page ? window->page->name : NULL;
}

static void
fill_rail (TsWindow *window)
{
  g_autoptr (GPtrArray) pages = ts_page_list ();
  guint group = 0;

  for (guint i = 0; i < pages->len; i++) {
    const TsPageClass *page = pages->pdata[i];
    if (page->group == 0)
      continue;
    g_autofree char *action = g_strconcat ("win.page::", page->name, NULL);
    GtkWidget *button = gtk_toggle_button_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
    GtkWidget *label = gtk_label_new (page->title);
    if (group && group != page->group)
      gtk_box_append (GTK_BOX (window->rail), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
    group = page->group;
    gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (page->icon));
    gtk_box_append (GTK_BOX (box), label);
    g_ptr_array_add (window->rail_labels, label);
    gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
    gtk_button_set_child (GTK_BUTTON (button), box);
    gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), action);
    ts_shortcut_describe (button, action, page->title);
    gtk_box_append (GTK_BOX (window->rail), button);
  }
}

/* --- Actions --- */

static void
on_page (GSimpleAction *action, GVariant *value, gpointer data)
{
  ts_window_show_page (data, g_variant_get_string (value, NULL));
}

static void
on_welcome (GSimpleAction *action, GVariant *value, gpointer data)
{
  ts_window_show_page (data, "welcome");
}

static void
on_sidebar (GSimpleAction *action, GVariant *value, gpointer data)
{
  g_simple_action_set_state (action, value);
  show_sidebar (data, g_variant_get_boolean (value));
}

static void
on_dark (GSimpleAction *action, GVariant *value, gpointer data)
{
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      g_variant_get_boolean (value) ? ADW_COLOR_SCHEME_FORCE_DARK
                                                                    : ADW_COLOR_SCHEME_FORCE_LIGHT);
}

static void
show_dark (TsWindow *window)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (window), "dark");
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (dark));
}

static void
on_shortcuts (GSimpleAction *action, GVariant *value, gpointer data)
{
  gtk_window_present (ts_shortcuts_window_new (data));
}

static void
on_about (GSimpleAction *action, GVariant *value, gpointer data)
{
  adw_show_about_window (data, "application-name", "Trainscope", "version", TS_VERSION,
                         "license-type", GTK_LICENSE_MIT_X11, "comments",
                         "Train a model, watch it learn.", NULL);
}

static void
on_copy (GSimpleAction *action, GVariant *value, gpointer data)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (data), g_variant_get_string (value, NULL));
}

/* From rail to page to header and round. */
static void
on_next_pane (GSimpleAction *action, GVariant *value, gpointer data)
{
  TsWindow *window = data;
  GtkWidget *panes[] = {window->rail, window->pages, window->header};
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window));
  guint at = G_N_ELEMENTS (panes) - 1;

  for (guint i = 0; i < G_N_ELEMENTS (panes); i++)
    if (focus && gtk_widget_is_ancestor (focus, panes[i]))
      at = i;
  for (guint i = 1; i <= G_N_ELEMENTS (panes); i++)
    if (gtk_widget_child_focus (panes[(at + i) % G_N_ELEMENTS (panes)], GTK_DIR_TAB_FORWARD))
      return;
}

static void
on_rename (GSimpleAction *action, GVariant *value, gpointer data)
{
  TsWindow *window = data;
  TsRunItem *item = ts_desk_get_chosen (window->desk);

  if (!item)
    return;
  ts_window_show_page (window, "runs");
  ts_run_item_set_editing (item, TRUE);
}

static void
on_chosen (TsWindow *window)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (window), "rename-run");

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), ts_desk_get_chosen (window->desk) != NULL);
}

/* Those of the pages, which put their own in their places once they are there. */
static void
add_page_actions (TsWindow *window)
{
  for (guint i = 0; ts_page_table[i]; i++)
    for (guint k = 0; ts_page_table[i]->actions && ts_page_table[i]->actions[k]; k++) {
      g_autoptr (GSimpleAction) action = g_simple_action_new (ts_page_table[i]->actions[k], NULL);
      g_simple_action_set_enabled (action, FALSE);
      g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (action));
    }
}

static void
add_actions (TsWindow *window)
{
  static const GActionEntry entries[] = {
      {"page", on_page, "s", "'welcome'", NULL},
      {"welcome", on_welcome},
      {"dark", NULL, NULL, "false", on_dark},
      {"shortcuts", on_shortcuts},
      {"about", on_about},
      {"copy", on_copy, "s"},
      {"next-pane", on_next_pane},
      {"rename-run", on_rename},
  };
  static const GActionEntry sidebar = {"sidebar", NULL, NULL, "true", on_sidebar};

  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), window);
  add_page_actions (window);
  if (ts_page_any_has_sidebar ()) {
    g_action_map_add_action_entries (G_ACTION_MAP (window), &sidebar, 1, window);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (window->sidebar_button), "win.sidebar");
  }
}

/* --- The header --- */

void
ts_window_set_transport (TsWindow *window, const TsTransport *t)
{
  const char *title = t->pause ? "Pause" : t->start_title ? t->start_title : "Start";

  gtk_widget_set_visible (window->transport, t->start || t->pause || t->step || t->stop);
  gtk_widget_set_visible (window->start_button, t->start || t->pause);
  gtk_widget_set_visible (window->step_button, t->step);
  gtk_widget_set_visible (window->stop_button, t->stop);
  gtk_button_set_icon_name (GTK_BUTTON (window->start_button),
                            t->pause ? "ts-pause-symbolic" : "ts-play-symbolic");
  ts_shortcut_describe (window->start_button, "win.start-pause", title);
}

static void
on_workspace (TsWindow *window)
{
  const char *path = ts_desk_get_source (window->desk);
  g_autofree char *name = path ? g_path_get_basename (path) : g_strdup ("Trainscope");
  g_autofree char *title =
      path ? g_strdup_printf ("%s – Trainscope", name) : g_strdup ("Trainscope");

  gtk_label_set_text (GTK_LABEL (window->workspace_name), name);
  gtk_widget_set_tooltip_text (window->workspace_button, path ? path : "Workspace");
  gtk_window_set_title (GTK_WINDOW (window), title);
}

/* --- Life --- */

static void
ts_window_dispose (GObject *object)
{
  TsWindow *window = TS_WINDOW (object);

  g_clear_handle_id (&window->width_source, g_source_remove);
  if (window->desk)
    g_signal_handlers_disconnect_by_data (window->desk, window);
  G_OBJECT_CLASS (ts_window_parent_class)->dispose (object);
}

static void
ts_window_finalize (GObject *object)
{
  TsWindow *window = TS_WINDOW (object);

  g_ptr_array_unref (window->rail_labels);
  g_clear_object (&window->desk);
  G_OBJECT_CLASS (ts_window_parent_class)->finalize (object);
}

/* The rail's pages get their keys. */
static void
set_page_shortcuts (void)
{
  g_autoptr (GPtrArray) pages = ts_page_list (), names = g_ptr_array_new (),
                        titles = g_ptr_array_new ();

  for (guint i = 0; i < pages->len; i++) {
    const TsPageClass *page = pages->pdata[i];
    if (page->group == 0)
      continue;
    g_ptr_array_add (names, (gpointer) page->name);
    g_ptr_array_add (titles, (gpointer) page->title);
  }
  g_ptr_array_add (names, NULL);
  ts_shortcuts_set_pages ((const char *const *) names->pdata, (const char *const *) titles->pdata,
                          ts_page_any_has_sidebar ());
}

static void
ts_window_class_init (TsWindowClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  set_page_shortcuts ();
  G_OBJECT_CLASS (klass)->dispose = ts_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = ts_window_finalize;
  widget->size_allocate = ts_window_size_allocate;
  gtk_widget_class_set_template_from_resource (widget, RESOURCES "window.ui");
  gtk_widget_class_bind_template_child (widget, TsWindow, header);
  gtk_widget_class_bind_template_child (widget, TsWindow, sidebar_button);
  gtk_widget_class_bind_template_child (widget, TsWindow, workspace_button);
  gtk_widget_class_bind_template_child (widget, TsWindow, workspace_name);
  gtk_widget_class_bind_template_child (widget, TsWindow, center);
  gtk_widget_class_bind_template_child (widget, TsWindow, transport);
  gtk_widget_class_bind_template_child (widget, TsWindow, start_button);
  gtk_widget_class_bind_template_child (widget, TsWindow, step_button);
  gtk_widget_class_bind_template_child (widget, TsWindow, stop_button);
  gtk_widget_class_bind_template_child (widget, TsWindow, menu_button);
  gtk_widget_class_bind_template_child (widget, TsWindow, rail);
  gtk_widget_class_bind_template_child (widget, TsWindow, body);
  gtk_widget_class_bind_template_child (widget, TsWindow, pages);
}

static void
ts_window_init (TsWindow *window)
{
  window->rail_labels = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (window));
  ts_shortcut_describe (window->sidebar_button, "win.sidebar", "Sidebar");
  ts_shortcut_describe (window->step_button, "win.step", NULL);
  ts_shortcut_describe (window->stop_button, "win.stop", NULL);
  gtk_widget_set_tooltip_text (window->menu_button, "Menu (F10)");
  gtk_accessible_update_property (GTK_ACCESSIBLE (window->menu_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, "Menu", -1);
}

TsWindow *
ts_window_new (GtkApplication *app, TsDesk *desk)
{
  TsWindow *window = g_object_new (TS_TYPE_WINDOW, "application", app, NULL);

  window->desk = g_object_ref (desk);
  add_actions (window);
  window->pill = ts_pulse_pill_new (desk);
  gtk_box_prepend (GTK_BOX (window->center), window->pill);
  gtk_box_prepend (GTK_BOX (window->body), ts_notice_bar_new (desk));
  fill_rail (window);
  ts_shortcuts_install (GTK_APPLICATION_WINDOW (window));
  g_signal_connect_swapped (desk, "workspace-changed", G_CALLBACK (on_workspace), window);
  g_signal_connect_swapped (desk, "chosen-changed", G_CALLBACK (on_chosen), window);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (show_dark),
                           window, G_CONNECT_SWAPPED);
  on_workspace (window);
  on_chosen (window);
  show_dark (window);
  ts_window_set_transport (window, &(TsTransport){0});
  ts_window_show_page (window, "welcome");
  return window;
}

TsDesk *
ts_window_get_desk (TsWindow *window)
{
  return window->desk;
}

/* --- Style --- */

static void
load_colors (AdwStyleManager *manager, GParamSpec *spec, gpointer provider)
{
  gtk_css_provider_load_from_resource (provider, adw_style_manager_get_dark (manager)
                                                     ? RESOURCES "colors-dark.css"
                                                     : RESOURCES "colors-light.css");
}

static void
load_contrast (AdwStyleManager *manager, GParamSpec *spec, gpointer provider)
{
  if (adw_style_manager_get_high_contrast (manager))
    gtk_css_provider_load_from_resource (provider, RESOURCES "colors-high-contrast.css");
  else
    gtk_css_provider_load_from_data (provider, "", 0);
}

/* A provider of the display, kept by it. */
static GtkCssProvider *
add_provider (guint above)
{
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();

  gtk_style_context_add_provider_for_display (gdk_display_get_default (),
                                              GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + above);
  return provider;
}

void
ts_window_load_style (void)
{
  GtkCssProvider *style = add_provider (0), *colors = add_provider (1),
                 *contrast = add_provider (2);
  GdkDisplay *display = gdk_display_get_default ();
  AdwStyleManager *manager = adw_style_manager_get_default ();

  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (load_colors), colors, 0);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (load_contrast), contrast,
                           0);
  load_colors (manager, NULL, colors);
  load_contrast (manager, NULL, contrast);
  gtk_css_provider_load_from_resource (style, RESOURCES "style.css");
  gtk_icon_theme_add_resource_path (gtk_icon_theme_get_for_display (display), RESOURCES "icons");
}
