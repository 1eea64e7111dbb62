/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <string.h>

#include "data/sets/csv.h"
#include "data/sets/idx.h"
#include "data/store/chunk.h"
#include "data/store/crc32c.h"
#include "data/store/flush.h"
#include "engine/train/checkpoint.h"
#include "tests/fuzz/mutate.h"
#include "tests/store/support.h"

/* Mutated CSV, IDX and safetensors files, chunks and rows of the flush log: refused or read, never more. */

#define RUNS 5000

static TsMutator mutator;
static char *folder;

static void
begin (GByteArray *bytes, gconstpointer data, gsize size)
{
  g_byte_array_set_size (bytes, 0);
  g_byte_array_append (bytes, data, (guint) size);
  ts_mutator_change (&mutator, bytes, NULL);
}

static void
test_csv (void)
{
  static const char text[] = "name,\"a \"\"b\"\"\",3\r\n1,2.5,-1e9\n\n\"x\ny\",nan,0x10\n1,2,3\n";
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  for (guint64 i = 0; i < ts_mutator_runs (RUNS); i++) {
    begin (bytes, text, sizeof text - 1);
    g_autofree char *exact = g_memdup2 (bytes->data, MAX (bytes->len, 1));
    g_autoptr (GError) error = NULL;
    g_autoptr (TsCsv) csv =
        ts_csv_new ("fuzz.csv", exact, bytes->len, (TsCsvHeader) (i % 3), &error);
    g_assert_true ((csv == NULL) == (error != NULL));
    for (gsize row = 0; csv && row < ts_csv_get_n_rows (csv); row++)
      for (guint column = 0; column < ts_csv_get_n_columns (csv); column++) {
        double value;
        ts_csv_parse_number (ts_csv_get_cell (csv, row, column), &value);
        g_assert_cmpint (ts_csv_get_line (csv, row, column), >, 0);
      }
  }
}

static void
test_idx (void)
{
  static const guint8 head[] = {0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 3,  0,  0,
                                0, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *path = ts_test_path (folder, "fuzz.idx");

  for (guint64 i = 0; i < ts_mutator_runs (RUNS) / 5; i++) {
    begin (bytes, head, sizeof head);
    g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
    g_autoptr (GError) error = NULL;
    g_autoptr (TsIdx) idx = ts_idx_open (path, 3, &error);
    g_assert_true ((idx == NULL) == (error != NULL));
    gsize entry = idx ? ts_idx_get_entry_bytes (idx) : 0;
    if (!idx || entry > 1 << 20)
      continue;
    g_autofree guint8 *out = g_malloc (MAX (entry, 1));
    gsize n = MIN (ts_idx_get_count (idx), 100);
    while (n-- > 0 && ts_idx_read (idx, 1, out, NULL))
      ;
    ts_idx_finish (idx, NULL);
  }
}

/* JSON of the right form and the wrong type; @was and @is are equally long. */
static void
expect_refused (const char *path, TsSession *session, const char *text, gsize n, const char *was,
                const char *is)
{
  g_autofree char *copy = g_memdup2 (text, n);
  char *at = g_strstr_len (copy + 8, (gssize) n - 8, was); /* behind the header's length */
  TsCheckpointState state;

  g_assert_nonnull (at);
  memcpy (at, is, strlen (is));
  g_assert_true (g_file_set_contents (path, copy, (gssize) n, NULL));
  g_assert_false (ts_checkpoint_load (path, session, FALSE, &state, NULL));
}

/* What is refused leaves the session as it was. */
static void
test_safetensors (void)
{
  g_autofree char *path = ts_test_path (folder, "fuzz.safetensors"), *text = NULL;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (TsGraph) graph = ts_graph_new ();
  TsValue *w =
      ts_graph_variable (graph, "layer/w", TS_F32, &TS_SHAPE (3, 5), "normal", 1, TRUE, NULL);
  ts_graph_variable (graph, "v", TS_F64, &TS_SHAPE (2), "ones", 0, FALSE, NULL);
  g_autoptr (TsSession) session = ts_session_new (graph, 4, 1);
  TsCheckpointState state = {.step = 12, .epoch = 3};
  guint8 sha[32];
  float keep[15];
  gint64 size;
  gsize n;

  ts_session_init_variables (session);
  memcpy (keep, ts_session_get_variable (session, w), sizeof keep);
  g_assert_true (ts_checkpoint_save (path, session, &state, sha, &size, NULL));
  g_assert_true (g_file_get_contents (path, &text, &n, NULL));
  expect_refused (path, session, text, n, "\"F32\"", "null ");
  expect_refused (path, session, text, n, "\"F32\"", "[[]] ");
  expect_refused (path, session, text, n, "[3,5]", "null ");
  for (guint64 i = 0; i < ts_mutator_runs (RUNS) / 5; i++) {
    begin (bytes, text, n);
    g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
    g_autoptr (GError) error = NULL;
    TsCheckpointState back;
    gboolean ok = ts_checkpoint_load (path, session, i % 2, &back, &error);
    g_assert_true (ok == (error == NULL));
    if (!ok)
      g_assert_cmpmem (ts_session_get_variable (session, w), sizeof keep, keep, sizeof keep);
    ts_session_set_variable (session, w, keep);
  }
}

static gboolean
take_group (gint64 series_id, gint64 seq, TsWallKind wall, const TsPoint *points, guint n,
            gpointer data, GError **error)
{
  for (guint i = 0; i < n; i++)
    *(guint64 *) data ^= points[i].bits;
  return TRUE;
}

/* With a checksum that fits, so that it is the decoder that refuses. */
static void
test_chunks (void)
{
  TsPoint points[300];
  guint64 state = 7, mix = 0;
  g_autoptr (GByteArray) chunk = g_byte_array_new ();
  g_autoptr (GByteArray) row = g_byte_array_new ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GArray) out = g_array_new (FALSE, FALSE, sizeof (TsPoint));
  TsWallKind wall;
  TsFlush flush;

  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    points[i] =
        (TsPoint){i * 3, (gint64) (1700000000000000 + i * 1000 + ts_test_random (&state) % 50),
                  ts_test_bits (&state)};
  int codec = ts_chunk_encode (chunk, TS_WALL_US, points, G_N_ELEMENTS (points));
  ts_flush_begin (&flush, row);
  ts_flush_add (&flush, 5, 10, TS_WALL_US, points, 100);
  ts_flush_add (&flush, 6, 0, TS_WALL_US, points, 100); /* shares the times */
  ts_flush_add (&flush, 7, 0, TS_WALL_SECONDS, points, 3);
  for (guint64 i = 0; i < ts_mutator_runs (RUNS); i++) {
    begin (bytes, chunk->data, chunk->len);
    g_autofree guint8 *exact = g_memdup2 (bytes->data, MAX (bytes->len, 1));
    g_array_set_size (out, 0);
    if (!ts_chunk_decode (exact, bytes->len, ts_crc32c (exact, bytes->len), codec,
                          G_N_ELEMENTS (points), out, &wall, NULL))
      g_assert_cmpint (out->len, ==, 0);
    begin (bytes, row->data, row->len);
    g_autofree guint8 *log = g_memdup2 (bytes->data, MAX (bytes->len, 1));
    ts_flush_decode (log, bytes->len, ts_crc32c (log, bytes->len), take_group, &mix, NULL);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ts_mutator_init (&mutator);
  folder = ts_test_folder ();
  g_test_add_func ("/fuzz-inputs/csv", test_csv);
  g_test_add_func ("/fuzz-inputs/idx", test_idx);
  g_test_add_func ("/fuzz-inputs/safetensors", test_safetensors);
  g_test_add_func ("/fuzz-inputs/chunks", test_chunks);
  int status = g_test_run ();
  ts_test_remove (folder);
  g_free (folder);
  return status;
}
