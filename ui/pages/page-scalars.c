/* SPDX-License-Identifier: MIT */
#include <adwaita.h>
#include <string.h>

#include "ui/pages/page.h"
#include "ui/shortcuts/shortcuts.h"
#include "ui/widgets/chart-board.h"
#include "ui/widgets/run-sidebar.h"

/* All scalars of the shown runs: a toolbar over the board of charts, the runs beside it. */
#define TS_TYPE_PAGE_SCALARS (ts_page_scalars_get_type ())
G_DECLARE_FINAL_TYPE (TsPageScalars, ts_page_scalars, TS, PAGE_SCALARS, GtkWidget)

#define SIDEBAR_PX 264

struct _TsPageScalars {
  GtkWidget parent;
  TsDesk *desk;
  GtkWidget *root, *paned, *toolbar, *filter, *smooth_label, *smoothing, *smoothing_value, *x_axis;
  GtkWidget *log_y, *columns, *stack, *none, *none_button, *charts;
  GtkAdjustment *smoothing_adjustment;
  GtkWidget *sidebar;
  TsChartBoard *board;
  TsChartLook look;
  double last_smoothing; /* before it was switched off */
  gboolean narrow, show_sidebar;
  gboolean width_changed, take_focus; /* what settle has to look at */
  guint settle_source;
};

G_DEFINE_FINAL_TYPE (TsPageScalars, ts_page_scalars, GTK_TYPE_WIDGET)

enum { PROP_NARROW = 1, PROP_SHOW_SIDEBAR };

static void
show_state (TsPageScalars *page, guint shown)
{
  const char *filter = gtk_editable_get_text (GTK_EDITABLE (page->filter));
  const char *child = shown ? "charts" : "none";
  AdwStatusPage *none = ADW_STATUS_PAGE (page->none);

  if (!ts_chart_board_count_all (page->board))
    child = "empty";
  else if (!shown && *filter) {
    g_autofree char *escaped = g_markup_escape_text (filter, -1);
    adw_status_page_set_title (none, "No chart matches");
    adw_status_page_set_description (none, escaped);
    gtk_button_set_label (GTK_BUTTON (page->none_button), "Clear the filter");
  } else if (!shown) {
    adw_status_page_set_title (none, "All runs are hidden");
    adw_status_page_set_description (none, "Click the swatches beside their names, or show all.");
    gtk_button_set_label (GTK_BUTTON (page->none_button), "Show all runs");
  }
  gtk_stack_set_visible_child_name (GTK_STACK (page->stack), child);
}

static void
on_changed (TsPageScalars *page)
{
  ts_run_sidebar_set_tag (TS_RUN_SIDEBAR (page->sidebar), ts_chart_board_get_metric (page->board));
  show_state (page, ts_chart_board_count_shown (page->board));
}

/* --- The toolbar --- */

static void
on_filter (TsPageScalars *page)
{
  ts_chart_board_set_filter (page->board, gtk_editable_get_text (GTK_EDITABLE (page->filter)));
}

static void
on_smoothing (TsPageScalars *page)
{
  double value = gtk_adjustment_get_value (page->smoothing_adjustment);
  g_autofree char *text = g_strdup_printf ("%.2f", value);

  page->look.smoothing = value < .005 ? 0 : value;
  gtk_label_set_text (GTK_LABEL (page->smoothing_value), text);
  ts_chart_board_set_look (page->board, &page->look);
}

static void
on_x_axis (TsPageScalars *page)
{
  page->look.x_kind = (TsXKind) gtk_drop_down_get_selected (GTK_DROP_DOWN (page->x_axis));
  ts_chart_board_set_look (page->board, &page->look);
}

static void
on_columns (TsPageScalars *page)
{
  guint columns = gtk_drop_down_get_selected (GTK_DROP_DOWN (page->columns));

  ts_chart_board_set_columns (page->board, page->narrow ? 1 : columns);
}

static void
on_none_button (TsPageScalars *page)
{
  if (*gtk_editable_get_text (GTK_EDITABLE (page->filter))) {
    gtk_editable_set_text (GTK_EDITABLE (page->filter), "");
    on_filter (page);
    return;
  }
  ts_run_set_set_filter (ts_desk_get_run_set (page->desk), "");
  ts_run_set_show_all (ts_desk_get_run_set (page->desk));
}

/* --- Actions of the window, while the page is shown --- */

static void
on_toggle_smoothing (GSimpleAction *action, GVariant *value, gpointer data)
{
  TsPageScalars *page = data;
  double now = gtk_adjustment_get_value (page->smoothing_adjustment);

  if (now > 0)
    page->last_smoothing = now;
  gtk_adjustment_set_value (page->smoothing_adjustment, now > 0 ? 0 : page->last_smoothing);
}

static void
on_log_y (GSimpleAction *action, GVariant *value, gpointer data)
{
  TsPageScalars *page = data;

  g_simple_action_set_state (action, value);
  page->look.log_y = g_variant_get_boolean (value);
  ts_chart_board_set_look (page->board, &page->look);
}

static void
on_fit (GSimpleAction *action, GVariant *value, gpointer data)
{
  ts_chart_board_fit (TS_PAGE_SCALARS (data)->board);
}

static void
on_focus_filter (GSimpleAction *action, GVariant *value, gpointer data)
{
  gtk_widget_grab_focus (TS_PAGE_SCALARS (data)->filter);
}

static const GActionEntry actions[] = {
    {"smoothing", on_toggle_smoothing},
    {"log-y", NULL, NULL, "false", on_log_y},
    {"fit", on_fit},
    {"filter", on_focus_filter},
};

static const char *const action_names[] = {"smoothing", "log-y", "fit", "filter", NULL};

static void
enable_actions (TsPageScalars *page, gboolean enabled)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (page));

  for (guint i = 0; G_IS_ACTION_MAP (root) && i < G_N_ELEMENTS (actions); i++) {
    GAction *action = g_action_map_lookup_action (G_ACTION_MAP (root), actions[i].name);
    if (action)
      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
  }
}

static void
ts_page_scalars_root (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);

  GTK_WIDGET_CLASS (ts_page_scalars_parent_class)->root (widget);
  if (G_IS_ACTION_MAP (root))
    g_action_map_add_action_entries (G_ACTION_MAP (root), actions, G_N_ELEMENTS (actions), widget);
}

static void
ts_page_scalars_unroot (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);

  for (guint i = 0; G_IS_ACTION_MAP (root) && i < G_N_ELEMENTS (actions); i++)
    g_action_map_remove_action (G_ACTION_MAP (root), actions[i].name);
  GTK_WIDGET_CLASS (ts_page_scalars_parent_class)->unroot (widget);
}

/* --- The sidebar --- */

/* Beside the charts; in a narrow window over them. */
static void
place_sidebar (TsPageScalars *page)
{
  GtkWidget *parent = gtk_widget_get_parent (page->sidebar);
  GtkWidget *wanted = page->narrow ? page->root : page->paned;

  gtk_widget_set_visible (page->sidebar, page->show_sidebar);
  if (parent == wanted)
    return;
  if (parent == page->paned)
    gtk_paned_set_start_child (GTK_PANED (page->paned), NULL);
  else if (parent)
    gtk_overlay_remove_overlay (GTK_OVERLAY (page->root), page->sidebar);
  if (page->narrow) {
    gtk_widget_set_halign (page->sidebar, GTK_ALIGN_START);
    gtk_widget_add_css_class (page->sidebar, "floating");
    gtk_overlay_add_overlay (GTK_OVERLAY (page->root), page->sidebar);
  } else {
    gtk_widget_set_halign (page->sidebar, GTK_ALIGN_FILL);
    gtk_widget_remove_css_class (page->sidebar, "floating");
    gtk_paned_set_start_child (GTK_PANED (page->paned), page->sidebar);
  }
}

/* A sidebar over the charts is opened when it is wanted, never by making the window narrow; one
 * beside them comes back with the width.  And the focus that the page before had goes to the
 * charts, not to an entry: plain keys are commands until somebody wants to type. */
static gboolean
settle (gpointer data)
{
  TsPageScalars *page = data;

  page->settle_source = 0;
  if (page->width_changed && page->show_sidebar == page->narrow)
    gtk_widget_activate_action (GTK_WIDGET (page), "win.sidebar", NULL);
  page->width_changed = FALSE;
  if (page->take_focus)
    gtk_widget_grab_focus (GTK_WIDGET (page));
  page->take_focus = FALSE;
  return G_SOURCE_REMOVE;
}

/* Later: while pages change the window's action is not enabled yet. */
static void
queue_settle (TsPageScalars *page)
{
  if (!page->settle_source)
    page->settle_source = g_idle_add_full (GTK_PRIORITY_RESIZE - 1, settle, page, NULL);
}

static void
set_narrow (TsPageScalars *page, gboolean narrow)
{
  if (page->narrow == narrow)
    return;
  page->narrow = narrow;
  gtk_widget_set_visible (page->smooth_label, !narrow);
  gtk_widget_set_visible (page->columns, !narrow);
  page->width_changed = TRUE;
  if (gtk_widget_get_mapped (GTK_WIDGET (page)))
    queue_settle (page);
  place_sidebar (page);
  on_columns (page);
}

static void
ts_page_scalars_map (GtkWidget *widget)
{
  TsPageScalars *page = TS_PAGE_SCALARS (widget);
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;

  GTK_WIDGET_CLASS (ts_page_scalars_parent_class)->map (widget);
  enable_actions (page, TRUE);
  page->take_focus = !focus || gtk_widget_is_ancestor (focus, gtk_widget_get_parent (widget));
  if (page->narrow)
    page->width_changed = TRUE;
  queue_settle (page);
}

static gboolean
ts_page_scalars_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (TS_PAGE_SCALARS (widget)->board));
}

static void
ts_page_scalars_unmap (GtkWidget *widget)
{
  g_clear_handle_id (&TS_PAGE_SCALARS (widget)->settle_source, g_source_remove);
  enable_actions (TS_PAGE_SCALARS (widget), FALSE);
  GTK_WIDGET_CLASS (ts_page_scalars_parent_class)->unmap (widget);
}

/* --- Life --- */

static void
ts_page_scalars_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  TsPageScalars *page = TS_PAGE_SCALARS (object);

  g_value_set_boolean (value, id == PROP_NARROW ? page->narrow : page->show_sidebar);
}

static void
ts_page_scalars_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  TsPageScalars *page = TS_PAGE_SCALARS (object);

  if (id == PROP_NARROW) {
    set_narrow (page, g_value_get_boolean (value));
    return;
  }
  page->show_sidebar = g_value_get_boolean (value);
  if (page->sidebar)
    place_sidebar (page);
}

static void
ts_page_scalars_dispose (GObject *object)
{
  TsPageScalars *page = TS_PAGE_SCALARS (object);

  g_clear_pointer (&page->root, gtk_widget_unparent);
  g_clear_object (&page->sidebar);
  G_OBJECT_CLASS (ts_page_scalars_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget)
{
  gtk_widget_class_bind_template_child (widget, TsPageScalars, root);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, paned);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, toolbar);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, filter);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, smooth_label);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, smoothing);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, smoothing_adjustment);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, smoothing_value);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, x_axis);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, log_y);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, columns);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, stack);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, none);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, none_button);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, charts);
}

static void
ts_page_scalars_class_init (TsPageScalarsClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  object->dispose = ts_page_scalars_dispose;
  object->get_property = ts_page_scalars_get_property;
  object->set_property = ts_page_scalars_set_property;
  widget->root = ts_page_scalars_root;
  widget->unroot = ts_page_scalars_unroot;
  widget->map = ts_page_scalars_map;
  widget->unmap = ts_page_scalars_unmap;
  widget->grab_focus = ts_page_scalars_grab_focus;
  g_object_class_install_property (object, PROP_NARROW,
                                   g_param_spec_boolean ("narrow", NULL, NULL, FALSE, flags));
  g_object_class_install_property (object, PROP_SHOW_SIDEBAR,
                                   g_param_spec_boolean ("show-sidebar", NULL, NULL, TRUE, flags));
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget, "/org/trainscope/Workbench/page-scalars.ui");
  bind_children (widget);
}

static void
ts_page_scalars_init (TsPageScalars *page)
{
  page->show_sidebar = TRUE;
  page->last_smoothing = .6;
  gtk_widget_init_template (GTK_WIDGET (page));
  ts_shortcut_describe (page->log_y, "win.log-y", NULL);
}

static GtkWidget *
create (TsDesk *desk)
{
  TsPageScalars *page = g_object_new (TS_TYPE_PAGE_SCALARS, NULL);

  page->desk = desk;
  page->sidebar = g_object_ref_sink (ts_run_sidebar_new (ts_desk_get_run_set (desk)));
  gtk_widget_set_size_request (page->sidebar, SIDEBAR_PX - 44, -1);
  place_sidebar (page);
  page->board = TS_CHART_BOARD (ts_chart_board_new (desk));
  adw_bin_set_child (ADW_BIN (page->charts), GTK_WIDGET (page->board));
  on_smoothing (page);
  g_signal_connect_object (page->smoothing_adjustment, "value-changed", G_CALLBACK (on_smoothing),
                           page, G_CONNECT_SWAPPED);
  g_signal_connect_object (page->x_axis, "notify::selected", G_CALLBACK (on_x_axis), page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page->columns, "notify::selected", G_CALLBACK (on_columns), page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page->filter, "search-changed", G_CALLBACK (on_filter), page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page->none_button, "clicked", G_CALLBACK (on_none_button), page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page->board, "changed", G_CALLBACK (on_changed), page,
                           G_CONNECT_SWAPPED);
  on_changed (page);
  return GTK_WIDGET (page);
}

const TsPageClass ts_page_scalars = {
    .name = "scalars",
    .title = "Scalars",
    .icon = "ts-scalars-symbolic",
    .group = 2,
    .place = 1,
    .sidebar = TRUE,
    .actions = action_names,
    .create = create,
};
