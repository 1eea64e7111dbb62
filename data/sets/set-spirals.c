/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "data/sets/error.h"
#include "data/sets/set.h"
#include "engine/base/rng.h"

/* Two spirals, one per class.  Point i of m: r = 5 i / m, angle = 1.75 i / m turns, plus half a
 * turn for the second class; x1 = r sin(angle), x2 = r cos(angle), both moved by up to ±noise. */

static const TsParamSpec specs[] = {
    {"features", TS_PARAM_WORD, .text = "plain", .words = "plain|sin",
     .doc = "plain: x1, x2; sin: x1, x2, sin(x1), sin(x2)"},
    {"n", TS_PARAM_INT, .number = 500, .min = 10, .max = 1000000,
     .doc = "points in all, half of them in each class"},
    {"noise", TS_PARAM_FLOAT, .number = 0, .min = 0, .max = 10,
     .doc = "largest distance by which a coordinate is moved"},
    {"seed", TS_PARAM_INT, .number = 0, .min = 0, .max = 9007199254740992.0,
     .doc = "seed of the noise"},
    {NULL},
};

static gboolean
available (void)
{
  return TRUE;
}

static TsDataset *
load (const TsParams *params, GError **error)
{
  gsize n = (gsize) ts_params_int (params, "n"), half = n / 2;
  gboolean sines = g_str_equal (ts_params_text (params, "features"), "sin");
  double noise = ts_params_float (params, "noise");
  guint width = sines ? 4 : 2;
  TsRng rng = {(guint64) ts_params_int (params, "seed"), ts_rng_stream ("spirals", 0)};
  static const char *const features[] = {"x1", "x2", "sin_x1", "sin_x2", NULL};
  static const char *const classes[] = {"first", "second", NULL};

  if (n % 2) {
    g_set_error (error, TS_SETS_ERROR, TS_SETS_ERROR_PARAM,
                 "spirals: n must be even (half of the points in each class), not %zu", n);
    return NULL;
  }
  g_autoptr (TsDataset) set = ts_dataset_new ("spirals", "Spirals");
  set->n_rows = n;
  set->rank = 1;
  set->shape[0] = width;
  set->n_classes = 2;
  set->class_names = g_strdupv ((char **) classes);
  set->feature_names = g_strdupv ((char **) features);
  for (guint k = width; k < 4; k++)
    g_clear_pointer (&set->feature_names[k], g_free);
  float *x = set->features = g_new (float, n *width);
  set->labels = g_new (gint32, n);
  for (gsize row = 0; row < n; row++, x += width) {
    gsize i = row % half;
    gboolean second = row >= half;
    double r = 5.0 * (double) i / (double) half;
    double angle = 2 * G_PI * 1.75 * (double) i / (double) half + (second ? G_PI : 0);

    x[0] = (float) (r * sin (angle) + noise * (2 * ts_rng_uniform (rng, 2 * row) - 1));
    x[1] = (float) (r * cos (angle) + noise * (2 * ts_rng_uniform (rng, 2 * row + 1) - 1));
    if (sines) {
      x[2] = (float) sin ((double) x[0]);
      x[3] = (float) sin ((double) x[1]);
    }
    set->labels[row] = second;
  }
  ts_dataset_split_fifths (set);
  return ts_dataset_seal (set, error) ? g_steal_pointer (&set) : NULL;
}

const TsSetClass ts_set_spirals = {
    .name = "spirals",
    .title = "Spirals",
    .doc = "two interleaved spirals in the plane",
    .specs = specs,
    .available = available,
    .load = load,
};
