/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A SQLite file system that remembers every write, truncation and sync of databases and their WALs,
 * and can lay out what a disk may hold after the power failed at any of them: all that was synced,
 * and of the rest any of its 512-byte sectors. */

/* Registers it as the default.  Once per process, before any file is opened. */
void power_install (void);
/* Forgets everything; what is opened from here on is remembered, by the order of opening a name. */
void power_start (void);
/* The file that @path already is, as if it had been written and synced. */
void power_preload (const char *path, const guint8 *data, gsize size);
/* How many operations there were so far.  Any thread. */
guint power_count (void);
/* Writes the file of the database @path (its name when it was opened) and of its WAL to @to and
 * @to-wal as they may be after the first @n operations; which sectors live follows from @seed. */
void power_cut (const char *path, const char *to, guint n, guint64 seed);

G_END_DECLS
