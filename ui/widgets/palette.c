/* SPDX-License-Identifier: MIT */
#include "ui/widgets/palette.h"

#include <adwaita.h>

static const guint32 light[TS_PALETTE_N] = {0x0a98f0, 0xb93b07, 0x249581, 0x89041c,
                                            0x4422ac, 0xc28603, 0x066cac, 0x7d456a,
                                            0x067424, 0x66247c, 0xae7353, 0x8781b6};
static const guint32 dark[TS_PALETTE_N] = {0x5fa6fd, 0xe6712d, 0x87ead3, 0xdd9298,
                                           0x7477e6, 0xffcc5c, 0xa0c4f3, 0xad718d,
                                           0x38ab63, 0xa585c4, 0xf8b18c, 0xa5a8cb};

void
ts_palette_get (guint index, GdkRGBA *color)
{
  gboolean is_dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  guint32 rgb = (is_dark ? dark : light)[index % TS_PALETTE_N];

  *color = (GdkRGBA){(float) (rgb >> 16 & 255) / 255.f, (float) (rgb >> 8 & 255) / 255.f,
                     (float) (rgb & 255) / 255.f, 1};
}

void
ts_palette_token (GtkWidget *widget, const char *name, GdkRGBA *color)
{
  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), name, color))
    *color = (GdkRGBA){0, 0, 0, 1};
}

void
ts_palette_mix (const GdkRGBA *a, const GdkRGBA *b, double t, GdkRGBA *color)
{
  float u = (float) t;

  *color = (GdkRGBA){a->red + (b->red - a->red) * u, a->green + (b->green - a->green) * u,
                     a->blue + (b->blue - a->blue) * u, a->alpha + (b->alpha - a->alpha) * u};
}
