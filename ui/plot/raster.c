/* SPDX-License-Identifier: MIT */
#include "ui/plot/raster.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "ui/plot/coverage-private.h"

/* Colours are held with 7 more bits than they are shown with, in one plane each, so that a hundred
 * layers do not drift; coverage times alpha has 15 bits. */
typedef gint16 Plane[TS_LANES];
#define COLOR_BITS 7
/* Nearly full coverage paints the colour itself: hidden is then invisible, bit for bit. */
#define OPAQUE 32700

typedef struct {
  guint32 *pixels;
  int stride, width, height;
  const TsMark *marks;
  guint n_marks;
  atomic_int next; /* tile */
} Job;

typedef struct {
  TsCoverage coverage;
  Plane *plane[3];
} Tile;

/* One row: opacity of its lanes from the second differences of coverage.  FALSE: all clear. */
static inline gboolean
opacity_row (guint32 *e, guint32 *slope, guint32 *value, gint32 alpha, gint16 *opacity)
{
  gint32 any = 0;

  for (int c = 0; c < TS_LANES; c++) {
    slope[c] += e[c];
    value[c] += slope[c];
    e[c] = 0;
    gint32 k = (gint32) value[c];
    k = k < 0 ? 0 : k;
    k = k > TS_COVERAGE_ONE ? TS_COVERAGE_ONE : k;
    k = ((k >> 9) * alpha + (1 << 14)) >> 15;
    k -= k >> 15; /* 32768 does not fit */
    any |= k;
    opacity[c] = (gint16) k;
  }
  return any != 0;
}

static inline void
blend_row (gint16 *plane, gint16 color, const gint16 *opacity)
{
  for (int c = 0; c < TS_LANES; c++) {
    gint16 change = (gint16) ((((gint32) color - plane[c]) * opacity[c] + 16384) >> 15);
    gint16 mixed = (gint16) (plane[c] + change);
    plane[c] = opacity[c] > OPAQUE ? color : mixed;
  }
}

/* Lays the mark's coverage over the tile and empties it; the rows below the picture are only ever
 * written. */
static void
composite (Tile *tile, guint32 rgb, double alpha)
{
  TsCoverage *cov = &tile->coverage;
  int end = MIN (cov->hi, cov->height);
  guint32 slope[TS_LANES] = {0}, value[TS_LANES] = {0};
  gint16 opacity[TS_LANES];
  gint32 a = (gint32) (CLAMP (alpha, 0, 1) * 32768 + .5);

  for (int y = cov->lo; y < end; y++) {
    if (!opacity_row (cov->e[y], slope, value, a, opacity))
      continue;
    for (int k = 0; k < 3; k++)
      blend_row (tile->plane[k][y], (gint16) ((rgb >> (16 - 8 * k) & 255) << COLOR_BITS), opacity);
  }
  cov->lo = G_MAXINT;
  cov->hi = 0;
}

static void
load (const Job *job, Tile *tile, int c0, int n)
{
  for (int y = 0; y < job->height; y++) {
    const guint32 *row = job->pixels + (gsize) y * (gsize) job->stride + c0;
    for (int k = 0; k < 3; k++)
      for (int c = 0; c < n; c++)
        tile->plane[k][y][c] = (gint16) ((row[c] >> (16 - 8 * k) & 255) << COLOR_BITS);
  }
}

static void
store (const Job *job, Tile *tile, int c0, int n)
{
  const int half = 1 << (COLOR_BITS - 1);

  for (int y = 0; y < job->height; y++) {
    guint32 *row = job->pixels + (gsize) y * (gsize) job->stride + c0;
    for (int c = 0; c < n; c++)
      row[c] = 0xff000000u | (guint32) (tile->plane[0][y][c] + half) >> COLOR_BITS << 16 |
               (guint32) (tile->plane[1][y][c] + half) >> COLOR_BITS << 8 |
               (guint32) (tile->plane[2][y][c] + half) >> COLOR_BITS;
  }
}

static void
add_mark (TsCoverage *cov, const TsMark *mark, int c0, int n)
{
  switch (mark->kind) {
  case TS_MARK_SPAN:
    ts_mark_span (cov, mark, c0, n);
    break;
  case TS_MARK_LINE:
    ts_mark_line (cov, mark, c0, n);
    break;
  case TS_MARK_DASHES:
    ts_mark_dashes (cov, mark, c0, n);
    break;
  case TS_MARK_BAND:
    ts_mark_band (cov, mark, c0, n);
    break;
  case TS_MARK_DISC:
  case TS_MARK_NAN:
  case TS_MARK_POS_INF:
  case TS_MARK_NEG_INF:
    ts_mark_shape (cov, mark, c0, n);
    break;
  case TS_MARK_STEM:
    ts_mark_stem (cov, mark, c0, n);
    break;
  }
}

static void *
paint_tiles (void *data)
{
  Job *job = data;
  gsize rows = (gsize) job->height + TS_COVERAGE_SPARE;
  g_autofree guint32 *coverage = g_new0 (guint32, rows * TS_LANES);
  g_autofree gint16 *planes = g_new0 (gint16, rows * TS_LANES * 3);
  Tile tile = {{(guint32 (*)[TS_LANES]) coverage, job->height, G_MAXINT, 0}};

  for (int k = 0; k < 3; k++)
    tile.plane[k] = (Plane *) (planes + rows * TS_LANES * (gsize) k);
  for (;;) {
    int c0 = atomic_fetch_add (&job->next, 1) * TS_LANES;
    if (c0 >= job->width)
      return NULL;
    int n = MIN (TS_LANES, job->width - c0);
    load (job, &tile, c0, n);
    for (guint i = 0; i < job->n_marks; i++) {
      add_mark (&tile.coverage, &job->marks[i], c0, job->width);
      composite (&tile, job->marks[i].rgb, job->marks[i].alpha);
    }
    store (job, &tile, c0, n);
  }
}

void
ts_raster_paint (guint32 *pixels, int stride, int width, int height, const TsMark *marks,
                 guint n_marks, int threads)
{
  Job job = {pixels, stride, width, height, marks, n_marks};
  pthread_t thread[63];
  int started = 0;

  g_return_if_fail (width <= stride && height >= 0);
  atomic_init (&job.next, 0);
  threads = CLAMP (threads, 1, MIN (64, width / TS_LANES + 1));
  while (started < threads - 1 && pthread_create (&thread[started], NULL, paint_tiles, &job) == 0)
    started++; /* with fewer than asked for it only takes longer */
  paint_tiles (&job);
  for (int i = 0; i < started; i++)
    pthread_join (thread[i], NULL);
}
