/* SPDX-License-Identifier: MIT */
#include "data/store/item.h"

#include <math.h>

#include "data/store/bytes-private.h"
#include "data/store/error.h"
#include "data/store/point.h"

#define BUCKETS_HEAD 56

void
ts_buckets_encode (GByteArray *out, const TsBuckets *b)
{
  const double head[] = {b->min, b->max, b->sum, b->sum_squares, b->count};

  ts_put_u32 (out, TS_ITEM_BUCKETS);
  ts_put_u32 (out, b->n);
  for (guint i = 0; i < G_N_ELEMENTS (head); i++)
    ts_put_u64 (out, ts_bits (head[i]));
  ts_put_u64 (out, b->form);
  for (guint i = 0; i < 3 * b->n; i++)
    ts_put_u64 (out, ts_bits (b->rows[i]));
}

gboolean
ts_buckets_decode (const guint8 *data, gsize size, TsBuckets *b, double **rows, GError **error)
{
  TsCursor c = {data, data + size, FALSE};
  guint32 codec = ts_get_u32 (&c);
  double *head[] = {&b->min, &b->max, &b->sum, &b->sum_squares, &b->count};

  *rows = NULL;
  *b = (TsBuckets){0};
  b->n = ts_get_u32 (&c);
  for (guint i = 0; i < G_N_ELEMENTS (head); i++)
    *head[i] = ts_unbits (ts_get_u64 (&c));
  guint64 form = ts_get_u64 (&c);
  b->form = (TsBucketsForm) form;
  if (c.bad || codec != TS_ITEM_BUCKETS || form > TS_BUCKETS_EDGES || size < BUCKETS_HEAD ||
      (size - BUCKETS_HEAD) % 24 || (size - BUCKETS_HEAD) / 24 != b->n) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT,
                 "a histogram is damaged: its length or number of buckets does not fit");
    return FALSE;
  }
  b->rows = *rows = g_new (double, 3 * (gsize) b->n);
  for (gsize i = 0; i < 3 * (gsize) b->n; i++)
    (*rows)[i] = ts_unbits (ts_get_u64 (&c));
  return TRUE;
}

/* The edges that can be drawn: the outermost buckets of a HistogramProto reach to infinity. */
static double
edge (const TsBuckets *b, double v)
{
  gboolean has_range = b->min <= b->max && isfinite (b->min) && isfinite (b->max);

  if (has_range)
    return CLAMP (v, b->min, b->max);
  return CLAMP (v, -1e300, 1e300);
}

static void
share_out (TsHistogram *h, double left, double right, double count, double low, double width)
{
  if (!(right > left) || !(width > 0)) {
    double at = width > 0 ? (left - low) / width : 0;
    h->bucket[(guint) CLAMP (at, 0, h->n - 1)] += count;
    return;
  }
  for (guint i = 0; i < h->n; i++) {
    double from = MAX (left, h->left[i]), to = MIN (right, h->right[i]);
    if (to > from)
      h->bucket[i] += count * ((to - from) / (right - left));
  }
}

void
ts_buckets_reduce (const TsBuckets *b, TsHistogram *h)
{
  double low = INFINITY, high = -INFINITY, total = 0;

  *h = (TsHistogram){.min = b->min, .max = b->max, .sum = b->sum, .sum_squares = b->sum_squares};
  for (guint i = 0; i < b->n; i++) {
    const double *row = b->rows + 3 * i;
    if (!(row[2] > 0) || !isfinite (row[2]))
      continue;
    low = MIN (low, edge (b, row[0]));
    high = MAX (high, edge (b, row[1]));
    total += row[2];
  }
  h->count = (guint64) CLAMP (b->count > 0 ? b->count : total, 0, 1e18);
  if (!(low <= high))
    return;
  if (b->form == TS_BUCKETS_EDGES) {
    h->min = low;
    h->max = high;
  }
  h->n = b->n <= TS_HISTOGRAM_BUCKETS ? b->n : TS_HISTOGRAM_BUCKETS;
  double width = (high - low) / h->n;
  for (guint i = 0; i < h->n; i++) {
    h->left[i] = b->n <= TS_HISTOGRAM_BUCKETS ? edge (b, b->rows[3 * i]) : low + width * i;
    h->right[i] = b->n <= TS_HISTOGRAM_BUCKETS ? edge (b, b->rows[3 * i + 1])
                  : i + 1 == h->n              ? high
                                               : low + width * (i + 1);
    h->bucket[i] = b->n <= TS_HISTOGRAM_BUCKETS ? b->rows[3 * i + 2] : 0;
  }
  for (guint i = 0; b->n > TS_HISTOGRAM_BUCKETS && i < b->n; i++) {
    const double *row = b->rows + 3 * i;
    if (row[2] > 0 && isfinite (row[2]))
      share_out (h, edge (b, row[0]), edge (b, row[1]), row[2], low, width);
  }
}

/* --- Strings --- */

void
ts_strings_begin (GByteArray *out, guint rank, const gint64 *dim)
{
  ts_put_u32 (out, TS_ITEM_STRINGS);
  ts_put_u32 (out, rank);
  for (guint i = 0; i < rank; i++)
    ts_put_u64 (out, (guint64) dim[i]);
}

void
ts_strings_add (GByteArray *out, gconstpointer bytes, gsize size)
{
  ts_put_u64 (out, size);
  ts_put_bytes (out, bytes ? bytes : "", size);
}

gboolean
ts_strings_decode (const guint8 *data, gsize size, guint *rank, gint64 *dim, TsStringsFunc func,
                   gpointer user_data)
{
  TsCursor c = {data, data + size, FALSE};
  guint32 codec = ts_get_u32 (&c);
  guint64 elems = 1;

  *rank = ts_get_u32 (&c);
  if (codec != TS_ITEM_STRINGS || *rank > TS_STRINGS_RANK_MAX)
    return FALSE;
  for (guint i = 0; i < *rank; i++) {
    guint64 n = ts_get_u64 (&c);
    if (n > size || (elems *= n) > size) /* each has a length of eight bytes */
      return FALSE;
    dim[i] = (gint64) n;
  }
  for (guint64 i = 0; i < elems && !c.bad; i++) {
    guint64 n = ts_get_u64 (&c);
    if (c.bad || n > (guint64) (c.end - c.at))
      return FALSE;
    func ((guint) i, c.at, (gsize) n, user_data);
    c.at += n;
  }
  return !c.bad && c.at == c.end;
}
