/* SPDX-License-Identifier: MIT */
#include "ui/widgets/chart-card.h"

#include <adwaita.h>
#include <string.h>

#include "ui/widgets/point-table.h"

#define EXPORT_WIDTH  720
#define EXPORT_HEIGHT 360

struct _TsChartCard {
  GtkWidget parent;
  const char *tag;
  GtkWidget *head, *note, *fit, *menu, *view;
  GSimpleActionGroup *actions;
  GtkFileChooserNative *chooser;
};

G_DEFINE_FINAL_TYPE (TsChartCard, ts_chart_card, GTK_TYPE_WIDGET)

static guint exported;

/* --- Files --- */

typedef struct {
  TsChartRequest *request;
  char *title, *path;
  TsExportOptions options;
} Export;

static void
export_free (gpointer data)
{
  Export *self = data;

  ts_chart_request_free (self->request);
  g_free (self->title);
  g_free (self->path);
  g_free (self);
}

static void
export_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Export *self = data;
  GError *error = NULL;
  g_autoptr (GBytes) bytes =
      ts_chart_request_export (self->request, self->title, &self->options, &error);

  if (bytes)
    g_file_set_contents_full (self->path, g_bytes_get_data (bytes, NULL),
                              (gssize) g_bytes_get_size (bytes), G_FILE_SET_CONTENTS_CONSISTENT,
                              0666, &error);
  if (error)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
export_done (GObject *source, GAsyncResult *result, gpointer data)
{
  Export *self = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  g_signal_emit (source, exported, 0, self->path, error ? error->message : NULL);
}

void
ts_chart_card_export (TsChartCard *card, const char *path)
{
  TsExportFormat format;

  if (!ts_export_format_of (path, &format)) {
    g_autofree char *text = g_strdup_printf ("%s should end in .png, .svg or .pdf", path);
    g_signal_emit (card, exported, 0, path, text);
    return;
  }
  Export *self = g_new0 (Export, 1);
  self->request =
      ts_chart_view_dup_request (TS_CHART_VIEW (card->view), EXPORT_WIDTH, EXPORT_HEIGHT);
  self->title = g_strdup (card->tag);
  self->path = g_strdup (path);
  self->options = (TsExportOptions){.format = format, .dark = self->request->options.dark};
  g_autoptr (GTask) task = g_task_new (card, NULL, export_done, NULL);
  g_task_set_task_data (task, self, export_free);
  g_task_run_in_thread (task, export_run);
}

static void
on_chosen (TsChartCard *card, int response)
{
  if (response == GTK_RESPONSE_ACCEPT) {
    g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (card->chooser));
    const char *path = file ? g_file_peek_path (file) : NULL;
    if (path)
      ts_chart_card_export (card, path);
  }
  g_clear_object (&card->chooser);
}

static void
on_export (GSimpleAction *action, GVariant *value, gpointer data)
{
  TsChartCard *card = data;
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (card));
  g_autofree char *valid = g_utf8_make_valid (card->tag, -1);
  g_autofree char *name = g_strdup_printf ("%s.%s", g_strdelimit (valid, "/\\", '-'),
                                           g_variant_get_string (value, NULL));

  g_clear_object (&card->chooser);
  card->chooser = gtk_file_chooser_native_new ("Export the chart",
                                               GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                               GTK_FILE_CHOOSER_ACTION_SAVE, "Export", "Cancel");
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (card->chooser), name);
  g_signal_connect_object (card->chooser, "response", G_CALLBACK (on_chosen), card,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (card->chooser));
}

/* --- Commands --- */

static void
on_fit (GSimpleAction *action, GVariant *value, gpointer data)
{
  ts_chart_view_fit (TS_CHART_VIEW (TS_CHART_CARD (data)->view));
}

static void
on_log_y (GSimpleAction *action, GVariant *value, gpointer data)
{
  ts_chart_view_set_log_y (TS_CHART_VIEW (TS_CHART_CARD (data)->view),
                           g_variant_get_boolean (value));
}

static void
on_table (GSimpleAction *action, GVariant *value, gpointer data)
{
  TsChartCard *card = data;
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (card));

  gtk_window_present (ts_point_table_new (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                          TS_CHART_VIEW (card->view)));
}

static void
show_look (TsChartCard *card)
{
  gboolean log_y = ts_chart_view_get_look (TS_CHART_VIEW (card->view))->log_y;
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (card->actions), "log-y");

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (log_y));
}

static void
on_drawn (TsChartCard *card)
{
  const TsChartViewport *viewport = ts_chart_view_get_viewport (TS_CHART_VIEW (card->view));

  gtk_widget_set_visible (card->fit, !ts_chart_viewport_is_fit (viewport));
  show_look (card);
}

static GMenuModel *
make_menu (void)
{
  GMenu *menu = g_menu_new (), *look = g_menu_new (), *files = g_menu_new ();

  g_menu_append (look, "Logarithmic values", "card.log-y");
  g_menu_append (look, "Fit", "card.fit");
  g_menu_append (files, "Show as table", "card.table");
  g_menu_append (files, "Export as PNG…", "card.export::png");
  g_menu_append (files, "Export as SVG…", "card.export::svg");
  g_menu_append (files, "Export as PDF…", "card.export::pdf");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (look));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (files));
  g_object_unref (look);
  g_object_unref (files);
  return G_MENU_MODEL (menu);
}

/* The ring goes round the card. */
static void
on_flags (TsChartCard *card)
{
  gboolean ring = gtk_widget_get_state_flags (card->view) & GTK_STATE_FLAG_FOCUS_VISIBLE &&
                  gtk_widget_has_focus (card->view);

  (ring ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (GTK_WIDGET (card), "focused");
}

/* --- Life --- */

static void
ts_chart_card_dispose (GObject *object)
{
  TsChartCard *card = TS_CHART_CARD (object);

  g_clear_object (&card->chooser);
  g_clear_pointer (&card->head, gtk_widget_unparent);
  g_clear_pointer (&card->view, gtk_widget_unparent);
  g_clear_object (&card->actions);
  G_OBJECT_CLASS (ts_chart_card_parent_class)->dispose (object);
}

static void
ts_chart_card_class_init (TsChartCardClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ts_chart_card_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
  exported = g_signal_new ("exported", TS_TYPE_CHART_CARD, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                           G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
ts_chart_card_init (TsChartCard *card)
{
  static const GActionEntry entries[] = {
      {"fit", on_fit},
      {"log-y", NULL, NULL, "false", on_log_y},
      {"export", on_export, "s"},
      {"table", on_table},
  };
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (card));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  card->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (card->actions), entries, G_N_ELEMENTS (entries),
                                   card);
  gtk_widget_insert_action_group (GTK_WIDGET (card), "card", G_ACTION_GROUP (card->actions));
  gtk_widget_add_css_class (GTK_WIDGET (card), "card");
  gtk_widget_add_css_class (GTK_WIDGET (card), "chart-card");
}

static void
make_head (TsChartCard *card, const char *title)
{
  GtkWidget *label = gtk_label_new (title);
  g_autoptr (GMenuModel) menu = make_menu ();
  g_autofree char *name = g_strdup_printf ("Menu of %s", title);

  card->head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  card->note = gtk_label_new (NULL);
  card->fit = gtk_button_new_with_label ("Fit");
  card->menu = gtk_menu_button_new ();
  gtk_widget_add_css_class (label, "card-title");
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_tooltip_text (label, title);
  gtk_widget_add_css_class (card->note, "hint");
  gtk_label_set_xalign (GTK_LABEL (card->note), 0);
  gtk_widget_set_hexpand (card->note, TRUE);
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (card->menu), "ts-more-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (card->menu), menu);
  gtk_widget_set_tooltip_text (card->menu, "Log, fit, export");
  gtk_accessible_update_property (GTK_ACCESSIBLE (card->menu), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (card->fit), "card.fit");
  gtk_widget_set_tooltip_text (card->fit, "Show all (0, double click)");
  gtk_widget_add_css_class (card->fit, "tool");
  gtk_widget_set_valign (card->fit, GTK_ALIGN_CENTER);
  gtk_widget_set_visible (card->fit, FALSE);
  gtk_widget_add_css_class (card->menu, "plain");
  gtk_widget_add_css_class (card->head, "chart-head");
  gtk_box_append (GTK_BOX (card->head), label);
  gtk_box_append (GTK_BOX (card->head), card->note);
  gtk_box_append (GTK_BOX (card->head), card->fit);
  gtk_box_append (GTK_BOX (card->head), card->menu);
  gtk_widget_set_parent (card->head, GTK_WIDGET (card));
}

GtkWidget *
ts_chart_card_new (const char *tag)
{
  TsChartCard *card = g_object_new (TS_TYPE_CHART_CARD, NULL);

  card->tag = g_intern_string (tag);
  card->view = ts_chart_view_new (tag);
  make_head (card, ts_chart_view_get_tag (TS_CHART_VIEW (card->view)));
  gtk_widget_set_parent (card->view, GTK_WIDGET (card));
  gtk_widget_set_vexpand (card->view, TRUE);
  g_signal_connect_swapped (card->view, "drawn", G_CALLBACK (on_drawn), card);
  g_signal_connect_swapped (card->view, "look-changed", G_CALLBACK (show_look), card);
  g_signal_connect_swapped (card->view, "state-flags-changed", G_CALLBACK (on_flags), card);
  g_signal_connect_swapped (card->view, "notify::has-focus", G_CALLBACK (on_flags), card);
  return GTK_WIDGET (card);
}

const char *
ts_chart_card_get_tag (TsChartCard *card)
{
  return card->tag;
}

TsChartView *
ts_chart_card_get_view (TsChartCard *card)
{
  return TS_CHART_VIEW (card->view);
}

void
ts_chart_card_set_runs (TsChartCard *card, const TsChartRun *runs, guint n)
{
  g_autofree char *note = g_strdup_printf ("%u run%s", n, n == 1 ? "" : "s");

  ts_chart_view_set_runs (TS_CHART_VIEW (card->view), runs, n);
  gtk_label_set_text (GTK_LABEL (card->note), note);
}
