/* SPDX-License-Identifier: MIT */
#include "data/store/histogram.h"

#include "data/store/bytes-private.h"
#include "data/store/error.h"
#include "data/store/point.h"

#define HEAD 56

void
ts_histogram_encode (GByteArray *out, const TsHistogram *h)
{
  ts_put_u32 (out, TS_ITEM_HISTOGRAM);
  ts_put_u32 (out, h->n);
  ts_put_u64 (out, ts_bits (h->min));
  ts_put_u64 (out, ts_bits (h->max));
  ts_put_u64 (out, ts_bits (h->sum));
  ts_put_u64 (out, ts_bits (h->sum_squares));
  ts_put_u64 (out, h->count);
  ts_put_u64 (out, h->nonfinite);
  for (guint i = 0; i < h->n; i++) {
    ts_put_u64 (out, ts_bits (h->left[i]));
    ts_put_u64 (out, ts_bits (h->right[i]));
    ts_put_u64 (out, ts_bits (h->bucket[i]));
  }
}

gboolean
ts_histogram_decode (const guint8 *data, gsize size, TsHistogram *h, GError **error)
{
  TsCursor c = {data, data + size, FALSE};
  guint32 codec = ts_get_u32 (&c);

  memset (h, 0, sizeof *h);
  h->n = ts_get_u32 (&c);
  if (c.bad || codec != TS_ITEM_HISTOGRAM || h->n > TS_HISTOGRAM_BUCKETS ||
      size != HEAD + 24 * (gsize) h->n) {
    memset (h, 0, sizeof *h);
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT,
                 "a histogram is damaged: its length or number of buckets does not fit");
    return FALSE;
  }
  h->min = ts_unbits (ts_get_u64 (&c));
  h->max = ts_unbits (ts_get_u64 (&c));
  h->sum = ts_unbits (ts_get_u64 (&c));
  h->sum_squares = ts_unbits (ts_get_u64 (&c));
  h->count = ts_get_u64 (&c);
  h->nonfinite = ts_get_u64 (&c);
  for (guint i = 0; i < h->n; i++) {
    h->left[i] = ts_unbits (ts_get_u64 (&c));
    h->right[i] = ts_unbits (ts_get_u64 (&c));
    h->bucket[i] = ts_unbits (ts_get_u64 (&c));
  }
  return TRUE;
}
