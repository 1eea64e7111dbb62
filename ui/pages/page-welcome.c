/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ui/models/figure.h"
#include "ui/models/template-item.h"
#include "ui/pages/page.h"
#include "ui/shortcuts/shortcuts.h"
#include "ui/widgets/template-card.h"

/* Templates to start, workspaces to open. */
#define TS_TYPE_PAGE_WELCOME (ts_page_welcome_get_type ())
G_DECLARE_FINAL_TYPE (TsPageWelcome, ts_page_welcome, TS, PAGE_WELCOME, GtkWidget)

struct _TsPageWelcome {
  GtkWidget parent;
  TsDesk *desk;
  GtkWidget *scroller, *columns, *templates, *place, *side, *recents, *recent_title, *open, *create;
};

G_DEFINE_FINAL_TYPE (TsPageWelcome, ts_page_welcome, GTK_TYPE_WIDGET)

enum { PROP_NARROW = 1 };

static void
ts_page_welcome_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  TsPageWelcome *page = TS_PAGE_WELCOME (object);
  gboolean narrow = g_value_get_boolean (value);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (page->columns),
                                  narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
}

static void
ts_page_welcome_dispose (GObject *object)
{
  TsPageWelcome *page = TS_PAGE_WELCOME (object);

  g_clear_pointer (&page->scroller, gtk_widget_unparent);
  G_OBJECT_CLASS (ts_page_welcome_parent_class)->dispose (object);
}

static void
ts_page_welcome_class_init (TsPageWelcomeClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);
  GObjectClass *object = G_OBJECT_CLASS (klass);

  object->dispose = ts_page_welcome_dispose;
  object->set_property = ts_page_welcome_set_property;
  g_object_class_install_property (
      object, PROP_NARROW,
      g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                            G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget, "/org/trainscope/Workbench/page-welcome.ui");
  gtk_widget_class_bind_template_child (widget, TsPageWelcome, scroller);
  gtk_widget_class_bind_template_child (widget, TsPageWelcome, columns);
  gtk_widget_class_bind_template_child (widget, TsPageWelcome, templates);
  gtk_widget_class_bind_template_child (widget, TsPageWelcome, place);
  gtk_widget_class_bind_template_child (widget, TsPageWelcome, side);
  gtk_widget_class_bind_template_child (widget, TsPageWelcome, recents);
  gtk_widget_class_bind_template_child (widget, TsPageWelcome, recent_title);
  gtk_widget_class_bind_template_child (widget, TsPageWelcome, open);
  gtk_widget_class_bind_template_child (widget, TsPageWelcome, create);
}

static void
ts_page_welcome_init (TsPageWelcome *page)
{
  gtk_widget_init_template (GTK_WIDGET (page));
  ts_shortcut_describe (page->open, "win.open-workspace", NULL);
  ts_shortcut_describe (page->create, "win.new-workspace", NULL);
}

static GtkWidget *
make_card (gpointer item, gpointer data)
{
  return ts_template_card_new (item);
}

/* The first template has the focus, so that Enter starts something at once. */
static void
focus_first (TsPageWelcome *page)
{
  GtkFlowBoxChild *first = gtk_flow_box_get_child_at_index (GTK_FLOW_BOX (page->templates), 0);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (page));
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;

  if (first && gtk_widget_get_mapped (GTK_WIDGET (page)) &&
      !(focus && gtk_widget_is_ancestor (focus, page->templates)))
    gtk_widget_grab_focus (gtk_flow_box_child_get_child (first));
}

/* "~/work" for what lies below the home folder. */
static char *
dup_short_path (const char *path)
{
  const char *home = g_get_home_dir ();
  gsize n = strlen (home);

  if (n > 1 && strncmp (path, home, n) == 0 && path[n] == '/')
    return g_strconcat ("~", path + n, NULL);
  return g_strdup (path);
}

static GtkWidget *
new_label (const char *text, const char *css)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (label, css);
  return label;
}

static GtkWidget *
make_recent (const TsRecent *recent)
{
  GtkWidget *row = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
  g_autofree char *name = g_path_get_basename (recent->path),
                  *folder = g_path_get_dirname (recent->path);
  g_autofree char *short_folder = dup_short_path (folder),
                  *size = g_format_size ((guint64) recent->size_bytes);
  g_autofree char *when = ts_figure_when (recent->modified_us, g_get_real_time ());
  g_autofree char *line = g_strdup_printf ("%s · %s · %s", short_folder, size, when);

  gtk_box_append (GTK_BOX (box), new_label (name, "card-title"));
  gtk_box_append (GTK_BOX (box), new_label (line, "secondary"));
  gtk_button_set_child (GTK_BUTTON (row), box);
  gtk_widget_add_css_class (row, "workspace-row");
  gtk_widget_set_tooltip_text (row, recent->path);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-path");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", recent->path);
  return row;
}

static void
fill_recents (TsPageWelcome *page)
{
  TsRecents *recents = ts_desk_get_recents (page->desk);
  guint n = MIN (6, ts_recents_get_n (recents));
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (page->recents)))
    gtk_box_remove (GTK_BOX (page->recents), child);
  for (guint i = 0; i < n; i++)
    gtk_box_append (GTK_BOX (page->recents), make_recent (ts_recents_get (recents, i)));
  gtk_widget_set_visible (page->recents, n > 0);
  gtk_label_set_text (GTK_LABEL (page->recent_title), n ? "Recent workspaces" : "Workspaces");
}

static void
show_place (TsPageWelcome *page)
{
  const char *path = ts_desk_get_workspace (page->desk);
  g_autofree char *short_path = path ? dup_short_path (path) : NULL;
  g_autofree char *text = path ? g_strdup_printf ("↵ starts the focused template, E shows its "
                                                  "model first and waits. Runs are kept in %s.",
                                                  short_path)
                               : g_strdup ("");

  gtk_label_set_text (GTK_LABEL (page->place), text);
}

static GtkWidget *
create (TsDesk *desk)
{
  TsPageWelcome *page = g_object_new (TS_TYPE_PAGE_WELCOME, NULL);

  page->desk = desk;
  gtk_flow_box_bind_model (GTK_FLOW_BOX (page->templates),
                           G_LIST_MODEL (ts_desk_get_templates (desk)), make_card, NULL, NULL);
  g_signal_connect_object (ts_desk_get_recents (desk), "changed", G_CALLBACK (fill_recents), page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (desk, "workspace-changed", G_CALLBACK (show_place), page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (ts_desk_get_templates (desk), "items-changed", G_CALLBACK (focus_first),
                           page, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_after (page, "map", G_CALLBACK (focus_first), NULL);
  fill_recents (page);
  show_place (page);
  return GTK_WIDGET (page);
}

const TsPageClass ts_page_welcome = {
    .name = "welcome",
    .title = "Welcome",
    .icon = "ts-plus-symbolic",
    .group = 0,
    .create = create,
};
