/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>

#include "data/store/import.h"
#include "data/store/item.h"
#include "tests/store/fault-vfs.h"
#include "tests/store/support.h"

/* Imports: what is gathered is written once, whatever the disk does meanwhile. */

#define POINTS  300
#define BATCHES 6

typedef struct {
  TsImport *import;
  TsImportRun *run;
  TsImportAttempt *attempt;
  TsImportSource *source;
} Given;

static void
begin (Given *g, TsWriter *writer)
{
  g_autoptr (GError) error = NULL;

  g->import = ts_import_new (writer, &error);
  g_assert_no_error (error);
  g->run = ts_import_add_run (g->import, "run", NULL);
  g->attempt = ts_import_add_attempt (g->import, g->run, "file", 0, FALSE, FALSE, 0);
  g->source = ts_import_add_source (g->import, "/file", g->run, g->attempt);
}

/* Points, a sample and how far the source has been read. */
static void
gather (Given *g, guint batch)
{
  TsImportSeries *series = ts_import_series (g->import, g->attempt, "loss", TS_SERIES_SCALAR, NULL);
  TsImportSeries *words = ts_import_series (g->import, g->attempt, "words", TS_SERIES_TEXT, NULL);
  g_autoptr (GBytes) bytes = g_bytes_new ("word", 4);
  const TsHparam hparam = {.key = "batch", .kind = TS_HPARAM_INT, .i = batch};

  for (guint i = 0; i < POINTS; i++) {
    gint64 step = batch * POINTS + i;
    ts_import_add_point (
        g->import, series,
        &(TsPoint){step, (gint64) ts_bits (1.7e9 + (double) step), ts_bits (step * 0.5)});
  }
  ts_import_add_item (g->import, words, batch, 0, TS_ITEM_CONTENT, NULL, bytes);
  ts_import_set_hparam (g->import, g->run, &hparam);
  g->source->offset = batch + 1;
  ts_import_touch_source (g->import, g->source);
}

static void
expect_all (const char *path, guint batches)
{
  g_autoptr (TsReader) reader = ts_test_reader (path);
  g_autoptr (TsRun) run = ts_reader_find_run (reader, "run", NULL);
  g_autoptr (GArray) points = ts_test_points (reader, run->run_id, "loss");

  g_assert_cmpint (points->len, ==, batches * POINTS);
  for (guint i = 0; i < points->len; i++) {
    const TsStoredPoint *p = &g_array_index (points, TsStoredPoint, i);
    g_assert_cmpint (p->step, ==, i);
    g_assert_cmpfloat (ts_unbits (p->bits), ==, i * 0.5);
  }
  g_assert_cmpint (ts_test_number (path, "SELECT count(*) FROM run"), ==, 1);
  g_assert_cmpint (ts_test_number (path, "SELECT count(*) FROM attempt"), ==, 1);
  g_assert_cmpint (ts_test_number (path, "SELECT count(*) FROM item"), ==, batches);
  g_assert_cmpint (ts_test_number (path, "SELECT i FROM hparam"), ==, batches - 1);
  g_assert_cmpint (ts_test_number (path, "SELECT offset FROM import_source"), ==, batches);
  g_assert_cmpint (ts_test_number (path, "SELECT count(*) FROM pragma_integrity_check"
                                         " WHERE integrity_check <> 'ok'"),
                   ==, 0);
}

/* One thread gathers while the other writes. */
static void
test_ahead (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "w.trainscope");
  TsWriter *writer = ts_test_writer (path);
  g_autoptr (GError) error = NULL;
  Given g;

  begin (&g, writer);
  for (guint i = 0; i < BATCHES; i++) {
    gather (&g, i);
    g_assert_true (ts_import_commit_begin (g.import, &error));
  }
  g_assert_true (ts_import_commit (g.import, &error));
  expect_all (path, BATCHES);
  ts_import_free (g.import);
  ts_test_close (writer);
  ts_test_remove (folder);
}

/* The Nth write fails, and some after it: committed again, all of it is there once and in order. */
static void
test_faults (void)
{
  guint failed = 0;

  for (gint64 first = 1; first < 60; first += 3) {
    g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "w.trainscope");
    TsWriter *writer = ts_test_writer (path);
    Given g;

    begin (&g, writer);
    fault_arm (first, 1 + first % 4);
    for (guint i = 0; i < BATCHES; i++) {
      gather (&g, i);
      if (!ts_import_commit_begin (g.import, NULL))
        failed++;
    }
    fault_disarm ();
    for (guint i = 0; !ts_import_commit (g.import, NULL); i++)
      g_assert_cmpint (i, <, 5);
    expect_all (path, BATCHES);
    ts_import_free (g.import);
    ts_test_close (writer);
    ts_test_remove (folder);
  }
  g_assert_cmpint (failed, >, 5);
}

/* What was not committed is not there, and the sources say from where to go on. */
static void
test_again (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "w.trainscope");
  TsWriter *writer = ts_test_writer (path);
  Given g;

  begin (&g, writer);
  gather (&g, 0);
  g_assert_true (ts_import_commit (g.import, NULL));
  gather (&g, 1);
  ts_import_free (g.import);
  expect_all (path, 1);
  g.import = ts_import_new (writer, NULL);
  g.source = ts_import_find_source (g.import, "/file");
  g_assert_cmpint (g.source->offset, ==, 1);
  g.run = g.source->run;
  g.attempt = g.source->attempt;
  g_assert_false (ts_import_attempt_is_empty (g.attempt));
  gather (&g, 1);
  g_assert_true (ts_import_commit (g.import, NULL));
  expect_all (path, 2);
  ts_import_free (g.import);
  ts_test_close (writer);
  ts_test_remove (folder);
}

int
main (int argc, char **argv)
{
  fault_install ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/import/ahead", test_ahead);
  g_test_add_func ("/import/faults", test_faults);
  g_test_add_func ("/import/again", test_again);
  return g_test_run ();
}
