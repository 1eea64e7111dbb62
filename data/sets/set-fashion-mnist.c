/* SPDX-License-Identifier: MIT */
#include "data/sets/error.h"
#include "data/sets/idx.h"
#include "data/sets/set.h"

#define PACKAGE     "dataset-fashion-mnist"
#define DEFAULT_DIR "/usr/share/datasets/fashion-mnist"

static const TsParamSpec specs[] = {
    {"dir", TS_PARAM_STRING, .text = "",
     .doc = "folder of the four IDX files; empty: " DEFAULT_DIR},
    {"train", TS_PARAM_INT, .number = 0, .min = 0, .max = 1e8,
     .doc = "train on the first so many rows only; 0: on all that are not for validation"},
    {"valid", TS_PARAM_INT, .number = 10000, .min = 0, .max = 1e8,
     .doc = "the last so many training rows are for validation"},
    {"test", TS_PARAM_INT, .number = 0, .min = 0, .max = 1e8,
     .doc = "test with the first so many test rows only; 0: all"},
    {NULL},
};

/* One pair of files, cut: rows [0, first) and the last @last are kept. */
typedef struct {
  TsIdx *images, *labels;
  gsize count, first, last;
} Part;

static void
part_clear (Part *part)
{
  g_clear_pointer (&part->images, ts_idx_close);
  g_clear_pointer (&part->labels, ts_idx_close);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Part, part_clear)

/* NAME.gz or NAME in @dir; NULL when there is neither. */
static char *
locate (const char *dir, const char *name)
{
  g_autofree char *packed = g_strdup_printf ("%s/%s.gz", dir, name);
  g_autofree char *plain = g_strdup_printf ("%s/%s", dir, name);

  if (g_file_test (packed, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&packed);
  return g_file_test (plain, G_FILE_TEST_EXISTS) ? g_steal_pointer (&plain) : NULL;
}

static TsIdx *
open_file (const char *dir, const char *name, guint rank, GError **error)
{
  g_autofree char *path = locate (dir, name);

  if (path)
    return ts_idx_open (path, rank, error);
  g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_MISSING,
               "%s/%s.gz is missing: install the package " PACKAGE
               ", or say where it lies with data fashion_mnist(dir=\"…\")",
               dir, name);
  return NULL;
}

static gboolean
open_part (Part *part, const char *dir, const char *prefix, GError **error)
{
  g_autofree char *images = g_strconcat (prefix, "-images-idx3-ubyte", NULL);
  g_autofree char *labels = g_strconcat (prefix, "-labels-idx1-ubyte", NULL);

  part->images = open_file (dir, images, 3, error);
  if (!part->images)
    return FALSE;
  part->labels = open_file (dir, labels, 1, error);
  if (!part->labels)
    return FALSE;
  part->count = ts_idx_get_count (part->images);
  if (part->count != ts_idx_get_count (part->labels)) {
    g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_FORMAT,
                 "%s: %s has %zu images, but %s has %zu labels", dir, images, part->count, labels,
                 ts_idx_get_count (part->labels));
    return FALSE;
  }
  return TRUE;
}

/* Decodes the kept rows to @out and skips the others. */
static gboolean
read_kept (const Part *part, TsIdx *idx, guint8 *out, GError **error)
{
  return ts_idx_read (idx, part->first, out, error) &&
         ts_idx_read (idx, part->count - part->first - part->last, NULL, error) &&
         ts_idx_read (idx, part->last, out + part->first * ts_idx_get_entry_bytes (idx), error) &&
         ts_idx_finish (idx, error);
}

static gboolean
read_part (const Part *part, TsDataset *set, gsize row, GError **error)
{
  gsize kept = part->first + part->last;
  g_autofree guint8 *labels = g_malloc (MAX (kept, 1));
  guint8 *images = (guint8 *) set->features + row * ts_dataset_elements (set);

  if (!read_kept (part, part->images, images, error) ||
      !read_kept (part, part->labels, labels, error))
    return FALSE;
  for (gsize i = 0; i < kept; i++)
    set->labels[row + i] = labels[i];
  return TRUE;
}

/* How many rows of each file are kept. */
static gboolean
cut (const TsParams *params, Part *train, Part *test, GError **error)
{
  gsize first = (gsize) ts_params_int (params, "train");
  gsize valid = (gsize) ts_params_int (params, "valid");
  gsize tested = (gsize) ts_params_int (params, "test");

  if (valid >= train->count || first > train->count - valid) {
    g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_PARAM,
                 "fashion_mnist: train=%zu and valid=%zu need more than the %zu training rows",
                 first, valid, train->count);
    return FALSE;
  }
  if (tested > test->count) {
    g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_PARAM,
                 "fashion_mnist: test=%zu needs more than the %zu test rows", tested, test->count);
    return FALSE;
  }
  train->first = first ? first : train->count - valid;
  train->last = valid;
  test->first = tested ? tested : test->count;
  return TRUE;
}

static void
describe_split (TsDataset *set, const Part *train, const Part *test)
{
  g_autofree char *first = ts_count_dup_text (train->first);
  g_autofree char *all = ts_count_dup_text (train->count);
  g_autofree char *valid = ts_count_dup_text (train->last);
  g_autofree char *tested = ts_count_dup_text (test->first);
  g_autofree char *of = ts_count_dup_text (test->count);

  ts_dataset_take_range (set, TS_SPLIT_TRAIN, 0, train->first);
  ts_dataset_take_range (set, TS_SPLIT_VAL, train->first, train->last);
  ts_dataset_take_range (set, TS_SPLIT_TEST, train->first + train->last, test->first);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "first %s of %s training rows; ", first, all);
  if (train->last)
    g_string_append_printf (text, "last %s for validation; ", valid);
  else
    g_string_append (text, "none for validation; ");
  if (test->first < test->count)
    g_string_append_printf (text, "first %s of %s test rows", tested, of);
  else
    g_string_append_printf (text, "%s test rows", tested);
  set->split_text = g_string_free (text, FALSE);
}

static gboolean
available (void)
{
  static const char *const files[] = {"train-images-idx3-ubyte", "train-labels-idx1-ubyte",
                                      "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};

  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = locate (DEFAULT_DIR, files[i]);
    if (!path)
      return FALSE;
  }
  return TRUE;
}

static TsDataset *
load (const TsParams *params, GError **error)
{
  static const char *const classes[] = {"T-shirt/top", "Trouser",    "Pullover", "Dress",
                                        "Coat",        "Sandal",     "Shirt",    "Sneaker",
                                        "Bag",         "Ankle boot", NULL};
  const char *dir = ts_params_text (params, "dir");
  g_auto (Part) train = {0};
  g_auto (Part) test = {0};

  if (!dir || !*dir)
    dir = DEFAULT_DIR;
  if (!open_part (&train, dir, "train", error) || !open_part (&test, dir, "t10k", error) ||
      !cut (params, &train, &test, error))
    return NULL;
  for (guint axis = 1; axis < 3; axis++)
    if (ts_idx_get_axis (train.images, axis) != ts_idx_get_axis (test.images, axis)) {
      g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_FORMAT,
                   "%s: training images are %zux%zu, but test images are %zux%zu", dir,
                   ts_idx_get_axis (train.images, 1), ts_idx_get_axis (train.images, 2),
                   ts_idx_get_axis (test.images, 1), ts_idx_get_axis (test.images, 2));
      return NULL;
    }
  g_autoptr (TsDataset) set = ts_dataset_new ("fashion_mnist", "Fashion-MNIST");
  set->n_rows = train.first + train.last + test.first;
  set->rank = 3;
  set->shape[0] = (gint64) ts_idx_get_axis (train.images, 1);
  set->shape[1] = (gint64) ts_idx_get_axis (train.images, 2);
  set->shape[2] = 1;
  set->dtype = TS_U8;
  set->scale = 1.0f / 255;
  set->n_classes = 10;
  set->class_names = g_strdupv ((char **) classes);
  set->features = g_malloc (set->n_rows * ts_dataset_elements (set));
  set->labels = g_new (gint32, set->n_rows);
  if (!read_part (&train, set, 0, error) ||
      !read_part (&test, set, train.first + train.last, error))
    return NULL;
  describe_split (set, &train, &test);
  return ts_dataset_seal (set, error) ? g_steal_pointer (&set) : NULL;
}

const TsSetClass ts_set_fashion_mnist = {
    .name = "fashion_mnist",
    .title = "Fashion-MNIST",
    .doc = "70000 pictures of clothes, 28x28 grey pixels, ten kinds (Zalando Research 2017)",
    .package = PACKAGE,
    .specs = specs,
    .available = available,
    .load = load,
};
