/* SPDX-License-Identifier: MIT */
#include "data/events/image-size.h"

#include <string.h>

static guint
big16 (const guint8 *p)
{
  return (guint) p[0] << 8 | p[1];
}

static guint
big32 (const guint8 *p)
{
  return big16 (p) << 16 | big16 (p + 2);
}

/* The frame header is the first marker C0 … CF that is no table (ITU T.81, B.1.1.3). */
static gboolean
jpeg_size (const guint8 *p, gsize n, guint *width, guint *height)
{
  for (gsize at = 2; at + 9 < n;) {
    guint8 marker = p[at + 1];
    if (p[at] != 0xff)
      return FALSE;
    if (marker == 0xff || marker == 1 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker == 0xff ? 1 : 2;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc) {
      *height = big16 (p + at + 5);
      *width = big16 (p + at + 7);
      return TRUE;
    }
    at += 2 + (gsize) big16 (p + at + 2);
  }
  return FALSE;
}

const char *
ts_image_size (const guint8 *p, gsize n, guint *width, guint *height)
{
  *width = *height = 0;
  if (n >= 24 && memcmp (p, "\x89PNG\r\n\x1a\n", 8) == 0 && memcmp (p + 12, "IHDR", 4) == 0) {
    *width = big32 (p + 16);
    *height = big32 (p + 20);
    return "png";
  }
  if (n >= 10 && (memcmp (p, "GIF87a", 6) == 0 || memcmp (p, "GIF89a", 6) == 0)) {
    *width = (guint) p[6] | (guint) p[7] << 8;
    *height = (guint) p[8] | (guint) p[9] << 8;
    return "gif";
  }
  if (n >= 4 && p[0] == 0xff && p[1] == 0xd8 && jpeg_size (p, n, width, height))
    return "jpeg";
  return NULL;
}
