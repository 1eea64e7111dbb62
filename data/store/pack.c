/* SPDX-License-Identifier: MIT */
#include "data/store/pack.h"

#define BLOCK  128              /* numbers that share a width */
#define PADDED (BLOCK * 8 + 16) /* the bytes of a block, and what may be loaded beyond them */
#define LOADED 57               /* the widest number that one load of 8 bytes always holds */

static inline guint64
load (const guint8 *p)
{
  guint64 word;

  memcpy (&word, p, 8);
  return GUINT64_FROM_LE (word);
}

static inline void
store (guint8 *p, guint64 word)
{
  word = GUINT64_TO_LE (word);
  memcpy (p, &word, 8);
}

static guint
width_of (guint64 all)
{
  return all ? 64 - (guint) __builtin_clzll (all) : 0;
}

/* --- Lists --- */

static void
pack (guint8 *p, const guint64 *v, guint n, guint width)
{
  guint64 word = 0;
  guint used = 0;

  for (guint i = 0; i < n; i++) {
    word |= v[i] << used;
    used += width;
    if (used >= 64) {
      store (p, word);
      p += 8;
      used -= 64;
      word = used ? v[i] >> (width - used) : 0;
    }
  }
  store (p, word);
}

static void
unpack (const guint8 *p, guint64 *v, guint n, guint width)
{
  guint64 mask = width < 64 ? (1ull << width) - 1 : ~0ull;

  if (width <= LOADED) {
    guint i = 0;
    for (; i + 8 <= n; i += 8, p += width) /* eight numbers fill whole bytes */
      for (guint k = 0, bit = 0; k < 8; k++, bit += width)
        v[i + k] = load (p + bit / 8) >> bit % 8 & mask;
    for (guint bit = 0; i < n; i++, bit += width)
      v[i] = load (p + bit / 8) >> bit % 8 & mask;
    return;
  }
  for (guint i = 0, bit = 0; i < n; i++, bit += width) {
    guint shift = bit % 8;
    guint64 word = load (p + bit / 8) >> shift;
    if (shift)
      word |= (guint64) p[bit / 8 + 8] << (64 - shift);
    v[i] = word & mask;
  }
}

void
ts_pack_put_list (GByteArray *out, const guint64 *v, guint n)
{
  guint8 bytes[1 + PADDED];

  for (guint k; n; v += k, n -= k) {
    guint64 all = 0;
    k = MIN (n, BLOCK);
    for (guint i = 0; i < k; i++)
      all |= v[i];
    guint width = width_of (all);
    bytes[0] = (guint8) width;
    if (width)
      pack (bytes + 1, v, k, width);
    ts_put_bytes (out, bytes, 1 + (k * width + 7) / 8);
  }
}

gsize
ts_pack_measure_list (const guint64 *v, guint n)
{
  gsize bytes = 0;

  for (guint k; n; v += k, n -= k) {
    guint64 all = 0;
    k = MIN (n, BLOCK);
    for (guint i = 0; i < k; i++)
      all |= v[i];
    bytes += 1 + (k * width_of (all) + 7) / 8;
  }
  return bytes;
}

gboolean
ts_pack_get_list (TsCursor *c, guint64 *v, guint n)
{
  guint8 bytes[PADDED];

  for (guint k; n; v += k, n -= k) {
    guint width = ts_get_u8 (c);
    k = MIN (n, BLOCK);
    if (c->bad || width > 64)
      return FALSE;
    guint size = (k * width + 7) / 8;
    const guint8 *p = ts_get_bytes (c, size);
    if (!p)
      return FALSE;
    if (width == 0) {
      memset (v, 0, k * sizeof *v);
    } else {
      memcpy (bytes, p, size);
      memset (bytes + size, 0, 16);
      unpack (bytes, v, k, width);
    }
  }
  return TRUE;
}

/* --- Integers --- */

/* The differences above the least of them, into @rest (@n - 1 of them).  FALSE: all are equal. */
static gboolean
subtract (const guint64 *v, guint n, guint64 *rest, gint64 *least)
{
  guint64 all = 0;

  *least = n > 1 ? (gint64) (v[1] - v[0]) : 0;
  for (guint i = 1; i < n; i++) {
    rest[i - 1] = v[i] - v[i - 1];
    *least = MIN (*least, (gint64) rest[i - 1]);
  }
  for (guint i = 0; i + 1 < n; i++) {
    rest[i] -= (guint64) *least;
    all |= rest[i];
  }
  return all != 0;
}

void
ts_pack_put_integers (GByteArray *out, const guint64 *v, guint n)
{
  g_autofree guint64 *rest = g_new (guint64, n);
  gint64 least;
  gboolean varies = subtract (v, n, rest, &least);

  ts_put_zigzag (out, v[0]);
  ts_put_zigzag (out, (guint64) least);
  ts_put_u8 (out, varies);
  if (varies)
    ts_pack_put_list (out, rest, n - 1);
}

gsize
ts_pack_measure_integers (const guint64 *v, guint n)
{
  g_autofree guint64 *rest = g_new (guint64, n);
  gint64 least;

  return subtract (v, n, rest, &least) ? ts_pack_measure_list (rest, n - 1) : 0;
}

gboolean
ts_pack_get_integers (TsCursor *c, guint64 *v, guint n)
{
  guint64 first = ts_get_zigzag (c), least = ts_get_zigzag (c);
  guint8 varies = ts_get_u8 (c);

  if (c->bad || varies > 1 || (varies && !ts_pack_get_list (c, v + 1, n - 1)))
    return FALSE;
  v[0] = first;
  for (guint i = 1; i < n; i++)
    v[i] = v[i - 1] + least + (varies ? v[i] : 0);
  return TRUE;
}
