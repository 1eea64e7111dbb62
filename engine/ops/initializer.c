/* SPDX-License-Identifier: MIT */
#include "engine/ops/initializer.h"

#include <math.h>
#include <string.h>

const char ts_initializer_words[] =
    "zeros|ones|constant|uniform|normal|glorot_uniform|glorot_normal|"
    "he_uniform|he_normal|lecun_uniform|lecun_normal";

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
