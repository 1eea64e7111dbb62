/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The colours of what is drawn by hand.  Ink, grid and surfaces are the style sheet's tokens; data
 * has the only other colours: twelve categories, told apart under every kind of colour sight. */

#define TS_PALETTE_N 12

/* Category @index (modulo 12), for the light or dark sheet that is in use now. */
void ts_palette_get (guint index, GdkRGBA *color);

/* The token @name of the style sheet ("ink3"); black when there is none. */
void ts_palette_token (GtkWidget *widget, const char *name, GdkRGBA *color);

/* @a with the share @t of @b. */
void ts_palette_mix (const GdkRGBA *a, const GdkRGBA *b, double t, GdkRGBA *color);

G_END_DECLS
