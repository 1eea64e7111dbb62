/* SPDX-License-Identifier: MIT */
#include "data/store/flush.h"

#include "data/store/bytes-private.h"
#include "data/store/crc32c.h"
#include "data/store/error.h"

#define VERSION 1
#define NARROW  1 /* values are binary32 */
#define SECONDS 2 /* wall times are bits of doubles */
#define SHARED  4 /* n, steps and wall times are those of the group before */

void
ts_flush_begin (TsFlush *flush, GByteArray *out)
{
  *flush = (TsFlush){.out = out};
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

static gboolean
is_shared (const TsFlush *flush, TsWallKind wall, const TsPoint *points, guint n)
{
  if (flush->n != n || flush->wall != wall)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (flush->points[i].step != points[i].step || flush->points[i].wall != points[i].wall)
      return FALSE;
  return TRUE;
}

static void
put_times (GByteArray *out, TsWallKind wall, const TsPoint *points, guint n)
{
  guint64 step = 0, time = 0;

  for (guint i = 0; i < n; i++) {
    ts_put_zigzag (out, (guint64) points[i].step - step);
    step = (guint64) points[i].step;
    if (wall == TS_WALL_SECONDS) {
      ts_put_u64 (out, (guint64) points[i].wall);
    } else {
      ts_put_zigzag (out, (guint64) points[i].wall - time);
      time = (guint64) points[i].wall;
    }
  }
}

static void
put_values (GByteArray *out, const TsPoint *points, guint n, gboolean narrow)
{
  guint at = out->len;
  guint32 f = 0;

  g_byte_array_set_size (out, at + n * (narrow ? 4 : 8));
  guint8 *p = out->data + at;
  for (guint i = 0; narrow && i < n; i++) {
    ts_bits_narrow (points[i].bits, &f);
    ts_store_u32 (p, i, f);
  }
  for (guint i = 0; !narrow && i < n; i++)
    ts_store_u64 (p, i, points[i].bits);
}

void
ts_flush_add (TsFlush *flush, gint64 series_id, gint64 seq, TsWallKind wall, const TsPoint *points,
              guint n)
{
  GByteArray *out = flush->out;
  gboolean narrow = all_narrow (points, n), shared = is_shared (flush, wall, points, n);

  ts_put_varint (out, (guint64) series_id);
  ts_put_varint (out, (guint64) seq);
  ts_put_varint (out, n);
  ts_put_u8 (out, (guint8) ((narrow ? NARROW : 0) | (wall == TS_WALL_SECONDS ? SECONDS : 0) |
                            (shared ? SHARED : 0)));
  if (!shared)
    put_times (out, wall, points, n);
  put_values (out, points, n, narrow);
  flush->points = points;
  flush->n = n;
  flush->wall = wall;
}

static gboolean
get_times (TsCursor *c, guint8 flags, TsPoint *points, guint n)
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
  }
  return !c->bad;
}

/* As if nothing were rare; TRUE when something is: counted from the smallest normal one, those below wrap around,
 * those above reach the last bit when what is above the largest is added. */
static inline gboolean
widen_normal (const guint8 *p, TsPoint *points, guint n)
{
  guint32 rare = 0;

  for (guint i = 0; i < n; i++) {
    guint32 narrow = ts_load_u32 (p, i), above = (narrow & 0x7fffffff) - 0x00800000;
    rare |= above | (above + 0x01000000);
    points[i].bits = ts_bits_widen_normal (narrow);
  }
  return rare >> 31;
}

#if defined(__x86_64__)
__attribute__ ((target ("avx2"))) static gboolean
widen_avx2 (const guint8 *p, TsPoint *points, guint n)
{
  return widen_normal (p, points, n);
}
#endif

static void
widen_all (const guint8 *p, TsPoint *points, guint n)
{
#if defined(__x86_64__)
  gboolean rare = __builtin_cpu_supports ("avx2") ? widen_avx2 (p, points, n)
                                                  : widen_normal (p, points, n);
#else
  gboolean rare = widen_normal (p, points, n);
#endif

  for (guint i = 0; rare && i < n; i++)
    points[i].bits = ts_bits_widen (ts_load_u32 (p, i));
}

static gboolean
get_values (TsCursor *c, guint8 flags, TsPoint *points, guint n)
{
  gboolean narrow = flags & NARROW;
  const guint8 *p = ts_get_bytes (c, (gsize) n * (narrow ? 4 : 8));

  if (!p)
    return FALSE;
  if (narrow)
    widen_all (p, points, n);
  for (guint i = 0; !narrow && i < n; i++)
    points[i].bits = ts_load_u64 (p, i);
  return TRUE;
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
  g_autofree TsPoint *points = NULL;
  guint64 room = 0, last_n = 0;
  guint8 before = 0;

  if (ts_crc32c (data, size) != crc)
    return corrupt ("its checksum does not fit", error);
  if (ts_get_u8 (&c) != VERSION)
    return corrupt ("unknown version", error);
  while (c.at < c.end) {
    guint64 series = ts_get_varint (&c), seq = ts_get_varint (&c), n = ts_get_varint (&c);
    guint8 flags = ts_get_u8 (&c);
    gboolean shared = flags & SHARED;

    if (c.bad || n == 0 || n > (guint64) (c.end - c.at) / 4 || flags > 7 || series > G_MAXINT64 ||
        seq > G_MAXINT64 - n || (shared && (n != last_n || (flags ^ before) & SECONDS)))
      return corrupt ("a group's head is out of range", error);
    if (n > room) {
      g_free (points);
      points = g_new (TsPoint, room = n);
    }
    if ((!shared && !get_times (&c, flags, points, (guint) n)) ||
        !get_values (&c, flags, points, (guint) n))
      return corrupt ("a record runs past the end", error);
    before = flags;
    last_n = n;
    if (!func ((gint64) series, (gint64) seq, flags & SECONDS ? TS_WALL_SECONDS : TS_WALL_US,
               points, (guint) n, user_data, error))
      return FALSE;
  }
  return TRUE;
}
