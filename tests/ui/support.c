/* SPDX-License-Identifier: MIT */
#include "tests/ui/support.h"

#include <glib/gstdio.h>

#define LIMIT_S 25

char *
ts_test_new_folder (void)
{
  char *path = g_dir_make_tmp ("trainscope-test-XXXXXX", NULL);

  g_assert_nonnull (path);
  return path;
}

TsApplication *
ts_test_open (const char *path)
{
  TsApplication *app = ts_application_new (path, NULL);
  GError *error = NULL;

  g_application_register (G_APPLICATION (app), NULL, &error);
  g_assert_no_error (error);
  g_application_activate (G_APPLICATION (app));
  g_assert_nonnull (ts_application_get_window (app));
  return app;
}

static gboolean
is_gone (gpointer data)
{
  return ts_application_get_window (data) == NULL;
}

void
ts_test_close (TsApplication *app)
{
  if (ts_application_get_window (app))
    gtk_window_close (GTK_WINDOW (ts_application_get_window (app)));
  ts_test_wait (is_gone, app);
  ts_test_settle ();
  /* what g_application_run does when the last window has gone */
  G_APPLICATION_GET_CLASS (app)->shutdown (G_APPLICATION (app));
  /* the empty shell stays: GApplication can only be let go of by its own run */
}

static gboolean
on_limit (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

void
ts_test_wait_for (const char *what, TsTestCondition condition, gpointer data)
{
  gboolean late = FALSE;
  guint limit = g_timeout_add_seconds (LIMIT_S, on_limit, &late);

  while (!condition (data) && !late)
    g_main_context_iteration (NULL, TRUE);
  if (late)
    g_error ("waited in vain for %s", what);
  g_source_remove (limit);
}

void
ts_test_settle (void)
{
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
}

TsDesk *
ts_test_desk (TsApplication *app)
{
  return ts_window_get_desk (ts_application_get_window (app));
}

const TsFigures *
ts_test_figures (TsApplication *app)
{
  return ts_live_get (ts_desk_get_live (ts_test_desk (app)));
}

void
ts_test_do (TsApplication *app, const char *detailed)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;
  GActionGroup *group = G_ACTION_GROUP (ts_application_get_window (app));

  g_assert_true (g_action_parse_detailed_name (detailed, &name, &target, NULL));
  g_assert_true (g_str_has_prefix (name, "win."));
  g_test_message ("doing %s", detailed);
  g_assert_true (g_action_group_has_action (group, name + 4));
  g_assert_true (g_action_group_get_action_enabled (group, name + 4));
  g_action_group_activate_action (group, name + 4, target);
}

GtkWidget *
ts_test_find (GtkWidget *root, GType type, gboolean (*match) (GtkWidget *widget, gpointer data),
              gpointer data)
{
  if (g_type_is_a (G_OBJECT_TYPE (root), type) && (!match || match (root, data)))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = ts_test_find (child, type, match, data);
    if (found)
      return found;
  }
  return NULL;
}

void
ts_test_shoot (TsApplication *app, const char *path)
{
  GtkWidget *window = GTK_WIDGET (ts_application_get_window (app));
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (window);
  /* with its frame: any other size would be drawn scaled */
  int width = gdk_paintable_get_intrinsic_width (paintable);
  int height = gdk_paintable_get_intrinsic_height (paintable);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_free_to_node (snapshot);
  g_assert_nonnull (node);
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (window)), node,
                                         &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  g_assert_true (gdk_texture_save_to_png (texture, path));
}
