/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/base/event.h"

G_BEGIN_DECLS

/* The bytes of a sample that is no scalar (docs/run-file.md, "Items").  The numbers are item.codec. */
typedef enum {
  TS_ITEM_HISTOGRAM = 1, /* at most 30 buckets: the trainer's */
  TS_ITEM_BUCKETS = 2,   /* any number of buckets: from event files */
  TS_ITEM_STRINGS = 3,   /* an array of byte strings: texts, encoded images, sounds */
  TS_ITEM_TENSOR = 4,    /* a TensorProto as it was: of a type or size that is not taken apart */
  TS_ITEM_CONTENT = 5,   /* a plugin's bytes that came with no value */
  TS_ITEM_ARRAY = 6,     /* numbers of one type (data/store/array.h) */
} TsItemCodec;

/* --- TS_ITEM_BUCKETS --- */

typedef enum { TS_BUCKETS_LIMITS = 0, TS_BUCKETS_EDGES = 1 } TsBucketsForm;

typedef struct {
  TsBucketsForm
      form; /* a HistogramProto, or rows of left, right, count (then the moments are NaN) */
  double min, max, sum, sum_squares, count;
  guint n;
  const double *rows; /* left, right, count of each */
} TsBuckets;

void ts_buckets_encode (GByteArray *out, const TsBuckets *buckets);
/* @rows: where the numbers are put, to be freed; they may be NULL.  Errors: TS_STORE_ERROR_CORRUPT. */
gboolean ts_buckets_decode (const guint8 *data, gsize size, TsBuckets *buckets, double **rows,
                            GError **error);
/* In at most 30 buckets for drawing: those of @buckets, or uniform ones over their range into which the counts
 * are shared out. */
void ts_buckets_reduce (const TsBuckets *buckets, TsHistogram *histogram);

/* --- TS_ITEM_STRINGS --- */

#define TS_STRINGS_RANK_MAX 8

/* Begins an array of that shape; then comes ts_strings_add for each element. */
void ts_strings_begin (GByteArray *out, guint rank, const gint64 *dim);
void ts_strings_add (GByteArray *out, gconstpointer bytes, gsize size);

/* Calls @func for each string.  FALSE: damaged; @func may have been called for some. */
typedef void (*TsStringsFunc) (guint index, const guint8 *bytes, gsize size, gpointer user_data);
gboolean ts_strings_decode (const guint8 *data, gsize size, guint *rank, gint64 *dim,
                            TsStringsFunc func, gpointer user_data);

G_END_DECLS
