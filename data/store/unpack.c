/* SPDX-License-Identifier: MIT */
#include "data/store/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "data/store/error.h"
#include "data/store/writer-private.h"

typedef struct {
  gint64 checkpoint_id, blob_id, size, step;
  guint8 sha256[32];
  char uuid[33]; /* digits */
} Packed;

typedef struct {
  const char *run_uuid;
  guint n, damaged;
} Unpack;

static gboolean
file_error (const char *what, const char *path, GError **error)
{
  int code = errno;

  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "cannot %s %s: %s", what, path,
               g_strerror (code));
  return FALSE;
}

/* --- Files --- */

static gboolean
write_part (int fd, const guint8 *data, gsize size, const char *path, GError **error)
{
  while (size) {
    gssize n = write (fd, data, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return file_error ("write", path, error);
    data += n;
    size -= (gsize) n;
  }
  return TRUE;
}

/* The blob's parts into @fd, checked against their checksums and that of the whole. */
static gboolean
write_blob (TsWriter *writer, const Packed *p, int fd, const char *path, GError **error)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 hash[32];
  gsize n_hash = sizeof hash;
  gint64 size = 0;
  int more = -1;
  gboolean ok = TRUE;
  sqlite3_stmt *q = ts_sql_query (writer->sql, error,
                                  "SELECT crc, data FROM blob_part WHERE blob_id = ?1 ORDER BY idx",
                                  "i", p->blob_id);

  while (ok && q && (more = ts_sql_next (writer->sql, q, error)) == 1) {
    const guint8 *data = sqlite3_column_blob (q, 1);
    gsize n = (gsize) sqlite3_column_bytes (q, 1);
    g_checksum_update (sum, data, (gssize) n);
    size += (gint64) n;
    ok = write_part (fd, data, n, path, error);
  }
  if (more == 1)
    ts_sql_reset (q);
  if (!ok || more != 0)
    return FALSE;
  g_checksum_get_digest (sum, hash, &n_hash);
  if (size == p->size && memcmp (hash, p->sha256, sizeof hash) == 0)
    return TRUE;
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT, "a packed checkpoint is damaged");
  return FALSE;
}

static void
sync_folder (const char *folder)
{
  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd < 0)
    return;
  fsync (fd);
  close (fd);
}

/* Under another name until it is whole. */
static gboolean
write_file (TsWriter *writer, const Packed *p, const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path), *part = g_strconcat (path, ".part", NULL);

  if (g_mkdir_with_parents (folder, 0777) != 0)
    return file_error ("make the folder", folder, error);
  int fd = open (part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0)
    return file_error ("write", part, error);
  gboolean ok = write_blob (writer, p, fd, part, error);
  if (ok && fsync (fd) != 0)
    ok = file_error ("write", part, error);
  close (fd);
  if (ok && g_rename (part, path) != 0)
    ok = file_error ("write", path, error);
  if (!ok)
    g_unlink (part);
  else
    sync_folder (folder);
  return ok;
}

/* --- Rows --- */

static char *
dashed (const char *digits)
{
  return g_strdup_printf ("%.8s-%.4s-%.4s-%.4s-%.12s", digits, digits + 8, digits + 12, digits + 16,
                          digits + 20);
}

static gboolean
unpack_one (TsWriter *writer, const Packed *p, GError **error)
{
  g_autofree char *uuid = dashed (p->uuid);
  g_autofree char *name =
      g_strdup_printf ("%s/packed-%09" G_GINT64_FORMAT "-%02x%02x%02x%02x.safetensors", uuid,
                       p->step, p->sha256[0], p->sha256[1], p->sha256[2], p->sha256[3]);
  g_autofree char *path = g_build_filename (writer->folder, name, NULL);

  return write_file (writer, p, path, error) &&
         ts_sql_do (writer->sql, error,
                    "UPDATE checkpoint SET path = ?2, blob_id = NULL WHERE checkpoint_id = ?1",
                    "is", p->checkpoint_id, name) &&
         ts_sql_do (writer->sql, error,
                    "DELETE FROM blob WHERE blob_id = ?1 AND NOT EXISTS (SELECT 1 FROM item WHERE"
                    " blob_id = ?1) AND NOT EXISTS (SELECT 1 FROM graph WHERE blob_id = ?1) AND NOT"
                    " EXISTS (SELECT 1 FROM checkpoint WHERE blob_id = ?1)",
                    "i", p->blob_id);
}

static GArray *
list_packed (TsWriter *writer, const char *run_uuid, GError **error)
{
  g_autoptr (GArray) list = g_array_new (FALSE, TRUE, sizeof (Packed));
  int more = -1;
  sqlite3_stmt *q =
      ts_sql_query (writer->sql, error,
                    "SELECT checkpoint_id, c.blob_id, c.size, step, sha256, lower(hex(uuid)) FROM"
                    " checkpoint AS c JOIN run USING(run_id) JOIN blob ON blob.blob_id = c.blob_id"
                    " WHERE c.path IS NULL AND length(sha256) = 32"
                    " AND (?1 IS NULL OR hex(uuid) = upper(replace(?1, '-', '')))",
                    "s", run_uuid);

  while (q && (more = ts_sql_next (writer->sql, q, error)) == 1) {
    Packed p = {.checkpoint_id = sqlite3_column_int64 (q, 0),
                .blob_id = sqlite3_column_int64 (q, 1),
                .size = sqlite3_column_int64 (q, 2),
                .step = sqlite3_column_int64 (q, 3)};
    memcpy (p.sha256, sqlite3_column_blob (q, 4), sizeof p.sha256);
    g_strlcpy (p.uuid, (const char *) sqlite3_column_text (q, 5), sizeof p.uuid);
    g_array_append_val (list, p);
  }
  return more == 0 ? g_steal_pointer (&list) : NULL;
}

static gboolean
unpack (TsWriter *writer, gpointer args, GError **error)
{
  Unpack *u = args;
  g_autoptr (GArray) list = list_packed (writer, u->run_uuid, error);

  u->n = u->damaged = 0;
  for (guint i = 0; list && i < list->len; i++) {
    g_autoptr (GError) trouble = NULL;
    if (unpack_one (writer, &g_array_index (list, Packed, i), &trouble)) {
      u->n++;
    } else if (g_error_matches (trouble, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT)) {
      u->damaged++;
    } else {
      g_propagate_error (error, g_steal_pointer (&trouble));
      return FALSE;
    }
  }
  return list != NULL;
}

gboolean
ts_unpack (TsWriter *writer, const char *run_uuid, guint *n, guint *damaged, GError **error)
{
  Unpack u = {.run_uuid = run_uuid};
  gboolean ok = ts_writer_request (writer, unpack, NULL, &u, FALSE, error);

  if (n)
    *n = u.n;
  if (damaged)
    *damaged = u.damaged;
  return ok;
}
