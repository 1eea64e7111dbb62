/* SPDX-License-Identifier: MIT */
#include "engine/metric/sequence.h"

#include <math.h>

gsize
ts_edit_distance (const gint32 *a, gsize n, const gint32 *b, gsize m)
{
  if (m > n)
    return ts_edit_distance (b, m, a, n);
  g_autofree gsize *row =
      g_new (gsize, m + 1); /* distances of a's first i to each beginning of b */

  for (gsize k = 0; k <= m; k++)
    row[k] = k;
  for (gsize i = 0; i < n; i++) {
    gsize diagonal = row[0];
    row[0] = i + 1;
    for (gsize k = 0; k < m; k++) {
      gsize replaced = diagonal + (a[i] != b[k]), moved = MIN (row[k], row[k + 1]) + 1;
      diagonal = row[k + 1];
      row[k + 1] = MIN (replaced, moved);
    }
  }
  return row[m];
}

void
ts_error_rate_update (TsErrorRate *rate, const gint32 *predicted, gsize n, const gint32 *reference,
                      gsize m)
{
  gsize distance = ts_edit_distance (predicted, n, reference, m);

  rate->distance += distance;
  rate->length += m;
  rate->pairs++;
  rate->exact += distance == 0;
}

double
ts_error_rate_result (const TsErrorRate *rate)
{
  return rate->length ? (double) rate->distance / (double) rate->length : (double) NAN;
}

double
ts_error_rate_exact (const TsErrorRate *rate)
{
  return rate->pairs ? (double) rate->exact / (double) rate->pairs : (double) NAN;
}
