/* SPDX-License-Identifier: MIT */
#include "data/events/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/events/log-event.h"
#include "data/events/projector.h"
#include "data/events/record.h"
#include "data/store/crc32c.h"
#include "data/store/point.h"

/* A folder on the way down: a link back to one of them is not followed. */
typedef struct Way {
  const struct Way *above;
  guint64 dev, inode;
} Way;

typedef struct {
  GPtrArray *folders, *visited, *problems;
  TsTreeWalls *walls;
} Walk;

struct TsTreeWalls {
  GHashTable *by_path; /* path → Wall */
};

typedef struct {
  guint64 dev, inode;
  gint64 size; /* one that has become shorter was written anew */
  double wall;
} Wall;

TsTreeWalls *
ts_tree_walls_new (void)
{
  TsTreeWalls *walls = g_new0 (TsTreeWalls, 1);

  walls->by_path = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return walls;
}

void
ts_tree_walls_free (TsTreeWalls *walls)
{
  g_hash_table_unref (walls->by_path);
  g_free (walls);
}

static void
free_file (gpointer data)
{
  TsTreeFile *file = data;

  g_free (file->path);
  g_free (file);
}

static void
free_folder (gpointer data)
{
  TsTreeFolder *folder = data;

  g_free (folder->path);
  g_free (folder->name);
  g_ptr_array_unref (folder->files);
  g_clear_pointer (&folder->projector, free_file);
  g_free (folder);
}

/* "2" before "10": digits by value, all else by byte. */
static int
compare_natural (const char *a, const char *b)
{
  while (*a && *b) {
    if (g_ascii_isdigit (*a) && g_ascii_isdigit (*b)) {
      gsize n, m;
      for (; *a == '0'; a++)
        ;
      for (; *b == '0'; b++)
        ;
      n = strspn (a, "0123456789");
      m = strspn (b, "0123456789");
      int order = n != m ? (n < m ? -1 : 1) : strncmp (a, b, n);
      if (order)
        return order;
      a += n;
      b += m;
    } else if (*a != *b) {
      return *a == '/' ? -1 : *b == '/' ? 1 : (guchar) *a - (guchar) *b;
    } else {
      a++;
      b++;
    }
  }
  return (guchar) *a - (guchar) *b;
}

static int
compare_folders (gconstpointer a, gconstpointer b)
{
  const TsTreeFolder *p = *(const TsTreeFolder *const *) a, *q = *(const TsTreeFolder *const *) b;
  int order = compare_natural (p->name, q->name);

  return order ? order : strcmp (p->name, q->name);
}

static int
compare_files (gconstpointer a, gconstpointer b)
{
  const TsTreeFile *p = *(const TsTreeFile *const *) a, *q = *(const TsTreeFile *const *) b;

  if (p->wall != q->wall && !isnan (p->wall) && !isnan (q->wall))
    return p->wall < q->wall ? -1 : 1;
  return strcmp (p->path, q->path);
}

static void
add_problem (Walk *walk, const char *path, int code)
{
  g_ptr_array_add (walk->problems, g_strdup_printf ("cannot read %s: %s", path, g_strerror (code)));
}

/* The time of the first event, to bring files of one folder into order. */
static double
first_wall (const char *path)
{
  g_autoptr (TsRecordReader) reader = ts_record_reader_open (path, 0, NULL, NULL);
  const guint8 *data;
  gsize size;
  gint64 offset;
  TsLogEvent event;

  while (reader && ts_record_reader_next (reader, &data, &size, &offset, NULL) == 1)
    if (ts_log_event_parse (&event, data, size) && event.what != TS_LOG_NOTHING)
      return ts_unbits ((guint64) event.wall);
  return NAN;
}

/* The same from what was seen before.  A file that had no event then may have one now. */
static double
known_wall (TsTreeWalls *walls, const TsTreeFile *file)
{
  Wall *known = walls ? g_hash_table_lookup (walls->by_path, file->path) : NULL;

  if (known && known->dev == file->dev && known->inode == file->inode && known->size <= file->size)
    return known->wall;
  double wall = first_wall (file->path);
  if (walls && !isnan (wall)) {
    known = g_new (Wall, 1);
    *known = (Wall){file->dev, file->inode, file->size, wall};
    g_hash_table_replace (walls->by_path, g_strdup (file->path), known);
  }
  return wall;
}

static TsTreeFile *
new_file (const char *path, const struct stat *st)
{
  TsTreeFile *file = g_new0 (TsTreeFile, 1);

  *file = (TsTreeFile){.path = g_strdup (path),
                       .dev = st->st_dev,
                       .inode = st->st_ino,
                       .size = st->st_size,
                       .mtime_ns = st->st_mtim.tv_sec * (gint64) 1000000000 + st->st_mtim.tv_nsec,
                       .wall = NAN};
  return file;
}

static TsTreeFolder *
new_folder (const char *path, const char *name)
{
  TsTreeFolder *folder = g_new0 (TsTreeFolder, 1);

  folder->path = g_strdup (path);
  folder->name = g_strdup (name);
  folder->files = g_ptr_array_new_with_free_func (free_file);
  return folder;
}

static void
take_folder (Walk *walk, TsTreeFolder *folder, gboolean is_run)
{
  if (!is_run) {
    free_folder (folder);
    return;
  }
  for (guint i = 0; folder->files->len > 1 && i < folder->files->len; i++) {
    TsTreeFile *file = folder->files->pdata[i];
    file->wall = known_wall (walk->walls, file);
  }
  g_ptr_array_sort (folder->files, compare_files);
  g_ptr_array_add (walk->folders, folder);
}

/* The names in a folder, so that it need not stay open while those below are walked. */
static GPtrArray *
list_names (Walk *walk, const char *path)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  GDir *dir = g_dir_open (path, 0, &error);
  const char *name;

  if (!dir)
    g_ptr_array_add (walk->problems, g_strdup (error->message));
  while (dir && (name = g_dir_read_name (dir)))
    g_ptr_array_add (names, g_strdup (name));
  if (dir)
    g_dir_close (dir);
  return names;
}

static void
walk_folder (Walk *walk, const char *path, const char *name, const Way *above,
             const struct stat *own)
{
  const Way way = {above, own->st_dev, own->st_ino};
  g_autoptr (GPtrArray) names = NULL;
  gboolean is_run = FALSE;

  for (const Way *w = above; w; w = w->above)
    if (w->dev == way.dev && w->inode == way.inode)
      return;
  names = list_names (walk, path);
  if (walk->visited)
    g_ptr_array_add (walk->visited, g_strdup (path));
  TsTreeFolder *folder = new_folder (path, name);
  for (guint i = 0; i < names->len; i++) {
    g_autofree char *below = g_build_filename (path, names->pdata[i], NULL);
    struct stat st;
    gboolean events = strstr (names->pdata[i], "tfevents") != NULL;
    if (stat (below, &st) != 0) {
      if (events)
        add_problem (walk, below, errno);
      continue;
    }
    if (S_ISDIR (st.st_mode)) {
      g_autofree char *longer =
          *name ? g_strconcat (name, "/", names->pdata[i], NULL) : g_strdup (names->pdata[i]);
      walk_folder (walk, below, longer, &way, &st);
    } else if (events && S_ISREG (st.st_mode)) {
      is_run = TRUE;
      if (!g_str_has_suffix (names->pdata[i], ".profile-empty"))
        g_ptr_array_add (folder->files, new_file (below, &st));
    } else if (strcmp (names->pdata[i], TS_PROJECTOR_CONFIG) == 0 && S_ISREG (st.st_mode)) {
      is_run = TRUE;
      folder->projector = new_file (below, &st);
    }
  }
  take_folder (walk, folder, is_run);
}

GPtrArray *
ts_tree_find (const char *root, TsTreeWalls *walls, GPtrArray *visited, GPtrArray *problems)
{
  Walk walk = {g_ptr_array_new_with_free_func (free_folder), visited, problems, walls};
  struct stat st;

  if (stat (root, &st) != 0) {
    add_problem (&walk, root, errno);
  } else if (S_ISDIR (st.st_mode)) {
    walk_folder (&walk, root, "", NULL, &st);
  } else {
    g_autofree char *parent = g_path_get_dirname (root);
    if (visited)
      g_ptr_array_add (visited, g_strdup (parent));
    TsTreeFolder *folder = new_folder (parent, "");
    g_ptr_array_add (folder->files, new_file (root, &st));
    take_folder (&walk, folder, TRUE);
  }
  g_ptr_array_sort (walk.folders, compare_folders);
  return walk.folders;
}

/* The first bytes of a file; their number. */
static gsize
read_head (const char *path, guint8 *to, gsize size)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  gssize n, got = 0;

  while (fd >= 0 && got < (gssize) size && (n = read (fd, to + got, size - (gsize) got)) > 0)
    got += n;
  if (fd >= 0)
    close (fd);
  return (gsize) got;
}

guint32
ts_tree_head_crc (const char *path, gint64 size)
{
  guint8 head[4096];
  gsize n = read_head (path, head, (gsize) CLAMP (size, 0, (gint64) sizeof head));

  return ts_crc32c (head, n);
}

gboolean
ts_tree_is_lfs_pointer (const char *path)
{
  static const char start[] = "version https://git-lfs";
  guint8 head[sizeof start - 1];

  return read_head (path, head, sizeof head) == sizeof head &&
         memcmp (head, start, sizeof head) == 0;
}
