/* SPDX-License-Identifier: MIT */
#pragma once

#include <gmodule.h>

G_BEGIN_DECLS

/* The one door of the window's module (app/window-loader.h): runs the window until it is closed and
 * returns the exit status.  @path, @train: see ts_application_new. */
G_MODULE_EXPORT int ts_window_main (const char *program, const char *path, const char *train);

G_END_DECLS
