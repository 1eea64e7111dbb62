/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/mutate.h"

#include <string.h>

static const guint8 edges[] = {0, 1, 0x7f, 0x80, 0xff, 8, 16, 64, '"', '{', ',', '\n'};

void
ts_mutator_init (TsMutator *m)
{
  const char *seed = g_getenv ("TS_FUZZ_SEED");

  m->state = seed ? g_ascii_strtoull (seed, NULL, 10) | 1 : 12345;
}

guint64
ts_mutator_runs (guint64 fallback)
{
  const char *text = g_getenv ("TS_FUZZ_RUNS");

  return text ? g_ascii_strtoull (text, NULL, 10) : fallback;
}

/* xorshift64* */
guint
ts_mutator_below (TsMutator *m, guint n)
{
  m->state ^= m->state >> 12;
  m->state ^= m->state << 25;
  m->state ^= m->state >> 27;
  return n ? (guint) ((m->state * 2685821657736338717ull >> 16) % n) : 0;
}

static void
change_once (TsMutator *m, GByteArray *bytes, GBytes *other)
{
  guint at = ts_mutator_below (m, bytes->len);
  guint size = 1 + ts_mutator_below (m, MIN (16, bytes->len - at)),
        to = ts_mutator_below (m, bytes->len);
  gsize more;

  switch (ts_mutator_below (m, other ? 6 : 5)) {
  case 0:
    bytes->data[at] ^= (guint8) (1u << ts_mutator_below (m, 8));
    break;
  case 1:
    bytes->data[at] = edges[ts_mutator_below (m, sizeof edges)];
    break;
  case 2:
    g_byte_array_remove_range (bytes, at, size);
    break;
  case 3:
    g_byte_array_set_size (bytes, at);
    break;
  case 4:
    if (to + size <= bytes->len)
      memmove (bytes->data + to, bytes->data + at, size);
    break;
  default: {
    const guint8 *data = g_bytes_get_data (other, &more);
    guint from = ts_mutator_below (m, (guint) more);
    g_byte_array_append (bytes, data + from, (guint) more - from);
  }
  }
}

void
ts_mutator_change (TsMutator *m, GByteArray *bytes, GBytes *other)
{
  for (guint n = 1 + ts_mutator_below (m, 4); n > 0 && bytes->len; n--)
    change_once (m, bytes, other);
}

void
ts_mutator_scratch (TsMutator *m, guint8 *bytes, gsize size)
{
  for (guint n = 1 + ts_mutator_below (m, 8); n > 0 && size; n--) {
    guint at = ts_mutator_below (m, (guint) size);
    if (ts_mutator_below (m, 2))
      bytes[at] ^= (guint8) (1u << ts_mutator_below (m, 8));
    else
      bytes[at] = edges[ts_mutator_below (m, sizeof edges)];
  }
}
