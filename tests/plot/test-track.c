/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "tests/plot/support.h"

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

/* Every column is crossed in one direction, and each end of it is an extreme: a saw.  Easing must
 * not cut its teeth, but must leave a ramp without stairs. */
static void
test_ease (void)
{
  TsTrack t;

  ts_test_flat_track (&t, 64, 0);
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
  ts_test_paint (&p, &mark, 1, 1);
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
  ts_test_paint (&one, mark, n, 1);
  ts_test_paint (&three, mark, n, 3);
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/track/cuts", test_cuts);
  g_test_add_func ("/track/ease", test_ease);
  g_test_add_func ("/track/leaves-picture", test_leaves_picture);
  g_test_add_func ("/track/random-scenes", test_random_scenes);
  return g_test_run ();
}
