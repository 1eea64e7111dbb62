/* SPDX-License-Identifier: MIT */
#include "tests/store/fault-vfs.h"

#include <sqlite3.h>
#include <stdatomic.h>

static sqlite3_vfs vfs, *real;
static atomic_llong calls, first_bad = G_MAXINT64, end_bad = G_MAXINT64, failed;

/* The methods of an open file with some replaced: a file's pMethods points at patched.methods. */
typedef struct {
  sqlite3_io_methods methods;
  const sqlite3_io_methods *original;
} Patched;

static Patched patched[8];
static atomic_int n_patched;

static int
fails (void)
{
  gint64 i = atomic_fetch_add (&calls, 1) + 1;

  if (i < atomic_load (&first_bad) || i >= atomic_load (&end_bad))
    return SQLITE_OK;
  atomic_fetch_add (&failed, 1);
  return i % 3 ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int
fail_write (sqlite3_file *file, const void *data, int size, sqlite3_int64 offset)
{
  int rc = fails ();

  return rc ? rc : ((const Patched *) file->pMethods)->original->xWrite (file, data, size, offset);
}

static int
fail_truncate (sqlite3_file *file, sqlite3_int64 size)
{
  int rc = fails ();

  return rc ? rc : ((const Patched *) file->pMethods)->original->xTruncate (file, size);
}

static int
fail_sync (sqlite3_file *file, int flags)
{
  int rc = fails ();

  return rc ? rc : ((const Patched *) file->pMethods)->original->xSync (file, flags);
}

static const sqlite3_io_methods *
patch (const sqlite3_io_methods *original)
{
  int n = atomic_load (&n_patched);

  for (int i = 0; i < n; i++)
    if (patched[i].original == original)
      return &patched[i].methods;
  g_assert_cmpint (n, <, G_N_ELEMENTS (patched));
  patched[n] = (Patched){*original, original};
  patched[n].methods.xWrite = fail_write;
  patched[n].methods.xTruncate = fail_truncate;
  patched[n].methods.xSync = fail_sync;
  atomic_store (&n_patched, n + 1);
  return &patched[n].methods;
}

static int
fault_open (sqlite3_vfs *self, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
  int rc = real->xOpen (real, name, file, flags, out_flags);

  if (rc == SQLITE_OK && file->pMethods)
    file->pMethods = patch (file->pMethods);
  return rc;
}

void
fault_install (void)
{
  real = sqlite3_vfs_find (NULL);
  vfs = *real;
  vfs.zName = "fault";
  vfs.pNext = NULL;
  vfs.xOpen = fault_open;
  g_assert_cmpint (sqlite3_vfs_register (&vfs, 1), ==, SQLITE_OK);
}

void
fault_arm (gint64 first, gint64 n)
{
  atomic_store (&calls, 0);
  atomic_store (&failed, 0);
  atomic_store (&end_bad, n < G_MAXINT64 - first ? first + n : G_MAXINT64);
  atomic_store (&first_bad, first);
}

gint64
fault_disarm (void)
{
  atomic_store (&first_bad, G_MAXINT64);
  return atomic_load (&failed);
}
