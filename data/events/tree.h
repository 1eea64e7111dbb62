/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The event files below a folder, and what lies beside them. */

typedef struct {
  char *path;
  guint64 dev, inode;
  gint64 size, mtime_ns;
  double wall; /* of its first event; NaN: none */
} TsTreeFile;

typedef struct {
  char *path;
  char *name;            /* below the root, with '/' between its parts; "" for the root */
  GPtrArray *files;      /* of TsTreeFile, by the time of their first event, then by name */
  TsTreeFile *projector; /* the projector's configuration; NULL: none */
} TsTreeFolder;

/* When the first events of files were, as far as it is known: kept from one look at a tree to the next. */
typedef struct TsTreeWalls TsTreeWalls;
TsTreeWalls *ts_tree_walls_new (void);
void ts_tree_walls_free (TsTreeWalls *walls);

/* A GPtrArray of TsTreeFolder, by name, numbers in it by value; those above come before those
 * below.  @root may be a file: then it is the only one.  Every folder that was looked into is
 * added to @visited, what cannot be read to @problems (both of char *; @visited may be NULL).  @walls may be
 * NULL. */
GPtrArray *ts_tree_find (const char *root, TsTreeWalls *walls, GPtrArray *visited,
                         GPtrArray *problems);

/* CRC-32C of a file's first @size bytes, or of what it has. */
guint32 ts_tree_head_crc (const char *path, gint64 size);
/* Is it what Git leaves in place of a large file? */
gboolean ts_tree_is_lfs_pointer (const char *path);

G_END_DECLS
