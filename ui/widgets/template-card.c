/* SPDX-License-Identifier: MIT */
#include "ui/widgets/template-card.h"

#include "ui/models/figure.h"
#include "ui/widgets/glyph.h"

static GtkWidget *
new_label (const char *text, const char *css)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, css);
  return label;
}

static void
update (GtkWidget *card)
{
  TsTemplateItem *item = g_object_get_data (G_OBJECT (card), "item");
  GtkLabel *line = g_object_get_data (G_OBJECT (card), "line");
  const char *package = ts_template_item_get_package (item);
  gboolean available = ts_template_item_get_available (item);
  g_autofree char *count = ts_figure_count ((gint64) ts_template_item_get_n_parameters (item));
  g_autofree char *text =
      available ? g_strdup_printf ("%s · %s parameters", ts_template_item_get_data (item), count)
      : package ? g_strdup_printf ("needs %s", package)
                : g_strdup_printf ("%s is missing", ts_template_item_get_data (item));
  g_autofree char *tooltip = g_strdup_printf ("%s\n%s\n%s", ts_template_item_get_title (item), text,
                                              available ? "Enter starts it, E shows it first"
                                                        : "Enter says how to get it");

  gtk_label_set_text (line, text);
  gtk_widget_set_opacity (gtk_widget_get_first_child (gtk_button_get_child (GTK_BUTTON (card))),
                          available ? 1 : .45);
  if (available)
    gtk_widget_remove_css_class (GTK_WIDGET (line), "warn-text");
  else
    gtk_widget_add_css_class (GTK_WIDGET (line), "warn-text");
  gtk_widget_set_tooltip_text (card, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (card), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  ts_template_item_get_title (item),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static void
add_key (GtkWidget *card, const char *name)
{
  GtkShortcutController *keys = GTK_SHORTCUT_CONTROLLER (gtk_shortcut_controller_new ());
  GtkShortcut *shortcut = gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_e, 0),
                                            gtk_named_action_new ("win.prepare-template"));

  gtk_shortcut_set_arguments (shortcut, g_variant_new_string (name));
  gtk_shortcut_controller_add_shortcut (keys, shortcut);
  gtk_widget_add_controller (card, GTK_EVENT_CONTROLLER (keys));
}

GtkWidget *
ts_template_card_new (TsTemplateItem *item)
{
  GtkWidget *card = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
  GtkWidget *line = new_label (NULL, "secondary");

  gtk_widget_set_margin_start (words, 12);
  gtk_widget_set_margin_end (words, 12);
  gtk_widget_set_margin_top (words, 8);
  gtk_widget_set_margin_bottom (words, 9);
  gtk_box_append (GTK_BOX (words), new_label (ts_template_item_get_title (item), "card-title"));
  gtk_box_append (GTK_BOX (words), line);
  gtk_box_append (GTK_BOX (box), ts_glyph_new (item));
  gtk_box_append (GTK_BOX (box), words);
  gtk_button_set_child (GTK_BUTTON (card), box);
  gtk_widget_add_css_class (card, "template");
  gtk_widget_set_size_request (card, 190, -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (card), "win.train-template");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (card), "s", ts_template_item_get_name (item));
  add_key (card, ts_template_item_get_name (item));
  g_object_set_data_full (G_OBJECT (card), "item", g_object_ref (item), g_object_unref);
  g_object_set_data (G_OBJECT (card), "line", line);
  g_signal_connect_object (item, "notify::available", G_CALLBACK (update), card, G_CONNECT_SWAPPED);
  update (card);
  return card;
}
