/* SPDX-License-Identifier: MIT */
#include "ui/widgets/pulse-pill.h"

#include <math.h>

#include "ui/models/figure.h"
#include "ui/shortcuts/shortcuts.h"
#include "ui/widgets/state-icon.h"

struct _TsPulsePill {
  GtkWidget parent;
  TsDesk *desk;
  TsRunItem *item; /* whose changes are followed */
  GtkWidget *button, *state, *name, *step, *bar, *loss, *speed, *details;
  gboolean is_short;
};

G_DEFINE_FINAL_TYPE (TsPulsePill, ts_pulse_pill, GTK_TYPE_WIDGET)

static GtkWidget *
new_figure (GtkWidget *box, int chars)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_width_chars (GTK_LABEL (label), chars);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "secondary");
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
show_live (TsPulsePill *pill, const TsFigures *f)
{
  g_autofree char *step = ts_figure_count (f->step), *total = ts_figure_count (f->total_steps);
  g_autofree char *loss = ts_figure_known (f->loss), *speed = ts_figure_rate (f->steps_per_s);
  g_autofree char *step_text = f->preparing  ? g_strdup ("loading data …")
                               : f->stopping ? g_strdup ("saving …")
                                             : g_strdup_printf ("step %s of %s", step, total);
  g_autofree char *loss_text = g_strdup_printf ("loss %s", loss);
  g_autofree char *speed_text = g_strdup_printf ("%s /s", speed);
  TsRunState state = f->preparing ? TS_RUN_RUNNING : f->state;

  ts_state_icon_set (pill->state, state);
  gtk_label_set_text (GTK_LABEL (pill->name), f->name ? f->name : "");
  gtk_label_set_text (GTK_LABEL (pill->step), step_text);
  gtk_label_set_text (GTK_LABEL (pill->loss), f->preparing ? "" : loss_text);
  gtk_label_set_text (GTK_LABEL (pill->speed), f->preparing             ? ""
                                               : state == TS_RUN_PAUSED ? "paused"
                                                                        : speed_text);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (pill->bar),
                                 f->total_steps > 0 ? (double) f->step / (double) f->total_steps
                                                    : 0);
  gtk_widget_set_visible (pill->details, !pill->is_short);
}

static void
show_stored (TsPulsePill *pill, TsRunItem *item)
{
  ts_state_icon_set (pill->state, ts_run_item_get_state (item));
  gtk_label_set_text (GTK_LABEL (pill->name), ts_run_item_get_name (item));
  gtk_widget_set_visible (pill->details, FALSE);
}

static void
update (TsPulsePill *pill)
{
  const TsFigures *f = ts_live_get (ts_desk_get_live (pill->desk));
  TsRunItem *shown = ts_desk_get_shown (pill->desk);
  g_autofree char *text = NULL, *tooltip = NULL;

  gtk_widget_set_visible (GTK_WIDGET (pill), f->active || f->preparing || shown);
  if (f->active || f->preparing)
    show_live (pill, f);
  else if (shown)
    show_stored (pill, shown);
  text = ts_pulse_pill_dup_text (pill);
  tooltip = ts_shortcut_dup_tooltip ("win.show-live", text);
  gtk_widget_set_tooltip_text (pill->button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (pill->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  text, -1);
}

static void
on_shown (TsPulsePill *pill)
{
  if (pill->item)
    g_signal_handlers_disconnect_by_func (pill->item, update, pill);
  if (g_set_object (&pill->item, ts_desk_get_shown (pill->desk)) && pill->item)
    g_signal_connect_object (pill->item, "changed", G_CALLBACK (update), pill, G_CONNECT_SWAPPED);
  else if (pill->item)
    g_signal_connect_object (pill->item, "changed", G_CALLBACK (update), pill, G_CONNECT_SWAPPED);
  update (pill);
}

static void
ts_pulse_pill_dispose (GObject *object)
{
  TsPulsePill *pill = TS_PULSE_PILL (object);

  g_clear_object (&pill->item);
  g_clear_pointer (&pill->button, gtk_widget_unparent);
  G_OBJECT_CLASS (ts_pulse_pill_parent_class)->dispose (object);
}

static void
ts_pulse_pill_class_init (TsPulsePillClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ts_pulse_pill_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ts_pulse_pill_init (TsPulsePill *pill)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  pill->button = gtk_button_new ();
  pill->state = ts_state_icon_new ();
  pill->name = gtk_label_new (NULL);
  pill->details = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_label_set_ellipsize (GTK_LABEL (pill->name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (pill->name), 20);
  gtk_widget_add_css_class (pill->name, "card-title");
  gtk_widget_add_css_class (box, "breathing");
  gtk_box_append (GTK_BOX (box), pill->state);
  gtk_box_append (GTK_BOX (box), pill->name);
  gtk_box_append (GTK_BOX (box), pill->details);
  pill->step = new_figure (pill->details, 17);
  pill->bar = gtk_progress_bar_new ();
  gtk_widget_set_valign (pill->bar, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (pill->bar, 72, -1);
  gtk_box_append (GTK_BOX (pill->details), pill->bar);
  pill->loss = new_figure (pill->details, 9);
  pill->speed = new_figure (pill->details, 6);
  gtk_label_set_xalign (GTK_LABEL (pill->speed), 1);
  gtk_button_set_child (GTK_BUTTON (pill->button), box);
  gtk_widget_add_css_class (pill->button, "pulse");
  gtk_widget_set_valign (pill->button, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (pill->button), "win.show-live");
  gtk_widget_set_parent (pill->button, GTK_WIDGET (pill));
}

GtkWidget *
ts_pulse_pill_new (TsDesk *desk)
{
  TsPulsePill *pill = g_object_new (TS_TYPE_PULSE_PILL, NULL);

  pill->desk = desk;
  g_signal_connect_object (desk, "shown-changed", G_CALLBACK (on_shown), pill, G_CONNECT_SWAPPED);
  g_signal_connect_object (ts_desk_get_live (desk), "changed", G_CALLBACK (update), pill,
                           G_CONNECT_SWAPPED);
  on_shown (pill);
  return GTK_WIDGET (pill);
}

void
ts_pulse_pill_set_short (TsPulsePill *pill, gboolean is_short)
{
  if (pill->is_short == is_short)
    return;
  pill->is_short = is_short;
  update (pill);
}

char *
ts_pulse_pill_dup_text (TsPulsePill *pill)
{
  const TsFigures *f = ts_live_get (ts_desk_get_live (pill->desk));
  TsRunItem *shown = ts_desk_get_shown (pill->desk);

  if (f->preparing)
    return g_strdup_printf ("%s: loading data", f->name ? f->name : "");
  if (f->active) {
    g_autofree char *step = ts_figure_count (f->step), *total = ts_figure_count (f->total_steps);
    return g_strdup_printf ("%s, %s, step %s of %s", f->name, ts_state_get_word (f->state), step,
                            total);
  }
  return shown ? g_strdup_printf ("%s, %s", ts_run_item_get_name (shown),
                                  ts_state_get_word (ts_run_item_get_state (shown)))
               : g_strdup ("");
}
