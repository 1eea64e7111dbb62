/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>

#include "data/events/intake.h"
#include "data/events/log-encode.h"
#include "data/events/projector-config.h"
#include "data/events/record.h"
#include "data/events/wire-write.h"
#include "data/store/array.h"
#include "tests/events/support.h"
#include "tests/fuzz/mutate.h"
#include "tests/store/support.h"

/* Mutated records and files: nothing crashes, nothing hangs, nothing is read beyond its end (under the
 * sanitizers). */

#define RUNS 20000

static GPtrArray *seeds; /* of GBytes: events */
static TsMutator mutator;

/* --- Seeds --- */

static void
add_event (guint what, GByteArray *body)
{
  g_autoptr (GByteArray) event = g_byte_array_new ();

  ts_wire_put_double (event, 1, 1.7e9 + seeds->len);
  ts_wire_put_int (event, 2, seeds->len);
  ts_wire_put_bytes (event, what, body->data, body->len);
  g_byte_array_set_size (body, 0);
  g_ptr_array_add (seeds, g_bytes_new (event->data, event->len));
}

static void
add_item (const char *plugin, TsSeriesKind kind, int codec, GByteArray *bytes)
{
  g_autoptr (GByteArray) body = g_byte_array_new ();
  g_autoptr (GBytes) copy = g_bytes_new (bytes->data, bytes->len);
  TsStoredItem item = {
      .codec = codec, .bytes = copy, .meta = (char *) "{\"width\": 3, \"height\": 4}"};
  const TsLogTag tag = {.tag = plugin,
                        .plugin = plugin,
                        .content = "x",
                        .content_size = 1,
                        .data_class = 2,
                        .first = TRUE};

  g_assert_true (ts_log_put_item (body, &tag, kind, &item));
  add_event (TS_LOG_SUMMARY, body);
  g_byte_array_set_size (bytes, 0);
}

static void
make_seeds (void)
{
  g_autoptr (GByteArray) body = g_byte_array_new ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  const TsLogTag tag = {.tag = "loss", .plugin = "scalars", .data_class = 1, .first = TRUE};
  const TsHparam hparams[] = {{"lr", TS_HPARAM_REAL, 0, 0.1, NULL},
                              {"name", TS_HPARAM_TEXT, 0, 0, "x"}};
  const double rows[] = {0, 1, 5, 1, 2, 6};
  const gint64 shape[] = {2, 1};
  TsBuckets b = {TS_BUCKETS_LIMITS, 0, 2, 3, 4, 11, 2, rows};

  seeds = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  ts_log_put_scalar (body, &tag, ts_bits (0.5), TRUE);
  ts_log_put_scalar (body, &tag, ts_bits (0.1), FALSE);
  add_event (TS_LOG_SUMMARY, body);
  ts_log_put_hparams (body, hparams, 2, 1.7e9);
  add_event (TS_LOG_SUMMARY, body);
  ts_buckets_encode (bytes, &b);
  add_item ("histograms", TS_SERIES_HISTOGRAM, TS_ITEM_BUCKETS, bytes);
  b.form = TS_BUCKETS_EDGES;
  ts_buckets_encode (bytes, &b);
  add_item ("histograms", TS_SERIES_HISTOGRAM, TS_ITEM_BUCKETS, bytes);
  for (guint i = 0; i < 3; i++) {
    static const char *const plugins[] = {"text", "images", "audio"};
    static const TsSeriesKind kinds[] = {TS_SERIES_TEXT, TS_SERIES_IMAGE, TS_SERIES_AUDIO};
    ts_strings_begin (bytes, i == 1 ? 1 : 2, shape);
    ts_strings_add (bytes, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03", 24);
    ts_strings_add (bytes, "\xff\xd8\xff\xc0\0\x11\x08\0\x10\x01\0rest", 15);
    add_item (plugins[i], kinds[i], TS_ITEM_STRINGS, bytes);
  }
  for (guint i = 0; i < 3; i++) {
    static const char *const plugins[] = {"pr_curves", "mesh", "other"};
    static const TsArrayType types[] = {TS_ARRAY_U8, TS_ARRAY_BOOL, TS_ARRAY_I16};
    ts_array_begin (bytes, types[i], 2, shape);
    g_byte_array_append (bytes, (const guint8 *) "\x01\0\x01\0", i == 2 ? 4 : 2);
    add_item (plugins[i], TS_SERIES_TENSOR, TS_ITEM_ARRAY, bytes);
  }
  ts_strings_begin (bytes, 0, NULL);
  ts_strings_add (bytes, "\x12\x10\n\x03one\x12\x09\n\x01t\x12\x04\n\x02.*", 18);
  add_item ("custom_scalars", TS_SERIES_TENSOR, TS_ITEM_STRINGS, bytes);
  g_byte_array_append (body, (const guint8 *) "brain.Event:2", 13);
  add_event (TS_LOG_FILE_VERSION, body);
  ts_wire_put_int (body, 1, 1);
  add_event (TS_LOG_SESSION, body);
  ts_wire_put_text (body, 2, "graph");
  add_event (TS_LOG_META_GRAPH, body);
  ts_wire_put_text (body, 1, "step1");
  ts_wire_put_text (body, 2, "bytes");
  add_event (TS_LOG_RUN_METADATA, body);
}

static GBytes *
any_seed (void)
{
  return seeds->pdata[ts_mutator_below (&mutator, seeds->len)];
}

/* --- What takes them --- */

static void
test_events (void)
{
  g_autofree char *folder = ts_test_folder ();
  g_autofree char *path = ts_test_path (folder, "w.trainscope");
  TsWriter *writer = ts_test_writer (path);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  TsImport *import = NULL;
  TsIntake *intake = NULL;

  for (guint64 i = 0; i < ts_mutator_runs (RUNS); i++) {
    if (i % 2000 == 0) { /* nothing of it is kept, but for the last */
      g_clear_pointer (&intake, ts_intake_free);
      g_clear_pointer (&import, ts_import_free);
      import = ts_import_new (writer, NULL);
      intake = ts_intake_new (import, ts_import_add_run (import, "fuzz", NULL));
      g_assert_true (ts_intake_begin_file (intake, "f", NULL, FALSE, NULL));
    }
    gsize size;
    const guint8 *seed = g_bytes_get_data (any_seed (), &size);
    g_byte_array_set_size (bytes, 0);
    g_byte_array_append (bytes, seed, (guint) size);
    ts_mutator_change (&mutator, bytes, any_seed ());
    g_autofree guint8 *exact =
        g_memdup2 (bytes->data, MAX (bytes->len, 1)); /* so that the end is the end */
    ts_intake_add (intake, exact, bytes->len);
  }
  g_autoptr (GError) error = NULL;
  ts_import_commit (import, &error); /* whatever came of it can be stored */
  g_assert_no_error (error);
  g_clear_pointer (&intake, ts_intake_free);
  g_clear_pointer (&import, ts_import_free);
  ts_test_close (writer);
  g_assert_cmpint (ts_test_number (path, "SELECT count(*) FROM run"), ==, 1);
  ts_test_remove (folder);
}

/* Whole files: every good record is inside the file, offsets grow, the end comes. */
static void
test_files (void)
{
  g_autofree char *folder = ts_test_folder ();
  g_autofree char *path = ts_test_path (folder, "tfevents");
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  for (guint64 i = 0; i < ts_mutator_runs (RUNS) / 20; i++) {
    g_byte_array_set_size (bytes, 0);
    for (guint k = ts_mutator_below (&mutator, 6); k > 0; k--) {
      gsize size;
      const guint8 *seed = g_bytes_get_data (any_seed (), &size);
      ts_test_put_record (bytes, seed, size);
    }
    ts_mutator_change (&mutator, bytes, any_seed ());
    g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
    g_autoptr (TsRecordReader) reader = ts_record_reader_open (path, 0, NULL, NULL);
    const guint8 *data;
    gsize size;
    gint64 offset, last = -1;
    while (ts_record_reader_next (reader, &data, &size, &offset, NULL) == 1) {
      g_assert_cmpint (offset, >, last);
      g_assert_cmpint (offset + (gint64) size + 16, <=, bytes->len);
      last = offset;
    }
    g_assert_cmpint (ts_record_reader_get_offset (reader), <=, bytes->len);
  }
  ts_test_remove (folder);
}

/* Embeddings' configurations and arrays, which are read from files of any origin. */
static void
test_beside (void)
{
  static const char config[] =
      "embeddings {\n  tensor_name: \"a:1\" # x\n  tensor_path: 'p'\n  sprite <"
      " single_image_dim: [2, 3] >\n}\n";
  const gint64 shape[] = {2, 3};
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  for (guint64 i = 0; i < ts_mutator_runs (RUNS); i++) {
    guint line = 0;
    TsArray array;
    g_byte_array_set_size (bytes, 0);
    if (i % 2) {
      g_byte_array_append (bytes, (const guint8 *) config, sizeof config - 1);
    } else {
      ts_array_begin (bytes, TS_ARRAY_I16, 2, shape);
      g_byte_array_append (bytes, (const guint8 *) "123456789012", 12);
    }
    ts_mutator_change (&mutator, bytes, NULL);
    g_autofree guint8 *exact = g_memdup2 (bytes->data, MAX (bytes->len, 1));
    g_autoptr (GPtrArray) entries =
        i % 2 ? ts_projector_config_parse ((const char *) exact, bytes->len, &line) : NULL;
    g_assert_true (i % 2 == 0 || (entries == NULL) == (line > 0));
    if (i % 2 == 0 && ts_array_decode (exact, bytes->len, &array, NULL))
      for (guint64 k = 0; k < array.elems; k++)
        ts_array_get (&array, k);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ts_mutator_init (&mutator);
  make_seeds ();
  g_test_add_func ("/fuzz-events/events", test_events);
  g_test_add_func ("/fuzz-events/files", test_files);
  g_test_add_func ("/fuzz-events/beside", test_beside);
  int status = g_test_run ();
  g_ptr_array_unref (seeds);
  return status;
}
