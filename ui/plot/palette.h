/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The colours of the window and of all charts, as 0xRRGGBB: one table for GTK's style sheets and
 * for what Cairo draws.  Constant data, any thread. */
typedef struct {
  guint32 window, card, rail, border, grid;
  guint32 ink1, ink2, ink3;                     /* text: main, secondary, axes and captions */
  guint32 accent, accent_fill, accent_fill_ink; /* live, selected or focused; nothing else */
  guint32 selection, selection_ink;
  guint32 cursor, cursor_ink; /* the step cursor; nothing else */
  guint32 ok, ok_ink, warn, warn_ink, bad, bad_ink;
  double raw_alpha;  /* of the raw span under a smoothed curve */
  double band_alpha; /* of a band without outline */
} TsTheme;

const TsTheme *ts_theme_get (gboolean dark);

/* Categorical colours: a run keeps its index for life.  From TS_PALETTE_PLAIN on a line is dashed
 * as well; beyond TS_PALETTE_SIZE the colours come again, dashed. */
#define TS_PALETTE_SIZE  12
#define TS_PALETTE_PLAIN 8

guint32 ts_palette_color (guint index, gboolean dark);
gboolean ts_palette_dashed (guint index);

/* The same colour as text: mixed with the main ink until it can be read (contrast >= 6.5). */
guint32 ts_palette_text (guint index, gboolean dark);

/* "blue", "orange", …; for words and screen readers. */
const char *ts_palette_name (guint index);

/* Sequential (age, magnitude): @t in 0..1, 1 is furthest from the background. */
guint32 ts_palette_sequential (double t, gboolean dark);
/* Diverging (signed): @t in -1..1, 0 is the background.  NaN gives the background. */
guint32 ts_palette_diverging (double t, gboolean dark);

/* a + (b - a) · t in sRGB. */
guint32 ts_color_mix (guint32 a, guint32 b, double t);
/* WCAG 2 contrast ratio, 1..21. */
double ts_color_contrast (guint32 a, guint32 b);

G_END_DECLS
