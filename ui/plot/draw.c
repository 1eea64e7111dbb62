/* SPDX-License-Identifier: MIT */
#include "ui/plot/draw.h"

#include <math.h>

#include "ui/plot/draw-private.h"
#include "ui/plot/palette.h"
#include "ui/plot/text.h"

#define AXIS_TEXT   11
#define TITLE_TEXT  13
#define CARD_RADIUS 10

void
ts_draw_set_color (cairo_t *cr, guint32 rgb, double alpha)
{
  cairo_set_source_rgba (cr, (rgb >> 16 & 255) / 255., (rgb >> 8 & 255) / 255., (rgb & 255) / 255.,
                         alpha);
}

void
ts_draw_card (cairo_t *cr, double x, double y, double width, double height, gboolean dark)
{
  const TsTheme *theme = ts_theme_get (dark);
  double r = CARD_RADIUS;

  x += .5;
  y += .5;
  width -= 1;
  height -= 1;
  cairo_new_path (cr);
  cairo_arc (cr, x + width - r, y + r, r, -G_PI / 2, 0);
  cairo_arc (cr, x + width - r, y + height - r, r, 0, G_PI / 2);
  cairo_arc (cr, x + r, y + height - r, r, G_PI / 2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, G_PI * 1.5);
  cairo_close_path (cr);
  ts_draw_set_color (cr, theme->card, 1);
  cairo_fill_preserve (cr);
  ts_draw_set_color (cr, theme->border, 1);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

/* The row of a grid line in device px of the plot's picture: whole pixels, so that it is crisp. */
static double
grid_row (const TsLayout *l, double value, double thickness)
{
  double y = ts_scale_to_px (&l->device_y_scale, value);
  double lowest = floor ((l->plot.y + l->plot.height) * l->options.scale + .5) - l->device_y;

  return MIN (floor (y - thickness / 2 + .5), lowest - thickness);
}

static void
draw_grid (cairo_t *cr, const TsLayout *l)
{
  const TsTheme *theme = ts_theme_get (l->options.dark);
  double scale = l->options.scale, thickness = MAX (floor (scale + .5), 1);
  double left = floor (l->plot.x * scale + .5) - l->device_x;

  ts_draw_set_color (cr, theme->grid, 1);
  for (int i = 0; i < l->y_ticks.n; i++)
    cairo_rectangle (cr, left, grid_row (l, l->y_ticks.tick[i].value, thickness),
                     l->device_width - 2 * left, thickness);
  cairo_fill (cr);
}

cairo_surface_t *
ts_draw_plot_image (const TsLayout *l)
{
  cairo_surface_t *image =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, l->device_width, l->device_height);
  cairo_t *cr = cairo_create (image);
  g_autoptr (TsScene) scene = ts_scene_new (l);

  ts_draw_set_color (cr, ts_theme_get (l->options.dark)->card, 1);
  cairo_paint (cr);
  draw_grid (cr, l);
  cairo_destroy (cr);
  cairo_surface_flush (image);
  if (cairo_surface_status (image) == CAIRO_STATUS_SUCCESS) {
    ts_raster_paint ((guint32 *) (void *) cairo_image_surface_get_data (image),
                     cairo_image_surface_get_stride (image) / 4, l->device_width, l->device_height,
                     (const TsMark *) (void *) scene->marks->data, scene->marks->len,
                     MAX (l->options.threads, 1));
    cairo_surface_mark_dirty (image);
  }
  return image;
}

static gboolean
is_vector (cairo_t *cr)
{
  switch (cairo_surface_get_type (cairo_get_group_target (cr))) {
  case CAIRO_SURFACE_TYPE_PDF:
  case CAIRO_SURFACE_TYPE_PS:
  case CAIRO_SURFACE_TYPE_SVG:
  case CAIRO_SURFACE_TYPE_RECORDING:
    return TRUE;
  default:
    return FALSE;
  }
}

/* The plot in its own device px, on top of what is there. */
static void
draw_plot (cairo_t *cr, const TsLayout *l)
{
  double scale = l->options.scale;

  cairo_save (cr);
  cairo_scale (cr, 1 / scale, 1 / scale);
  cairo_translate (cr, l->device_x, l->device_y);
  cairo_rectangle (cr, 0, 0, l->device_width, l->device_height);
  cairo_clip (cr);
  if (is_vector (cr)) {
    g_autoptr (TsScene) scene = ts_scene_new (l);
    draw_grid (cr, l);
    ts_draw_scene_paths (cr, scene);
  } else {
    cairo_surface_t *image = ts_draw_plot_image (l);
    cairo_set_source_surface (cr, image, 0, 0);
    cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
    cairo_paint (cr);
    cairo_surface_destroy (image);
  }
  cairo_restore (cr);
}

static void
draw_axes (cairo_t *cr, const TsLayout *l)
{
  const TsTheme *theme = ts_theme_get (l->options.dark);
  TsBox b = l->plot;
  double pixel = MAX (floor (l->options.scale + .5), 1) / l->options.scale;
  double base = b.y + b.height - pixel;
  TsTextStyle style = {.size = AXIS_TEXT, .rgb = theme->ink3};

  ts_draw_set_color (cr, ts_color_mix (theme->border, theme->ink3, .35), 1);
  cairo_rectangle (cr, b.x, base, b.width, pixel);
  for (int i = 0; i < l->x_ticks.n; i++) {
    double x = ts_scale_to_px (&l->x_scale, l->x_ticks.tick[i].value);
    cairo_rectangle (cr, floor (x / pixel) * pixel, base, pixel, 3 + pixel);
  }
  cairo_fill (cr);
  style.align = TS_TEXT_CENTER;
  for (int i = 0; i < l->x_ticks.n; i++)
    ts_text_draw (cr, l->x_ticks.tick[i].label,
                  ts_scale_to_px (&l->x_scale, l->x_ticks.tick[i].value), b.y + b.height + 11,
                  &style);
  style.align = TS_TEXT_RIGHT;
  for (int i = 0; i < l->y_ticks.n; i++)
    ts_text_draw (cr, l->y_ticks.tick[i].label, b.x - 7,
                  ts_scale_to_px (&l->y_scale, l->y_ticks.tick[i].value), &style);
}

static void
draw_labels (cairo_t *cr, const TsLayout *l)
{
  const TsTheme *theme = ts_theme_get (l->options.dark);
  double x = l->plot.x + l->plot.width + 8, room = l->options.width - x - 4;
  char more[64];

  for (guint i = 0; i < l->labels->len; i++) {
    const TsLayoutLabel *label = &g_array_index (l->labels, TsLayoutLabel, i);
    const TsLayoutSeries *s = &l->series[label->series];
    double value_width = ts_text_width (cr, label->value, AXIS_TEXT, FALSE);
    TsTextStyle name = {.size = AXIS_TEXT,
                        .bold = TRUE,
                        .rgb = ts_palette_text (s->color, l->options.dark),
                        .max_width = MAX (room - value_width - 4, 12)};
    TsTextStyle value = {.size = AXIS_TEXT, .rgb = theme->ink2};
    double width = ts_text_draw (cr, s->name, x, label->y, &name);
    ts_text_draw (cr, label->value, x + width + (width > 0 ? 4 : 0), label->y, &value);
  }
  if (!l->n_unlabelled)
    return;
  g_snprintf (more, sizeof more, "+ %u more", l->n_unlabelled);
  ts_text_draw (cr, more, x, l->more_y, &(TsTextStyle){.size = AXIS_TEXT, .rgb = theme->ink3});
}

static void
draw_lines_of_text (cairo_t *cr, const TsLayout *l)
{
  const TsTheme *theme = ts_theme_get (l->options.dark);
  TsTextStyle title = {.size = TITLE_TEXT, .bold = TRUE, .rgb = theme->ink1};
  TsTextStyle exact = {.size = AXIS_TEXT, .rgb = theme->ink3};
  double left = 12, room = l->options.width - 2 * left;
  char runs[32];

  if (l->title) {
    title.max_width = MAX (room - 60, 12);
    double width = ts_text_draw (cr, l->title, left, l->title_y, &title);
    g_snprintf (runs, sizeof runs, "%u run%s", l->n_series, l->n_series == 1 ? "" : "s");
    ts_text_draw (cr, runs, left + width + 6, l->title_y,
                  &(TsTextStyle){.size = 12, .rgb = theme->ink3});
  }
  g_autofree char *line =
      l->where ? g_strconcat (l->exact, " · ", l->where, NULL) : g_strdup (l->exact);
  exact.max_width = MAX (room, 12);
  ts_text_draw (cr, line, left, l->exact_y, &exact);
}

void
ts_draw_chart (cairo_t *cr, const TsLayout *l)
{
  cairo_save (cr);
  cairo_new_path (cr);
  draw_plot (cr, l);
  draw_axes (cr, l);
  draw_labels (cr, l);
  draw_lines_of_text (cr, l);
  cairo_restore (cr);
}
