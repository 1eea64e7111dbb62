/* SPDX-License-Identifier: MIT */
#include "data/store/check.h"

#include "data/store/chunk.h"
#include "data/store/crc32c.h"
#include "data/store/error.h"
#include "data/store/flush.h"
#include "data/store/lod.h"
#include "data/store/reader-private.h"

#define ASK_OPS 20000 /* of SQLite's, between two questions whether to go on */

typedef struct {
  TsReader *reader;
  TsSql *sql;
  TsCheck *out;
  TsCheckGoesOn goes_on;
  gpointer data;
  /* the series being looked at */
  gint64 series_id;
  const char *run, *tag; /* of the present row, as valid UTF-8 */
} Check;

static int
ask (gpointer data)
{
  Check *check = data;

  check->out->stopped = check->out->stopped || (check->goes_on && !check->goes_on (check->data));
  return check->out->stopped;
}

G_GNUC_PRINTF (2, 3) static void
tell (Check *check, const char *format, ...)
{
  va_list args;

  if (check->out->problems->len >= TS_CHECK_PROBLEMS)
    return;
  va_start (args, format);
  g_ptr_array_add (check->out->problems, g_strdup_vprintf (format, args));
  va_end (args);
}

/* A failure that is not the snapshot's end: it is told, and the check goes on with the next part. */
static void
tell_error (Check *check, const char *what, GError *error)
{
  if (!check->out->stopped)
    tell (check, "%s: %s", what, error->message);
  g_error_free (error);
}

/* Calls @row for each row of the query, which takes @id as ?1. */
static void
each (Check *check, const char *what, const char *query, gint64 id,
      void (*row) (Check *check, sqlite3_stmt *q))
{
  GError *error = NULL;
  sqlite3_stmt *q = ts_sql_query (check->sql, &error, query, "i", id);

  while (!error && !ask (check) && ts_sql_next (check->sql, q, &error) == 1)
    row (check, q);
  if (error)
    tell_error (check, what, error);
  else if (check->out->stopped)
    ts_sql_reset (q);
}

/* --- Points --- */

typedef struct {
  gint64 end; /* of the points seen so far */
  GArray *points;
} Chunks;

static void
look_at_chunk (Check *check, Chunks *chunks, sqlite3_stmt *q)
{
  gint64 seq = sqlite3_column_int64 (q, 0), n = sqlite3_column_int64 (q, 1);
  g_autoptr (GError) error = NULL;
  TsWallKind wall;

  check->out->chunks++;
  if (seq != chunks->end)
    tell (check, "run '%s', '%s': points %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " are missing",
          check->run, check->tag, MIN (seq, chunks->end), MAX (seq, chunks->end) - 1);
  g_array_set_size (chunks->points, 0);
  if (!ts_chunk_decode (sqlite3_column_blob (q, 4), (gsize) sqlite3_column_bytes (q, 4),
                        (guint32) sqlite3_column_int64 (q, 3), sqlite3_column_int64 (q, 2), n,
                        chunks->points, &wall, &error))
    tell (check, "run '%s', '%s', points %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ": %s",
          check->run, check->tag, seq, seq + n - 1, error->message);
  chunks->end = seq + n;
}

static void
look_at_points (Check *check, gint64 next_seq)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsPoint));
  Chunks chunks = {0, points};
  GError *error = NULL;
  sqlite3_stmt *q = ts_sql_query (check->sql, &error,
                                  "SELECT seq, n, codec, crc, data FROM chunk WHERE series_id = ?1"
                                  " ORDER BY seq",
                                  "i", check->series_id);

  while (!error && !ask (check) && ts_sql_next (check->sql, q, &error) == 1)
    look_at_chunk (check, &chunks, q);
  if (error) {
    tell_error (check, check->tag, error);
  } else if (check->out->stopped) {
    ts_sql_reset (q);
  } else if (chunks.end != next_seq) {
    tell (check, "run '%s', '%s': there are points up to %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT,
          check->run, check->tag, chunks.end, next_seq);
  }
  check->out->points += chunks.end;
}

static void
look_at_lod (Check *check, sqlite3_stmt *q)
{
  TsBucket buckets[TS_LOD_BUCKETS];
  g_autoptr (GError) error = NULL;

  if (!ts_lod_decode (sqlite3_column_blob (q, 4), (gsize) sqlite3_column_bytes (q, 4),
                      (guint32) sqlite3_column_int64 (q, 3), (guint) sqlite3_column_int64 (q, 0),
                      sqlite3_column_int64 (q, 2), buckets, &error))
    tell (check, "run '%s', '%s', level of detail %d, row %" G_GINT64_FORMAT ": %s", check->run,
          check->tag, sqlite3_column_int (q, 0), (gint64) sqlite3_column_int64 (q, 1),
          error->message);
}

/* --- Samples --- */

static void
look_at_item (Check *check, sqlite3_stmt *q)
{
  const guint8 *data = sqlite3_column_blob (q, 2);
  gsize size = (gsize) sqlite3_column_bytes (q, 2);
  const char *what = NULL;

  check->out->items++;
  if (sqlite3_column_type (q, 3) != SQLITE_NULL)
    what = sqlite3_column_int (q, 4) ? NULL : "its bytes are missing";
  else if (sqlite3_column_int64 (q, 1) != ts_crc32c (data, size))
    what = "its checksum does not fit";
  if (what)
    tell (check, "run '%s', '%s', sample %" G_GINT64_FORMAT ": %s", check->run, check->tag,
          (gint64) sqlite3_column_int64 (q, 0), what);
}

static void
look_at_series (Check *check, sqlite3_stmt *q)
{
  g_autofree char *run = ts_sql_dup_bytes (q, 3), *tag = ts_sql_dup_bytes (q, 4);
  g_autofree char *valid_run = g_utf8_make_valid (run, -1), *valid_tag = g_utf8_make_valid (tag, -1);
  gint64 next_seq = sqlite3_column_int64 (q, 2);

  check->out->series++;
  check->series_id = sqlite3_column_int64 (q, 0);
  check->run = valid_run;
  check->tag = valid_tag;
  if (sqlite3_column_int64 (q, 1) == TS_SERIES_SCALAR) {
    look_at_points (check, next_seq);
    each (check, tag,
          "SELECT level, idx, n, crc, data FROM lod WHERE series_id = ?1 ORDER BY level, idx",
          check->series_id, look_at_lod);
    return;
  }
  gint64 before = check->out->items;
  each (check, tag,
        "SELECT seq, item.crc, inline_data, item.blob_id, complete FROM item"
        " LEFT JOIN blob USING(blob_id) WHERE series_id = ?1 ORDER BY seq",
        check->series_id, look_at_item);
  if (!check->out->stopped && check->out->items - before != next_seq)
    tell (check, "run '%s', '%s': there are %" G_GINT64_FORMAT " samples of %" G_GINT64_FORMAT,
          check->run, check->tag, check->out->items - before, next_seq);
}

/* --- Blobs and the flush log --- */

static void
look_at_blob (Check *check, sqlite3_stmt *q)
{
  gint64 blob_id = sqlite3_column_int64 (q, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = ts_reader_dup_blob (check->reader, blob_id, &error);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 digest[32];
  gsize size = sizeof digest;

  check->out->blobs++;
  if (!bytes) {
    tell (check, "%s", error->message);
    return;
  }
  g_checksum_update (sum, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  g_checksum_get_digest (sum, digest, &size);
  if (sqlite3_column_bytes (q, 1) != sizeof digest ||
      memcmp (sqlite3_column_blob (q, 1), digest, sizeof digest) != 0)
    tell (check, "blob %" G_GINT64_FORMAT " is not what its hash says", blob_id);
}

static gboolean
count_group (gint64 series_id, gint64 seq, TsWallKind wall, const TsPoint *points, guint n,
             gpointer data, GError **error)
{
  return TRUE;
}

static void
look_at_log (Check *check, sqlite3_stmt *q)
{
  g_autoptr (GError) error = NULL;

  if (!ts_flush_decode (sqlite3_column_blob (q, 2), (gsize) sqlite3_column_bytes (q, 2),
                        (guint32) sqlite3_column_int64 (q, 1), count_group, NULL, &error))
    tell (check, "row %" G_GINT64_FORMAT " of the flush log: %s",
          (gint64) sqlite3_column_int64 (q, 0), error->message);
}

/* --- All --- */

static void
look_at_structure (Check *check, sqlite3_stmt *q)
{
  g_autofree char *text = ts_sql_dup_text (q, 0);
  const char *line = text ? text : "";

  if (g_str_has_prefix (line, "***")) /* "*** in database main ***", then what is wrong */
    line = strchr (line, '\n') ? strchr (line, '\n') + 1 : line;
  if (strcmp (line, "ok") != 0)
    tell (check, "structure: %s", line);
}

static gboolean
count (Check *check, GError **error)
{
  return ts_sql_get (check->sql, &check->out->runs, error, "SELECT count(*) FROM run", "") &&
         ts_sql_get (check->sql, &check->out->trashed, error,
                     "SELECT count(*) FROM run WHERE trashed_us IS NOT NULL", "") &&
         ts_sql_get (check->sql, &check->out->bytes, error,
                     "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", "");
}

static void
look_at_all (Check *check)
{
  each (check, "series",
        "SELECT series_id, kind, next_seq, coalesce(run.name, ''), coalesce(tag.name, '')"
        " FROM series LEFT JOIN run USING(run_id) LEFT JOIN tag USING(tag_id)"
        " WHERE series_id > ?1 ORDER BY series_id",
        G_MININT64, look_at_series);
  each (check, "blobs", "SELECT blob_id, hash FROM blob WHERE complete = 1 AND blob_id > ?1",
        G_MININT64, look_at_blob);
  each (check, "the flush log", "SELECT flush_id, crc, data FROM flush_log WHERE flush_id > ?1",
        G_MININT64, look_at_log);
}

gboolean
ts_reader_check (TsReader *reader, gboolean only_structure, TsCheckGoesOn goes_on,
                 gpointer user_data, TsCheck *out, GError **error)
{
  Check check = {reader, reader->sql, out, goes_on, user_data, 0, "", ""};

  *out = (TsCheck){.problems = g_ptr_array_new_with_free_func (g_free)};
  if (!ts_sql_exec (reader->sql, "BEGIN", error))
    return FALSE;
  sqlite3_progress_handler (reader->sql->db, ASK_OPS, ask, &check);
  gboolean ok = count (&check, error);
  if (ok) {
    each (&check, "the structure of the file",
          only_structure ? "SELECT quick_check FROM pragma_quick_check(1) WHERE ?1"
                         : "SELECT quick_check FROM pragma_quick_check(100) WHERE ?1",
          1, look_at_structure);
    if (!only_structure)
      look_at_all (&check);
  }
  sqlite3_progress_handler (reader->sql->db, 0, NULL, NULL);
  ts_reader_end (reader);
  return ok;
}

void
ts_check_clear (TsCheck *check)
{
  g_clear_pointer (&check->problems, g_ptr_array_unref);
}
