/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "tests/ui/support.h"
#include "ui/shortcuts.h"

/* usage: shoot WORKSPACE WHAT WIDTH HEIGHT light|dark OUT.png
 *
 * Draws one page of the window as it is on screen.  WHAT: welcome, train, runs, or live: a template
 * that trains on the Train page; live:NAME another one; trouble: Welcome with a notice; model: the
 * tab of a narrow Train page. */

static TsApplication *app;

static gboolean
has_templates (gpointer data)
{
  return g_list_model_get_n_items (G_LIST_MODEL (ts_desk_get_templates (ts_test_desk (app)))) > 0;
}

static gboolean
has_trained (gpointer data)
{
  const TsFigures *f = ts_test_figures (app);
  return f->step > f->total_steps / 2 || (!f->active && !f->preparing);
}

static gboolean
is_loaded (gpointer data)
{
  return ts_run_list_is_loaded (ts_desk_get_runs (ts_test_desk (app)));
}

static gboolean
is_model (GtkWidget *widget, gpointer data)
{
  return g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), "Model") == 0;
}

static gboolean
on_timeout (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
wait_ms (guint ms)
{
  gboolean over = FALSE;

  g_timeout_add (ms, on_timeout, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
}

int
main (int argc, char **argv)
{
  gtk_disable_setlocale ();
  if (argc != 7 || !gtk_init_check ()) {
    g_printerr ("usage: shoot WORKSPACE WHAT WIDTH HEIGHT light|dark OUT.png\n");
    return 2;
  }
  app = ts_test_open (argv[1]);
  GtkWindow *window = GTK_WINDOW (ts_application_get_window (app));
  gtk_window_set_default_size (window, atoi (argv[3]), atoi (argv[4]));
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      strcmp (argv[5], "dark") == 0 ? ADW_COLOR_SCHEME_FORCE_DARK
                                                                    : ADW_COLOR_SCHEME_FORCE_LIGHT);
  wait_ms (300); /* the width is there before anything that would not fit into it */
  ts_test_wait (has_templates, NULL);
  if (g_file_test (argv[1], G_FILE_TEST_EXISTS))
    ts_test_wait (is_loaded, NULL);
  if (g_str_has_prefix (argv[2], "live")) {
    const char *name = argv[2][4] == ':' ? argv[2] + 5 : "spirals";
    g_autofree char *action = g_strconcat ("win.train-template::", name, NULL);
    ts_test_do (app, action);
    ts_test_wait (has_trained, NULL);
    if (ts_test_figures (app)->active)
      ts_test_do (app, "win.start-pause");
  } else if (strcmp (argv[2], "trouble") == 0) {
    ts_desk_set_notice (
        ts_test_desk (app),
        &(TsNotice){
            TS_SEVERITY_WARNING, "CIFAR-10 is not installed",
            "Install it with “sudo apt install dataset-cifar-10”, then choose the template again; "
            "nothing else has to be set up.",
            "Copy the command", "win.copy::sudo apt install dataset-cifar-10"});
    gtk_window_set_focus_visible (window, TRUE);
  } else if (strcmp (argv[2], "model") == 0) {
    ts_test_do (app, "win.page::train");
    wait_ms (300);
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (ts_test_find (
                                      GTK_WIDGET (window), GTK_TYPE_TOGGLE_BUTTON, is_model, NULL)),
                                  TRUE);
  } else {
    g_autofree char *action = g_strconcat ("win.page::", argv[2], NULL);
    ts_test_do (app, action);
  }
  wait_ms (900); /* the cross-fade, the last commit */
  ts_test_shoot (app, argv[6]);
  ts_test_close (app);
  return 0;
}
