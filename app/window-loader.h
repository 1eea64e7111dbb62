/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The window is a module of its own, loaded only when it is opened: GTK costs the command line
 * nothing (app/module-loader.h). */

/* Was the program built with a window, and is there a display to open it on? */
gboolean ts_window_loader_can_open (void);

/* Opens the window on workspace @path (NULL: the default one), trains template @train (NULL: none)
 * in it, and returns the exit status when it is closed.  Prints why when it cannot be loaded. */
int ts_window_loader_run (const char *program, const char *path, const char *train);

G_END_DECLS
