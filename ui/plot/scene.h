/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/plot/layout.h"
#include "ui/plot/raster.h"

G_BEGIN_DECLS

/* The marks of a chart in drawing order, in device px of the layout's picture of the plot, with the
 * tracks they are made of.  Both ways of drawing take it: pixels (ts_raster_paint) and paths
 * (draw.h).  Any thread; not changed once made. */
typedef struct {
  GArray *marks;   /* of TsMark */
  TsTrack *tracks; /* two per series: raw, drawn */
  guint n_tracks;
  GPtrArray *dashes; /* of TsDashes, owned */
  double on, off;    /* of the dashes, device px */
} TsScene;

TsScene *ts_scene_new (const TsLayout *layout);
void ts_scene_free (TsScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsScene, ts_scene_free)

G_END_DECLS
