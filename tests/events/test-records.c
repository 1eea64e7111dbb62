/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <string.h>

#include "data/events/error.h"
#include "data/events/log-event.h"
#include "data/events/record-writer.h"
#include "data/events/record.h"
#include "data/events/tree.h"
#include "data/events/watch.h"
#include "tests/events/support.h"
#include "tests/store/support.h"

/* The framing of event files, and the folders in which they lie. */

static char *folder;

static char *
new_file (gconstpointer data, gsize size)
{
  static guint n;
  g_autofree char *name = g_strdup_printf ("tfevents.%u", n++);
  char *path = ts_test_path (folder, name);

  g_assert_true (g_file_set_contents (path, data, (gssize) size, NULL));
  return path;
}

/* Known values: of the format's description, of a file's first bytes. */
static void
test_crc (void)
{
  static const guint8 head[] = {0x18, 0, 0, 0, 0, 0, 0, 0, 0xa3, 0x7f, 0x4b, 0x22};
  static const guint8 zeros[8] = {0};

  g_assert_cmphex (ts_record_masked_crc ("\x1a\x11"
                                         "CRC test, one two",
                                         19),
                   ==, 0x5794d08a);
  g_assert_cmphex (ts_record_masked_crc (zeros, 8), ==, 0x07980329);
  g_assert_cmphex (ts_record_masked_crc (head, 8), ==, 0x224b7fa3);
}

/* The lengths of the good records, "5 3 7", then the tail's kind. */
static char *
read_all (const char *path, gint64 from, gint64 *end, guint *damaged)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsRecordReader) reader = ts_record_reader_open (path, from, NULL, &error);
  g_autoptr (GString) text = g_string_new (NULL);
  const guint8 *data;
  gsize size;
  gint64 offset;
  int more;

  g_assert_no_error (error);
  while ((more = ts_record_reader_next (reader, &data, &size, &offset, &error)) == 1)
    g_string_append_printf (text, "%" G_GSIZE_FORMAT " ", size);
  g_assert_no_error (error);
  g_assert_cmpint (more, ==, 0);
  g_string_append_printf (text, "tail %d", ts_record_reader_get_tail (reader));
  *end = ts_record_reader_get_offset (reader);
  *damaged = ts_record_reader_get_damage (reader)->len;
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
expect (const GByteArray *bytes, const char *text, gint64 end, guint damaged)
{
  g_autofree char *path = new_file (bytes->data, bytes->len);
  gint64 got_end;
  guint got_damaged;
  g_autofree char *got = read_all (path, 0, &got_end, &got_damaged);

  g_assert_cmpstr (got, ==, text);
  g_assert_cmpint (got_end, ==, end);
  g_assert_cmpint (got_damaged, ==, damaged);
  g_unlink (path);
}

/* Cut anywhere, the records before the cut are there and the rest is waited for. */
static void
test_cut (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint full;

  ts_test_put_record (bytes, "12345", 5);
  ts_test_put_record (bytes, "", 0);
  ts_test_put_record (bytes, "123456789012345678901234567890", 30);
  full = bytes->len;
  expect (bytes, "5 0 30 tail 0", full, 0);
  for (guint n = full - 1; n > 37; n--) {
    g_byte_array_set_size (bytes, n);
    expect (bytes, "5 0 tail 1", 37, 0);
  }
  g_byte_array_set_size (bytes, 37);
  expect (bytes, "5 0 tail 0", 37, 0);
  g_byte_array_set_size (bytes, 36);
  expect (bytes, "5 tail 1", 21, 0);
}

/* One bit flipped anywhere loses one record at most, and the place is told. */
static void
test_flips (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gint64 end;
  guint damaged;

  for (guint i = 0; i < 5; i++)
    ts_test_put_record (bytes, "abcdefgh", 8);
  for (guint i = 0; i < bytes->len; i++)
    for (guint bit = 0; bit < 8; bit++) {
      bytes->data[i] ^= (guint8) (1u << bit);
      g_autofree char *path = new_file (bytes->data, bytes->len);
      g_autofree char *got = read_all (path, 0, &end, &damaged);
      gboolean last = i >= 4 * 24;
      gboolean in_length = i % 24 < 12;
      g_assert_cmpstr (got, ==, last && in_length ? "8 8 8 8 tail 3" : "8 8 8 8 tail 0");
      g_assert_cmpint (damaged, ==, last && in_length ? 0 : 1);
      bytes->data[i] ^= (guint8) (1u << bit);
      g_unlink (path);
    }
}

/* Zeros that end a file are not yet filled; zeros in between are passed over; a length that cannot be true is
 * damage and asks for no memory. */
static void
test_holes (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  static const guint8 zeros[5000] = {0};
  guint64 lengths[] = {G_MAXUINT64, 1ull << 44, 1ull << 31};

  ts_test_put_record (bytes, "12345", 5);
  g_byte_array_append (bytes, zeros, sizeof zeros);
  expect (bytes, "5 tail 2", 21, 0);
  ts_test_put_record (bytes, "123", 3);
  expect (bytes, "5 3 tail 0", bytes->len, 1);
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++) {
    guint64 length = GUINT64_TO_LE (lengths[i]);
    guint32 crc = GUINT32_TO_LE (ts_record_masked_crc (&length, 8));
    g_byte_array_set_size (bytes, 0);
    ts_test_put_record (bytes, "12345", 5);
    g_byte_array_append (bytes, (const guint8 *) &length, 8);
    g_byte_array_append (bytes, (const guint8 *) &crc, 4);
    ts_test_put_record (bytes, "123", 3);
    expect (bytes, "5 3 tail 0", bytes->len, 1);
  }
}

/* Holes longer than what is read at once, of zeros and of anything: back to their beginning and on. */
static void
test_wide_holes (void)
{
  g_autofree guint8 *hole = g_malloc0 (3 << 20);

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    ts_test_put_record (bytes, "12345", 5);
    g_byte_array_append (bytes, hole, 3 << 20);
    ts_test_put_record (bytes, "123", 3);
    ts_test_put_record (bytes, "1", 1);
    expect (bytes, "5 3 1 tail 0", bytes->len, 1);
    for (guint k = 0; k < 3 << 20; k++)
      hole[k] = (guint8) (k * k >> 3);
  }
}

/* Records longer than what is read at once, and from a place in the file on. */
static void
test_long (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree guint8 *big = g_malloc (3000001);
  gint64 end;
  guint damaged;

  for (guint i = 0; i < 3000001; i++)
    big[i] = (guint8) (i * 7);
  ts_test_put_record (bytes, "12345", 5);
  ts_test_put_record (bytes, big, 3000001);
  ts_test_put_record (bytes, "123", 3);
  expect (bytes, "5 3000001 3 tail 0", bytes->len, 0);
  g_autofree char *path = new_file (bytes->data, bytes->len);
  g_autofree char *rest = read_all (path, 21, &end, &damaged);
  g_assert_cmpstr (rest, ==, "3000001 3 tail 0");
  g_autofree char *none = read_all (path, end, &end, &damaged);
  g_assert_cmpstr (none, ==, "tail 0");
}

/* What we write we read, and a file that is there is not written over. */
static void
test_writer (void)
{
  g_autofree char *path = ts_test_path (folder, "written.tfevents");
  g_autoptr (GError) error = NULL;
  TsRecordWriter *writer = ts_record_writer_new (path, (gint64) ts_bits (1.5e9), &error);
  const guint8 *data;
  gsize size;
  gint64 offset;
  TsLogEvent event;

  ts_record_writer_add (writer, (gint64) ts_bits (1.5e9 + 1), -3, TS_LOG_MESSAGE,
                        (const guint8 *) "m", 1);
  g_assert_true (ts_record_writer_close (writer, &error));
  g_assert_null (ts_record_writer_new (path, 0, &error));
  g_assert_error (error, TS_EVENTS_ERROR, TS_EVENTS_ERROR_IO);
  g_autoptr (TsRecordReader) reader = ts_record_reader_open (path, 0, NULL, NULL);
  g_assert_cmpint (ts_record_reader_next (reader, &data, &size, &offset, NULL), ==, 1);
  g_assert_true (ts_log_event_parse (&event, data, size));
  g_assert_cmpint (event.what, ==, TS_LOG_FILE_VERSION);
  g_assert_true (ts_slice_is (event.body, "brain.Event:2"));
  g_assert_cmpint (ts_record_reader_next (reader, &data, &size, &offset, NULL), ==, 1);
  g_assert_true (ts_log_event_parse (&event, data, size));
  g_assert_cmpint (event.step, ==, -3);
  g_assert_cmpfloat (ts_unbits ((guint64) event.wall), ==, 1.5e9 + 1);
}

static void
test_tree (void)
{
  static const char *const files[] = {"run10/x.tfevents.1", "run2/x.tfevents.1",
                                      "run2/sub/x.tfevents.1", "a/b/none.txt",
                                      "run3/events.out.tfevents.9.profile-empty"};
  g_autofree char *root = ts_test_folder ();
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = ts_test_path (root, files[i]), *below = g_path_get_dirname (path);
    g_mkdir_with_parents (below, 0700);
    g_file_set_contents (path, "", 0, NULL);
  }
  g_autofree char *loop = ts_test_path (root, "run2/loop");
  g_assert_cmpint (symlink (root, loop), ==, 0);
  g_autoptr (GPtrArray) folders = ts_tree_find (root, NULL, NULL, problems);
  for (guint i = 0; i < folders->len; i++) {
    const TsTreeFolder *f = folders->pdata[i];
    g_string_append_printf (names, "%s:%u ", f->name, f->files->len);
  }
  g_assert_cmpstr (names->str, ==, "run2:1 run2/sub:1 run3:0 run10:1 ");
  g_assert_cmpint (problems->len, ==, 0);
  ts_test_remove (root);
}

static void
test_watch (void)
{
  TsWatch *watch = ts_watch_new ();
  g_autoptr (GPtrArray) folders = g_ptr_array_new ();

  g_ptr_array_add (folders, folder);
  ts_watch_set_folders (watch, folders);
  g_assert_false (ts_watch_wait (watch, 0));
  ts_watch_wake (watch);
  g_assert_false (ts_watch_wait (watch, 60000)); /* at once */
  g_autofree char *path = new_file ("x", 1);
#ifdef __linux__
  g_assert_true (ts_watch_wait (watch, 60000));
  g_assert_false (ts_watch_wait (watch, 0));
#endif
  ts_watch_free (watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = ts_test_folder ();
  g_test_add_func ("/records/crc", test_crc);
  g_test_add_func ("/records/cut", test_cut);
  g_test_add_func ("/records/flips", test_flips);
  g_test_add_func ("/records/holes", test_holes);
  g_test_add_func ("/records/wide-holes", test_wide_holes);
  g_test_add_func ("/records/long", test_long);
  g_test_add_func ("/records/writer", test_writer);
  g_test_add_func ("/records/tree", test_tree);
  g_test_add_func ("/records/watch", test_watch);
  int status = g_test_run ();
  ts_test_remove (folder);
  g_free (folder);
  return status;
}
