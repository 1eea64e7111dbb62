/* SPDX-License-Identifier: MIT */
#include "ui/plot/export.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>

#include "ui/plot/draw.h"
#include "ui/plot/palette.h"

#define CHART_WIDTH  720
#define CHART_HEIGHT 360
#define GAP          12

G_DEFINE_QUARK (ts - plot - error - quark, ts_plot_error)

gboolean
ts_export_format_of (const char *path, TsExportFormat *format)
{
  static const char *const endings[] = {".png", ".svg", ".pdf"};
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i])) {
      *format = (TsExportFormat) i;
      return TRUE;
    }
  return FALSE;
}

/* How charts share a picture. */
typedef struct {
  int columns, rows;
  int width, height; /* of the picture */
} Sheet;

static gboolean
plan_sheet (Sheet *s, guint n, const TsExportOptions *o, GError **error)
{
  s->columns = o->columns > 0 ? o->columns : n <= 4 ? 1 : n <= 12 ? 2 : 3;
  s->rows = MAX (((int) n + s->columns - 1) / s->columns, 1);
  s->width = o->width ? o->width : s->columns * (CHART_WIDTH + GAP) + GAP;
  s->height = o->height ? o->height : s->rows * (CHART_HEIGHT + GAP) + GAP;
  if (s->width >= TS_EXPORT_SIZE_MIN && s->width <= TS_EXPORT_SIZE_MAX &&
      s->height >= TS_EXPORT_SIZE_MIN && s->height <= TS_EXPORT_SIZE_MAX)
    return TRUE;
  g_set_error (error, TS_PLOT_ERROR, TS_PLOT_ERROR_SIZE,
               "a picture of %d x %d for %u chart%s cannot be made: each side has to be from %d to "
               "%d; choose fewer charts or another size",
               s->width, s->height, n, n == 1 ? "" : "s", TS_EXPORT_SIZE_MIN, TS_EXPORT_SIZE_MAX);
  return FALSE;
}

static void
draw_sheet (cairo_t *cr, const Sheet *sheet, const TsChart *charts, guint n,
            const TsExportOptions *o)
{
  guint32 window = ts_theme_get (o->dark)->window;
  /* every card begins on a whole px */
  int width = MAX ((sheet->width - GAP) / sheet->columns - GAP, 1);
  int height = MAX ((sheet->height - GAP) / sheet->rows - GAP, 1);

  cairo_set_source_rgb (cr, (window >> 16 & 255) / 255., (window >> 8 & 255) / 255.,
                        (window & 255) / 255.);
  cairo_paint (cr);
  for (guint i = 0; i < n; i++) {
    int x = GAP + ((int) i % sheet->columns) * (width + GAP);
    int y = GAP + ((int) i / sheet->columns) * (height + GAP);
    TsChart chart = charts[i];
    chart.options.width = width;
    chart.options.height = height;
    chart.options.dark = o->dark;
    chart.options.scale = o->format == TS_EXPORT_PNG ? 1 : 2; /* columns of half a point */
    g_autoptr (TsLayout) layout = ts_layout_new (&chart);
    ts_draw_card (cr, x, y, width, height, o->dark);
    cairo_save (cr);
    cairo_translate (cr, x, y);
    ts_draw_chart (cr, layout);
    cairo_restore (cr);
  }
}

static cairo_status_t
collect (void *bytes, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (bytes, data, length);
  return CAIRO_STATUS_SUCCESS;
}

GBytes *
ts_export_charts (const TsChart *charts, guint n, const TsExportOptions *o, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface;
  Sheet sheet;

  if (!plan_sheet (&sheet, n, o, error))
    return NULL;
  if (o->format == TS_EXPORT_SVG)
    surface = cairo_svg_surface_create_for_stream (collect, bytes, sheet.width, sheet.height);
  else if (o->format == TS_EXPORT_PDF)
    surface = cairo_pdf_surface_create_for_stream (collect, bytes, sheet.width, sheet.height);
  else
    surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, sheet.width, sheet.height);
  cairo_t *cr = cairo_create (surface);
  draw_sheet (cr, &sheet, charts, n, o);
  cairo_status_t status = cairo_status (cr);
  cairo_destroy (cr);
  if (o->format == TS_EXPORT_PNG && status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_write_to_png_stream (surface, collect, bytes);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS) {
    g_set_error (error, TS_PLOT_ERROR, TS_PLOT_ERROR_DRAW, "cannot draw %d x %d pixels: %s",
                 sheet.width, sheet.height, cairo_status_to_string (status));
    return NULL;
  }
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}
