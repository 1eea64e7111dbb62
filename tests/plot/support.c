/* SPDX-License-Identifier: MIT */
#include "tests/plot/support.h"

#include <stdlib.h>

/* LeakSanitizer asks this; fontconfig keeps patterns until the process ends. */
const char *__lsan_default_suppressions (void);
const char *
__lsan_default_suppressions (void)
{
  return "leak:libfontconfig";
}

/* splitmix64 */
guint32
ts_test_bits (TsTestRandom *random)
{
  guint64 z = *random += 0x9e3779b97f4a7c15u;

  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (guint32) ((z ^ z >> 31) >> 32);
}

double
ts_test_unit (TsTestRandom *random)
{
  return ts_test_bits (random) / 4294967296.;
}

int
ts_test_below (TsTestRandom *random, int n)
{
  return (int) (ts_test_bits (random) % (guint32) n);
}

void
ts_test_picture_init (TsTestPicture *picture, int width, int height)
{
  gsize n = (gsize) width * (gsize) height;

  *picture = (TsTestPicture){g_new (guint32, n), width, height};
  for (gsize i = 0; i < n; i++)
    picture->pixels[i] = 0xffffffff;
}

void
ts_test_picture_clear (TsTestPicture *picture)
{
  g_clear_pointer (&picture->pixels, g_free);
}

int
ts_test_picture_differ (const TsTestPicture *a, const TsTestPicture *b)
{
  int most = 0;

  g_assert_cmpint (a->width, ==, b->width);
  g_assert_cmpint (a->height, ==, b->height);
  for (int i = 0; i < a->width * a->height; i++)
    for (int shift = 0; shift < 32; shift += 8)
      most = MAX (most,
                  abs ((int) (a->pixels[i] >> shift & 255) - (int) (b->pixels[i] >> shift & 255)));
  return most;
}

int
ts_test_ink (const TsTestPicture *picture, int x, int y)
{
  return 255 - (int) (picture->pixels[y * picture->width + x] >> 8 & 255);
}
