/* SPDX-License-Identifier: MIT */
#include "data/store/flush.h"

#include "data/store/bytes-private.h"
#include "data/store/crc32c.h"
#include "data/store/error.h"

#define VERSION      1
#define NARROW       1 /* values are binary32 */
#define SECONDS      2 /* wall times are bits of doubles */
#define RECORD_BYTES 6 /* the least a record can take */

void
ts_flush_begin (GByteArray *out)
{
  ts_put_u8 (out, VERSION);
}

static gboolean
all_narrow (const TsPoint *points, guint n)
{
  guint32 narrow;

  for (guint i = 0; i < n; i++)
    if (!ts_bits_narrow (points[i].bits, &narrow))
      return FALSE;
  return TRUE;
}

void
ts_flush_add (GByteArray *out, gint64 series_id, gint64 seq, TsWallKind wall, const TsPoint *points,
              guint n)
{
  gboolean narrow = all_narrow (points, n);
  guint64 step = 0, time = 0;

  ts_put_varint (out, (guint64) series_id);
  ts_put_varint (out, (guint64) seq);
  ts_put_varint (out, n);
  ts_put_u8 (out, (narrow ? NARROW : 0) | (wall == TS_WALL_SECONDS ? SECONDS : 0));
  for (guint i = 0; i < n; i++) {
    ts_put_zigzag (out, (guint64) points[i].step - step);
    step = (guint64) points[i].step;
    if (wall == TS_WALL_SECONDS) {
      ts_put_u64 (out, (guint64) points[i].wall);
    } else {
      ts_put_zigzag (out, (guint64) points[i].wall - time);
      time = (guint64) points[i].wall;
    }
    guint32 f;
    if (narrow && ts_bits_narrow (points[i].bits, &f))
      ts_put_u32 (out, f);
    else
      ts_put_u64 (out, points[i].bits);
  }
}

static void
get_points (TsCursor *c, guint8 flags, TsPoint *points, guint n)
{
  guint64 step = 0, time = 0;

  for (guint i = 0; i < n; i++) {
    step += ts_get_zigzag (c);
    points[i].step = (gint64) step;
    if (flags & SECONDS)
      time = ts_get_u64 (c);
    else
      time += ts_get_zigzag (c);
    points[i].wall = (gint64) time;
    points[i].bits = flags & NARROW ? ts_bits_widen (ts_get_u32 (c)) : ts_get_u64 (c);
  }
}

static gboolean
corrupt (const char *what, GError **error)
{
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT,
               "a row of the flush log is damaged: %s", what);
  return FALSE;
}

gboolean
ts_flush_decode (const guint8 *data, gsize size, guint32 crc, TsFlushFunc func, gpointer user_data,
                 GError **error)
{
  TsCursor c = {data, data + size, FALSE};
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsPoint));

  if (ts_crc32c (data, size) != crc)
    return corrupt ("its checksum does not fit", error);
  if (ts_get_u8 (&c) != VERSION)
    return corrupt ("unknown version", error);
  while (c.at < c.end) {
    guint64 series = ts_get_varint (&c), seq = ts_get_varint (&c), n = ts_get_varint (&c);
    guint8 flags = ts_get_u8 (&c);

    if (c.bad || n == 0 || n > (guint64) (c.end - c.at) / RECORD_BYTES || flags > 3 ||
        series > G_MAXINT64 || seq > G_MAXINT64 - n)
      return corrupt ("a group's head is out of range", error);
    g_array_set_size (points, (guint) n);
    get_points (&c, flags, (TsPoint *) points->data, (guint) n);
    if (c.bad)
      return corrupt ("a record runs past the end", error);
    if (!func ((gint64) series, (gint64) seq, flags & SECONDS ? TS_WALL_SECONDS : TS_WALL_US,
               (const TsPoint *) points->data, (guint) n, user_data, error))
      return FALSE;
  }
  return TRUE;
}
