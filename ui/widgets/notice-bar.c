/* SPDX-License-Identifier: MIT */
#include "ui/widgets/notice-bar.h"

struct _TsNoticeBar {
  GtkWidget parent;
  TsDesk *desk;
  GtkWidget *revealer, *box, *icon, *title, *text, *button;
};

G_DEFINE_FINAL_TYPE (TsNoticeBar, ts_notice_bar, GTK_TYPE_WIDGET)

/* The target before the name: GTK would find the pair unfit in between. */
static void
set_action (GtkWidget *button, const char *detailed)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), NULL);
  if (!detailed || !g_action_parse_detailed_name (detailed, &name, &target, NULL))
    return;
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (button), target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), name);
}

static void
update (TsNoticeBar *bar)
{
  static const char *const icons[] = {"ts-info-symbolic", "ts-warn-symbolic", "ts-warn-symbolic"};
  static const char *const classes[] = {"notice-info", "notice-warning", "notice-error"};
  const TsNotice *notice = ts_desk_get_notice (bar->desk);

  gtk_revealer_set_reveal_child (GTK_REVEALER (bar->revealer), notice != NULL);
  if (!notice)
    return;
  const char *css[] = {"notice", classes[notice->severity], NULL};
  gtk_widget_set_css_classes (bar->box, css);
  gtk_image_set_from_icon_name (GTK_IMAGE (bar->icon), icons[notice->severity]);
  gtk_label_set_text (GTK_LABEL (bar->title), notice->title);
  gtk_label_set_text (GTK_LABEL (bar->text), notice->text ? notice->text : "");
  gtk_widget_set_visible (bar->text, notice->text && *notice->text);
  gtk_widget_set_visible (bar->button, notice->button != NULL);
  if (notice->button) {
    gtk_button_set_label (GTK_BUTTON (bar->button), notice->button);
    set_action (bar->button, notice->action);
  }
}

static void
on_close (TsNoticeBar *bar)
{
  ts_desk_set_notice (bar->desk, NULL);
}

static void
ts_notice_bar_dispose (GObject *object)
{
  g_clear_pointer (&TS_NOTICE_BAR (object)->revealer, gtk_widget_unparent);
  G_OBJECT_CLASS (ts_notice_bar_parent_class)->dispose (object);
}

static void
ts_notice_bar_class_init (TsNoticeBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ts_notice_bar_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_ALERT);
}

static GtkWidget *
new_words (const char *css, gboolean selectable)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), selectable);
  gtk_widget_add_css_class (label, css);
  return label;
}

static void
ts_notice_bar_init (TsNoticeBar *bar)
{
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *close = gtk_button_new_from_icon_name ("ts-close-symbolic");

  bar->revealer = gtk_revealer_new ();
  bar->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  bar->icon = gtk_image_new ();
  bar->title = new_words ("card-title", FALSE);
  bar->text = new_words ("secondary", TRUE);
  bar->button = gtk_button_new_with_label ("");
  gtk_widget_set_valign (bar->icon, GTK_ALIGN_START);
  gtk_widget_set_margin_top (bar->icon, 2);
  gtk_widget_set_hexpand (words, TRUE);
  gtk_box_append (GTK_BOX (words), bar->title);
  gtk_box_append (GTK_BOX (words), bar->text);
  gtk_box_append (GTK_BOX (bar->box), bar->icon);
  gtk_box_append (GTK_BOX (bar->box), words);
  gtk_box_append (GTK_BOX (bar->box), bar->button);
  gtk_box_append (GTK_BOX (bar->box), close);
  gtk_widget_add_css_class (bar->button, "tool");
  gtk_widget_add_css_class (bar->button, "primary");
  gtk_widget_set_valign (bar->button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (close, "tool");
  gtk_widget_add_css_class (close, "plain");
  gtk_widget_set_valign (close, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (close, "Close this message");
  gtk_accessible_update_property (GTK_ACCESSIBLE (close), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Close this message", -1);
  g_signal_connect_swapped (close, "clicked", G_CALLBACK (on_close), bar);
  gtk_revealer_set_child (GTK_REVEALER (bar->revealer), bar->box);
  gtk_widget_set_parent (bar->revealer, GTK_WIDGET (bar));
}

GtkWidget *
ts_notice_bar_new (TsDesk *desk)
{
  TsNoticeBar *bar = g_object_new (TS_TYPE_NOTICE_BAR, NULL);

  bar->desk = desk;
  g_signal_connect_object (desk, "notice-changed", G_CALLBACK (update), bar, G_CONNECT_SWAPPED);
  update (bar);
  return GTK_WIDGET (bar);
}
