/* SPDX-License-Identifier: MIT */
#include "data/store/pack.h"

/* Each value by the bits in which it differs from the one before, of which only the span between the
 * first and the last is written.  A span may be kept for the next value; a new one costs SPAN_BITS. */

#define SPAN_BITS 12

typedef struct {
  guint low, width; /* width 0: there is none yet */
} Span;

/* May @span be kept for a value that differs in @bits, and is that the shorter way? */
static gboolean
keeps (const Span *span, guint64 bits)
{
  guint low = (guint) __builtin_ctzll (bits), width = 64 - (guint) __builtin_clzll (bits) - low;

  return span->width && low >= span->low && low + width <= span->low + span->width &&
         span->width <= width + SPAN_BITS;
}

static void
set_span (Span *span, guint64 bits)
{
  span->low = (guint) __builtin_ctzll (bits);
  span->width = 64 - (guint) __builtin_clzll (bits) - span->low;
}

gsize
ts_pack_measure_xor (const guint64 *bits, guint n, gsize most)
{
  Span span = {0};
  gsize total = 64;

  for (guint i = 1; i < n && total / 8 <= most; i++) {
    guint64 differ = bits[i] ^ bits[i - 1];
    total++;
    if (!differ)
      continue;
    total++;
    if (!keeps (&span, differ)) {
      set_span (&span, differ);
      total += SPAN_BITS;
    }
    total += span.width;
  }
  return (total + 7) / 8;
}

/* --- Bits, the lowest of a byte first --- */

typedef struct {
  GByteArray *out;
  guint64 word;
  guint used;
} BitWriter;

static void
put_bits (BitWriter *w, guint64 v, guint n)
{
  w->word |= v << w->used;
  if (w->used + n < 64) {
    w->used += n;
    return;
  }
  ts_put_u64 (w->out, w->word);
  guint done = 64 - w->used;
  w->word = done < 64 ? v >> done : 0;
  w->used = n - done;
}

static void
end_bits (BitWriter *w)
{
  for (; w->used > 0; w->used -= MIN (w->used, 8), w->word >>= 8)
    ts_put_u8 (w->out, (guint8) w->word);
}

typedef struct {
  TsCursor *c;
  guint64 word;
  guint left; /* bits in word; those above are 0 */
} BitReader;

/* @n <= 56. */
static inline guint64
get_some (BitReader *r, guint n)
{
  while (r->left < n) {
    r->word |= (guint64) ts_get_u8 (r->c) << r->left;
    r->left += 8;
  }
  guint64 v = r->word & ((1ull << n) - 1);
  r->word >>= n;
  r->left -= n;
  return v;
}

static inline guint64
get_bits (BitReader *r, guint n)
{
  if (n <= 56)
    return get_some (r, n);
  guint64 low = get_some (r, 32);
  return low | get_some (r, n - 32) << 32;
}

/* --- The form --- */

void
ts_pack_put_xor (GByteArray *out, const guint64 *bits, guint n)
{
  BitWriter w = {out, 0, 0};
  Span span = {0};

  put_bits (&w, bits[0], 64);
  for (guint i = 1; i < n; i++) {
    guint64 differ = bits[i] ^ bits[i - 1];
    if (!differ) {
      put_bits (&w, 0, 1);
      continue;
    }
    if (keeps (&span, differ)) {
      put_bits (&w, 1, 2);
    } else {
      set_span (&span, differ);
      put_bits (&w, 3, 2);
      put_bits (&w, span.low, 6);
      put_bits (&w, span.width - 1, 6);
    }
    put_bits (&w, differ >> span.low, span.width);
  }
  end_bits (&w);
}

gboolean
ts_pack_get_xor (TsCursor *c, guint64 *bits, guint n)
{
  BitReader r = {c, 0, 0};
  Span span = {0};

  bits[0] = get_bits (&r, 64);
  for (guint i = 1; i < n && !c->bad; i++) {
    bits[i] = bits[i - 1];
    if (!get_some (&r, 1))
      continue;
    if (get_some (&r, 1)) {
      span.low = (guint) get_some (&r, 6);
      span.width = (guint) get_some (&r, 6) + 1;
    }
    if (span.width == 0 || span.low + span.width > 64)
      return FALSE;
    bits[i] ^= get_bits (&r, span.width) << span.low;
  }
  return !c->bad;
}
