/* SPDX-License-Identifier: MIT */
#include "ui/plot/scene.h"

#include <math.h>

#include "ui/plot/palette.h"

/* px at scale 1 */
#define LINE_WIDTH     1.75
#define SELECTED_WIDTH 2.25
#define SPAN_WIDTH     1.2
#define DOT            1.6
#define DASH_ON        6
#define DASH_OFF       4
#define MARKER_RADIUS  6
#define MARKER_STROKE  1.3
#define LIVE_DOT       3.5
#define LIVE_HALO      7

static void
add (TsScene *scene, TsMark mark)
{
  g_array_append_val (scene->marks, mark);
}

/* What lies under the curves: the raw extents of a smoothed or dashed series. */
static void
add_span (TsScene *scene, const TsLayout *l, guint k)
{
  const TsLayoutSeries *s = &l->series[k];
  gboolean dark = l->options.dark;

  if (!s->smooth && !s->dashed)
    return;
  add (scene, (TsMark){.kind = TS_MARK_SPAN,
                       .rgb = ts_palette_color (s->color, dark),
                       .alpha = ts_theme_get (dark)->raw_alpha,
                       .width = (float) (SPAN_WIDTH * l->options.scale),
                       .track = &scene->tracks[2 * k]});
}

static void
add_line (TsScene *scene, const TsLayout *l, guint k)
{
  const TsLayoutSeries *s = &l->series[k];
  double scale = l->options.scale, width = (s->selected ? SELECTED_WIDTH : LINE_WIDTH) * scale;
  TsMark mark = {.kind = s->dashed ? TS_MARK_DASHES : TS_MARK_LINE,
                 .rgb = ts_palette_color (s->color, l->options.dark),
                 .alpha = 1,
                 .width = (float) width,
                 .dot = (float) (DOT * scale),
                 .track = &scene->tracks[2 * k + 1]};

  if (s->dashed) {
    TsDashes *dashes = ts_dashes_new (mark.track, width, scene->on, scene->off, l->device_height);
    g_ptr_array_add (scene->dashes, dashes);
    mark.dashes = dashes;
  }
  add (scene, mark);
}

static void
add_live_end (TsScene *scene, const TsLayout *l, guint k)
{
  const TsLayoutSeries *s = &l->series[k];
  double scale = l->options.scale;

  if (!s->live || s->last < 0)
    return;
  double y = s->smooth ? s->smooth[s->last] : s->y[s->last];
  TsMark mark = {.kind = TS_MARK_DISC,
                 .rgb = ts_palette_color (s->color, l->options.dark),
                 .alpha = .25,
                 .x = (float) ts_scale_to_px (&l->device_x_scale, s->x[s->last]),
                 .y = (float) ts_scale_to_px (&l->device_y_scale, y),
                 .radius = (float) (LIVE_HALO * scale)};

  if (!(fabsf (mark.x) < 1e5f && fabsf (mark.y) < 1e5f))
    return;
  add (scene, mark);
  mark.alpha = 1;
  mark.radius = (float) (LIVE_DOT * scale);
  add (scene, mark);
}

static void
add_markers (TsScene *scene, const TsLayout *l)
{
  double scale = l->options.scale;
  float top = (float) (floor (l->plot.y * scale + .5) - l->device_y);

  for (guint i = 0; i < l->markers->len; i++) {
    const TsLayoutMarker *m = &g_array_index (l->markers, TsLayoutMarker, i);
    guint32 rgb = ts_palette_color (l->series[m->series].color, l->options.dark);
    TsMark mark = {.kind = m->kind,
                   .rgb = rgb,
                   .alpha = 1,
                   .x = (float) (m->x * scale - l->device_x),
                   .radius = (float) (MARKER_RADIUS * scale),
                   .width = (float) (MARKER_STROKE * scale)};
    /* the shapes hang from the top edge */
    float above = m->kind == TS_MARK_NAN ? mark.radius * .5f : mark.radius;
    mark.y = top + above;
    TsMark stem = mark;
    stem.kind = TS_MARK_STEM;
    stem.width = (float) scale;
    stem.y = mark.y + (m->kind == TS_MARK_POS_INF ? mark.radius * .5f : mark.radius) + stem.width;
    stem.y_end = (float) l->device_height - top;
    add (scene, stem);
    add (scene, mark);
  }
}

TsScene *
ts_scene_new (const TsLayout *l)
{
  TsScene *scene = g_new0 (TsScene, 1);

  scene->marks = g_array_new (FALSE, FALSE, sizeof (TsMark));
  scene->dashes = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_dashes_free);
  scene->n_tracks = 2 * l->n_series;
  scene->tracks = g_new0 (TsTrack, MAX (scene->n_tracks, 1));
  scene->on = DASH_ON * l->options.scale;
  scene->off = DASH_OFF * l->options.scale;
  for (guint k = 0; k < l->n_series; k++) {
    const TsLayoutSeries *s = &l->series[k];
    TsTrack *drawn = &scene->tracks[2 * k + 1];
    ts_track_from_columns (&scene->tracks[2 * k], &s->raw, &l->device_y_scale);
    ts_track_from_columns (drawn, s->smooth ? &s->smoothed : &s->raw, &l->device_y_scale);
    ts_track_ease (drawn);
  }
  for (guint i = 0; i < l->n_series; i++)
    add_span (scene, l, l->order[i]);
  for (guint i = 0; i < l->n_series; i++)
    add_line (scene, l, l->order[i]);
  for (guint i = 0; i < l->n_series; i++)
    add_live_end (scene, l, l->order[i]);
  add_markers (scene, l);
  return scene;
}

void
ts_scene_free (TsScene *scene)
{
  if (!scene)
    return;
  for (guint i = 0; i < scene->n_tracks; i++)
    ts_track_clear (&scene->tracks[i]);
  g_free (scene->tracks);
  g_ptr_array_unref (scene->dashes);
  g_array_unref (scene->marks);
  g_free (scene);
}
