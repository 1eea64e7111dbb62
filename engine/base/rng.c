/* SPDX-License-Identifier: MIT */
#include "engine/base/rng.h"

#include <math.h>
#include <string.h>

guint64
ts_rng_stream (const char *name, guint64 salt)
{
  guint64 h = 0xcbf29ce484222325u;

  for (const char *p = name; *p; p++)
    h = (h ^ (guchar) *p) * 0x100000001b3u;
  h ^= salt * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

void
ts_rng_block (TsRng rng, guint64 block, guint32 c[4])
{
  guint32 k0 = (guint32) rng.seed, k1 = (guint32) (rng.seed >> 32);

  c[0] = (guint32) block;
  c[1] = (guint32) (block >> 32);
  c[2] = (guint32) rng.stream;
  c[3] = (guint32) (rng.stream >> 32);
  for (int round = 0; round < 10; round++) {
    guint64 a = (guint64) 0xd2511f53u * c[0], b = (guint64) 0xcd9e8d57u * c[2];
    guint32 c1 = c[1], c3 = c[3];

    c[0] = (guint32) (b >> 32) ^ c1 ^ k0;
    c[1] = (guint32) b;
    c[2] = (guint32) (a >> 32) ^ c3 ^ k1;
    c[3] = (guint32) a;
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
}

guint32
ts_rng_word (TsRng rng, guint64 index)
{
  guint32 c[4];

  ts_rng_block (rng, index / 4, c);
  return c[index % 4];
}

static float
uniform_of (guint32 word)
{
  guint32 bits = (word & 0x7fffffu) | 0x3f800000u;
  float f;

  memcpy (&f, &bits, sizeof f);
  return f - 1.0f;
}

float
ts_rng_uniform (TsRng rng, guint64 index)
{
  return uniform_of (ts_rng_word (rng, index));
}

float
ts_rng_normal (TsRng rng, guint64 index)
{
  guint32 c[4];
  guint64 pair = index & ~(guint64) 1;

  ts_rng_block (rng, pair / 4, c);
  float u1 = MAX (uniform_of (c[pair % 4]), 1.0e-7f);
  float u2 = uniform_of (c[pair % 4 + 1]);
  double r = sqrt (-2.0 * log ((double) u1)), a = 2.0 * G_PI * (double) u2;

  return (float) (index & 1 ? r * cos (a) : r * sin (a));
}

guint32
ts_rng_below (TsRng rng, guint64 *cursor, guint32 bound)
{
  g_return_val_if_fail (bound >= 1, 0);
  guint32 reject = (guint32) (-bound) % bound;

  for (;;) {
    guint64 m = (guint64) ts_rng_word (rng, (*cursor)++) * bound;
    if ((guint32) m >= reject)
      return (guint32) (m >> 32);
  }
}

void
ts_rng_shuffle (TsRng rng, gint32 *items, gsize n)
{
  guint64 cursor = 0;

  for (gsize i = n; i > 1; i--) {
    gsize j = ts_rng_below (rng, &cursor, (guint32) i);
    gint32 t = items[i - 1];

    items[i - 1] = items[j];
    items[j] = t;
  }
}
