/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Parts of the program that most starts can do without are modules.  They lie beside the program in a
 * build tree, else in the library folder of the prefix the program is in, else in that of the prefix it
 * was built for. */

/* The function @symbol of module @file ("trainscope-window.so"), which stays loaded.  NULL and *message,
 * for the caller to free, when there is none. */
void *ts_module_find (const char *file, const char *symbol, char **message);

G_END_DECLS
