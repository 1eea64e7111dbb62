/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "ui/window.h"

G_BEGIN_DECLS

/* The program with a window: one application, one window, one workspace at a time.  Glue only: it
 * joins the window (ui/) with the training (app/training.h) by actions.  Closing the window,
 * SIGTERM and SIGINT stop a training within a step, save it, and then end. */
#define TS_TYPE_APPLICATION (ts_application_get_type ())
G_DECLARE_FINAL_TYPE (TsApplication, ts_application, TS, APPLICATION, AdwApplication)

/* @path: the workspace to open; NULL: ./runs.trainscope, or one in the user's data folder when the
 * current folder cannot be written, and the Welcome page first. */
TsApplication *ts_application_new (const char *path);

/* NULL before activation and after the end.  Borrowed. */
TsWindow *ts_application_get_window (TsApplication *app);

G_END_DECLS
