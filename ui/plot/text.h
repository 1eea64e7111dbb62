/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

/* Short labels by Cairo alone: Cantarell, and for each letter it lacks the next of DejaVu Sans and
 * Noto Sans CJK SC; one line, left to right, no shaping.  On PDF the text stays text.  Any thread,
 * one Cairo context each. */
typedef enum { TS_TEXT_LEFT, TS_TEXT_CENTER, TS_TEXT_RIGHT } TsTextAlign;

typedef struct {
  double size; /* px */
  gboolean bold;
  guint32 rgb;
  TsTextAlign align;
  double max_width; /* > 0: a longer text loses its middle to "…" */
} TsTextStyle;

/* @y is the middle of the line's capitals.  What is not UTF-8 is shown by replacement characters.
 * Returns the width drawn. */
double ts_text_draw (cairo_t *cr, const char *text, double x, double y, const TsTextStyle *style);

double ts_text_width (cairo_t *cr, const char *text, double size, gboolean bold);

G_END_DECLS
