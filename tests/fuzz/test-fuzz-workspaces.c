/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>

#include "data/store/array.h"
#include "data/store/error.h"
#include "data/store/import.h"
#include "data/store/item.h"
#include "data/store/tables.h"
#include "tests/fuzz/mutate.h"
#include "tests/store/support.h"

/* Workspaces that somebody has tampered with: everything a reader can be asked is answered or refused. */

#define RUNS 300

static TsMutator mutator;
static char *folder;

static void
import_one (TsWriter *writer)
{
  g_autoptr (TsImport) import = ts_import_new (writer, NULL);
  TsImportRun *run = ts_import_add_run (import, "imported", NULL);
  TsImportAttempt *attempt = ts_import_add_attempt (import, run, "file", 0, FALSE, FALSE, 0);
  TsImportSeries *series =
      ts_import_series (import, attempt, "words", TS_SERIES_TEXT, "{\"plugin\": \"text\"}");
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  const gint64 one = 1, curve[] = {6, 2};

  ts_strings_begin (bytes, 1, &one);
  g_byte_array_set_size (bytes, 6000); /* long enough for a blob */
  g_autoptr (GBytes) whole = g_bytes_new (bytes->data, bytes->len);
  ts_import_add_item (import, series, 1, 0, TS_ITEM_STRINGS, NULL, whole);
  g_byte_array_set_size (bytes, 0);
  ts_array_begin (bytes, TS_ARRAY_U8, 2, curve);
  g_byte_array_append (bytes, (const guint8 *) "123456789012", 12);
  g_autoptr (GBytes) numbers = g_bytes_new (bytes->data, bytes->len);
  series = ts_import_series (import, attempt, "pr", TS_SERIES_TENSOR, "{\"plugin\":\"pr_curves\"}");
  ts_import_add_item (import, series, 1, 0, TS_ITEM_ARRAY, NULL, numbers);
  ts_import_set_graph (import, run, "main", TS_GRAPH_DEF, whole);
  ts_import_commit (import, &error);
  g_assert_no_error (error);
}

/* A small workspace with something of everything. */
static char *
make_bytes (gsize *size)
{
  g_autofree char *path = ts_test_path (folder, "seed.trainscope");
  TsWriter *writer = ts_test_writer (path);
  guint64 state = 3;
  char *bytes = NULL;

  for (guint k = 0; k < 2; k++) {
    TsRunRef ref = ts_test_begin (writer, &(TsRunInfo){.name = k ? "b" : "a", .model_name = "m"});
    TsSink *sink = ts_writer_get_sink (writer, &ref);
    for (gint64 i = 0; i < 700; i++)
      ts_test_push (sink, i % 2 ? "loss" : "lr", i, ts_test_bits (&state));
    ts_test_push_histogram (sink, "h", 1);
    ts_test_push_histogram (sink, "h", 2);
    ts_test_end (sink, 700, TS_RUN_FINISHED);
  }
  import_one (writer);
  ts_test_close (writer);
  g_assert_true (g_file_get_contents (path, &bytes, size, NULL));
  return bytes;
}

static void
ask_run (TsReader *reader, const TsRun *run)
{
  g_autoptr (GPtrArray) tags = ts_reader_list_tags (reader, run->run_id, NULL);
  g_autoptr (GArray) attempts = ts_reader_list_attempts (reader, run->run_id, NULL);
  g_autoptr (GArray) checkpoints = ts_reader_list_checkpoints (reader, run->run_id, NULL);
  g_autoptr (GArray) notes = ts_reader_list_notes (reader, run->run_id, NULL);
  int format;

  for (guint i = 0; tags && i < tags->len; i++) {
    const TsTagInfo *info = tags->pdata[i];
    g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));
    g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (TsStoredItem));
    g_autoptr (GArray) histograms = g_array_new (FALSE, FALSE, sizeof (TsStoredHistogram));
    g_array_set_clear_func (items, ts_stored_item_clear);
    ts_reader_read_points (reader, info->series_id, 0, 100000, points, NULL);
    ts_reader_read_items (reader, info->series_id, 0, 100, TRUE, items, NULL);
    ts_reader_read_histograms (reader, info->series_id, 0, 100, histograms, NULL);
  }
  g_autoptr (GBytes) graph = ts_reader_dup_main_graph (reader, run->run_id, &format, NULL);
}

static void
ask_all (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsReader) reader = ts_reader_open (path, &error);
  g_autoptr (GPtrArray) runs = reader ? ts_reader_list_runs (reader, TRUE, NULL) : NULL;
  g_autoptr (TsTables) tables = NULL;

  g_assert_true ((reader == NULL) == (error != NULL));
  for (guint i = 0; runs && i < runs->len; i++)
    ask_run (reader, runs->pdata[i]);
  tables = reader ? ts_tables_open (reader, NULL) : NULL;
  FILE *null = fopen ("/dev/null", "w");
  if (tables)
    ts_tables_query (tables,
                     "SELECT count(*), sum(value) FROM scalars; SELECT * FROM histograms;"
                     " SELECT * FROM samples; SELECT * FROM pr_curves",
                     TS_ROWS_CSV, null, NULL);
  fclose (null);
}

static void
test_workspaces (void)
{
  gsize size;
  g_autofree char *seed = make_bytes (&size);
  g_autofree guint8 *bytes = g_malloc (size);
  g_autofree char *path = ts_test_path (folder, "fuzz.trainscope");

  for (guint64 i = 0; i < ts_mutator_runs (RUNS); i++) {
    gsize n = ts_mutator_below (&mutator, 20) ? size : ts_mutator_below (&mutator, (guint) size);
    memcpy (bytes, seed, size);
    ts_mutator_scratch (&mutator, bytes, size);
    g_assert_true (g_file_set_contents (path, (const char *) bytes, (gssize) n, NULL));
    ask_all (path);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ts_mutator_init (&mutator);
  folder = ts_test_folder ();
  g_test_add_func ("/fuzz-workspaces/all", test_workspaces);
  int status = g_test_run ();
  ts_test_remove (folder);
  g_free (folder);
  return status;
}
