/* SPDX-License-Identifier: MIT */
#include "ui/widgets/state-icon.h"

static const struct {
  const char *icon, *css;
} looks[] = {
    [TS_RUN_RUNNING] = {"ts-running-symbolic", "state-running"},
    [TS_RUN_FINISHED] = {"ts-finished-symbolic", "state-finished"},
    [TS_RUN_FAILED] = {"ts-failed-symbolic", "state-failed"},
    [TS_RUN_STOPPED] = {"ts-stopped-symbolic", "state-stopped"},
    [TS_RUN_INTERRUPTED] = {"ts-interrupted-symbolic", "state-interrupted"},
    [TS_RUN_IMPORTED] = {"ts-imported-symbolic", "state-imported"},
    [TS_RUN_PAUSED] = {"ts-paused-symbolic", "state-paused"},
};

const char *
ts_state_get_word (TsRunState state)
{
  return ts_run_state_name (state);
}

const char *
ts_state_get_icon_name (TsRunState state)
{
  return (guint) state < G_N_ELEMENTS (looks) ? looks[state].icon : "ts-stopped-symbolic";
}

GtkWidget *
ts_state_icon_new (void)
{
  GtkWidget *image =
      g_object_new (GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);

  gtk_widget_set_valign (image, GTK_ALIGN_CENTER);
  return image;
}

void
ts_state_icon_set (GtkWidget *image, TsRunState state)
{
  g_return_if_fail ((guint) state < G_N_ELEMENTS (looks));
  const char *classes[] = {looks[state].css, NULL};

  if (gtk_widget_has_css_class (image, looks[state].css))
    return;
  gtk_image_set_from_icon_name (GTK_IMAGE (image), looks[state].icon);
  gtk_widget_set_css_classes (image, classes);
  gtk_widget_set_tooltip_text (image, ts_state_get_word (state));
  gtk_accessible_update_property (GTK_ACCESSIBLE (image), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  ts_state_get_word (state), -1);
}
