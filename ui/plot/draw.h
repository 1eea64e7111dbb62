/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>

#include "ui/plot/layout.h"

G_BEGIN_DECLS

/* Draws a chart with its top left corner at the origin of @cr, which is scaled so that one unit is
 * one px at scale 1.  On a vector surface (SVG, PDF, PS, recording) the curves become paths of the
 * same columns, elsewhere they are rasterised; for whole device pixels (the usual case) the scale
 * of @cr must be the layout's and the origin lie on a device pixel.
 *
 * Nothing is painted outside the plot box but text and axes: the caller has filled the chart's area
 * with the card colour of the theme (ts_draw_card).  Any thread. */
void ts_draw_chart (cairo_t *cr, const TsLayout *layout);

/* The same for pixels alone: the plot without axes and text, on the card's colour with the grid;
 * device_width x device_height of the layout.  Transfer full. */
cairo_surface_t *ts_draw_plot_image (const TsLayout *layout);

/* A card: rounded, bordered, filled. */
void ts_draw_card (cairo_t *cr, double x, double y, double width, double height, gboolean dark);

G_END_DECLS
