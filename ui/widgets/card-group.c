/* SPDX-License-Identifier: MIT */
#include "ui/widgets/card-group.h"

struct _TsCardGroup {
  GtkWidget parent;
  GtkWidget *head, *arrow, *note, *grid;
  gboolean expanded;
};

G_DEFINE_FINAL_TYPE (TsCardGroup, ts_card_group, GTK_TYPE_WIDGET)

enum { PROP_EXPANDED = 1 };

static void
ts_card_group_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_boolean (value, TS_CARD_GROUP (object)->expanded);
}

static void
ts_card_group_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  ts_card_group_set_expanded (TS_CARD_GROUP (object), g_value_get_boolean (value));
}

static void
ts_card_group_dispose (GObject *object)
{
  TsCardGroup *group = TS_CARD_GROUP (object);

  g_clear_pointer (&group->head, gtk_widget_unparent);
  g_clear_pointer (&group->grid, gtk_widget_unparent);
  G_OBJECT_CLASS (ts_card_group_parent_class)->dispose (object);
}

static void
ts_card_group_class_init (TsCardGroupClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);

  object->dispose = ts_card_group_dispose;
  object->get_property = ts_card_group_get_property;
  object->set_property = ts_card_group_set_property;
  g_object_class_install_property (
      object, PROP_EXPANDED,
      g_param_spec_boolean ("expanded", NULL, NULL, TRUE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS));
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
}

static void
on_clicked (TsCardGroup *group)
{
  ts_card_group_set_expanded (group, !group->expanded);
}

static void
update (TsCardGroup *group)
{
  gtk_widget_set_visible (group->grid, group->expanded);
  (group->expanded ? gtk_widget_remove_css_class : gtk_widget_add_css_class) (group->arrow,
                                                                              "closed");
  gtk_accessible_update_state (GTK_ACCESSIBLE (group->head), GTK_ACCESSIBLE_STATE_EXPANDED,
                               group->expanded, -1);
}

static void
ts_card_group_init (TsCardGroup *group)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (group));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  group->expanded = TRUE;
}

GtkWidget *
ts_card_group_new (const char *title)
{
  TsCardGroup *group = g_object_new (TS_TYPE_CARD_GROUP, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = gtk_label_new (title);

  group->arrow = gtk_image_new_from_icon_name ("ts-down-symbolic");
  group->note = gtk_label_new (NULL);
  group->head = gtk_button_new ();
  group->grid = ts_card_grid_new ();
  gtk_widget_add_css_class (group->arrow, "group-arrow");
  gtk_widget_add_css_class (label, "card-title");
  gtk_widget_add_css_class (group->note, "hint");
  gtk_widget_add_css_class (group->head, "group-head");
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_box_append (GTK_BOX (box), group->arrow);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), group->note);
  gtk_button_set_child (GTK_BUTTON (group->head), box);
  gtk_widget_set_halign (group->head, GTK_ALIGN_START);
  gtk_accessible_update_property (GTK_ACCESSIBLE (group->head), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title, -1);
  gtk_widget_set_parent (group->head, GTK_WIDGET (group));
  gtk_widget_set_parent (group->grid, GTK_WIDGET (group));
  g_signal_connect_swapped (group->head, "clicked", G_CALLBACK (on_clicked), group);
  update (group);
  return GTK_WIDGET (group);
}

TsCardGrid *
ts_card_group_get_grid (TsCardGroup *group)
{
  return TS_CARD_GRID (group->grid);
}

void
ts_card_group_set_note (TsCardGroup *group, const char *note)
{
  gtk_label_set_text (GTK_LABEL (group->note), note);
}

void
ts_card_group_set_expanded (TsCardGroup *group, gboolean expanded)
{
  if (group->expanded == expanded)
    return;
  group->expanded = expanded;
  update (group);
  g_object_notify (G_OBJECT (group), "expanded");
}

gboolean
ts_card_group_get_expanded (TsCardGroup *group)
{
  return group->expanded;
}
