/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <string.h>

#include "app/templates.h"
#include "data/events/log-encode.h"
#include "data/events/log-event.h"
#include "data/events/record-writer.h"
#include "data/store/writer.h"
#include "tests/ui/support.h"
#include "ui/models/template-item.h"
#include "ui/pages/page.h"
#include "ui/shortcuts/shortcuts.h"
#include "ui/widgets/rate-panel.h"

/* The window without a training: pages, actions, keys, icons, what goes wrong. */

static char *
new_path (void)
{
  g_autofree char *folder = ts_test_new_folder ();
  return g_build_filename (folder, "w.trainscope", NULL);
}

static gboolean
has_templates (gpointer data)
{
  return g_list_model_get_n_items (G_LIST_MODEL (ts_desk_get_templates (ts_test_desk (data)))) > 0;
}

static gboolean
has_notice (gpointer data)
{
  return ts_desk_get_notice (ts_test_desk (data)) != NULL;
}

static void
on_gone (gpointer data, GObject *where)
{
  *(gboolean *) data = TRUE;
}

static void
test_pages (void)
{
  g_autofree char *path = new_path ();
  TsApplication *app = ts_test_open (path);

  for (guint i = 0; ts_page_table[i]; i++)
    for (guint round = 0; round < 2; round++) {
      gboolean gone = FALSE;
      GtkWidget *page = g_object_ref_sink (ts_page_table[i]->create (ts_test_desk (app)));
      g_object_weak_ref (G_OBJECT (page), on_gone, &gone);
      ts_test_settle ();
      g_object_unref (page);
      g_assert_true (gone);
    }
  /* each can be shown, and the rail is there where it should be */
  for (guint i = 0; ts_page_table[i]; i++) {
    g_autofree char *action = g_strconcat ("win.page::", ts_page_table[i]->name, NULL);
    ts_test_do (app, action);
    g_assert_cmpstr (ts_window_get_page (ts_application_get_window (app)), ==,
                     ts_page_table[i]->name);
    g_assert_cmpstr (gtk_widget_get_name (ts_window_get_page_widget (
                         ts_application_get_window (app), ts_page_table[i]->name)),
                     ==, ts_page_table[i]->name);
  }
  ts_test_close (app);
}

/* Nothing of ours stays when the application has gone. */
static void
test_lets_go (void)
{
  g_autofree char *path = new_path ();
  gboolean desk_gone = FALSE, window_gone = FALSE;
  TsApplication *app = ts_test_open (path);

  g_object_weak_ref (G_OBJECT (ts_test_desk (app)), on_gone, &desk_gone);
  g_object_weak_ref (G_OBJECT (ts_application_get_window (app)), on_gone, &window_gone);
  ts_test_do (app, "win.page::train");
  ts_test_do (app, "win.page::runs");
  ts_test_close (app);
  ts_test_settle ();
  g_assert_true (window_gone);
  g_assert_true (desk_gone);
}

static void
test_actions (void)
{
  g_autofree char *path = new_path ();
  TsApplication *app = ts_test_open (path);
  GActionGroup *group = G_ACTION_GROUP (ts_application_get_window (app));
  g_auto (GStrv) names = g_action_group_list_actions (group);

  /* every command is listed with a key; the others take a target that only a widget knows */
  for (guint i = 0; names[i]; i++) {
    g_autofree char *full = g_strconcat ("win.", names[i], NULL);
    if (!ts_shortcut_lookup (full) && !g_action_group_get_action_parameter_type (group, names[i]))
      g_error ("no key and no line in the list of shortcuts for %s", full);
  }
  for (const TsShortcut *s = ts_shortcuts_get (); s->action; s++) {
    g_autofree char *name = NULL;
    g_autoptr (GVariant) target = NULL;
    guint key;
    GdkModifierType modifiers;
    g_assert_true (g_action_parse_detailed_name (s->action, &name, &target, NULL));
    if (!g_action_group_has_action (group, name + 4))
      g_error ("the list of shortcuts names %s, which does not exist", s->action);
    g_assert_nonnull (s->keys[0]);
    for (guint k = 0; k < G_N_ELEMENTS (s->keys) && s->keys[k]; k++) {
      g_assert_true (gtk_accelerator_parse (s->keys[k], &key, &modifiers));
      /* no key twice */
      for (const TsShortcut *t = ts_shortcuts_get (); t->action; t++)
        for (guint l = 0; l < G_N_ELEMENTS (t->keys) && t->keys[l]; l++)
          g_assert_true ((t == s && l == k) || strcmp (t->keys[l], s->keys[k]) != 0);
    }
  }
  ts_test_close (app);
}

static gboolean
is_named (GtkWidget *widget, gpointer name)
{
  return strcmp (gtk_widget_get_name (widget), name) == 0;
}

static void
test_shortcuts_window (void)
{
  g_autofree char *path = new_path ();
  TsApplication *app = ts_test_open (path);
  GtkWindow *window = ts_shortcuts_window_new (GTK_WINDOW (ts_application_get_window (app)));

  gtk_window_present (window);
  for (const TsShortcut *s = ts_shortcuts_get (); s->action; s++)
    if (!ts_test_find (GTK_WIDGET (window), ADW_TYPE_ACTION_ROW, is_named, (gpointer) s->action))
      g_error ("%s is not listed", s->action);
  gtk_window_destroy (window);
  ts_test_close (app);
}

/* Dialogs open over the window and go with it. */
static void
test_dialogs (void)
{
  g_autofree char *path = new_path ();
  TsApplication *app = ts_test_open (path);
  GListModel *windows = gtk_window_get_toplevels ();
  guint before = g_list_model_get_n_items (windows);

  ts_test_do (app, "win.shortcuts");
  ts_test_do (app, "win.about");
  ts_test_settle ();
  g_assert_cmpuint (g_list_model_get_n_items (windows), ==, before + 2);
  for (guint i = g_list_model_get_n_items (windows); i--;) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);
    if (gtk_window_get_transient_for (window))
      gtk_window_destroy (window);
  }
  g_assert_cmpuint (g_list_model_get_n_items (windows), ==, before);
  ts_test_close (app);
}

/* F6 goes round: rail, page, header. */
static void
test_next_pane (void)
{
  g_autofree char *path = new_path ();
  TsApplication *app = ts_test_open (path);
  GtkWindow *window = GTK_WINDOW (ts_application_get_window (app));
  GtkWidget *seen[4];

  ts_test_do (app, "win.page::train");
  ts_test_settle ();
  for (guint i = 0; i < G_N_ELEMENTS (seen); i++) {
    ts_test_do (app, "win.next-pane");
    seen[i] = gtk_window_get_focus (window);
    g_assert_nonnull (seen[i]);
    g_assert_true (i == 0 || seen[i] != seen[i - 1]);
  }
  g_assert_true (seen[3] == seen[0]);
  ts_test_close (app);
}

static void
test_icons (void)
{
  g_autofree char *path = new_path ();
  TsApplication *app = ts_test_open (path);
  GtkIconTheme *theme = gtk_icon_theme_get_for_display (gdk_display_get_default ());
  g_auto (GStrv) files = g_resources_enumerate_children (
      "/org/trainscope/Workbench/icons/scalable/actions", G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  g_assert_cmpuint (g_strv_length (files), >, 10);
  for (guint i = 0; files[i]; i++) {
    g_autofree char *name = g_strndup (files[i], strlen (files[i]) - strlen (".svg"));
    g_assert_true (gtk_icon_theme_has_icon (theme, name));
    g_autoptr (GtkIconPaintable) icon =
        gtk_icon_theme_lookup_icon (theme, name, NULL, 16, 1, GTK_TEXT_DIR_LTR, 0);
    GtkSnapshot *snapshot = gtk_snapshot_new ();
    g_assert_true (gtk_icon_paintable_is_symbolic (icon));
    gdk_paintable_snapshot (GDK_PAINTABLE (icon), snapshot, 16, 16);
    g_autoptr (GskRenderNode) node = gtk_snapshot_free_to_node (snapshot);
    g_assert_nonnull (node);
  }
  ts_test_close (app);
}

/* Buttons without words have names for those who do not see them. */
static gboolean
is_nameless (GtkWidget *widget, gpointer data)
{
  g_autofree char *tooltip = g_strdup (gtk_widget_get_tooltip_text (widget));

  if (!gtk_button_get_icon_name (GTK_BUTTON (widget)) || !gtk_widget_get_mapped (widget) ||
      gtk_widget_has_css_class (widget, "minimize") ||
      gtk_widget_has_css_class (widget, "maximize") || gtk_widget_has_css_class (widget, "close"))
    return FALSE;
  return gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                             "") == NULL ||
         !tooltip;
}

static void
test_names (void)
{
  g_autofree char *path = new_path ();
  TsApplication *app = ts_test_open (path);
  GtkWidget *nameless, *window = GTK_WIDGET (ts_application_get_window (app));

  nameless = ts_test_find (window, GTK_TYPE_BUTTON, is_nameless, NULL);
  if (nameless)
    g_error ("a button with icon %s has no name or no tooltip",
             gtk_button_get_icon_name (GTK_BUTTON (nameless)));
  ts_test_close (app);
}

static gboolean
is_tiny (gpointer data)
{
  return gtk_widget_has_css_class (data, "tiny");
}

static void
test_narrow (void)
{
  g_autofree char *path = new_path ();
  TsApplication *app = ts_test_open (path);
  GtkWidget *window = GTK_WIDGET (ts_application_get_window (app));
  int minimum;

  for (guint i = 0; ts_page_table[i]; i++) {
    ts_window_show_page (TS_WINDOW (window), ts_page_table[i]->name);
    gtk_widget_measure (window, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
    g_test_message ("%s needs %d px", ts_page_table[i]->name, minimum);
    g_assert_cmpint (minimum, <=, 900);
  }
  gtk_window_set_default_size (GTK_WINDOW (window), 560, 700);
  ts_test_wait (is_tiny, window);
  g_assert_true (gtk_widget_has_css_class (window, "narrow"));
  ts_test_settle ();
  for (guint i = 0; ts_page_table[i]; i++) {
    ts_window_show_page (TS_WINDOW (window), ts_page_table[i]->name);
    gtk_widget_measure (window, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
    g_test_message ("%s needs %d px when tiny", ts_page_table[i]->name, minimum);
    g_assert_cmpint (minimum, <=, 480);
  }
  ts_test_close (app);
}

static void
test_dark (void)
{
  g_autofree char *path = new_path ();
  TsApplication *app = ts_test_open (path);
  GtkWidget *window = GTK_WIDGET (ts_application_get_window (app));
  GdkRGBA light, dark;

  gtk_style_context_lookup_color (gtk_widget_get_style_context (window), "window_bg_color", &light);
  ts_test_do (app, "win.dark");
  gtk_style_context_lookup_color (gtk_widget_get_style_context (window), "window_bg_color", &dark);
  g_assert_cmpfloat (light.red, >, .9);
  g_assert_cmpfloat (dark.red, <, .15);
  ts_test_do (app, "win.dark");
  ts_test_close (app);
}

/* --- What goes wrong --- */

static void
test_not_a_workspace (void)
{
  g_autofree char *path = new_path ();
  TsApplication *app;

  g_assert_true (
      g_file_set_contents (path, "no database at all, only some words that fill a page", -1, NULL));
  app = ts_test_open (path);
  ts_test_wait (has_notice, app);
  const TsNotice *notice = ts_desk_get_notice (ts_test_desk (app));
  g_assert_cmpint (notice->severity, ==, TS_SEVERITY_ERROR);
  g_assert_nonnull (strstr (notice->text, path));
  g_assert_nonnull (notice->button); /* a way on */
  g_assert_cmpstr (ts_window_get_page (ts_application_get_window (app)), ==, "welcome");
  ts_test_close (app);
}

/* Of a file that opens, of which one page is lost: it is found in the background. */
static void
test_damaged (void)
{
  g_autofree char *path = new_path (), *bytes = NULL;
  gsize size;
  TsWriter *writer = ts_writer_open (path, NULL);

  g_assert_true (ts_writer_close (writer, NULL));
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  /* the index of the edits, which nobody asks */
  memset (bytes + size - 5 * TS_WORKSPACE_PAGE_BYTES, 0xff, TS_WORKSPACE_PAGE_BYTES);
  g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));
  TsApplication *app = ts_test_open (path);
  ts_test_wait (has_notice, app);
  const TsNotice *notice = ts_desk_get_notice (ts_test_desk (app));
  g_assert_cmpstr (notice->title, ==, "This file is damaged");
  g_assert_nonnull (strstr (notice->text, path));
  g_assert_true (g_str_has_prefix (notice->action, "win.copy::trainscope inspect "));
  ts_test_close (app);
}

static void
test_no_folder (void)
{
  g_autofree char *path = new_path (), *below = g_build_filename (path, "deeper.trainscope", NULL);
  TsApplication *app = ts_test_open (below);

  ts_test_wait (has_notice, app);
  g_assert_nonnull (ts_desk_get_notice (ts_test_desk (app))->button);
  ts_test_close (app);
}

/* Perhaps a folder of event files, mistyped. */
static void
test_nothing_there (void)
{
  g_autofree char *folder = ts_test_new_folder (),
                  *path = g_build_filename (folder, "mistyped", NULL);
  TsApplication *app = ts_test_open (path);

  ts_test_wait (has_notice, app);
  g_assert_nonnull (strstr (ts_desk_get_notice (ts_test_desk (app))->text, path));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  ts_test_close (app);
}

static void
test_locked (void)
{
  g_autofree char *path = new_path ();
  GError *error = NULL;
  TsWriter *other = ts_writer_open (path, &error);
  TsApplication *app;

  g_assert_no_error (error);
  app = ts_test_open (path);
  ts_test_wait (has_templates, app);
  ts_test_do (app, "win.train-template::iris");
  ts_test_wait (has_notice, app);
  g_assert_cmpstr (ts_desk_get_notice (ts_test_desk (app))->title, ==,
                   "Another program writes this workspace");
  g_assert_false (ts_test_figures (app)->active || ts_test_figures (app)->preparing);
  ts_writer_close (other, &error);
  g_assert_no_error (error);
  ts_test_close (app);
}

static void
test_missing_data (void)
{
  g_autofree char *path = new_path ();
  TsApplication *app = ts_test_open (path);
  GListStore *templates = ts_desk_get_templates (ts_test_desk (app));

  ts_test_wait (has_templates, app);
  g_autoptr (TsTemplateItem) item = ts_template_item_new (
      "mlp", "A model", "Some pictures", "dataset-some-pictures", 10, NULL, 0, FALSE);
  g_list_store_remove_all (templates);
  g_list_store_append (templates, item);
  ts_test_do (app, "win.train-template::mlp");
  const TsNotice *notice = ts_desk_get_notice (ts_test_desk (app));
  g_assert_nonnull (notice);
  g_assert_nonnull (strstr (notice->text, "sudo apt install dataset-some-pictures"));
  ts_test_do (app, notice->action);
  ts_test_close (app);
}

/* One card for each template whose text this program can build. */
static void
test_templates (void)
{
  g_autofree char *path = new_path ();
  TsApplication *app = ts_test_open (path);
  const char *const *names = ts_template_names ();
  guint n = 0;

  ts_test_wait (has_templates, app);
  for (guint i = 0; names[i]; i++) {
    g_autoptr (TsSource) source = ts_template_lookup (names[i]);
    g_autoptr (TsDiags) diags = ts_diags_new (source);
    g_autoptr (TsModel) model = ts_model_new (source, diags);
    n += model != NULL;
  }
  g_assert_cmpuint (
      g_list_model_get_n_items (G_LIST_MODEL (ts_desk_get_templates (ts_test_desk (app)))), ==, n);
  ts_test_close (app);
}

/* --- A folder of event files --- */

static void
write_events (const char *folder, const char *run, guint n)
{
  g_autofree char *below = g_build_filename (folder, run, NULL);
  g_autofree char *path = g_build_filename (below, "events.out.tfevents.1700000000.h", NULL);
  g_autoptr (GByteArray) body = g_byte_array_new ();
  const TsLogTag tag = {.tag = "loss", .plugin = "scalars", .data_class = 1, .first = TRUE};
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (below, 0700), ==, 0);
  TsRecordWriter *writer = ts_record_writer_new (path, (gint64) ts_bits (1.7e9), &error);
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++) {
    g_byte_array_set_size (body, 0);
    ts_log_put_scalar (body, &tag, ts_bits (i), TRUE);
    ts_record_writer_add (writer, (gint64) ts_bits (1.7e9 + i), i, TS_LOG_SUMMARY, body->data,
                          body->len);
  }
  g_assert_true (ts_record_writer_close (writer, &error));
}

static gboolean
has_one_run (gpointer data)
{
  return g_list_model_get_n_items (G_LIST_MODEL (ts_desk_get_runs (ts_test_desk (data)))) == 1;
}

static gboolean
has_two_runs (gpointer data)
{
  return g_list_model_get_n_items (G_LIST_MODEL (ts_desk_get_runs (ts_test_desk (data)))) == 2;
}

/* The window shows what lies in it, and what comes later; the index is a file in the cache. */
static void
test_log_folder (void)
{
  g_autofree char *folder = ts_test_new_folder ();

  write_events (folder, "first", 5);
  TsApplication *app = ts_test_open (folder);
  ts_test_wait (has_one_run, app);
  g_assert_cmpstr (ts_window_get_page (ts_application_get_window (app)), ==, "runs");
  g_assert_cmpstr (ts_desk_get_source (ts_test_desk (app)), ==, folder);
  g_assert_cmpstr (ts_desk_get_workspace (ts_test_desk (app)), !=, folder);
  write_events (folder, "deep/second", 7);
  ts_test_wait (has_two_runs, app);
  ts_test_close (app);
}

int
main (int argc, char **argv)
{
  gtk_disable_setlocale ();
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/pages", test_pages);
  g_test_add_func ("/window/lets-go", test_lets_go);
  g_test_add_func ("/window/actions", test_actions);
  g_test_add_func ("/window/shortcuts", test_shortcuts_window);
  g_test_add_func ("/window/dialogs", test_dialogs);
  g_test_add_func ("/window/next-pane", test_next_pane);
  g_test_add_func ("/window/icons", test_icons);
  g_test_add_func ("/window/names", test_names);
  g_test_add_func ("/window/narrow", test_narrow);
  g_test_add_func ("/window/dark", test_dark);
  g_test_add_func ("/window/templates", test_templates);
  g_test_add_func ("/window/not-a-workspace", test_not_a_workspace);
  g_test_add_func ("/window/damaged", test_damaged);
  g_test_add_func ("/window/no-folder", test_no_folder);
  g_test_add_func ("/window/nothing-there", test_nothing_there);
  g_test_add_func ("/window/locked", test_locked);
  g_test_add_func ("/window/missing-data", test_missing_data);
  g_test_add_func ("/window/log-folder", test_log_folder);
  return g_test_run ();
}
