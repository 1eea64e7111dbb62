/* SPDX-License-Identifier: MIT */
#include "ui/widgets/run-row.h"

#include <math.h>

#include "ui/models/figure.h"
#include "ui/plot/palette.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state-icon.h"

/* --- The swatch --- */

#define TS_TYPE_SWATCH (ts_swatch_get_type ())
G_DECLARE_FINAL_TYPE (TsSwatch, ts_swatch, TS, SWATCH, GtkWidget)

#define SIDE 14

struct _TsSwatch {
  GtkWidget parent;
  guint color;
  gboolean filled;
};

G_DEFINE_FINAL_TYPE (TsSwatch, ts_swatch, GTK_TYPE_WIDGET)

static void
draw_check (GtkSnapshot *snapshot, float x, float y)
{
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (x, y, SIDE, SIDE));

  cairo_move_to (cr, x + 3.5, y + 7.25);
  cairo_line_to (cr, x + 6, y + 9.75);
  cairo_line_to (cr, x + 10.5, y + 4.5);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_set_line_width (cr, 1.75);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
ts_swatch_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TsSwatch *swatch = TS_SWATCH (widget);
  float x = (float) floor ((gtk_widget_get_width (widget) - SIDE) / 2.);
  float y = (float) floor ((gtk_widget_get_height (widget) - SIDE) / 2.);
  graphene_rect_t box = GRAPHENE_RECT_INIT (x, y, SIDE, SIDE);
  GskRoundedRect outline;
  GdkRGBA color;

  ts_palette_get (swatch->color, &color);
  gsk_rounded_rect_init_from_rect (&outline, &box, 3);
  if (!swatch->filled) {
    gtk_snapshot_append_border (snapshot, &outline, (float[4]){1.5f, 1.5f, 1.5f, 1.5f},
                                (GdkRGBA[4]){color, color, color, color});
    return;
  }
  gtk_snapshot_push_rounded_clip (snapshot, &outline);
  gtk_snapshot_append_color (snapshot, &color, &box);
  gtk_snapshot_pop (snapshot);
  draw_check (snapshot, x, y);
}

static void
ts_swatch_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                   int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = 24;
}

static void
ts_swatch_class_init (TsSwatchClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  widget->snapshot = ts_swatch_snapshot;
  widget->measure = ts_swatch_measure;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_CHECKBOX);
}

static void
ts_swatch_init (TsSwatch *swatch)
{
}

/* --- The row --- */

struct _TsRunRow {
  GtkWidget parent;
  TsRunSet *set;
  TsRunItem *item;
  const char *tag;
  GtkWidget *swatch, *name, *state, *value;
};

G_DEFINE_FINAL_TYPE (TsRunRow, ts_run_row, GTK_TYPE_WIDGET)

static void
show_value (TsRunRow *row)
{
  gboolean known = FALSE;
  double value = row->tag ? ts_run_item_get_last (row->item, row->tag, &known) : NAN;
  g_autofree char *text = known ? ts_figure_number (value) : g_strdup ("–");

  gtk_label_set_text (GTK_LABEL (row->value), text);
  (known && !isfinite (value) ? gtk_widget_add_css_class
                              : gtk_widget_remove_css_class) (row->value, "bad-value");
}

static void
update (TsRunRow *row)
{
  if (!row->item)
    return;
  TsSwatch *swatch = TS_SWATCH (row->swatch);
  const char *name = ts_run_item_get_name (row->item);
  gboolean shown = ts_run_set_shows (row->set, row->item);
  g_autofree char *tip =
      g_strdup_printf ("%s %s (Space); double click: only this one", shown ? "Hide" : "Show", name);
  swatch->color = ts_run_item_get_color (row->item);
  swatch->filled = shown;
  gtk_widget_queue_draw (row->swatch);
  gtk_widget_set_tooltip_text (row->swatch, tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->swatch), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  -1);
  gtk_accessible_update_state (GTK_ACCESSIBLE (row->swatch), GTK_ACCESSIBLE_STATE_CHECKED,
                               shown ? GTK_ACCESSIBLE_TRISTATE_TRUE : GTK_ACCESSIBLE_TRISTATE_FALSE,
                               -1);
  gtk_label_set_text (GTK_LABEL (row->name), name);
  gtk_widget_set_tooltip_text (row->name, name);
  (shown ? gtk_widget_remove_css_class : gtk_widget_add_css_class) (row->name, "run-hidden");
  ts_state_icon_set (row->state, ts_run_item_get_state (row->item));
  show_value (row);
}

static void
on_pressed (GtkGestureClick *click, int n_press, double x, double y, TsRunRow *row)
{
  gint64 id;

  gtk_gesture_set_state (GTK_GESTURE (click), GTK_EVENT_SEQUENCE_CLAIMED);
  if (!row->item)
    return;
  id = ts_run_item_get_id (row->item);
  if (n_press == 1)
    ts_run_set_show (row->set, id, !ts_run_set_shows (row->set, row->item));
  else if (n_press == 2)
    ts_run_set_show_only (row->set, id);
}

static void
ts_run_row_dispose (GObject *object)
{
  TsRunRow *row = TS_RUN_ROW (object);
  GtkWidget *child;

  ts_run_row_set_item (row, NULL);
  if (row->set)
    g_signal_handlers_disconnect_by_data (row->set, row);
  g_clear_object (&row->set);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (row))))
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ts_run_row_parent_class)->dispose (object);
}

static void
ts_run_row_class_init (TsRunRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ts_run_row_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
}

static void
ts_run_row_init (TsRunRow *row)
{
  GtkGesture *click = gtk_gesture_click_new ();

  row->swatch = g_object_new (TS_TYPE_SWATCH, NULL);
  row->name = gtk_label_new (NULL);
  row->state = ts_state_icon_new ();
  row->value = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (row->name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (row->name), 0);
  gtk_widget_set_hexpand (row->name, TRUE);
  gtk_widget_set_margin_start (row->name, 4);
  gtk_label_set_xalign (GTK_LABEL (row->value), 1);
  gtk_label_set_width_chars (GTK_LABEL (row->value), 8);
  gtk_widget_add_css_class (row->value, "number");
  gtk_widget_set_parent (row->swatch, GTK_WIDGET (row));
  gtk_widget_set_parent (row->name, GTK_WIDGET (row));
  gtk_widget_set_parent (row->state, GTK_WIDGET (row));
  gtk_widget_set_parent (row->value, GTK_WIDGET (row));
  gtk_widget_add_css_class (GTK_WIDGET (row), "run-row");
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), row);
  gtk_widget_add_controller (row->swatch, GTK_EVENT_CONTROLLER (click));
}

GtkWidget *
ts_run_row_new (TsRunSet *set)
{
  TsRunRow *row = g_object_new (TS_TYPE_RUN_ROW, NULL);

  row->set = g_object_ref (set);
  g_signal_connect_swapped (set, "changed", G_CALLBACK (update), row);
  return GTK_WIDGET (row);
}

void
ts_run_row_set_item (TsRunRow *row, TsRunItem *item)
{
  if (row->item == item)
    return;
  if (row->item)
    g_signal_handlers_disconnect_by_data (row->item, row);
  g_set_object (&row->item, item);
  if (item)
    g_signal_connect_swapped (item, "changed", G_CALLBACK (update), row);
  update (row);
}

void
ts_run_row_set_tag (TsRunRow *row, const char *tag)
{
  row->tag = tag;
  update (row);
}
