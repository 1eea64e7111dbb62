/* SPDX-License-Identifier: MIT */
#include "data/store/lod.h"

#include "data/store/crc32c.h"
#include "data/store/error.h"
#include "data/store/pack.h"

#define VERSION 1
#define N       TS_LOD_BUCKETS

/* The columns in their order. */
static const gsize integers[] = {
    G_STRUCT_OFFSET (TsBucket, attempt_id), G_STRUCT_OFFSET (TsBucket, nan),
    G_STRUCT_OFFSET (TsBucket, pos_inf),    G_STRUCT_OFFSET (TsBucket, neg_inf),
    G_STRUCT_OFFSET (TsBucket, step_min),   G_STRUCT_OFFSET (TsBucket, step_max),
    G_STRUCT_OFFSET (TsBucket, us_min),     G_STRUCT_OFFSET (TsBucket, us_max)};
static const gsize values[] = {G_STRUCT_OFFSET (TsBucket, min), G_STRUCT_OFFSET (TsBucket, max),
                               G_STRUCT_OFFSET (TsBucket, first), G_STRUCT_OFFSET (TsBucket, last),
                               G_STRUCT_OFFSET (TsBucket, sum)};

static void
gather (const TsBucket *buckets, gsize offset, guint64 *column)
{
  for (guint i = 0; i < N; i++)
    memcpy (&column[i], (const guint8 *) &buckets[i] + offset, 8);
}

static void
scatter (TsBucket *buckets, gsize offset, const guint64 *column)
{
  for (guint i = 0; i < N; i++)
    memcpy ((guint8 *) &buckets[i] + offset, &column[i], 8);
}

void
ts_lod_encode (GByteArray *out, guint level, const TsBucket *buckets)
{
  guint64 column[N];

  ts_put_u8 (out, VERSION);
  ts_put_u8 (out, (guint8) level);
  for (guint i = 0; i < G_N_ELEMENTS (integers); i++) {
    gather (buckets, integers[i], column);
    ts_pack_put_integers (out, column, N);
  }
  for (guint i = 0; i < N; i++)
    column[i] = buckets[i].cut;
  ts_pack_put_integers (out, column, N);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    gather (buckets, values[i], column);
    ts_pack_put_values (out, column, N);
  }
}

static gboolean
corrupt (const char *what, GError **error)
{
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT, "a level of detail is damaged: %s",
               what);
  return FALSE;
}

static gboolean
get_columns (TsCursor *c, TsBucket *buckets)
{
  guint64 column[N];

  for (guint i = 0; i < G_N_ELEMENTS (integers); i++) {
    if (!ts_pack_get_integers (c, column, N))
      return FALSE;
    scatter (buckets, integers[i], column);
  }
  if (!ts_pack_get_integers (c, column, N))
    return FALSE;
  for (guint i = 0; i < N; i++)
    buckets[i].cut = (guint8) (column[i] & (TS_BUCKET_CUT_BEFORE | TS_BUCKET_CUT_AFTER));
  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    if (!ts_pack_get_values (c, column, N))
      return FALSE;
    scatter (buckets, values[i], column);
  }
  return c->at == c->end;
}

static gboolean
is_possible (const TsBucket *b)
{
  return b->nan >= 0 && b->nan <= b->count && b->pos_inf >= 0 && b->pos_inf <= b->count &&
         b->neg_inf >= 0 && b->neg_inf <= b->count && ts_bucket_finite (b) >= 0;
}

gboolean
ts_lod_decode (const guint8 *data, gsize size, guint32 crc, guint level, gint64 n,
               TsBucket *buckets, GError **error)
{
  TsCursor c = {data, data + size, FALSE};

  if (ts_crc32c (data, size) != crc)
    return corrupt ("its checksum does not fit", error);
  guint8 version = ts_get_u8 (&c), own_level = ts_get_u8 (&c);
  if (c.bad || version != VERSION || own_level != level || n != N)
    return corrupt ("its head is out of range", error);
  if (!get_columns (&c, buckets))
    return corrupt ("what it says of its columns does not fit", error);
  for (guint i = 0; i < N; i++) {
    buckets[i].count = ts_lod_width (level);
    if (!is_possible (&buckets[i]))
      return corrupt ("it counts more values than there are", error);
  }
  return TRUE;
}
