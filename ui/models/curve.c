/* SPDX-License-Identifier: MIT */
#include "ui/models/curve.h"

#include <string.h>

#define FIRST_CAPACITY 512

/* Three columns, one behind the other.  Only places that no slice covers are written. */
typedef struct TsCurveStore {
  gatomicrefcount refs;
  gsize capacity;
  double numbers[];
} Store;

struct TsCurve {
  Store *store; /* NULL: no points */
  gsize n;
};

static Store *
store_new (gsize capacity)
{
  Store *store = g_malloc (sizeof (Store) + 3 * capacity * sizeof (double));

  g_atomic_ref_count_init (&store->refs);
  store->capacity = capacity;
  return store;
}

static void
store_unref (Store *store)
{
  if (store && g_atomic_ref_count_dec (&store->refs))
    g_free (store);
}

TsCurve *
ts_curve_new (void)
{
  return g_new0 (TsCurve, 1);
}

void
ts_curve_free (TsCurve *curve)
{
  if (!curve)
    return;
  store_unref (curve->store);
  g_free (curve);
}

static void
reserve (TsCurve *curve, gsize n)
{
  Store *old = curve->store;
  gsize had = old ? old->capacity : 0;

  if (curve->n + n <= had)
    return;
  Store *store = store_new (MAX (MAX (2 * had, curve->n + n), FIRST_CAPACITY));
  for (guint column = 0; old && column < 3; column++)
    memcpy (store->numbers + column * store->capacity, old->numbers + column * had,
            curve->n * sizeof (double));
  curve->store = store;
  store_unref (old);
}

void
ts_curve_append (TsCurve *curve, const TsStoredPoint *points, guint n)
{
  if (!n)
    return;
  reserve (curve, n);
  gsize capacity = curve->store->capacity;
  double *step = curve->store->numbers, *wall = step + capacity, *y = wall + capacity;
  for (guint i = 0; i < n; i++) {
    if (points[i].hidden)
      continue;
    step[curve->n] = (double) points[i].step;
    wall[curve->n] = (double) points[i].wall_us / G_USEC_PER_SEC;
    y[curve->n] = ts_unbits (points[i].bits);
    curve->n++;
  }
}

void
ts_curve_reset (TsCurve *curve)
{
  g_clear_pointer (&curve->store, store_unref);
  curve->n = 0;
}

gsize
ts_curve_get_n (const TsCurve *curve)
{
  return curve->n;
}

void
ts_curve_slice (TsCurve *curve, TsCurveSlice *slice)
{
  *slice = (TsCurveSlice){.store = curve->store, .n = curve->n};
  if (!curve->store)
    return;
  g_atomic_ref_count_inc (&curve->store->refs);
  slice->step = curve->store->numbers;
  slice->wall_s = slice->step + curve->store->capacity;
  slice->y = slice->wall_s + curve->store->capacity;
}

void
ts_curve_slice_copy (const TsCurveSlice *slice, TsCurveSlice *copy)
{
  *copy = *slice;
  if (copy->store)
    g_atomic_ref_count_inc (&copy->store->refs);
}

void
ts_curve_slice_clear (TsCurveSlice *slice)
{
  store_unref (slice->store);
  *slice = (TsCurveSlice){0};
}
