/* SPDX-License-Identifier: MIT */
#include "data/store/merge.h"

#include <glib/gstdio.h>

#include "data/store/error.h"
#include "data/store/pack-runs.h"
#include "data/store/reader-private.h"
#include "data/store/writer-private.h"

/* Rows are copied table by table; ids are moved up by what is in use here, tags and blobs are found by their
 * content. */

typedef struct {
  TsReader *from;
  TsMergeReport *report;
  gint64 run, attempt, series; /* added to ids */
  gint64 from_run, run_id;     /* the run at hand: there, here */
} Merge;

/* ?1: the run there; ?2: here; ?3, ?4: what is added to attempts and series.  The columns are
 * those of @insert. */
static const struct {
  const char *select, *insert;
} tables[] = {
    {"SELECT ?2, key, kind, i, r, bits, t FROM hparam WHERE run_id = ?1",
     "INSERT INTO hparam(run_id, key, kind, i, r, bits, t) VALUES(?,?,?,?,?,?,?)"},
    {"SELECT ?2, tag FROM run_tag WHERE run_id = ?1",
     "INSERT OR IGNORE INTO run_tag(run_id, tag) VALUES(?,?)"},
    {"SELECT attempt_id + ?3, ?2, ordinal, writer, started_us, ended_us, resume_step,"
     " by_series, host, pid, origin, thinned FROM attempt WHERE run_id = ?1",
     "INSERT INTO attempt(attempt_id, run_id, ordinal, writer, started_us, ended_us,"
     " resume_step, by_series, host, pid, origin, thinned) VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"},
    {"SELECT attempt_id + ?3, name, calls, spent_us, bytes FROM recorder_price WHERE attempt_id IN"
     " (SELECT attempt_id FROM attempt WHERE run_id = ?1)",
     "INSERT INTO recorder_price(attempt_id, name, calls, spent_us, bytes) VALUES(?,?,?,?,?)"},
    {"SELECT series_id + ?4, ?2, name, kind, next_seq, flags, n, first_step, last_step,"
     " min_step, max_step, last_us, first_bits, last_bits, min_bits, max_bits, sum_bits,"
     " finite, nan, pos_inf, neg_inf, last_value, min_value, max_value, meta FROM series JOIN"
     " tag USING(tag_id) WHERE run_id = ?1",
     "INSERT INTO series(series_id, run_id, tag_id, kind, next_seq, flags, n, first_step,"
     " last_step, min_step, max_step, last_us, first_bits, last_bits, min_bits, max_bits,"
     " sum_bits, finite, nan, pos_inf, neg_inf, last_value, min_value, max_value, meta)"
     " VALUES(?1,?2,(SELECT tag_id FROM tag WHERE name = ?3),?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,"
     "?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24,?25)"},
    {"SELECT series_id + ?4, seq, attempt_id + ?3, n, step_min, step_max, us_min, us_max, vmin,"
     " vmax, nonfinite, codec, crc, data FROM chunk WHERE series_id IN (SELECT series_id FROM"
     " series WHERE run_id = ?1)",
     "INSERT INTO chunk(series_id, seq, attempt_id, n, step_min, step_max, us_min, us_max,"
     " vmin, vmax, nonfinite, codec, crc, data) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)"},
    {"SELECT hash, size, parts, codec, complete FROM blob WHERE blob_id IN (SELECT blob_id FROM"
     " item JOIN series USING(series_id) WHERE run_id = ?1 UNION SELECT blob_id FROM graph"
     " WHERE run_id = ?1 UNION SELECT blob_id FROM checkpoint WHERE run_id = ?1)",
     "INSERT OR IGNORE INTO blob(hash, size, parts, codec, complete) VALUES(?,?,?,?,?)"},
    {"SELECT hash, idx, crc, data FROM blob_part JOIN blob USING(blob_id) WHERE blob_id IN"
     " (SELECT blob_id FROM item JOIN series USING(series_id) WHERE run_id = ?1 UNION SELECT"
     " blob_id FROM graph WHERE run_id = ?1 UNION SELECT blob_id FROM checkpoint WHERE run_id ="
     " ?1)",
     "INSERT OR IGNORE INTO blob_part(blob_id, idx, crc, data)"
     " VALUES((SELECT blob_id FROM blob WHERE hash = ?1),?2,?3,?4)"},
    {"SELECT series_id + ?4, seq, attempt_id + ?3, step, wall, wall_kind, slot, meta,"
     " item.codec, crc, inline_data, hash FROM item LEFT JOIN blob USING(blob_id) WHERE"
     " series_id IN (SELECT series_id FROM series WHERE run_id = ?1)",
     "INSERT INTO item(series_id, seq, attempt_id, step, wall, wall_kind, slot, meta, codec,"
     " crc, inline_data, blob_id) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,(SELECT blob_id"
     " FROM blob WHERE hash = ?12))"},
    {"SELECT ?2, name, format, hash FROM graph JOIN blob USING(blob_id) WHERE run_id = ?1",
     "INSERT INTO graph(run_id, name, format, blob_id)"
     " VALUES(?1,?2,?3,(SELECT blob_id FROM blob WHERE hash = ?4))"},
    {"SELECT ?2, attempt_id + ?3, step, epoch, us, kind, is_best, metric, metric_bits,"
     " checkpoint.size, sha256, path, hash, pinned FROM checkpoint LEFT JOIN blob"
     " USING(blob_id) WHERE run_id = ?1",
     "INSERT INTO checkpoint(run_id, attempt_id, step, epoch, us, kind, is_best, metric,"
     " metric_bits, size, sha256, path, blob_id, pinned) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,"
     "?11,?12,(SELECT blob_id FROM blob WHERE hash = ?13),?14)"},
    {"SELECT ?2, attempt_id + ?3, us, step, severity, text FROM event WHERE run_id = ?1",
     "INSERT INTO event(run_id, attempt_id, us, step, severity, text) VALUES(?,?,?,?,?,?)"},
    {"SELECT ?2, attempt_id + ?3, us, step, key, from_bits, to_bits FROM edit WHERE run_id = ?1",
     "INSERT INTO edit(run_id, attempt_id, us, step, key, from_bits, to_bits) VALUES(?,?,?,?,?,"
     "?,?)"},
};

static gboolean
copy_table (TsWriter *writer, const Merge *m, guint table, GError **error)
{
  TsSql *from = m->from->sql;
  const gint64 given[] = {m->from_run, m->run_id, m->attempt, m->series};
  sqlite3_stmt *in = ts_sql_query (from, error, tables[table].select, "");
  sqlite3_stmt *out = in ? ts_sql_query (writer->sql, error, tables[table].insert, "") : NULL;
  int more = -1;
  gboolean ok = TRUE;

  for (int i = 0; in && i < sqlite3_bind_parameter_count (in); i++)
    sqlite3_bind_int64 (in, i + 1, given[i]);
  while (ok && out && (more = ts_sql_next (from, in, error)) == 1) {
    for (int i = 0; i < sqlite3_column_count (in); i++)
      sqlite3_bind_value (out, i + 1, sqlite3_column_value (in, i));
    ok = ts_sql_next (writer->sql, out, error) == 0;
  }
  if (in && more == 1)
    ts_sql_reset (in);
  if (out)
    sqlite3_clear_bindings (out);
  return ok && more == 0;
}

/* New tags get their ids as all others do. */
static gboolean
add_tags (TsWriter *writer, const Merge *m, GError **error)
{
  int more = -1;
  sqlite3_stmt *q = ts_sql_query (
      m->from->sql, error,
      "SELECT DISTINCT tag.name FROM tag JOIN series USING(tag_id) JOIN run USING(run_id)"
      " WHERE trashed_us IS NULL",
      "");

  while (q && (more = ts_sql_next (m->from->sql, q, error)) == 1) {
    g_autofree char *name = ts_sql_dup_bytes (q, 0);
    ts_writer_tag (writer, g_intern_string (name));
  }
  return more == 0 && ts_batch_write_tags (writer, error);
}

/* The row itself, under a name that is free; a run that was alive there is not so here. */
static gboolean
add_run (TsWriter *writer, Merge *m, const TsRun *run, GError **error)
{
  g_autofree char *name = ts_writer_dup_free_name (writer, run->name, error);
  sqlite3_stmt *q =
      name ? ts_sql_query (m->from->sql, error,
                           "SELECT uuid, state, created_us, ended_us, message, model_name,"
                           " model_text, data_name, data_hash, data_split, seed, isa, blas_core,"
                           " blas_version, threads, color, note FROM run WHERE run_id = ?1",
                           "i", m->from_run)
           : NULL;
  sqlite3_stmt *out =
      q && ts_sql_next (m->from->sql, q, error) == 1
          ? ts_sql_query (writer->sql, error,
                          "INSERT INTO run(run_id, name, uuid, state, created_us, ended_us,"
                          " message, model_name, model_text, data_name, data_hash, data_split,"
                          " seed, isa, blas_core, blas_version, threads, color, note)"
                          " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                          "is", m->run_id, name)
          : NULL;

  if (!out)
    return FALSE;
  for (int i = 0; i < sqlite3_column_count (q); i++)
    sqlite3_bind_value (out, i + 3, sqlite3_column_value (q, i));
  gboolean ok = ts_sql_next (writer->sql, out, error) == 0;
  ts_sql_reset (q);
  return ok;
}

/* What was there of the run goes, but for its row. */
static gboolean
clear_run (TsWriter *writer, gint64 run_id, GError **error)
{
  static const char *const texts[] = {
      "DELETE FROM series WHERE run_id = ?1",     "DELETE FROM attempt WHERE run_id = ?1",
      "DELETE FROM hparam WHERE run_id = ?1",     "DELETE FROM graph WHERE run_id = ?1",
      "DELETE FROM checkpoint WHERE run_id = ?1", "DELETE FROM event WHERE run_id = ?1",
      "DELETE FROM edit WHERE run_id = ?1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (!ts_sql_do (writer->sql, error, texts[i], "i", run_id))
      return FALSE;
  return TRUE;
}

/* The run of that uuid, 0 for none, and how many points more it has here than there. */
static gboolean
find_here (TsWriter *writer, const Merge *m, gint64 *run_id, gint64 *surplus, GError **error)
{
  static const char count[] = "SELECT coalesce(sum(next_seq), 0) FROM series WHERE run_id = ?1";
  gint64 there = 0, here = 0;
  sqlite3_stmt *q = ts_sql_query (m->from->sql, error, "SELECT uuid FROM run WHERE run_id = ?1",
                                  "i", m->from_run);

  *run_id = 0;
  if (!q || ts_sql_next (m->from->sql, q, error) != 1)
    return FALSE;
  gboolean ok = ts_sql_get (writer->sql, run_id, error, "SELECT run_id FROM run WHERE uuid = ?1",
                            "b", sqlite3_column_blob (q, 0), (gsize) sqlite3_column_bytes (q, 0));
  ts_sql_reset (q);
  ok = ok && ts_sql_get (m->from->sql, &there, error, count, "i", m->from_run) &&
       ts_sql_get (writer->sql, &here, error, count, "i", *run_id);
  *surplus = here - there;
  return ok;
}

static gboolean
merge_run (TsWriter *writer, Merge *m, const TsRun *run, GError **error)
{
  gint64 here, surplus;

  m->from_run = run->run_id;
  m->run_id = m->run + run->run_id;
  if (!find_here (writer, m, &here, &surplus, error))
    return FALSE;
  if (here && surplus >= 0) {
    m->report->known++;
    return TRUE;
  }
  if (here)
    m->run_id = here;
  if (!(here ? clear_run (writer, here, error) : add_run (writer, m, run, error)))
    return FALSE;
  if (here)
    m->report->grown++;
  else
    m->report->added++;
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (!copy_table (writer, m, i, error))
      return FALSE;
  return TRUE;
}

/* Parents once all have their rows. */
static gboolean
set_parents (TsWriter *writer, const Merge *m, GError **error)
{
  int more = -1;
  sqlite3_stmt *q = ts_sql_query (
      m->from->sql, error,
      "SELECT r.uuid, p.uuid FROM run r JOIN run p ON p.run_id = r.parent_run_id", "");

  while (q && (more = ts_sql_next (m->from->sql, q, error)) == 1)
    if (!ts_sql_do (writer->sql, error,
                    "UPDATE run SET parent_run_id = (SELECT run_id FROM run WHERE uuid = ?2)"
                    " WHERE uuid = ?1 AND parent_run_id IS NULL",
                    "bb", sqlite3_column_blob (q, 0), (gsize) 16, sqlite3_column_blob (q, 1),
                    (gsize) 16)) {
      ts_sql_reset (q);
      return FALSE;
    }
  return more == 0;
}

static gboolean
merge (TsWriter *writer, gpointer args, GError **error)
{
  Merge *m = args;

  *m->report = (TsMergeReport){0};
  m->run = m->attempt = 0;
  m->series = writer->next_series_id;
  if (!ts_sql_get (writer->sql, &m->run, error, "SELECT coalesce(max(run_id), 0) FROM run", "") ||
      !ts_sql_get (writer->sql, &m->attempt, error,
                   "SELECT coalesce(max(attempt_id), 0) FROM attempt", ""))
    return FALSE;
  g_autoptr (GPtrArray) runs =
      add_tags (writer, m, error) ? ts_reader_list_runs (m->from, FALSE, error) : NULL;
  for (guint i = 0; runs && i < runs->len; i++)
    if (!merge_run (writer, m, runs->pdata[i], error))
      return FALSE;
  return runs && set_parents (writer, m, error);
}

static void
merged (TsWriter *writer, gpointer args)
{
  gint64 next = writer->next_series_id;

  writer->tags_in_file = writer->next_tag_id;
  ts_sql_get (writer->sql, &next, NULL, "SELECT max(series_id) + 1 FROM series", "");
  writer->next_series_id = MAX (writer->next_series_id, next);
}

/* A workspace whose flush log has points: a packed copy has them in chunks. */
static TsReader *
open_sealed (const char *from, char **copy, GError **error)
{
  g_autoptr (TsReader) reader = ts_reader_open (from, error);
  gint64 waiting = 0;

  *copy = NULL;
  if (!reader || !ts_sql_get (reader->sql, &waiting, error, "SELECT count(*) FROM flush_log", ""))
    return NULL;
  if (!waiting)
    return g_steal_pointer (&reader);
  int fd = g_file_open_tmp ("trainscope-XXXXXX", copy, error);
  if (fd < 0)
    return NULL;
  g_close (fd, NULL);
  return ts_pack (reader, NULL, 0, TS_PACK_NONE, *copy, error) ? ts_reader_open (*copy, error)
                                                               : NULL;
}

gboolean
ts_merge (TsWriter *writer, const char *from, TsMergeReport *report, GError **error)
{
  g_autofree char *copy = NULL;
  g_autoptr (TsReader) reader = open_sealed (from, &copy, error);
  Merge m = {.from = reader, .report = report};
  gboolean ok = reader && ts_writer_request (writer, merge, merged, &m, TRUE, error);

  if (copy)
    g_unlink (copy);
  return ok;
}
