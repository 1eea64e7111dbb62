/* SPDX-License-Identifier: MIT */
#include "data/sets/error.h"
#include "data/sets/set.h"
#include "engine/base/rng.h"

/* Made-up data of any size: each class has a centre, each row is its class's centre plus noise.
 * Noise and centres are sums of the four bytes of one random word, which is close to a normal
 * distribution and costs a quarter of a Philox block an element: 60000 rows of 784 in under a
 * second. */

#define MAX_ELEMENTS ((guint64) 1 << 30)

static const TsParamSpec specs[] = {
    {"rows", TS_PARAM_INT, .number = 1000, .min = 10, .max = 10000000, .doc = "rows in all"},
    {"features", TS_PARAM_INT, .number = 16, .min = 1, .max = 1000000, .doc = "numbers in a row"},
    {"classes", TS_PARAM_INT, .number = 4, .min = 2, .max = 1000, .doc = "classes"},
    {"dtype", TS_PARAM_WORD, .text = "f32", .words = "f32|u8",
     .doc =
         "how they lie in memory: f32 about -2 to 2, or bytes of 0 to 255 that stand for 0 to 1"},
    {"seed", TS_PARAM_INT, .number = 0, .min = 0, .max = 9007199254740992.0,
     .doc = "seed of the numbers"},
    {NULL},
};

static gboolean
available (void)
{
  return TRUE;
}

/* Mean 510, deviation 148. */
static int
bytes_sum (guint32 word)
{
  return (int) ((word & 255) + (word >> 8 & 255) + (word >> 16 & 255) + (word >> 24));
}

static void
fill (TsDataset *set, guint64 seed)
{
  gsize width = ts_dataset_elements (set);
  TsRng noise = {seed, ts_rng_stream ("synthetic/noise", 0)};
  TsRng centres = {seed, ts_rng_stream ("synthetic/centres", 0)};
  g_autofree int *centre = g_new (int, set->n_classes *width);
  guint8 *bytes = set->dtype == TS_U8 ? set->features : NULL;
  float *floats = set->features;
  guint32 words[4];
  gsize e = 0;

  for (gsize i = 0; i < set->n_classes * width; i++)
    centre[i] = bytes_sum (ts_rng_word (centres, i)) - 510;
  for (gsize row = 0; row < set->n_rows; row++)
    for (gsize k = 0; k < width; k++, e++) {
      if (e % 4 == 0)
        ts_rng_block (noise, e / 4, words);
      int x = centre[(gsize) set->labels[row] * width + k] + bytes_sum (words[e % 4]) - 510;
      if (bytes)
        bytes[e] = (guint8) CLAMP (128 + x / 8, 0, 255);
      else
        floats[e] = (float) x / 256.0f;
    }
}

static TsDataset *
load (const TsParams *params, GError **error)
{
  g_autoptr (TsDataset) set = ts_dataset_new ("synthetic", "Synthetic");
  guint64 rows = (guint64) ts_params_int (params, "rows");
  guint64 features = (guint64) ts_params_int (params, "features");
  guint64 seed = (guint64) ts_params_int (params, "seed");
  TsRng rng = {seed, ts_rng_stream ("synthetic/labels", 0)};
  guint64 cursor = 0;

  if (rows * features > MAX_ELEMENTS) {
    g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_LIMIT,
                 "synthetic: %" G_GUINT64_FORMAT " rows of %" G_GUINT64_FORMAT
                 " features are more than %" G_GUINT64_FORMAT " numbers",
                 rows, features, MAX_ELEMENTS);
    return NULL;
  }
  set->n_rows = rows;
  set->rank = 1;
  set->shape[0] = (gint64) features;
  set->n_classes = (guint) ts_params_int (params, "classes");
  if (g_str_equal (ts_params_text (params, "dtype"), "u8")) {
    set->dtype = TS_U8;
    set->scale = 1.0f / 255;
  }
  set->features = g_malloc (rows * features * ts_dtype_size (set->dtype));
  set->labels = g_new (gint32, rows);
  for (gsize row = 0; row < rows; row++)
    set->labels[row] = (gint32) ts_rng_below (rng, &cursor, set->n_classes);
  fill (set, seed);
  ts_dataset_split_fifths (set);
  return ts_dataset_seal (set, error) ? g_steal_pointer (&set) : NULL;
}

const TsSetClass ts_set_synthetic = {
    .name = "synthetic",
    .title = "Synthetic",
    .doc = "made-up clouds of points, one per class, for tests and benchmarks",
    .specs = specs,
    .available = available,
    .load = load,
};
