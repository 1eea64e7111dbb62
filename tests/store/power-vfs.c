/* SPDX-License-Identifier: MIT */
#include "tests/store/power-vfs.h"

#include <pthread.h>
#include <sqlite3.h>

#include "tests/store/support.h"

#define SECTOR 512

typedef enum { WRITE, TRUNCATE, SYNC } Kind;

typedef struct {
  const char *name; /* interned */
  Kind kind;
  gint64 offset;
  guint8 *data;
  gsize size;
} Operation;

static sqlite3_vfs vfs, *real;

/* The methods of an open file with some replaced: a file's pMethods points at patched.methods. */
typedef struct {
  sqlite3_io_methods methods;
  const sqlite3_io_methods *original;
} Patched;

static Patched patched[4];
static guint n_patched;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static GArray *operations; /* of Operation */
static GHashTable *names;  /* sqlite3_file * → interned name */

static const sqlite3_io_methods *
original_of (sqlite3_file *file)
{
  return ((const Patched *) file->pMethods)->original;
}

static void
clear (gpointer data)
{
  g_free (((Operation *) data)->data);
}

static void
note (sqlite3_file *file, Kind kind, gint64 offset, const void *data, gsize size)
{
  pthread_mutex_lock (&lock);
  Operation o = {g_hash_table_lookup (names, file), kind, offset, g_memdup2 (data, size), size};
  if (o.name)
    g_array_append_val (operations, o);
  else
    g_free (o.data);
  pthread_mutex_unlock (&lock);
}

static int
note_write (sqlite3_file *file, const void *data, int size, sqlite3_int64 offset)
{
  note (file, WRITE, offset, data, (gsize) size);
  return original_of (file)->xWrite (file, data, size, offset);
}

static int
note_truncate (sqlite3_file *file, sqlite3_int64 size)
{
  note (file, TRUNCATE, size, NULL, 0);
  return original_of (file)->xTruncate (file, size);
}

/* The machine does not fail here: there is no need to wait for its disk. */
static int
note_sync (sqlite3_file *file, int flags)
{
  note (file, SYNC, 0, NULL, 0);
  return SQLITE_OK;
}

static int
note_close (sqlite3_file *file)
{
  pthread_mutex_lock (&lock);
  g_hash_table_remove (names, file);
  pthread_mutex_unlock (&lock);
  return original_of (file)->xClose (file);
}

/* Databases and WALs have methods of their own. */
static const sqlite3_io_methods *
patch (const sqlite3_io_methods *original)
{
  for (guint i = 0; i < n_patched; i++)
    if (patched[i].original == original)
      return &patched[i].methods;
  g_assert_cmpuint (n_patched, <, G_N_ELEMENTS (patched));
  Patched *p = &patched[n_patched++];
  *p = (Patched){*original, original};
  p->methods.xWrite = note_write;
  p->methods.xTruncate = note_truncate;
  p->methods.xSync = note_sync;
  p->methods.xClose = note_close;
  return &p->methods;
}

static int
power_open (sqlite3_vfs *self, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
  int rc = real->xOpen (real, name, file, flags, out_flags);

  if (rc != SQLITE_OK || !file->pMethods || !(flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)))
    return rc;
  pthread_mutex_lock (&lock);
  file->pMethods = patch (file->pMethods);
  g_hash_table_insert (names, file, (gpointer) g_intern_string (name));
  pthread_mutex_unlock (&lock);
  return rc;
}

void
power_install (void)
{
  operations = g_array_new (FALSE, FALSE, sizeof (Operation));
  g_array_set_clear_func (operations, clear);
  names = g_hash_table_new (NULL, NULL);
  real = sqlite3_vfs_find (NULL);
  vfs = *real;
  vfs.zName = "power";
  vfs.pNext = NULL;
  vfs.xOpen = power_open;
  g_assert_cmpint (sqlite3_vfs_register (&vfs, 1), ==, SQLITE_OK);
}

void
power_start (void)
{
  pthread_mutex_lock (&lock);
  g_array_set_size (operations, 0);
  pthread_mutex_unlock (&lock);
}

void
power_preload (const char *path, const guint8 *data, gsize size)
{
  const char *name = g_intern_string (path);
  Operation write = {name, WRITE, 0, g_memdup2 (data, size), size}, sync = {name, SYNC, 0, NULL, 0};

  pthread_mutex_lock (&lock);
  g_array_append_val (operations, write);
  g_array_append_val (operations, sync);
  pthread_mutex_unlock (&lock);
}

guint
power_count (void)
{
  pthread_mutex_lock (&lock);
  guint n = operations->len;
  pthread_mutex_unlock (&lock);
  return n;
}

/* --- After the cut --- */

static void
put (GByteArray *image, gint64 offset, const guint8 *data, gsize size)
{
  guint old = image->len;

  if (offset + (gint64) size > old) {
    g_byte_array_set_size (image, (guint) offset + (guint) size);
    memset (image->data + old, 0, image->len - old);
  }
  memcpy (image->data + offset, data, size);
}

static void
apply (GByteArray *image, const Operation *o, guint64 *seed)
{
  if (o->kind == TRUNCATE) {
    if (o->offset < image->len && (!seed || ts_test_random (seed) % 2))
      g_byte_array_set_size (image, (guint) o->offset);
    return;
  }
  for (gsize at = 0; at < o->size; at += SECTOR)
    if (!seed || ts_test_random (seed) % 2)
      put (image, o->offset + (gint64) at, o->data + at, MIN (SECTOR, o->size - at));
}

static void
cut_file (const char *name, const char *to, guint n, guint64 *seed)
{
  g_autoptr (GByteArray) image = g_byte_array_new ();
  const char *interned = g_intern_string (name);
  guint synced = 0, mode = (guint) (ts_test_random (seed) % 3);
  GError *error = NULL;

  pthread_mutex_lock (&lock);
  for (guint i = 0; i < n; i++) {
    const Operation *o = &g_array_index (operations, Operation, i);
    if (o->name == interned && o->kind == SYNC)
      synced = i;
  }
  for (guint i = 0; i < n; i++) {
    const Operation *o = &g_array_index (operations, Operation, i);
    if (o->name != interned || o->kind == SYNC)
      continue;
    /* Of what was not synced: nothing, whole writes, or sectors. */
    if (i < synced)
      apply (image, o, NULL);
    else if (mode == 1 && ts_test_random (seed) % 2)
      apply (image, o, NULL);
    else if (mode == 2)
      apply (image, o, seed);
  }
  pthread_mutex_unlock (&lock);
  g_file_set_contents (to, (const char *) image->data, image->len, &error);
  g_assert_no_error (error);
}

void
power_cut (const char *path, const char *to, guint n, guint64 seed)
{
  g_autofree char *wal = g_strconcat (path, "-wal", NULL), *to_wal = g_strconcat (to, "-wal", NULL);

  cut_file (path, to, n, &seed);
  cut_file (wal, to_wal, n, &seed);
}
