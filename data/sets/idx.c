/* SPDX-License-Identifier: MIT */
#include "data/sets/idx.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "data/sets/error.h"
#include "engine/base/file.h"

struct TsIdx {
  char *path;
  gzFile file; /* zlib reads plain files through the same calls */
  guint rank;
  gsize axis[TS_SHAPE_MAX];
  gsize entry_bytes;
  gsize read; /* entries so far */
};

static gboolean fail (const TsIdx *idx, TsSetsError code, GError **error, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

static gboolean
fail (const TsIdx *idx, TsSetsError code, GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, TS_SETS_ERROR, (gint) code, "%s: %s", idx->path, text);
  return FALSE;
}

/* Fills @out or says how far it got.  @done: bytes before these that the message counts too;
 * @expected: bytes in all that the file should hold. */
static gboolean
read_bytes (TsIdx *idx, guint8 *out, gsize n, guint64 done, guint64 expected, GError **error)
{
  guint8 *to = out;
  guint8 scrap[16384];

  while (n > 0) {
    gsize want = MIN (n, out ? (gsize) 1 << 20 : sizeof scrap);
    int got = gzread (idx->file, out ? to : scrap, (unsigned) want);
    int code = Z_OK;
    if (got < 0 || (gsize) got < want) {
      const char *text = gzerror (idx->file, &code);
      if (code == Z_DATA_ERROR)
        return fail (idx, TS_SETS_ERROR_FORMAT, error, "the compressed data are damaged (%s)",
                     text);
      if (code == Z_ERRNO)
        return fail (idx, TS_SETS_ERROR_IO, error, "cannot read: %s", g_strerror (errno));
      return fail (idx, TS_SETS_ERROR_FORMAT, error,
                   "the file is cut short: %" G_GUINT64_FORMAT
                   " bytes of contents expected, %" G_GUINT64_FORMAT " found",
                   expected, done + (guint64) MAX (got, 0));
    }
    done += (guint64) got;
    n -= (gsize) got;
    if (out)
      to += got;
  }
  return TRUE;
}

static gboolean
read_header (TsIdx *idx, guint rank, GError **error)
{
  guint8 magic[4], axes[4 * TS_SHAPE_MAX];
  guint64 bytes = 1;

  if (!read_bytes (idx, magic, 4, 0, 4 + 4 * rank, error))
    return FALSE;
  if (magic[0] != 0 || magic[1] != 0)
    return fail (idx, TS_SETS_ERROR_FORMAT, error,
                 "not an IDX file: it starts with %02x %02x %02x %02x, not 00 00 08 %02x", magic[0],
                 magic[1], magic[2], magic[3], rank);
  if (magic[2] != 8)
    return fail (idx, TS_SETS_ERROR_FORMAT, error,
                 "elements of type 0x%02x; only unsigned bytes (0x08) can be read", magic[2]);
  if (magic[3] != rank)
    return fail (idx, TS_SETS_ERROR_FORMAT, error, "%u axes, where %u are expected", magic[3],
                 rank);
  if (!read_bytes (idx, axes, 4 * (gsize) rank, 4, 4 + 4 * rank, error))
    return FALSE;
  idx->entry_bytes = 1;
  for (guint i = 0; i < rank; i++) {
    guint32 size;
    memcpy (&size, axes + 4 * i, 4);
    size = GUINT32_FROM_BE (size);
    if (size > TS_IDX_MAX_AXIS || (bytes *= size) > TS_IDX_MAX_BYTES)
      return fail (idx, TS_SETS_ERROR_LIMIT, error,
                   "axis %u has %u entries: more than %" G_GUINT64_FORMAT " bytes in all", i, size,
                   TS_IDX_MAX_BYTES);
    if (size == 0)
      return fail (idx, TS_SETS_ERROR_FORMAT, error, "axis %u has no entries", i);
    idx->axis[i] = size;
    idx->entry_bytes *= i ? size : 1;
  }
  idx->rank = rank;
  return TRUE;
}

TsIdx *
ts_idx_open (const char *path, guint rank, GError **error)
{
  g_return_val_if_fail (rank >= 1 && rank <= TS_SHAPE_MAX, NULL);
  g_autoptr (TsIdx) idx = g_new0 (TsIdx, 1);

  idx->path = g_strdup (path);
  g_autoptr (GError) local = NULL;
  if (!ts_file_check_regular (path, &local)) {
    g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_IO, "%s", local->message);
    return NULL;
  }
  idx->file = gzopen (path, "rbe");
  if (!idx->file) {
    int code = errno;
    fail (idx, code == ENOENT ? TS_SETS_ERROR_MISSING : TS_SETS_ERROR_IO, error, "cannot open: %s",
          g_strerror (code));
    return NULL;
  }
  gzbuffer (idx->file, 1 << 17);
  if (!read_header (idx, rank, error))
    return NULL;
  return g_steal_pointer (&idx);
}

void
ts_idx_close (TsIdx *idx)
{
  if (idx->file)
    gzclose (idx->file);
  g_free (idx->path);
  g_free (idx);
}

gsize
ts_idx_get_count (const TsIdx *idx)
{
  return idx->axis[0];
}

gsize
ts_idx_get_entry_bytes (const TsIdx *idx)
{
  return idx->entry_bytes;
}

gsize
ts_idx_get_axis (const TsIdx *idx, guint axis)
{
  g_return_val_if_fail (axis < idx->rank, 0);
  return idx->axis[axis];
}

gboolean
ts_idx_read (TsIdx *idx, gsize n, guint8 *out, GError **error)
{
  g_return_val_if_fail (n <= idx->axis[0] - idx->read, FALSE);
  guint64 header = 4 + 4 * (guint64) idx->rank;

  if (!read_bytes (idx, out, n * idx->entry_bytes, header + idx->read * idx->entry_bytes,
                   header + idx->axis[0] * idx->entry_bytes, error))
    return FALSE;
  idx->read += n;
  return TRUE;
}

gboolean
ts_idx_finish (TsIdx *idx, GError **error)
{
  guint8 byte;
  int code = Z_OK;

  if (!ts_idx_read (idx, idx->axis[0] - idx->read, NULL, error))
    return FALSE;
  /* zlib compares the checksum when it meets the end, so ask for one byte more. */
  int got = gzread (idx->file, &byte, 1);
  if (got > 0)
    return fail (idx, TS_SETS_ERROR_FORMAT, error,
                 "there are bytes after the last entry; the header counts %zu entries",
                 idx->axis[0]);
  gzerror (idx->file, &code);
  if (got < 0 || code != Z_OK)
    return fail (idx, TS_SETS_ERROR_FORMAT, error,
                 "the compressed data are damaged or cut short at the end");
  return TRUE;
}
