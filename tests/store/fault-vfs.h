/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A disk that fails: a SQLite VFS over the default one, itself the default once installed.  Writes,
 * truncations and syncs are counted from fault_arm on; those from the @first-th (1, 2, …) to the
 * one before first + n fail, as SQLITE_FULL or, every third, as an I/O error. */
void fault_install (void);
void fault_arm (gint64 first, gint64 n);

/* Nothing fails any more.  Returns how many calls failed. */
gint64 fault_disarm (void);

G_END_DECLS
