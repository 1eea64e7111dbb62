/* SPDX-License-Identifier: MIT */
#include "ui/plot/palette.h"

#include <math.h>

static const TsTheme light = {
    .window = 0xf4f5f7,
    .card = 0xffffff,
    .rail = 0xeceef1,
    .border = 0xdfe2e7,
    .grid = 0xe9ebef,
    .ink1 = 0x1b2027,
    .ink2 = 0x434c59,
    .ink3 = 0x5f6976,
    .accent = 0x1f5fc4,
    .accent_fill = 0x1f5fc4,
    .accent_fill_ink = 0xffffff,
    .selection = 0xdce8fb,
    .selection_ink = 0x17478f,
    .cursor = 0xb45309,
    .cursor_ink = 0xffffff,
    .ok = 0xe2f2e8,
    .ok_ink = 0x17633c,
    .warn = 0xfbeed6,
    .warn_ink = 0x7a4b00,
    .bad = 0xfbe4e2,
    .bad_ink = 0xb3261e,
    .raw_alpha = .26,
    .band_alpha = .16,
};

static const TsTheme dark_theme = {
    .window = 0x16191e,
    .card = 0x1e2228,
    .rail = 0x111419,
    .border = 0x303640,
    .grid = 0x2b313a,
    .ink1 = 0xeceef2,
    .ink2 = 0xbcc3cd,
    .ink3 = 0x98a1ae,
    .accent = 0x7fb0ff,
    .accent_fill = 0x346fca,
    .accent_fill_ink = 0xffffff,
    .selection = 0x223656,
    .selection_ink = 0xb5d1ff,
    .cursor = 0xffb84d,
    .cursor_ink = 0x1b1206,
    .ok = 0x1b3327,
    .ok_ink = 0x7fd3a5,
    .warn = 0x3a2c12,
    .warn_ink = 0xf2c06a,
    .bad = 0x40211f,
    .bad_ink = 0xff9d94,
    .raw_alpha = .34,
    .band_alpha = .22,
};

static const struct {
  const char *name;
  guint32 light, dark;
} categorical[TS_PALETTE_SIZE] = {
    {"blue", 0x0a98f0, 0x5fa6fd},    {"orange", 0xb93b07, 0xe6712d}, {"teal", 0x249581, 0x87ead3},
    {"crimson", 0x89041c, 0xdd9298}, {"violet", 0x4422ac, 0x7477e6}, {"gold", 0xc28603, 0xffcc5c},
    {"ocean", 0x066cac, 0xa0c4f3},   {"mauve", 0x7d456a, 0xad718d},  {"green", 0x067424, 0x38ab63},
    {"plum", 0x66247c, 0xa585c4},    {"clay", 0xae7353, 0xf8b18c},   {"iris", 0x8781b6, 0xa5a8cb},
};

static const guint32 sequential[2][6] = {
    {0xe3eef4, 0xaed3e2, 0x6fb1cc, 0x3a8ab4, 0x1f5f95, 0x173a6b},
    {0x1d2a3a, 0x1f4a6e, 0x2a72a0, 0x4a9ec6, 0x86c8e0, 0xd2eef6},
};

static const guint32 diverging[2][7] = {
    {0x1b4f9c, 0x5b8bc9, 0xb3cbe6, 0xf3f1ee, 0xf2c7a0, 0xdd8a42, 0xa04a00},
    {0x8fbcff, 0x4f82cc, 0x2c4a78, 0x23262c, 0x704417, 0xc4742a, 0xffb570},
};

const TsTheme *
ts_theme_get (gboolean dark)
{
  return dark ? &dark_theme : &light;
}

guint32
ts_palette_color (guint index, gboolean dark)
{
  index %= TS_PALETTE_SIZE;
  return dark ? categorical[index].dark : categorical[index].light;
}

gboolean
ts_palette_dashed (guint index)
{
  return index >= TS_PALETTE_PLAIN;
}

const char *
ts_palette_name (guint index)
{
  return categorical[index % TS_PALETTE_SIZE].name;
}

guint32
ts_palette_text (guint index, gboolean dark)
{
  return ts_color_mix (ts_palette_color (index, dark), ts_theme_get (dark)->ink1, .45);
}

guint32
ts_color_mix (guint32 a, guint32 b, double t)
{
  guint32 mixed = 0;

  for (int shift = 16; shift >= 0; shift -= 8) {
    double from = a >> shift & 255, to = b >> shift & 255;
    mixed |= (guint32) (from + (to - from) * t + .5) << shift;
  }
  return mixed;
}

static guint32
along (const guint32 *stops, int n, double t)
{
  double at = CLAMP (t, 0, 1) * (n - 1);
  int i = MIN ((int) at, n - 2);

  return ts_color_mix (stops[i], stops[i + 1], at - i);
}

guint32
ts_palette_sequential (double t, gboolean dark)
{
  return along (sequential[dark ? 1 : 0], 6, isnan (t) ? 0 : t);
}

guint32
ts_palette_diverging (double t, gboolean dark)
{
  return along (diverging[dark ? 1 : 0], 7, isnan (t) ? .5 : CLAMP (t, -1, 1) * .5 + .5);
}

static double
luminance (guint32 rgb)
{
  static const double weight[3] = {.2126, .7152, .0722};
  double sum = 0;

  for (int k = 0; k < 3; k++) {
    double c = (rgb >> (16 - 8 * k) & 255) / 255.;
    sum += weight[k] * (c <= .03928 ? c / 12.92 : pow ((c + .055) / 1.055, 2.4));
  }
  return sum;
}

double
ts_color_contrast (guint32 a, guint32 b)
{
  double la = luminance (a), lb = luminance (b);

  return (MAX (la, lb) + .05) / (MIN (la, lb) + .05);
}
