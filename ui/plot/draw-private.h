/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>

#include "ui/plot/scene.h"

G_BEGIN_DECLS

/* The marks of a scene as Cairo paths, in device px of the plot's picture. */
void ts_draw_scene_paths (cairo_t *cr, const TsScene *scene);

void ts_draw_set_color (cairo_t *cr, guint32 rgb, double alpha);

G_END_DECLS
