/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "tests/plot/support.h"
#include "ui/plot/raster.h"

#define WIDTH  333
#define HEIGHT 150

typedef double (*Curve) (double x, TsTestRandom *random);

static double
smooth_curve (double x, TsTestRandom *random)
{
  return 75 + 50 * sin (x * .05) + 15 * sin (x * .9);
}

static double
noisy_curve (double x, TsTestRandom *random)
{
  return 75 + 50 * sin (x * .03) + 60 * (ts_test_unit (random) - .5);
}

static double
gentle_curve (double x, TsTestRandom *random)
{
  return 90 + 40 * sin (x * .05) + 8 * sin (x * .3);
}

/* Leaves the picture at the top and at the bottom. */
static double
wide_curve (double x, TsTestRandom *random)
{
  return 75 + 130 * sin (x * .07) + 30 * (ts_test_unit (random) - .5);
}

/* Eight values in each column, moved down by @dy, some columns with a hole. */
static void
fill_columns (TsColumns *columns, int width, Curve curve, double dy, gboolean holes)
{
  TsTestRandom random = 11;

  ts_columns_init (columns, width);
  for (int c = 0; c < width; c++) {
    TsColumn *column = &columns->column[c];
    for (int i = 0; i < 8; i++) {
      double y = curve (c + i / 8., &random) + dy;
      if (!i)
        column->first = column->min = column->max = y;
      column->min = MIN (column->min, y);
      column->max = MAX (column->max, y);
      column->last = y;
      column->count++;
    }
    if (holes && c % 50 == 20) {
      column->n_nan = 1;
      column->flags = c % 100 == 20 ? TS_COLUMN_CUT_BEFORE : TS_COLUMN_CUT_AFTER;
    }
    if (holes && c % 70 >= 60)
      *column = (TsColumn){.n_nan = c % 70 == 65};
  }
}

static void
make_track (TsTrack *track, int width, Curve curve, double dy, gboolean holes, gboolean ease)
{
  g_auto (TsColumns) columns;
  TsScale rows;

  ts_scale_init (&rows, TS_SCALE_LINEAR, 0, 1000, 0, 1000);
  fill_columns (&columns, width, curve, dy, holes);
  ts_track_from_columns (track, &columns, &rows);
  if (ease)
    ts_track_ease (track);
}

/* A horizontal line. */
static void
make_flat (TsTrack *track, int width, float y)
{
  ts_track_init (track, width);
  for (int c = 0; c < width; c++) {
    track->top[c] = track->bottom[c] = track->first[c] = track->last[c] = y;
    track->filled[c] = 1;
    track->linked[c] = c + 1 < width;
  }
}

static void
paint (TsTestPicture *p, const TsMark *marks, guint n, int threads)
{
  ts_raster_paint (p->pixels, p->width, p->width, p->height, marks, n, threads);
}

/* One of everything. */
typedef struct {
  TsTrack noisy, smooth, wide;
  TsDashes *dashes;
  TsMark mark[16];
  guint n;
} Scene;

static void
scene_init (Scene *s, double dy, int height)
{
  make_track (&s->noisy, WIDTH, noisy_curve, dy, TRUE, FALSE);
  make_track (&s->smooth, WIDTH, smooth_curve, dy, TRUE, TRUE);
  make_track (&s->wide, WIDTH, wide_curve, dy, FALSE, TRUE);
  s->dashes = ts_dashes_new (&s->wide, 1.75, 6, 4, height);
  const TsMark marks[] = {
      {.kind = TS_MARK_SPAN, .rgb = 0x0a98f0, .alpha = .26, .width = 1.2f, .track = &s->noisy},
      {.kind = TS_MARK_BAND, .rgb = 0xb93b07, .alpha = .16, .track = &s->wide},
      {.kind = TS_MARK_LINE,
       .rgb = 0x89041c,
       .alpha = 1,
       .width = 1.75f,
       .dot = 1.6f,
       .track = &s->smooth},
      {.kind = TS_MARK_LINE,
       .rgb = 0x4422ac,
       .alpha = .5,
       .width = 5,
       .dot = 1.6f,
       .track = &s->noisy},
      {.kind = TS_MARK_DASHES,
       .rgb = 0x249581,
       .alpha = 1,
       .width = 1.75f,
       .track = &s->wide,
       .dashes = s->dashes},
      {.kind = TS_MARK_DISC, .rgb = 0x111111, .alpha = .25, .x = 331.3f, .y = 40, .radius = 7},
      {.kind = TS_MARK_NAN,
       .rgb = 0x7d456a,
       .alpha = 1,
       .x = 30.5f,
       .y = 20,
       .radius = 6,
       .width = 1.3f},
      {.kind = TS_MARK_POS_INF,
       .rgb = 0x067424,
       .alpha = 1,
       .x = 47.5f,
       .y = 20,
       .radius = 6,
       .width = 1.3f},
      {.kind = TS_MARK_NEG_INF,
       .rgb = 0x066cac,
       .alpha = 1,
       .x = 64.2f,
       .y = 20,
       .radius = 6,
       .width = 1.3f},
      {.kind = TS_MARK_STEM,
       .rgb = 0x000000,
       .alpha = 1,
       .x = 96,
       .y = 10,
       .y_end = 140,
       .width = 1},
  };
  memcpy (s->mark, marks, sizeof marks);
  s->n = G_N_ELEMENTS (marks);
}

static void
scene_clear (Scene *s)
{
  ts_track_clear (&s->noisy);
  ts_track_clear (&s->smooth);
  ts_track_clear (&s->wide);
  ts_dashes_free (s->dashes);
}

static void
test_threads (void)
{
  Scene s;
  g_auto (TsTestPicture) one, many;

  scene_init (&s, 0, HEIGHT);
  ts_test_picture_init (&one, WIDTH, HEIGHT);
  paint (&one, s.mark, s.n, 1);
  for (int threads = 2; threads <= 9; threads++) {
    ts_test_picture_init (&many, WIDTH, HEIGHT);
    paint (&many, s.mark, s.n, threads);
    g_assert_cmpint (ts_test_picture_differ (&one, &many), ==, 0);
    if (threads < 9)
      ts_test_picture_clear (&many);
  }
  scene_clear (&s);
}

/* Nothing is left in a tile for the marks after it: each alone, one after the other, gives the same
 * picture (8 bits between them lose at most a level each). */
static void
test_no_residue (void)
{
  Scene s;
  g_auto (TsTestPicture) all, single, blank;

  scene_init (&s, 0, HEIGHT);
  ts_test_picture_init (&all, WIDTH, HEIGHT);
  ts_test_picture_init (&single, WIDTH, HEIGHT);
  ts_test_picture_init (&blank, WIDTH, HEIGHT);
  paint (&all, s.mark, s.n, 1);
  for (guint i = 0; i < s.n; i++)
    paint (&single, &s.mark[i], 1, 1);
  g_assert_cmpint (ts_test_picture_differ (&all, &single), <=, 3);
  for (guint i = 0; i < s.n; i++)
    s.mark[i].alpha = 0;
  ts_test_picture_clear (&single);
  ts_test_picture_init (&single, WIDTH, HEIGHT);
  paint (&single, s.mark, s.n, 2);
  g_assert_cmpint (ts_test_picture_differ (&blank, &single), ==, 0);
  scene_clear (&s);
}

/* Clipped = cropped from a picture 100 px taller at either end. */
static void
test_clip (void)
{
  Scene s, tall;
  g_auto (TsTestPicture) p, big;
  int most = 0;

  scene_init (&s, 0, HEIGHT);
  scene_init (&tall, 100, HEIGHT + 200);
  for (guint i = 0; i < tall.n; i++) {
    tall.mark[i].y += 100;
    tall.mark[i].y_end += 100;
  }
  ts_test_picture_init (&p, WIDTH, HEIGHT);
  ts_test_picture_init (&big, WIDTH, HEIGHT + 200);
  paint (&p, s.mark, s.n, 1);
  paint (&big, tall.mark, tall.n, 1);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      for (int shift = 0; shift < 24; shift += 8)
        most = MAX (most, ABS ((int) (p.pixels[y * WIDTH + x] >> shift & 255) -
                               (int) (big.pixels[(y + 100) * WIDTH + x] >> shift & 255)));
  g_assert_cmpint (most, <=, 1);
  scene_clear (&s);
  scene_clear (&tall);
}

/* The data mirrored in x gives the mirrored picture. */
static void
test_mirror (void)
{
  TsTrack t, m;
  g_auto (TsTestPicture) p, q, back;
  int most = 0;

  make_track (&t, WIDTH, noisy_curve, 0, TRUE, TRUE);
  ts_track_init (&m, WIDTH);
  for (int c = 0; c < WIDTH; c++) {
    int d = WIDTH - 1 - c;
    m.top[c] = t.top[d];
    m.bottom[c] = t.bottom[d];
    m.first[c] = t.last[d];
    m.last[c] = t.first[d];
    m.filled[c] = t.filled[d];
    m.linked[c] = t.linked[d - 1];
  }
  const TsMarkKind kinds[] = {TS_MARK_SPAN, TS_MARK_LINE, TS_MARK_BAND};
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    TsMark mark = {.kind = kinds[i], .alpha = .7, .width = 1.75f, .dot = 1.6f, .track = &t};
    ts_test_picture_init (&p, WIDTH, HEIGHT);
    ts_test_picture_init (&q, WIDTH, HEIGHT);
    ts_test_picture_init (&back, WIDTH, HEIGHT);
    paint (&p, &mark, 1, 1);
    mark.track = &m;
    paint (&q, &mark, 1, 1);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        back.pixels[y * WIDTH + x] = q.pixels[y * WIDTH + WIDTH - 1 - x];
    most = MAX (most, ts_test_picture_differ (&p, &back));
    if (i + 1 < G_N_ELEMENTS (kinds)) {
      ts_test_picture_clear (&p);
      ts_test_picture_clear (&q);
      ts_test_picture_clear (&back);
    }
  }
  g_assert_cmpint (most, <=, 1);
  ts_track_clear (&t);
  ts_track_clear (&m);
}

/* One dash without end is the line, drawn by other code. */
static void
test_endless_dash (void)
{
  TsTrack t;
  g_auto (TsTestPicture) line, dash;

  make_track (&t, WIDTH, smooth_curve, 0, FALSE, TRUE);
  for (int c = 0; c < WIDTH; c++)
    t.top[c] = t.bottom[c] = t.first[c] = t.last[c] = (t.first[c] + t.last[c]) / 2;
  g_autoptr (TsDashes) dashes = ts_dashes_new (&t, 1.75, 1e9, 1, HEIGHT);
  TsMark mark = {.kind = TS_MARK_LINE, .alpha = 1, .width = 1.75f, .track = &t};
  ts_test_picture_init (&line, WIDTH, HEIGHT);
  ts_test_picture_init (&dash, WIDTH, HEIGHT);
  paint (&line, &mark, 1, 1);
  mark.kind = TS_MARK_DASHES;
  mark.dashes = dashes;
  paint (&dash, &mark, 1, 1);
  g_assert_cmpint (ts_test_picture_differ (&line, &dash), <=, 1);
  ts_track_clear (&t);
}

/* Dashes of 6 with gaps of 4: the ink of a flat line is that of 6 in 10 of its length, less the
 * corners of the round ends. */
static void
test_dash_length (void)
{
  TsTrack t;
  g_auto (TsTestPicture) p;
  double ink = 0;

  make_flat (&t, 320, 50.5f);
  g_autoptr (TsDashes) dashes = ts_dashes_new (&t, 2, 6, 4, 100);
  TsMark mark = {.kind = TS_MARK_DASHES, .alpha = 1, .width = 2, .track = &t, .dashes = dashes};
  ts_test_picture_init (&p, 320, 100);
  paint (&p, &mark, 1, 1);
  for (int x = 100; x < 200; x++)
    for (int y = 0; y < 100; y++)
      ink += ts_test_ink (&p, x, y) / 255.;
  g_assert_cmpfloat_with_epsilon (ink, 10 * (4 * 2 + G_PI), 1.2);
  ts_track_clear (&t);
}

static void
test_flat_ink (void)
{
  for (int phase = 0; phase < 16; phase++) {
    TsTrack t;
    g_auto (TsTestPicture) p;
    double ink = 0;
    make_flat (&t, 64, 50 + phase / 16.f);
    TsMark mark = {.kind = TS_MARK_LINE, .alpha = 1, .width = 1.75f, .track = &t};
    ts_test_picture_init (&p, 64, 100);
    paint (&p, &mark, 1, 1);
    for (int y = 0; y < 100; y++)
      ink += ts_test_ink (&p, 32, y) / 255.;
    g_assert_cmpfloat_with_epsilon (ink, 1.75, .01);
    ts_track_clear (&t);
  }
}

static double
ink_of (const TsMark *mark)
{
  g_auto (TsTestPicture) p;
  double ink = 0;

  ts_test_picture_init (&p, 64, 100);
  paint (&p, mark, 1, 1);
  for (int y = 0; y < 100; y++)
    for (int x = 0; x < 64; x++)
      ink += ts_test_ink (&p, x, y) / 255.;
  return ink;
}

/* Areas: a lone point, a disc, the rings of the three shapes. */
static void
test_areas (void)
{
  TsTrack t;

  make_flat (&t, 64, 50.3f);
  for (int c = 0; c < 64; c++) {
    t.filled[c] = c == 31;
    t.linked[c] = 0;
  }
  TsMark mark = {.kind = TS_MARK_LINE, .alpha = 1, .width = 1.75f, .dot = 1.6f, .track = &t};
  g_assert_cmpfloat_with_epsilon (ink_of (&mark), G_PI * 1.6 * 1.6, .1);
  ts_track_clear (&t);
  for (int phase = 0; phase < 8; phase++) {
    float x = 31 + phase * .131f, y = 47 + phase * .277f;
    TsMark shape = {.kind = TS_MARK_DISC, .alpha = 1, .x = x, .y = y, .radius = 7};
    g_assert_cmpfloat_with_epsilon (ink_of (&shape), G_PI * 49, .4);
    shape.width = 1.3f;
    double outer = 3 * sqrt (3) / 4 * 49, inner = 3 * sqrt (3) / 4 * (7 - 2.6) * (7 - 2.6);
    shape.kind = TS_MARK_NAN;
    g_assert_cmpfloat_with_epsilon (ink_of (&shape), outer - inner, .3);
    shape.kind = TS_MARK_POS_INF;
    g_assert_cmpfloat_with_epsilon (ink_of (&shape), outer - inner, .3);
    shape.kind = TS_MARK_NEG_INF;
    double d = 7 - 1.3 * sqrt (2);
    g_assert_cmpfloat_with_epsilon (ink_of (&shape), 2 * 49 - 2 * d * d, .3);
    shape.kind = TS_MARK_STEM;
    shape.width = 1;
    shape.y_end = y + 40;
    g_assert_cmpfloat_with_epsilon (ink_of (&shape), 20, .2);
  }
}

/* No pixel gets more than one blend of a series. */
static void
test_no_self_darkening (void)
{
  Scene s;

  scene_init (&s, 0, HEIGHT);
  for (guint i = 0; i < s.n; i++) {
    g_auto (TsTestPicture) p;
    TsMark mark = s.mark[i];
    mark.rgb = 0;
    mark.alpha = .26;
    ts_test_picture_init (&p, WIDTH, HEIGHT);
    paint (&p, &mark, 1, 1);
    for (int k = 0; k < WIDTH * HEIGHT; k++)
      g_assert_cmpint (ts_test_ink (&p, k % WIDTH, k / WIDTH), <=, (int) (255 * .26 + 1.5));
  }
  scene_clear (&s);
}

/* From the middle to far below the picture: filled down to the last row. */
static void
test_open_bottom (void)
{
  TsTrack t;
  g_auto (TsTestPicture) p;

  make_flat (&t, 64, 50);
  for (int c = 0; c < 64; c++)
    t.bottom[c] = 5000;
  TsMark mark = {.kind = TS_MARK_BAND, .alpha = 1, .track = &t};
  ts_test_picture_init (&p, 64, HEIGHT);
  paint (&p, &mark, 1, 1);
  for (int y = 0; y < HEIGHT; y++)
    g_assert_cmpint (ts_test_ink (&p, 40, y), ==, y < 50 ? 0 : 255);
  ts_track_clear (&t);
}

/* What the flags of a column do to the links on either side of it, and what a column with nothing
 * but NaN does, as against one that is empty. */
static void
test_cuts (void)
{
  g_auto (TsColumns) columns;
  TsScale rows;
  TsTrack t;

  ts_scale_init (&rows, TS_SCALE_LINEAR, 0, 100, 0, 100);
  ts_columns_init (&columns, 12);
  for (int c = 0; c < 12; c++)
    columns.column[c] = (TsColumn){.min = c, .max = c, .first = c, .last = c, .count = 1};
  columns.column[2].n_nan = columns.column[5].n_nan = 1;
  columns.column[2].flags = TS_COLUMN_CUT_BEFORE;
  columns.column[5].flags = TS_COLUMN_CUT_AFTER;
  columns.column[7] = (TsColumn){.count = 0};
  columns.column[9] = (TsColumn){.n_pos_inf = 1};
  ts_track_from_columns (&t, &columns, &rows);
  const guint8 want[11] = {1, 0, 1, 1, 1, 0, 1, 1, 0, 0, 1};
  g_assert_cmpmem (t.linked, sizeof want, want, sizeof want);
  g_assert_cmpfloat (t.top[7], ==, 7); /* interpolated */
  g_assert_false (t.filled[9]);
  g_assert_false (t.linked[-1] || t.linked[11]);
  ts_track_clear (&t);
}

/* Two steep steps with an empty column between: it stays blank. */
static void
test_gap (void)
{
  TsTrack t;
  g_auto (TsTestPicture) p;

  make_flat (&t, 128, 20);
  for (int c = 65; c < 128; c++)
    t.top[c] = t.bottom[c] = t.first[c] = t.last[c] = 130;
  t.filled[64] = 0;
  t.linked[63] = t.linked[64] = 0;
  TsMark mark = {.kind = TS_MARK_LINE, .alpha = 1, .width = 1.75f, .track = &t};
  ts_test_picture_init (&p, 128, HEIGHT);
  paint (&p, &mark, 1, 1);
  for (int y = 24; y < 126; y++)
    g_assert_cmpint (ts_test_ink (&p, 64, y), ==, 0);
  g_assert_cmpint (ts_test_ink (&p, 60, 20), >, 100);
  ts_track_clear (&t);
}

/* The extent of a column survives to the pixel: a lone spike has ink from end to end. */
static void
test_spike (void)
{
  TsTrack t;
  const TsMarkKind kinds[] = {TS_MARK_SPAN, TS_MARK_LINE};

  make_flat (&t, 64, 100);
  t.top[30] = 10;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_auto (TsTestPicture) p;
    TsMark mark = {.kind = kinds[i], .alpha = 1, .width = 1.2f, .track = &t};
    ts_test_picture_init (&p, 64, HEIGHT);
    paint (&p, &mark, 1, 1);
    for (int y = 10; y < 100; y++)
      g_assert_cmpint (ts_test_ink (&p, 30, y), >, 200);
    g_assert_cmpint (ts_test_ink (&p, 30, 6), ==, 0);
  }
  ts_track_clear (&t);
}

/* Every column is crossed in one direction, and each end of it is an extreme: a saw.  Easing must
 * not cut its teeth, but must leave a ramp without stairs. */
static void
test_ease (void)
{
  TsTrack t;

  make_flat (&t, 64, 0);
  for (int c = 0; c < 64; c++) {
    gboolean down = c % 2;
    t.top[c] = 20;
    t.bottom[c] = 120;
    t.first[c] = down ? 20 : 120;
    t.last[c] = down ? 120 : 20;
  }
  ts_track_ease (&t);
  for (int c = 0; c < 64; c++) {
    g_assert_cmpfloat (t.top[c], ==, 20);
    g_assert_cmpfloat (t.bottom[c], ==, 120);
  }
  for (int c = 0; c < 64; c++) {
    t.top[c] = t.first[c] = (float) c * 2;
    t.bottom[c] = t.last[c] = (float) c * 2 + 2;
  }
  ts_track_ease (&t);
  for (int c = 1; c < 63; c++) {
    g_assert_cmpfloat (t.top[c], ==, (float) c * 2 + 1);
    g_assert_cmpfloat (t.bottom[c], ==, (float) c * 2 + 1);
  }
  g_assert_cmpfloat (t.top[0], ==, 0); /* where it begins and ends */
  g_assert_cmpfloat (t.bottom[63], ==, 128);
  ts_track_clear (&t);
}

/* A curve that comes from and goes to points outside runs to both edges and beyond. */
static void
test_leaves_picture (void)
{
  g_auto (TsColumns) columns;
  TsScale rows;
  TsTrack t;
  g_auto (TsTestPicture) p;

  ts_scale_init (&rows, TS_SCALE_LINEAR, 0, 100, 0, 100);
  ts_columns_init (&columns, 50);
  columns.has_before = columns.has_after = TRUE;
  columns.before_px = -950;
  columns.before_y = 0;
  columns.after_px = 1050;
  columns.after_y = 100;
  ts_track_from_columns (&t, &columns, &rows);
  TsMark mark = {.kind = TS_MARK_LINE, .alpha = 1, .width = 2, .track = &t};
  ts_test_picture_init (&p, 50, 100);
  paint (&p, &mark, 1, 1);
  for (int x = 0; x < 50; x++) {
    int y = (int) (100. * (x + .5 + 950) / 2000);
    g_assert_cmpint (ts_test_ink (&p, x, y), >, 100);
  }
  ts_track_clear (&t);
}

/* Anything at all: no crash, no sanitizer's word, one thread = three. */
static double
any_value (TsTestRandom *r, double size)
{
  switch (ts_test_below (r, 50)) {
  case 0:
    return 1e30;
  case 1:
    return -1e30;
  default:
    return size * (ts_test_unit (r) - .5);
  }
}

static void
random_columns (TsColumns *columns, int width, TsTestRandom *r)
{
  double size = pow (10, ts_test_unit (r) * 8 - 3);

  ts_columns_init (columns, width);
  for (int c = 0; c < width; c++) {
    TsColumn *column = &columns->column[c];
    int kind = ts_test_below (r, 12);
    if (kind == 0)
      continue;
    column->n_nan = kind <= 2;
    if (kind == 1)
      continue;
    column->flags = kind == 2 ? (guint32) ts_test_below (r, 4) : 0;
    column->first = any_value (r, size);
    column->last = any_value (r, size);
    column->min = MIN (column->first, column->last) - (kind == 5 ? size / 3 : 0);
    column->max = MAX (column->first, column->last);
    column->count = 3;
  }
  columns->has_before = ts_test_below (r, 2);
  columns->before_px = -ts_test_unit (r) * (ts_test_below (r, 2) ? 3 : 1e12) - 1e-6;
  columns->before_y = any_value (r, size);
  columns->has_after = ts_test_below (r, 2);
  columns->after_px = width + ts_test_unit (r) * (ts_test_below (r, 2) ? 3 : 1e12);
  columns->after_y = any_value (r, size);
}

static void
random_scene (guint64 seed)
{
  TsTestRandom r = seed;
  int width = 1 + ts_test_below (&r, 90), height = 1 + ts_test_below (&r, 70);
  TsTrack track[5];
  TsMark mark[12];
  g_autoptr (TsDashes) dashes = NULL;
  g_auto (TsTestPicture) one, three;
  guint n = 0;
  const TsMarkKind kinds[] = {TS_MARK_SPAN, TS_MARK_LINE, TS_MARK_BAND, TS_MARK_DASHES,
                              TS_MARK_LINE};

  for (guint k = 0; k < 5; k++) {
    g_auto (TsColumns) columns;
    TsScale rows;
    float line = (float) (.2 + ts_test_unit (&r) * (k == 4 ? 60 : 8));
    random_columns (&columns, width, &r);
    ts_scale_init (&rows, TS_SCALE_LINEAR, -1, 1, height, 0);
    ts_track_from_columns (&track[k], &columns, &rows);
    if (ts_test_below (&r, 2))
      ts_track_ease (&track[k]);
    mark[n] = (TsMark){kinds[k], ts_test_bits (&r) & 0xffffff,    ts_test_unit (&r),
                       line,     (float) (ts_test_unit (&r) * 4), &track[k]};
    if (kinds[k] == TS_MARK_DASHES)
      mark[n].dashes = dashes =
          ts_dashes_new (&track[k], line, 12 * ts_test_unit (&r), 6 * ts_test_unit (&r), height);
    n++;
  }
  for (int kind = TS_MARK_DISC; kind <= TS_MARK_STEM; kind++)
    mark[n++] = (TsMark){.kind = (TsMarkKind) kind,
                         .alpha = 1,
                         .width = (float) (ts_test_unit (&r) * 4),
                         .x = (float) (width * (ts_test_unit (&r) * 1.4 - .2)),
                         .y = (float) (height * (ts_test_unit (&r) * 1.4 - .2)),
                         .y_end = (float) any_value (&r, 200),
                         .radius = (float) (ts_test_unit (&r) * 12)};
  ts_test_picture_init (&one, width, height);
  ts_test_picture_init (&three, width, height);
  paint (&one, mark, n, 1);
  paint (&three, mark, n, 3);
  g_assert_cmpint (ts_test_picture_differ (&one, &three), ==, 0);
  for (guint k = 0; k < 5; k++)
    ts_track_clear (&track[k]);
}

static void
test_random_scenes (void)
{
  for (guint64 seed = 1; seed <= 600; seed++)
    random_scene (seed);
}

/* Against coverage counted at 16 x 64 points a pixel: worst and mean difference of the touched. */
static void
check_truth (Curve curve, int allowed, double allowed_mean)
{
  const float half = .875f;
  TsTrack t;
  g_auto (TsTestPicture) p;
  double sum = 0;
  int worst = 0, count = 0;

  make_track (&t, 48, curve, 0, FALSE, TRUE);
  for (int c = -2; c < 50; c++)
    t.top[c] = t.bottom[c] = t.first[c] = t.last[c] = (t.first[c] + t.last[c]) / 2;
  TsMark mark = {.kind = TS_MARK_LINE, .alpha = 1, .width = 2 * half, .track = &t};
  ts_test_picture_init (&p, 48, HEIGHT);
  paint (&p, &mark, 1, 1);
  for (int y = 40; y < 140; y++)
    for (int x = 8; x < 40; x++) {
      int hits = 0;
      for (int i = 0; i < 16 * 64; i++) {
        double px = x + (i % 16 + .5) / 16, py = y + (i / 16 + .5) / 64, nearest = 1e9;
        for (int c = x - 3; c <= x + 3; c++) {
          double dx = 1, dy = t.first[c + 1] - t.first[c], ux = px - c - .5, uy = py - t.first[c];
          double f = CLAMP ((ux * dx + uy * dy) / (dx * dx + dy * dy), 0, 1);
          nearest = MIN (nearest, hypot (ux - f * dx, uy - f * dy));
        }
        hits += nearest <= half;
      }
      int off = ABS (ts_test_ink (&p, x, y) - hits * 255 / 1024);
      worst = MAX (worst, off);
      if (hits || off) {
        sum += off;
        count++;
      }
    }
  g_test_message ("worst %d mean %g", worst, sum / count);
  g_assert_cmpint (worst, <=, allowed);
  g_assert_cmpfloat (sum / count, <, allowed_mean);
  ts_track_clear (&t);
}

/* Smooth curves come out right to a few levels; where a curve turns by more than ten pixels from
 * one column to the next, single pixels are off. */
static void
test_truth (void)
{
  check_truth (gentle_curve, 8, 1);
  check_truth (smooth_curve, 64, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/raster/threads", test_threads);
  g_test_add_func ("/raster/no-residue", test_no_residue);
  g_test_add_func ("/raster/clip", test_clip);
  g_test_add_func ("/raster/mirror", test_mirror);
  g_test_add_func ("/raster/endless-dash", test_endless_dash);
  g_test_add_func ("/raster/dash-length", test_dash_length);
  g_test_add_func ("/raster/flat-ink", test_flat_ink);
  g_test_add_func ("/raster/areas", test_areas);
  g_test_add_func ("/raster/no-self-darkening", test_no_self_darkening);
  g_test_add_func ("/raster/open-bottom", test_open_bottom);
  g_test_add_func ("/raster/cuts", test_cuts);
  g_test_add_func ("/raster/gap", test_gap);
  g_test_add_func ("/raster/spike", test_spike);
  g_test_add_func ("/raster/ease", test_ease);
  g_test_add_func ("/raster/leaves-picture", test_leaves_picture);
  g_test_add_func ("/raster/truth", test_truth);
  g_test_add_func ("/raster/random-scenes", test_random_scenes);
  return g_test_run ();
}
