/* SPDX-License-Identifier: MIT */
#include "ui/plot/text.h"

#include <string.h>

static const char *const families[] = {"Cantarell", "DejaVu Sans", "Noto Sans CJK SC"};
#define N_FAMILIES G_N_ELEMENTS (families)

static void
set_color (cairo_t *cr, guint32 rgb)
{
  cairo_set_source_rgb (cr, (rgb >> 16 & 255) / 255., (rgb >> 8 & 255) / 255., (rgb & 255) / 255.);
}

static void
set_family (cairo_t *cr, guint family, double size, gboolean bold)
{
  cairo_select_font_face (cr, families[family], CAIRO_FONT_SLANT_NORMAL,
                          bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size (cr, size);
}

/* Cairo puts glyphs on whole pixels: letters then keep even distances only when their widths are
 * whole as well.  On paper nothing is rounded. */
static void
set_options (cairo_t *cr)
{
  cairo_font_options_t *options = cairo_font_options_create ();
  gboolean pixels =
      cairo_surface_get_type (cairo_get_group_target (cr)) == CAIRO_SURFACE_TYPE_IMAGE;

  cairo_font_options_set_hint_metrics (options,
                                       pixels ? CAIRO_HINT_METRICS_ON : CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options (cr, options);
  cairo_font_options_destroy (options);
}

/* The first family that has the character; the first of all when none has. */
static guint
family_of (cairo_t *cr, const char *at, int bytes, double size, gboolean bold)
{
  for (guint f = 0; f < N_FAMILIES; f++) {
    cairo_glyph_t *glyphs = NULL;
    int n = 0;
    set_family (cr, f, size, bold);
    if (cairo_scaled_font_text_to_glyphs (cairo_get_scaled_font (cr), 0, 0, at, bytes, &glyphs, &n,
                                          NULL, NULL, NULL) != CAIRO_STATUS_SUCCESS)
      continue;
    gboolean found = n > 0 && glyphs[0].index != 0;
    cairo_glyph_free (glyphs);
    if (found)
      return f;
  }
  return 0;
}

/* Goes through @text in stretches of one family; draws them when @draw, from (x, y). */
static double
run_through (cairo_t *cr, const char *text, double x, double y, double size, gboolean bold,
             gboolean draw)
{
  double width = 0;

  for (const char *p = text; *p;) {
    const char *from = p, *next = g_utf8_next_char (p);
    guint family = family_of (cr, p, (int) (next - p), size, bold);
    for (p = next; *p; p = next) {
      next = g_utf8_next_char (p);
      if (family_of (cr, p, (int) (next - p), size, bold) != family)
        break;
    }
    g_autofree char *part = g_strndup (from, (gsize) (p - from));
    cairo_text_extents_t extents;
    set_family (cr, family, size, bold);
    cairo_text_extents (cr, part, &extents);
    if (draw) {
      cairo_move_to (cr, x + width, y);
      cairo_show_text (cr, part);
    }
    width += extents.x_advance;
  }
  return width;
}

/* Cuts letters out of the middle until it fits. */
static char *
dup_fitting (cairo_t *cr, const char *text, const TsTextStyle *style)
{
  glong n = g_utf8_strlen (text, -1);
  char *fit = g_strdup (text);

  while (run_through (cr, fit, 0, 0, style->size, style->bold, FALSE) > style->max_width && n > 1) {
    n--;
    glong head = (n + 1) / 2, tail = n - head;
    const char *end = text + strlen (text);
    const char *tail_at = g_utf8_offset_to_pointer (end, -tail);
    g_autofree char *front =
        g_strndup (text, (gsize) (g_utf8_offset_to_pointer (text, head) - text));
    g_free (fit);
    fit = g_strconcat (front, "…", tail_at, NULL);
  }
  return fit;
}

double
ts_text_draw (cairo_t *cr, const char *text, double x, double y, const TsTextStyle *style)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  cairo_save (cr);
  set_options (cr);
  if (style->max_width > 0) {
    char *fit = dup_fitting (cr, valid, style);
    g_free (valid);
    valid = fit;
  }
  double width = run_through (cr, valid, 0, 0, style->size, style->bold, FALSE);
  double left = x;
  if (style->align == TS_TEXT_RIGHT)
    left -= width;
  else if (style->align == TS_TEXT_CENTER)
    left -= width / 2;
  set_color (cr, style->rgb);
  run_through (cr, valid, left, y + style->size * .345, style->size, style->bold, TRUE);
  cairo_new_path (cr);
  cairo_restore (cr);
  return width;
}

double
ts_text_width (cairo_t *cr, const char *text, double size, gboolean bold)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  cairo_save (cr);
  set_options (cr);
  double width = run_through (cr, valid, 0, 0, size, bold, FALSE);
  cairo_restore (cr);
  return width;
}
