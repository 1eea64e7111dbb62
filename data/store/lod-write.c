/* SPDX-License-Identifier: MIT */
#include "data/store/chunk.h"
#include "data/store/crc32c.h"
#include "data/store/error.h"
#include "data/store/lod.h"
#include "data/store/writer-private.h"

/* Levels of detail grow with sealing.  A row is written once, when its 64 buckets are whole; what is
 * between the last rows and the sealed points is kept here, and is made anew from rows and chunks by
 * a writer that goes on with a series. */

#define LEAST_ROOM 4 /* TS_LOD_BUCKETS is this times a power of two */

typedef struct {
  TsBucket open;
  TsBucket *whole; /* those of the next row */
  guint n_whole, room;
} Level;

struct TsLod {
  gint64 seq;                     /* points taken in */
  gint64 covered;                 /* those in rows: series.lod_seq */
  gboolean stuck;                 /* a chunk is damaged: nothing is taken in any more */
  Level level[TS_LOD_LEVELS + 1]; /* [0] is not used */
};

void
ts_lod_free (TsLod *lod)
{
  for (guint l = 1; lod && l <= TS_LOD_LEVELS; l++)
    g_free (lod->level[l].whole);
  g_free (lod);
}

static TsLod *
copy (const TsLod *lod)
{
  TsLod *to = g_memdup2 (lod, sizeof *lod);

  for (guint l = 1; l <= TS_LOD_LEVELS; l++)
    if (lod->level[l].whole) {
      to->level[l].whole = g_new (TsBucket, lod->level[l].room);
      memcpy (to->level[l].whole, lod->level[l].whole, lod->level[l].n_whole * sizeof (TsBucket));
    }
  return to;
}

gint64
ts_lod_get_seq (const TsLod *lod)
{
  return lod->seq;
}

/* --- Taking in points --- */

typedef struct {
  TsWriter *writer;
  gint64 series_id;
  TsLod *lod;
} Build;

static gboolean
write_row (Build *b, guint level, GError **error)
{
  GByteArray *bytes = b->writer->buffer;
  gint64 idx = b->lod->seq / ts_lod_row_width (level) - 1;

  g_byte_array_set_size (bytes, 0);
  ts_lod_encode (bytes, level, b->lod->level[level].whole);
  if (level == 1)
    b->lod->covered = b->lod->seq;
  b->lod->level[level].n_whole = 0;
  return ts_sql_do (b->writer->sql, error,
                    "INSERT OR REPLACE INTO lod(series_id, level, idx, n, crc, data)"
                    " VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                    "iiiiib", b->series_id, (gint64) level, idx, (gint64) TS_LOD_BUCKETS,
                    (gint64) ts_crc32c (bytes->data, bytes->len), bytes->data, (gsize) bytes->len);
}

/* Puts whole buckets away, from @level upward. */
static gboolean
close_buckets (Build *b, guint level, GError **error)
{
  for (; level <= TS_LOD_LEVELS; level++) {
    Level *l = &b->lod->level[level];
    if (l->open.count < ts_lod_width (level))
      break;
    if (l->n_whole == l->room) { /* most series of many are short */
      l->room = l->room ? 2 * l->room : LEAST_ROOM;
      l->whole = g_renew (TsBucket, l->whole, l->room);
    }
    l->whole[l->n_whole++] = l->open;
    if (level < TS_LOD_LEVELS)
      ts_bucket_merge (&l[1].open, &l->open);
    l->open.count = 0;
    if (l->n_whole == TS_LOD_BUCKETS && !write_row (b, level, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
take_points (Build *b, const TsPoint *points, gint64 n, TsWallKind wall, gint64 attempt_id,
             GError **error)
{
  for (guint k; n > 0; points += k, n -= k) {
    TsBucket *open = &b->lod->level[1].open;
    k = (guint) MIN (n, ts_lod_width (1) - open->count);
    ts_bucket_add (open, points, k, wall, attempt_id);
    b->lod->seq += k;
    if (!close_buckets (b, 1, error))
      return FALSE;
  }
  return TRUE;
}

/* --- Going on with a series --- */

static gboolean
read_row (Build *b, guint level, gint64 idx, TsBucket *buckets, GError **error)
{
  TsSql *sql = b->writer->sql;
  sqlite3_stmt *q = ts_sql_query (
      sql, error, "SELECT n, crc, data FROM lod WHERE series_id = ?1 AND level = ?2 AND idx = ?3",
      "iii", b->series_id, (gint64) level, idx);
  int more = q ? ts_sql_next (sql, q, error) : -1;

  if (more == 0)
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT, "a level of detail is missing");
  if (more != 1)
    return FALSE;
  gboolean ok = ts_lod_decode (sqlite3_column_blob (q, 2), (gsize) sqlite3_column_bytes (q, 2),
                               (guint32) sqlite3_column_int64 (q, 1), level,
                               sqlite3_column_int64 (q, 0), buckets, error);
  ts_sql_reset (q);
  return ok;
}

/* Each level from the rows of the one below, behind its own last row. */
static gboolean
load_rows (Build *b, gint64 covered, GError **error)
{
  TsBucket buckets[TS_LOD_BUCKETS];

  for (guint level = TS_LOD_LEVELS; level > 1; level--) {
    gint64 own = covered - covered % ts_lod_row_width (level), below = ts_lod_row_width (level - 1);
    for (gint64 idx = own / below; idx < covered / below; idx++) {
      if (!read_row (b, level - 1, idx, buckets, error))
        return FALSE;
      b->lod->seq = (idx + 1) * below;
      for (guint i = 0; i < TS_LOD_BUCKETS; i++) {
        ts_bucket_merge (&b->lod->level[level].open, &buckets[i]);
        if (!close_buckets (b, level, error))
          return FALSE;
      }
    }
  }
  b->lod->seq = b->lod->covered = covered;
  return TRUE;
}

static gboolean
missing (Build *b, GError **error)
{
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT,
               "%s is damaged: point %" G_GINT64_FORMAT " of series %" G_GINT64_FORMAT
               " is missing",
               b->writer->path, b->lod->seq, b->series_id);
  return FALSE;
}

static gboolean
load_chunk (Build *b, sqlite3_stmt *q, gint64 end, GArray *points, GError **error)
{
  gint64 seq = sqlite3_column_int64 (q, 0), n = sqlite3_column_int64 (q, 2);
  gint64 from = b->lod->seq - seq;
  TsWallKind wall;

  if (from < 0 || n > end - seq || from >= n)
    return missing (b, error);
  g_array_set_size (points, 0);
  if (!ts_chunk_decode (sqlite3_column_blob (q, 5), (gsize) sqlite3_column_bytes (q, 5),
                        (guint32) sqlite3_column_int64 (q, 4), sqlite3_column_int64 (q, 3), n,
                        points, &wall, error)) {
    g_prefix_error (error, "%s: ", b->writer->path);
    return FALSE;
  }
  return take_points (b, &g_array_index (points, TsPoint, from), n - from, wall,
                      sqlite3_column_int64 (q, 1), error);
}

static gboolean
load_chunks (Build *b, gint64 end, GError **error)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsPoint));
  TsSql *sql = b->writer->sql;
  int more = -1;
  sqlite3_stmt *q = ts_sql_query (
      sql, error,
      "SELECT seq, attempt_id, n, codec, crc, data FROM chunk WHERE series_id = ?1 AND seq >="
      " coalesce((SELECT max(seq) FROM chunk WHERE series_id = ?1 AND seq <= ?2), ?2)"
      " ORDER BY seq",
      "ii", b->series_id, b->lod->seq);

  while (q && b->lod->seq < end && (more = ts_sql_next (sql, q, error)) == 1)
    if (!load_chunk (b, q, end, points, error)) {
      ts_sql_reset (q);
      return FALSE;
    }
  if (more == 1)
    ts_sql_reset (q);
  return b->lod->seq == end || (more == 0 && missing (b, error));
}

static gboolean
load (Build *b, gint64 end, GError **error)
{
  gint64 covered = 0;

  if (!ts_sql_get (b->writer->sql, &covered, error,
                   "SELECT lod_seq FROM series WHERE series_id = ?1", "i", b->series_id))
    return FALSE;
  if (covered < 0 || covered > end || covered % ts_lod_row_width (1) ||
      !load_rows (b, covered, NULL)) {
    /* Derived data: what does not fit is made anew from the points. */
    ts_lod_free (b->lod);
    b->lod = g_new0 (TsLod, 1);
    if (!ts_sql_do (b->writer->sql, error, "DELETE FROM lod WHERE series_id = ?1", "i",
                    b->series_id))
      return FALSE;
  }
  return load_chunks (b, end, error);
}

/* Damage to old points must not keep new ones from being stored. */
static gboolean
load_or_stick (Build *b, gint64 end, GError **error)
{
  GError *trouble = NULL;

  if (load (b, end, &trouble))
    return TRUE;
  if (!g_error_matches (trouble, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT)) {
    g_propagate_error (error, trouble);
    return FALSE;
  }
  g_error_free (trouble);
  b->lod->stuck = TRUE;
  return TRUE;
}

/* A short series has no row yet, and all its points lie in the chunk that is open. */
static gboolean
is_short (const TsSeries *series)
{
  return !series->lod && series->seq0 == 0 && series->sealed < ts_lod_row_width (1);
}

gboolean
ts_lod_seal (TsWriter *writer, TsSeries *series, GError **error)
{
  gint64 end = ts_series_end (series);
  gboolean from_start = is_short (series);

  g_clear_pointer (&series->staged_lod, ts_lod_free);
  if (from_start && end < ts_lod_row_width (1))
    return TRUE;
  Build b = {writer, series->series_id, series->lod ? copy (series->lod) : g_new0 (TsLod, 1)};
  gint64 covered = b.lod->covered, from = from_start ? 0 : series->sealed;
  gboolean ok = series->lod || from_start || load_or_stick (&b, from, error);

  if (ok && !b.lod->stuck)
    ok = take_points (&b, (const TsPoint *) series->points->data + (from - series->seq0),
                      end - from, series->wall, series->attempt->attempt_id, error);
  if (ok && (b.lod->covered != covered || (!series->lod && from)))
    ok = ts_sql_do (writer->sql, error, "UPDATE series SET lod_seq = ?2 WHERE series_id = ?1", "ii",
                    series->series_id, b.lod->covered);
  series->staged_lod = b.lod;
  return ok;
}
