/* SPDX-License-Identifier: MIT */
#include "ui/widgets/chart-view.h"

#include <math.h>

/* From events to the functions of the chart: no logic but which button means what. */

#define WHEEL_FACTOR 1.2

static void
drag_begin (GtkGestureDrag *gesture, double x, double y, gpointer data)
{
  GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
  gboolean pan = button == GDK_BUTTON_MIDDLE || (state & GDK_SHIFT_MASK);

  gtk_widget_grab_focus (data);
  ts_chart_view_drag_begin (data, pan ? TS_CHART_DRAG_PAN : TS_CHART_DRAG_BOX, x, y);
}

static void
drag_update (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  double x, y;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  ts_chart_view_drag_update (data, x + dx, y + dy);
}

static void
drag_end (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  ts_chart_view_drag_end (data, TRUE);
}

static void
drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, gpointer data)
{
  ts_chart_view_drag_end (data, FALSE);
}

static void
add_drag (TsChartView *view, guint button)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), button);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin), view);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update), view);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end), view);
  g_signal_connect (drag, "cancel", G_CALLBACK (drag_cancel), view);
  gtk_widget_add_controller (GTK_WIDGET (view), GTK_EVENT_CONTROLLER (drag));
}

static void
pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  if (n_press == 2)
    ts_chart_view_fit (data);
}

static void
motion (GtkEventControllerMotion *controller, double x, double y, gpointer data)
{
  ts_chart_view_point (data, x, y);
}

static void
leave (GtkEventControllerMotion *controller, gpointer data)
{
  ts_chart_view_leave (data);
}

/* Without Ctrl the wheel is the page's. */
static gboolean
scroll (GtkEventControllerScroll *controller, double dx, double dy, gpointer data)
{
  GtkEventController *self = GTK_EVENT_CONTROLLER (controller);
  GtkEventController *pointer = g_object_get_data (G_OBJECT (controller), "pointer");
  const double *px = g_object_get_data (G_OBJECT (pointer), "px");

  if (!(gtk_event_controller_get_current_event_state (self) & GDK_CONTROL_MASK) || dy == 0)
    return FALSE;
  ts_chart_view_zoom (data, *px, pow (WHEEL_FACTOR, dy));
  return TRUE;
}

static void
keep_pointer (GtkEventControllerMotion *controller, double x, double y, gpointer data)
{
  *(double *) data = x;
}

static gboolean
key_pressed (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state,
             gpointer data)
{
  return ts_chart_view_press_key (data, keyval, state);
}

void
ts_chart_view_add_gestures (TsChartView *view)
{
  GtkWidget *widget = GTK_WIDGET (view);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *pointer = gtk_event_controller_motion_new ();
  GtkEventController *wheel =
      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkEventController *keys = gtk_event_controller_key_new ();
  double *px = g_new0 (double, 1);

  add_drag (view, GDK_BUTTON_PRIMARY);
  add_drag (view, GDK_BUTTON_MIDDLE);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed), view);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  g_object_set_data_full (G_OBJECT (pointer), "px", px, g_free);
  g_signal_connect (pointer, "enter", G_CALLBACK (keep_pointer), px);
  g_signal_connect (pointer, "motion", G_CALLBACK (keep_pointer), px);
  g_signal_connect (pointer, "enter", G_CALLBACK (motion), view);
  g_signal_connect (pointer, "motion", G_CALLBACK (motion), view);
  g_signal_connect (pointer, "leave", G_CALLBACK (leave), view);
  gtk_widget_add_controller (widget, pointer);
  g_object_set_data (G_OBJECT (wheel), "pointer", pointer);
  g_signal_connect (wheel, "scroll", G_CALLBACK (scroll), view);
  gtk_widget_add_controller (widget, wheel);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), view);
  gtk_widget_add_controller (widget, keys);
}
