/* SPDX-License-Identifier: MIT */
#include "engine/ops/initializer.h"

#include <math.h>
#include <string.h>

const char ts_initializer_words[] =
    "zeros|ones|constant|uniform|normal|glorot_uniform|glorot_normal|"
    "he_uniform|he_normal|lecun_uniform|lecun_normal|orthogonal|identity|unit_forget";

/* The standard deviation of a unit normal cut at ±2. */
#define TRUNCATED_STDDEV 0.87962566103423978

static void
fans (const TsShape *s, double *in, double *out)
{
  double field = 1;

  for (guint i = 0; i + 2 < s->rank; i++)
    field *= (double) s->dim[i];
  *in = s->rank >= 2 ? field * (double) s->dim[s->rank - 2] : (double) ts_shape_elems (s);
  *out = s->rank >= 2 ? field * (double) s->dim[s->rank - 1] : (double) ts_shape_elems (s);
}

/* Draws again until within two standard deviations, from words that are this element's own. */
static double
truncated_normal (TsRng rng, guint64 i)
{
  for (guint64 turn = 0;; turn++) {
    TsRng own = {rng.seed, rng.stream ^ (turn * 0x9e3779b97f4a7c15u)};
    double x = (double) ts_rng_normal (own, i);
    if (fabs (x) <= 2)
      return x;
  }
}

static double
variance (const char *name, const TsShape *shape)
{
  double in, out;

  fans (shape, &in, &out);
  if (g_str_has_prefix (name, "glorot"))
    return 2 / MAX (in + out, 1);
  return (g_str_has_prefix (name, "he") ? 2 : 1) / MAX (in, 1);
}

/* The Q of a random normal matrix, by modified Gram-Schmidt in double, its signs made positive (Saxe et
 * al. 2014): lines are orthonormal, or columns when there are fewer of them. */
static void
orthogonal (double scale, const TsShape *shape, TsRng rng, TsDtype dtype, void *data)
{
  gint64 n = ts_shape_elems (shape), cols = shape->rank ? shape->dim[shape->rank - 1] : 1;
  gint64 rows = cols ? n / cols : 0, count = MIN (rows, cols), length = MAX (rows, cols);
  g_autofree double *v = g_new (double, (gsize) MAX (n, 1));

  for (gint64 i = 0; i < n; i++)
    v[i] = (double) ts_rng_normal (rng, (guint64) i);
  for (gint64 i = 0; i < count; i++) {
    double *a = v + i * length, norm = 0;
    for (gint64 j = 0; j < i; j++) {
      const double *b = v + j * length;
      double dot = 0;
      for (gint64 k = 0; k < length; k++)
        dot += a[k] * b[k];
      for (gint64 k = 0; k < length; k++)
        a[k] -= dot * b[k];
    }
    for (gint64 k = 0; k < length; k++)
      norm += a[k] * a[k];
    for (gint64 k = 0; k < length; k++)
      a[k] *= scale / sqrt (norm);
  }
  for (gint64 r = 0; r < rows; r++)
    for (gint64 c = 0; c < cols; c++)
      ts_dtype_set (dtype, data, r * cols + c,
                    rows >= cols ? v[c * length + r] : v[r * length + c]);
}

/* Words whose numbers depend on the place; FALSE: none of them. */
static gboolean
fill_placed (const char *name, TsDtype dtype, const TsShape *shape, TsRng rng, void *data)
{
  gint64 n = ts_shape_elems (shape), cols = shape->rank ? shape->dim[shape->rank - 1] : 1;

  if (strcmp (name, "orthogonal") == 0) {
    orthogonal (1, shape, rng, dtype, data);
    return TRUE;
  }
  if (strcmp (name, "identity") != 0 && strcmp (name, "unit_forget") != 0)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    ts_dtype_set (dtype, data, i, *name == 'i' ? i / cols == i % cols : i >= n / 4 && i < n / 2);
  return TRUE;
}

void
ts_initializer_fill (const char *name, double scale, TsDtype dtype, const TsShape *shape, TsRng rng,
                     void *data)
{
  gint64 n = ts_shape_elems (shape);
  gboolean plain = strcmp (name, "uniform") == 0 || strcmp (name, "normal") == 0;
  gboolean random = plain || strchr (name, '_');
  gboolean uniform = g_str_has_suffix (name, "uniform");
  double constant = strcmp (name, "ones") == 0 ? 1 : strcmp (name, "constant") == 0 ? scale : 0;
  double spread = 0;

  if (fill_placed (name, dtype, shape, rng, data))
    return;
  if (random && !plain)
    spread = uniform ? sqrt (3 * variance (name, shape))
                     : sqrt (variance (name, shape)) / TRUNCATED_STDDEV;
  for (gint64 i = 0; i < n; i++) {
    double v = constant;
    if (plain)
      v = uniform ? scale * (2 * (double) ts_rng_uniform (rng, (guint64) i) - 1)
                  : scale * (double) ts_rng_normal (rng, (guint64) i);
    else if (random)
      v = uniform ? spread * (2 * (double) ts_rng_uniform (rng, (guint64) i) - 1)
                  : spread * truncated_normal (rng, (guint64) i);
    if (dtype == TS_F32)
      ((float *) data)[i] = (float) v;
    else
      ((double *) data)[i] = v;
  }
}
