/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "ui/models/desk.h"

G_BEGIN_DECLS

/* What is training now, in one line of the header: state, name, step, loss, speed.  A button that
 * shows that run.  When nothing trains it tells of the run that is shown, or hides. */
#define TS_TYPE_PULSE_PILL (ts_pulse_pill_get_type ())
G_DECLARE_FINAL_TYPE (TsPulsePill, ts_pulse_pill, TS, PULSE_PILL, GtkWidget)

GtkWidget *ts_pulse_pill_new (TsDesk *desk);

/* Only state and name, for narrow windows. */
void ts_pulse_pill_set_short (TsPulsePill *pill, gboolean is_short);

/* What it says (new). */
char *ts_pulse_pill_dup_text (TsPulsePill *pill);

G_END_DECLS
