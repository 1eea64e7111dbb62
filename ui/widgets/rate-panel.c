/* SPDX-License-Identifier: MIT */
#include "ui/widgets/rate-panel.h"

#include <math.h>

#include "ui/shortcuts.h"

#define SEND_MS   200
#define LOW_LOG10 -7.
#define TOP_LOG10 1.

struct _TsRatePanel {
  GtkWidget parent;
  TsLive *live;
  GtkWidget *box, *entry, *scale;
  gint64 run_id;
  double first; /* the rate when the run came into view; the factor is told against it */
  GtkWidget *factor;
  double shown, wanted;
  guint send_source;
  gint64 touched_us; /* when the user last moved it: the pulse may lag behind */
};

G_DEFINE_FINAL_TYPE (TsRatePanel, ts_rate_panel, GTK_TYPE_WIDGET)

static char *
dup_rate (double lr)
{
  g_autofree char *text = g_strdup_printf ("%.3g", lr);
  return g_strdup (text);
}

static gboolean
send (gpointer data)
{
  TsRatePanel *panel = data;

  panel->send_source = 0;
  gtk_widget_activate_action (GTK_WIDGET (panel), "win.set-lr", "d", panel->wanted);
  return G_SOURCE_REMOVE;
}

static void
show (TsRatePanel *panel, double lr)
{
  g_autofree char *text = dup_rate (lr), *factor = NULL;

  panel->shown = lr;
  gtk_editable_set_text (GTK_EDITABLE (panel->entry), text);
  gtk_range_set_value (GTK_RANGE (panel->scale), lr > 0 ? log10 (lr) : LOW_LOG10);
  factor = panel->first > 0 && fabs (lr / panel->first - 1) > 1e-9
               ? g_strdup_printf ("× %.3g", lr / panel->first)
               : g_strdup ("");
  gtk_label_set_text (GTK_LABEL (panel->factor), factor);
  gtk_widget_remove_css_class (panel->entry, "error");
}

static void
update (TsRatePanel *panel)
{
  const TsFigures *f = ts_live_get (panel->live);
  gboolean typing =
      gtk_widget_has_focus (GTK_WIDGET (gtk_editable_get_delegate (GTK_EDITABLE (panel->entry))));

  if (f->run_id != panel->run_id) {
    panel->run_id = f->run_id;
    panel->first = NAN;
  }
  if (isnan (f->lr) || f->lr <= 0)
    return;
  if (isnan (panel->first) || panel->first <= 0)
    panel->first = f->lr;
  if (f->lr == panel->shown || typing || panel->send_source ||
      g_get_monotonic_time () - panel->touched_us < G_USEC_PER_SEC)
    return;
  show (panel, f->lr);
}

static gboolean
on_moved (TsRatePanel *panel, GtkScrollType scroll, double value)
{
  panel->touched_us = g_get_monotonic_time ();
  panel->wanted = pow (10, CLAMP (value, LOW_LOG10, TOP_LOG10));
  show (panel, panel->wanted);
  if (!panel->send_source)
    panel->send_source = g_timeout_add (SEND_MS, send, panel);
  return TRUE;
}

gboolean
ts_rate_panel_enter (TsRatePanel *panel, const char *text)
{
  char *end;
  double lr = g_ascii_strtod (text, &end);

  if (end == text || *end || !isfinite (lr) || lr <= 0) {
    gtk_widget_add_css_class (panel->entry, "error");
    return FALSE;
  }
  panel->touched_us = g_get_monotonic_time ();
  show (panel, lr);
  gtk_widget_activate_action (GTK_WIDGET (panel), "win.set-lr", "d", lr);
  return TRUE;
}

static void
on_entered (TsRatePanel *panel)
{
  /* done typing: the space bar is the window's again */
  if (ts_rate_panel_enter (panel, gtk_editable_get_text (GTK_EDITABLE (panel->entry))))
    gtk_widget_grab_focus (panel->scale);
}

static void
ts_rate_panel_dispose (GObject *object)
{
  TsRatePanel *panel = TS_RATE_PANEL (object);

  g_clear_handle_id (&panel->send_source, g_source_remove);
  g_clear_pointer (&panel->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ts_rate_panel_parent_class)->dispose (object);
}

static void
ts_rate_panel_class_init (TsRatePanelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ts_rate_panel_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
new_button (GtkWidget *box, const char *label, const char *action)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_add_css_class (button, "tool");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  ts_shortcut_describe (button, action, NULL);
  gtk_box_append (GTK_BOX (box), button);
  return button;
}

static void
ts_rate_panel_init (TsRatePanel *panel)
{
  GtkWidget *title = gtk_label_new ("Learning rate"),
            *pair = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  panel->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  panel->entry = gtk_entry_new ();
  panel->factor = gtk_label_new (NULL);
  panel->scale = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, LOW_LOG10, TOP_LOG10, .05);
  panel->first = panel->shown = NAN;
  gtk_widget_add_css_class (panel->box, "rate-panel");
  gtk_widget_add_css_class (title, "card-title");
  gtk_widget_add_css_class (panel->entry, "mono");
  gtk_editable_set_width_chars (GTK_EDITABLE (panel->entry), 8);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (panel->entry), 8);
  gtk_widget_set_valign (panel->entry, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (panel->entry, "Learning rate: type a number, Enter sets it");
  gtk_accessible_update_property (GTK_ACCESSIBLE (panel->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Learning rate", -1);
  gtk_label_set_width_chars (GTK_LABEL (panel->factor), 7);
  gtk_label_set_xalign (GTK_LABEL (panel->factor), 0);
  gtk_widget_add_css_class (panel->factor, "hint");
  gtk_scale_set_draw_value (GTK_SCALE (panel->scale), FALSE);
  gtk_widget_set_hexpand (panel->scale, TRUE);
  gtk_widget_set_size_request (panel->scale, 90, -1);
  gtk_widget_set_tooltip_text (panel->scale, "Learning rate, from 10⁻⁷ to 10");
  gtk_accessible_update_property (GTK_ACCESSIBLE (panel->scale), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Learning rate, logarithm", -1);
  gtk_widget_add_css_class (pair, "linked");
  gtk_widget_set_valign (pair, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (panel->box), title);
  gtk_box_append (GTK_BOX (panel->box), panel->entry);
  gtk_box_append (GTK_BOX (panel->box), panel->factor);
  gtk_box_append (GTK_BOX (panel->box), panel->scale);
  gtk_box_append (GTK_BOX (panel->box), pair);
  new_button (pair, "÷ 2", "win.lr-half");
  new_button (pair, "× 2", "win.lr-double");
  g_signal_connect_swapped (panel->scale, "change-value", G_CALLBACK (on_moved), panel);
  g_signal_connect_swapped (panel->entry, "activate", G_CALLBACK (on_entered), panel);
  gtk_widget_set_parent (panel->box, GTK_WIDGET (panel));
}

GtkWidget *
ts_rate_panel_new (TsLive *live)
{
  TsRatePanel *panel = g_object_new (TS_TYPE_RATE_PANEL, NULL);

  panel->live = live;
  g_signal_connect_object (live, "changed", G_CALLBACK (update), panel, G_CONNECT_SWAPPED);
  update (panel);
  return GTK_WIDGET (panel);
}
