/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "data/sets/csv.h"
#include "data/sets/error.h"
#include "data/sets/idx.h"
#include "data/sets/sampler.h"
#include "data/sets/set.h"
#include "data/sets/table.h"
#include "engine/base/error.h"

static void
expect_error (GError **error, int code, const char *text)
{
  g_assert_error (*error, TS_SETS_ERROR, code);
  if (!strstr ((*error)->message, text))
    g_error ("'%s' is not in '%s'", text, (*error)->message);
  g_clear_error (error);
}

/* Loads @name with parameters given as "key=value,key=value". */
static TsDataset *
load (const char *name, const char *settings, GError **error)
{
  const TsSetClass *klass = ts_set_lookup (name);
  TsParams params;
  g_auto (GStrv) pairs = g_strsplit (settings, ",", -1);

  g_assert_nonnull (klass);
  ts_params_init (&params, klass->specs);
  for (guint i = 0; pairs[i]; i++) {
    char *value = strchr (pairs[i], '=');
    *value++ = 0;
    g_assert_true (ts_params_parse (&params, pairs[i], value, NULL));
  }
  return ts_set_load (klass, &params, error);
}

/* --- IDX --- */

static char *
temp_dir (void)
{
  char *dir = g_dir_make_tmp ("trainscope-sets-XXXXXX", NULL);

  g_assert_nonnull (dir);
  return dir;
}

static void
remove_dir (const char *dir)
{
  GDir *d = g_dir_open (dir, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (d))) {
    g_autofree char *path = g_build_filename (dir, name, NULL);
    g_unlink (path);
  }
  g_dir_close (d);
  g_rmdir (dir);
}

static GByteArray *
idx_bytes (guint8 type, guint rank, const guint32 *axes, gsize n, guint8 first)
{
  GByteArray *bytes = g_byte_array_new ();
  guint8 magic[4] = {0, 0, type, (guint8) rank};

  g_byte_array_append (bytes, magic, 4);
  for (guint i = 0; i < rank; i++) {
    guint32 size = GUINT32_TO_BE (axes[i]);
    g_byte_array_append (bytes, (guint8 *) &size, 4);
  }
  for (gsize i = 0; i < n; i++) {
    guint8 value = (guint8) (first + i);
    g_byte_array_append (bytes, &value, 1);
  }
  return bytes;
}

static void
write_file (const char *path, const guint8 *data, gsize n, gboolean packed)
{
  if (!packed) {
    FILE *plain = fopen (path, "wb"); /* g_file_set_contents would wait for the disk */
    g_assert_cmpuint (fwrite (data, 1, n, plain), ==, n);
    g_assert_cmpint (fclose (plain), ==, 0);
    return;
  }
  gzFile file = gzopen (path, "wb");
  g_assert_cmpint (gzwrite (file, data, (unsigned) n), ==, (int) n);
  g_assert_cmpint (gzclose (file), ==, Z_OK);
}

/* Writes, opens and reads to the end; NULL error on success. */
static void
try_idx (const char *path, const GByteArray *bytes, gsize n, gboolean packed, guint rank,
         GError **error)
{
  write_file (path, bytes->data, n, packed);
  g_autoptr (TsIdx) idx = ts_idx_open (path, rank, error);
  if (idx)
    ts_idx_finish (idx, error);
}

static void
test_idx (void)
{
  g_autofree char *dir = temp_dir ();
  g_autofree char *path = g_build_filename (dir, "a.gz", NULL);
  const guint32 axes[3] = {3, 2, 4};
  g_autoptr (GByteArray) good = idx_bytes (8, 3, axes, 24, 0);
  guint8 out[24] = {0};
  GError *error = NULL;

  for (guint packed = 0; packed < 2; packed++) {
    write_file (path, good->data, good->len, packed);
    g_autoptr (TsIdx) idx = ts_idx_open (path, 3, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (ts_idx_get_count (idx), ==, 3);
    g_assert_cmpuint (ts_idx_get_entry_bytes (idx), ==, 8);
    g_assert_cmpuint (ts_idx_get_axis (idx, 2), ==, 4);
    g_assert_true (ts_idx_read (idx, 1, NULL, NULL));
    g_assert_true (ts_idx_read (idx, 2, out, NULL));
    g_assert_cmpmem (out, 16, good->data + 16 + 8, 16);
    g_assert_true (ts_idx_finish (idx, &error));
  }
  remove_dir (dir);
}

static void
test_idx_errors (void)
{
  g_autofree char *dir = temp_dir ();
  g_autofree char *path = g_build_filename (dir, "a.gz", NULL);
  const guint32 axes[3] = {3, 2, 4}, huge[3] = {90000000, 28, 28}, none[3] = {3, 0, 4};
  g_autoptr (GByteArray) good = idx_bytes (8, 3, axes, 24, 0);
  g_autoptr (GByteArray) floats = idx_bytes (13, 3, axes, 24, 0);
  g_autoptr (GByteArray) too_big = idx_bytes (8, 3, huge, 24, 0);
  g_autoptr (GByteArray) empty = idx_bytes (8, 3, none, 0, 0);
  g_autoptr (GByteArray) longer = idx_bytes (8, 3, axes, 25, 0);
  GError *error = NULL;

  g_assert_null (ts_idx_open (path, 3, &error));
  expect_error (&error, TS_SETS_ERROR_MISSING, path);
  try_idx (path, good, good->len - 1, FALSE, 3, &error);
  expect_error (&error, TS_SETS_ERROR_FORMAT, "40 bytes of contents expected, 39 found");
  try_idx (path, good, good->len - 5, TRUE, 3, &error);
  expect_error (&error, TS_SETS_ERROR_FORMAT, "40 bytes of contents expected, 35 found");
  try_idx (path, good, 7, FALSE, 3, &error);
  expect_error (&error, TS_SETS_ERROR_FORMAT, "16 bytes of contents expected, 7 found");
  try_idx (path, longer, longer->len, TRUE, 3, &error);
  expect_error (&error, TS_SETS_ERROR_FORMAT, "bytes after the last entry");
  try_idx (path, good, good->len, TRUE, 1, &error);
  expect_error (&error, TS_SETS_ERROR_FORMAT, "3 axes, where 1 are expected");
  try_idx (path, floats, floats->len, TRUE, 3, &error);
  expect_error (&error, TS_SETS_ERROR_FORMAT, "type 0x0d");
  try_idx (path, too_big, too_big->len, TRUE, 3, &error);
  expect_error (&error, TS_SETS_ERROR_LIMIT, "axis 1");
  try_idx (path, empty, empty->len, TRUE, 3, &error);
  expect_error (&error, TS_SETS_ERROR_FORMAT, "axis 1 has no entries");
  good->data[0] = 'P';
  try_idx (path, good, good->len, FALSE, 3, &error);
  expect_error (&error, TS_SETS_ERROR_FORMAT, "not an IDX file: it starts with 50 00 08 03");
  remove_dir (dir);
}

static void
test_idx_damaged (void)
{
  g_autofree char *dir = temp_dir ();
  g_autofree char *path = g_build_filename (dir, "a.gz", NULL);
  const guint32 axes[3] = {40, 8, 8};
  g_autoptr (GByteArray) good = idx_bytes (8, 3, axes, 40 * 64, 7);
  g_autofree char *packed = NULL;
  gsize n;
  guint accepted = 0;

  write_file (path, good->data, good->len, TRUE);
  g_assert_true (g_file_get_contents (path, &packed, &n, NULL));
  /* A flipped bit is noticed, or it was one of the padding bits and the contents are right. */
  for (gsize i = 10; i < n; i++) {
    g_autoptr (GError) error = NULL;
    guint8 out[40 * 64];
    packed[i] ^= 0x20;
    write_file (path, (guint8 *) packed, n, FALSE);
    packed[i] ^= 0x20;
    g_autoptr (TsIdx) idx = ts_idx_open (path, 3, &error);
    if (idx && ts_idx_read (idx, 40, out, &error) && ts_idx_finish (idx, &error)) {
      g_assert_cmpmem (out, sizeof out, good->data + 16, sizeof out);
      accepted++;
    } else
      g_assert_true (error && error->domain == TS_SETS_ERROR);
  }
  g_assert_cmpuint (accepted, <=, 1);
  for (gsize cut = 0; cut < n; cut++) {
    g_autoptr (GError) error = NULL;
    write_file (path, (guint8 *) packed, cut, FALSE);
    g_autoptr (TsIdx) idx = ts_idx_open (path, 3, &error);
    if (idx)
      g_assert_false (ts_idx_finish (idx, &error));
    g_assert_nonnull (error);
  }
  remove_dir (dir);
}

static void
write_pair (const char *dir, const char *prefix, guint32 images, guint32 labels, gboolean packed)
{
  g_autofree char *image_path =
      g_strdup_printf ("%s/%s-images-idx3-ubyte%s", dir, prefix, packed ? ".gz" : "");
  g_autofree char *label_path =
      g_strdup_printf ("%s/%s-labels-idx1-ubyte%s", dir, prefix, packed ? ".gz" : "");
  g_autoptr (GByteArray) x = idx_bytes (8, 3, (guint32[]){images, 2, 3}, images * 6, 0);
  g_autoptr (GByteArray) t = idx_bytes (8, 1, &labels, labels, 0);

  write_file (image_path, x->data, x->len, packed);
  write_file (label_path, t->data, t->len, packed);
}

static void
test_image_set (void)
{
  g_autofree char *dir = temp_dir ();
  g_autofree char *all = g_strdup_printf ("dir=%s,valid=3", dir);
  g_autofree char *some = g_strdup_printf ("dir=%s,valid=2,train=3,test=1", dir);
  g_autofree char *many = g_strdup_printf ("dir=%s,valid=8,train=3", dir);
  GError *error = NULL;
  float x[6];
  gint32 t;

  g_assert_null (load ("fashion_mnist", all, &error));
  expect_error (&error, TS_SETS_ERROR_MISSING,
                "is missing: install the package dataset-fashion-mnist, or say where it lies with "
                "data fashion_mnist(dir=\"…\")");
  write_pair (dir, "train", 10, 10, TRUE);
  write_pair (dir, "t10k", 4, 4, FALSE);

  g_autoptr (TsDataset) set = load ("fashion_mnist", all, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (set->n_rows, ==, 14);
  g_assert_cmpint (set->shape[0] * 100 + set->shape[1] * 10 + set->shape[2], ==, 231);
  g_assert_cmpint (set->dtype, ==, TS_U8);
  g_assert_cmpstr (set->split_text, ==,
                   "first 7 of 10 training rows; last 3 for validation; 4 test rows");
  g_assert_cmpint (set->split[TS_SPLIT_VAL].rows[0], ==, 7);
  g_assert_cmpint (set->split[TS_SPLIT_TEST].rows[3], ==, 13);
  ts_dataset_gather (set, (gint32[]){9}, 1, x, &t);
  g_assert_cmpint (t, ==, 9);
  g_assert_cmpfloat (x[5], ==, 59 * (1.0f / 255));

  /* Fewer rows: the validation rows stay the last ones. */
  g_autoptr (TsDataset) part = load ("fashion_mnist", some, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (part->n_rows, ==, 6);
  g_assert_cmpint (part->labels[2] * 100 + part->labels[3] * 10 + part->labels[4], ==, 289);
  g_assert_cmpint (((guint8 *) part->features)[3 * 6], ==, 48);
  g_assert_cmpstr (part->split_text, ==,
                   "first 3 of 10 training rows; last 2 for validation; first 1 of 4 test rows");
  g_assert_cmpstr (ts_dataset_get_sha256 (part), !=, ts_dataset_get_sha256 (set));

  g_assert_null (load ("fashion_mnist", many, &error));
  expect_error (&error, TS_SETS_ERROR_PARAM, "train=3 and valid=8 need more than the 10");
  write_pair (dir, "train", 10, 9, TRUE);
  g_assert_null (load ("fashion_mnist", all, &error));
  expect_error (&error, TS_SETS_ERROR_FORMAT, "10 images");
  write_pair (dir, "train", 11, 11, TRUE);
  g_assert_null (load ("fashion_mnist", all, &error));
  expect_error (&error, TS_SETS_ERROR_FORMAT, "row 10 has class 10, but there are 10 classes");
  remove_dir (dir);
}

static void
test_fashion_mnist (void)
{
  GError *error = NULL;
  guint per_class[10] = {0};

  if (!ts_set_lookup ("fashion_mnist")->available ()) {
    g_test_skip ("the package dataset-fashion-mnist is not installed");
    return;
  }
  g_autoptr (TsDataset) set = load ("fashion_mnist", "valid=10000", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (set->n_rows, ==, 70000);
  g_assert_cmpuint (ts_dataset_elements (set), ==, 784);
  for (gsize i = 60000; i < 70000; i++)
    per_class[set->labels[i]]++;
  for (guint k = 0; k < 10; k++)
    g_assert_cmpuint (per_class[k], ==, 1000);
  g_assert_cmpstr (set->class_names[set->labels[0]], ==, "Ankle boot");
  g_assert_cmpstr (
      set->split_text, ==,
      "first 50,000 of 60,000 training rows; last 10,000 for validation; 10,000 test rows");
  guint64 sum = 0;
  for (gsize i = 0; i < 60000 * 784; i++)
    sum += ((guint8 *) set->features)[i];
  g_assert_cmpfloat_with_epsilon ((double) sum / (60000.0 * 784 * 255), 0.2860, 5e-5);
}

/* --- CSV --- */

static TsCsv *
csv_of (const char *text, TsCsvHeader header, GError **error)
{
  return ts_csv_new ("t.csv", text, strlen (text), header, error);
}

static void
test_csv (void)
{
  g_autoptr (TsCsv) csv = csv_of ("\xef\xbb\xbf"
                                  "a,\"b \"\"x\"\", y\",c\r\n1, 2 ,\"3\nand\"\r\n\r\n\"\",,é",
                                  TS_CSV_HEADER_GUESS, NULL);
  double value;

  g_assert_cmpuint (ts_csv_get_n_rows (csv), ==, 2);
  g_assert_cmpuint (ts_csv_get_n_columns (csv), ==, 3);
  g_assert_cmpstr (ts_csv_get_column_name (csv, 1), ==, "b \"x\", y");
  g_assert_cmpstr (ts_csv_get_cell (csv, 0, 1), ==, "2");
  g_assert_cmpstr (ts_csv_get_cell (csv, 0, 2), ==, "3\nand");
  g_assert_cmpstr (ts_csv_get_cell (csv, 1, 0), ==, "");
  g_assert_cmpstr (ts_csv_get_cell (csv, 1, 2), ==, "é");
  g_assert_cmpuint (ts_csv_get_line (csv, 0, 2), ==, 2);
  g_assert_cmpuint (ts_csv_get_line (csv, 1, 0), ==, 5);

  g_autoptr (TsCsv) bare = csv_of ("1,2\n3,4\n", TS_CSV_HEADER_GUESS, NULL);
  g_assert_cmpuint (ts_csv_get_n_rows (bare), ==, 2);
  g_assert_cmpstr (ts_csv_get_column_name (bare, 1), ==, "column 2");
  g_autoptr (TsCsv) forced = csv_of ("1,2\n3,4\n", TS_CSV_HEADER_YES, NULL);
  g_assert_cmpuint (ts_csv_get_n_rows (forced), ==, 1);

  g_assert_true (ts_csv_parse_number ("-1.5e-3", &value) && value == -1.5e-3);
  const char *const not_numbers[] = {"", "nan", "inf", "0x10", "1 2", "1e999", "e", "-"};
  for (guint i = 0; i < G_N_ELEMENTS (not_numbers); i++)
    g_assert_false (ts_csv_parse_number (not_numbers[i], &value));
}

static void
test_csv_errors (void)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "t.csv: the file is empty"},
      {"a,b\n", "there is a header but no row below it"},
      {"a,b\n1,2\n3\n", "t.csv:3: 1 columns, but the first row has 2"},
      {"a,b\n1,\"2\n3,4\n", "t.csv:2: column 2: the quote is never closed"},
      {"a,b\n\"1\"x,2\n", "t.csv:2: column 1: a comma or the end of the line must follow"},
      {"a,b\n1,2\"\n", "t.csv:2: column 2: a quote inside a cell"},
      {"a,b\n1,\xff\n", "t.csv:2: not UTF-8 text: byte 0xff"},
  };
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_assert_null (csv_of (cases[i].text, TS_CSV_HEADER_GUESS, &error));
    expect_error (&error, TS_SETS_ERROR_FORMAT, cases[i].message);
  }
  g_assert_null (load ("csv", "file=/nonexistent/x.csv", &error));
  expect_error (&error, TS_SETS_ERROR_MISSING, "/nonexistent/x.csv");
  TsParams params;
  ts_params_init (&params, ts_set_lookup ("csv")->specs);
  g_assert_null (ts_set_load (ts_set_lookup ("csv"), &params, &error));
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM);
  g_clear_error (&error);
}

static TsDataset *
table_of (const char *text, const TsTableOptions *options, GError **error)
{
  g_autoptr (TsCsv) csv = csv_of (text, TS_CSV_HEADER_GUESS, NULL);

  g_assert_nonnull (csv);
  return ts_table_to_dataset (csv, "t", "T", options, error);
}

static void
test_table (void)
{
  TsTableOptions raw = {0}, first = {.target = "kind"}, number = {.target = "1"};
  GError *error = NULL;

  /* Whole numbers are ordered by value, words by their bytes; gaps are closed. */
  g_autoptr (TsDataset) set = table_of ("x,t\n1,10\n2,9\n3,10\n4,-1\n300,09\n", &raw, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (set->n_classes, ==, 3);
  g_assert_cmpint (set->labels[0] * 1000 + set->labels[1] * 100 + set->labels[3] * 10 +
                       set->labels[4],
                   ==, 2101);
  g_assert_cmpstr (set->class_names[0], ==, "-1");
  g_assert_cmpint (set->dtype, ==, TS_F32); /* 300 does not fit a byte */

  g_autoptr (TsDataset) words = table_of ("kind,x\nb,1\na,2\nb,255\n", &first, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (words->class_names[0], ==, "a");
  g_assert_cmpint (words->labels[0], ==, 1);
  g_assert_cmpint (words->dtype, ==, TS_U8);
  g_assert_cmpstr (words->feature_names[0], ==, "x");
  g_autoptr (TsDataset) same = table_of ("kind,x\nb,1\na,2\nb,255\n", &number, &error);
  g_assert_cmpstr (ts_dataset_get_sha256 (same), ==, ts_dataset_get_sha256 (words));
}

static void
test_table_errors (void)
{
  static const struct {
    const char *text, *target, *message;
    int code;
  } cases[] = {
      {"x,t\n1,a\nred,b\n", NULL, "t.csv:3: column 1 (x): 'red' is not a number",
       TS_SETS_ERROR_FORMAT},
      {"x,t\n1,a\n,b\n", NULL, "t.csv:3: column 1 (x): the cell is empty", TS_SETS_ERROR_FORMAT},
      {"x,t\nnan,a\n1,b\n", NULL, "t.csv:2: column 1 (x): 'nan' is not a number",
       TS_SETS_ERROR_FORMAT},
      {"x,t\n1e39,a\n1,b\n", NULL, "'1e39' is too large", TS_SETS_ERROR_FORMAT},
      {"x,t\n1,a\n1,2\n", NULL, "t.csv:3: column 2 (t): '2' is a number, but",
       TS_SETS_ERROR_FORMAT},
      {"x,t\n1,1\n1,a\n", NULL, "'a' is a word, but", TS_SETS_ERROR_FORMAT},
      {"x,t\n1,1\n1,2.5\n", NULL, "'2.5' is not a whole number", TS_SETS_ERROR_FORMAT},
      {"x,t\n1,1\n1,\n", NULL, "every row needs a target", TS_SETS_ERROR_FORMAT},
      {"x,t\n1,1\n", "y", "no column 'y' for the target; the columns are x, t",
       TS_SETS_ERROR_PARAM},
      {"x,t\n1,1\n", "3", "no column '3'", TS_SETS_ERROR_PARAM},
      {"x\n1\n", NULL, "one column only", TS_SETS_ERROR_FORMAT},
  };
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    TsTableOptions options = {.target = cases[i].target};
    g_assert_null (table_of (cases[i].text, &options, &error));
    expect_error (&error, cases[i].code, cases[i].message);
  }
}

/* --- the sets --- */

static void
test_every_set (void)
{
  for (guint i = 0; ts_set_table[i]; i++) {
    const TsSetClass *klass = ts_set_table[i];
    g_assert_true (ts_set_lookup (klass->name) == klass);
    g_assert_true (klass->title && klass->doc && klass->available && klass->load);
    for (const TsParamSpec *s = klass->specs; s->name; s++)
      g_assert_nonnull (s->doc);
    if (i)
      g_assert_cmpstr (ts_set_table[i - 1]->name, <, klass->name);
  }
  g_assert_null (ts_set_lookup ("mnist"));
}

static void
test_iris (void)
{
  g_autoptr (TsDataset) raw = load ("iris", "scale=none", NULL);
  g_autoptr (TsDataset) set = load ("iris", "scale=standard", NULL);
  g_autoptr (TsDataset) unit = load ("iris", "scale=unit", NULL);
  const float *x = set->features, *u = unit->features;

  g_assert_cmpuint (raw->n_rows, ==, 150);
  g_assert_cmpfloat (((float *) raw->features)[0], ==, 5.1f);
  g_assert_cmpfloat (((float *) raw->features)[149 * 4 + 3], ==, 1.8f);
  g_assert_cmpstr (raw->class_names[2], ==, "virginica");
  g_assert_cmpstr (raw->feature_names[3], ==, "petal_width_cm");
  g_assert_cmpuint (raw->split[TS_SPLIT_TRAIN].n, ==, 96);
  g_assert_cmpuint (raw->split[TS_SPLIT_VAL].n, ==, 24);
  g_assert_cmpuint (raw->split[TS_SPLIT_TEST].n, ==, 30);
  g_assert_cmpstr (raw->split_text, ==,
                   "every fifth row is for the test (30), every fifth of the rest for validation "
                   "(24), 96 train");
  /* Mean and deviation over the training rows, and over no others. */
  for (guint c = 0; c < 4; c++) {
    double sum = 0, squares = 0, low = INFINITY, high = -INFINITY;
    for (gsize i = 0; i < 96; i++) {
      double v = x[set->split[TS_SPLIT_TRAIN].rows[i] * 4 + c];
      double w = u[set->split[TS_SPLIT_TRAIN].rows[i] * 4 + c];
      sum += v;
      squares += v * v;
      low = MIN (low, w);
      high = MAX (high, w);
    }
    g_assert_cmpfloat_with_epsilon (sum / 96, 0, 1e-6);
    g_assert_cmpfloat_with_epsilon (squares / 96, 1, 1e-6);
    g_assert_true (low == 0 && high == 1);
  }
  g_assert_cmpstr (ts_dataset_get_sha256 (set), !=, ts_dataset_get_sha256 (raw));
  g_assert_true (ts_dataset_get_sha256 (set) == ts_dataset_get_sha256 (set));
}

static void
test_digits (void)
{
  g_autoptr (TsDataset) set = load ("digits", "scale=unit", NULL);
  g_autoptr (TsDataset) standard = load ("digits", "scale=standard", NULL);
  float x[64];
  guint8 high = 0;

  g_assert_cmpuint (set->n_rows, ==, 1797);
  g_assert_cmpuint (set->rank, ==, 3);
  g_assert_cmpuint (set->n_classes, ==, 10);
  g_assert_cmpint (set->dtype, ==, TS_U8);
  for (gsize i = 0; i < 1797 * 64; i++)
    high = MAX (high, ((guint8 *) set->features)[i]);
  g_assert_cmpint (high, ==, 16);
  ts_dataset_gather (set, (gint32[]){0}, 1, x, NULL);
  g_assert_cmpfloat (x[2], ==, 5.0f / 16);
  /* A pixel that is never set has nothing to be divided by. */
  g_assert_cmpint (standard->dtype, ==, TS_F32);
  for (gsize i = 0; i < 1797 * 64; i++)
    g_assert_true (isfinite (((float *) standard->features)[i]));
}

static void
test_splits (void)
{
  g_autoptr (TsDataset) set = ts_dataset_new ("t", "T");
  static const gint32 test[] = {4, 9, 14}, val[] = {5, 11},
                      train[] = {0, 1, 2, 3, 6, 7, 8, 10, 12, 13};

  set->n_rows = 15;
  ts_dataset_split_fifths (set);
  g_assert_cmpmem (set->split[TS_SPLIT_TEST].rows, set->split[TS_SPLIT_TEST].n * 4, test,
                   sizeof test);
  g_assert_cmpmem (set->split[TS_SPLIT_VAL].rows, set->split[TS_SPLIT_VAL].n * 4, val, sizeof val);
  g_assert_cmpmem (set->split[TS_SPLIT_TRAIN].rows, set->split[TS_SPLIT_TRAIN].n * 4, train,
                   sizeof train);
  g_assert_cmpstr (ts_split_name (TS_SPLIT_VAL), ==, "val");

  /* Overlapping splits, foreign rows and an empty training split are refused. */
  GError *error = NULL;
  set->rank = 1;
  set->shape[0] = 1;
  set->n_classes = 1;
  set->features = g_new0 (float, 15);
  set->labels = g_new0 (gint32, 15);
  g_assert_true (ts_dataset_seal (set, &error));
  set->split[TS_SPLIT_VAL].rows[0] = 4;
  g_assert_false (ts_dataset_seal (set, &error));
  expect_error (&error, TS_SETS_ERROR_FORMAT, "row 4 is in the test split but was used already");
  set->split[TS_SPLIT_VAL].rows[0] = 15;
  g_assert_false (ts_dataset_seal (set, &error));
  expect_error (&error, TS_SETS_ERROR_FORMAT, "there is no such row");
  set->split[TS_SPLIT_VAL].rows[0] = 5;
  set->split[TS_SPLIT_TRAIN].n = 0;
  g_assert_false (ts_dataset_seal (set, &error));
  expect_error (&error, TS_SETS_ERROR_PARAM, "no rows are left to train on");
}

static void
test_spirals (void)
{
  g_autoptr (TsDataset) set = load ("spirals", "features=sin", NULL);
  g_autoptr (TsDataset) plain = load ("spirals", "features=plain", NULL);
  g_autoptr (TsDataset) noisy = load ("spirals", "noise=0.5,seed=3", NULL);
  g_autoptr (TsDataset) other = load ("spirals", "noise=0.5,seed=4", NULL);
  const float *x = set->features, *p = plain->features, *q = noisy->features;
  GError *error = NULL;
  double moved = 0;

  g_assert_cmpuint (set->n_rows, ==, 500);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 250; i++) {
      double r = i / 250.0 * 5, t = 1.75 * i / 250.0 * 2 * G_PI + k * G_PI;
      const float *row = x + 4 * (250 * k + i);
      g_assert_cmpint (set->labels[250 * k + i], ==, k);
      g_assert_cmpfloat_with_epsilon (row[0], r * sin (t), 1e-6);
      g_assert_cmpfloat_with_epsilon (row[1], r * cos (t), 1e-6);
      g_assert_cmpfloat_with_epsilon (row[2], sin (row[0]), 1e-7);
      g_assert_cmpfloat_with_epsilon (row[3], sin (row[1]), 1e-7);
      g_assert_cmpmem (row, 8, p + 2 * (250 * k + i), 8);
      moved = MAX (moved, fabs (q[2 * (250 * k + i)] - row[0]));
    }
  g_assert_cmpfloat (moved, >, 0.4);
  g_assert_cmpfloat (moved, <=, 0.5);
  g_assert_cmpstr (ts_dataset_get_sha256 (noisy), !=, ts_dataset_get_sha256 (other));
  g_assert_cmpuint (g_strv_length (plain->feature_names), ==, 2);
  g_assert_null (load ("spirals", "n=501", &error));
  expect_error (&error, TS_SETS_ERROR_PARAM, "n must be even");
}

static void
test_synthetic (void)
{
  g_autoptr (TsDataset) f32 = load ("synthetic", "rows=2000,features=9,classes=3,seed=1", NULL);
  g_autoptr (TsDataset) u8 =
      load ("synthetic", "rows=2000,features=9,classes=3,seed=1,dtype=u8", NULL);
  g_autoptr (TsDataset) again = load ("synthetic", "rows=2000,features=9,classes=3,seed=1", NULL);
  GError *error = NULL;
  double mean[3] = {0}, squares = 0;
  guint count[3] = {0};
  gboolean inside = FALSE;

  g_assert_cmpstr (ts_dataset_get_sha256 (f32), ==, ts_dataset_get_sha256 (again));
  for (gsize i = 0; i < 2000; i++) {
    mean[f32->labels[i]] += ((float *) f32->features)[i * 9];
    count[f32->labels[i]]++;
    guint8 byte = ((guint8 *) u8->features)[i * 9];
    inside |= byte > 0 && byte < 255;
  }
  g_assert_true (inside);
  for (gsize i = 0; i < 2000; i++) {
    double d = ((float *) f32->features)[i * 9] - mean[f32->labels[i]] / count[f32->labels[i]];
    squares += d * d;
  }
  /* The spread around a class's centre: four bytes have deviation 148, over 256. */
  g_assert_cmpfloat_with_epsilon (sqrt (squares / 2000), 148.0 / 256, 0.03);
  g_assert_null (load ("synthetic", "rows=10000000,features=1000", &error));
  expect_error (&error, TS_SETS_ERROR_LIMIT, "10000000 rows of 1000 features");
}

/* --- sampler --- */

static void
test_sampler (void)
{
  g_autoptr (TsDataset) set = load ("iris", "scale=none", NULL); /* 96 rows train */
  g_autoptr (TsSampler) a = ts_sampler_new (set, 20, 7), b = ts_sampler_new (set, 20, 7);
  g_autoptr (TsSampler) other = ts_sampler_new (set, 20, 8);
  const gint32 *rows, *same;
  gint32 first[2][20];
  gboolean last;

  g_assert_cmpuint (ts_sampler_get_batches_per_epoch (a), ==, 5);
  for (guint epoch = 0; epoch < 2; epoch++) {
    guint seen[150] = {0};
    for (guint i = 0; i < 5; i++) {
      gsize n = ts_sampler_next (a, &rows, &last);
      g_assert_cmpuint (n, ==, i < 4 ? 20 : 16);
      g_assert_cmpint (last, ==, i == 4);
      g_assert_cmpuint (ts_sampler_next (b, &same, NULL), ==, n);
      g_assert_cmpmem (rows, n * 4, same, n * 4);
      for (gsize k = 0; k < n; k++)
        seen[rows[k]]++;
      if (i == 0)
        memcpy (first[epoch], rows, sizeof first[epoch]);
    }
    for (gsize k = 0; k < 150; k++)
      g_assert_cmpuint (seen[k], ==, k % 5 != 4 && (k - k / 5) % 5 != 4);
  }
  g_assert_true (memcmp (first[0], first[1], sizeof first[0]) != 0);
  ts_sampler_next (other, &rows, NULL);
  g_assert_true (memcmp (first[0], rows, sizeof first[0]) != 0);
}

static void
test_sampler_position (void)
{
  g_autoptr (TsDataset) set = load ("iris", "scale=none", NULL);
  g_autoptr (TsSampler) whole = ts_sampler_new (set, 20, 7);
  GError *error = NULL;
  const gint32 *rows, *resumed;

  for (guint step = 0; step < 13; step++) {
    g_autoptr (TsSampler) fresh = ts_sampler_new (set, 20, 7);
    g_autoptr (TsSampler) at = ts_sampler_new (set, 20, 7);
    TsSamplerPosition position = ts_sampler_get_position (whole);
    g_assert_cmpuint (position.epoch, ==, step / 5);
    g_assert_cmpuint (position.index, ==, step % 5 * 20);
    g_assert_true (ts_sampler_set_position (at, position, &error));
    gsize n = ts_sampler_next (whole, &rows, NULL);
    g_assert_cmpuint (ts_sampler_next (at, &resumed, NULL), ==, n);
    g_assert_cmpmem (rows, n * 4, resumed, n * 4);
  }
  g_assert_false (ts_sampler_set_position (whole, (TsSamplerPosition){0, 96}, &error));
  expect_error (&error, TS_SETS_ERROR_PARAM, "position 96 of epoch 0 lies outside the 96");
  g_autoptr (TsSampler) all = ts_sampler_new (set, 1000, 7);
  g_assert_cmpuint (ts_sampler_next (all, &rows, NULL), ==, 96);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sets/idx", test_idx);
  g_test_add_func ("/sets/idx-errors", test_idx_errors);
  g_test_add_func ("/sets/idx-damaged", test_idx_damaged);
  g_test_add_func ("/sets/image-set", test_image_set);
  g_test_add_func ("/sets/fashion-mnist", test_fashion_mnist);
  g_test_add_func ("/sets/csv", test_csv);
  g_test_add_func ("/sets/csv-errors", test_csv_errors);
  g_test_add_func ("/sets/table", test_table);
  g_test_add_func ("/sets/table-errors", test_table_errors);
  g_test_add_func ("/sets/every-set", test_every_set);
  g_test_add_func ("/sets/iris", test_iris);
  g_test_add_func ("/sets/digits", test_digits);
  g_test_add_func ("/sets/splits", test_splits);
  g_test_add_func ("/sets/spirals", test_spirals);
  g_test_add_func ("/sets/synthetic", test_synthetic);
  g_test_add_func ("/sets/sampler", test_sampler);
  g_test_add_func ("/sets/sampler-position", test_sampler_position);
  return g_test_run ();
}
