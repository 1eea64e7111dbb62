/* SPDX-License-Identifier: MIT */
#include "data/store/reader-private.h"

#include "data/store/error.h"
#include "data/store/lock.h"

static void
clear_last (gpointer value)
{
  g_ref_string_release (((TsLastValue *) value)->tag);
}

void
ts_run_free (TsRun *run)
{
  char *texts[] = {run->name,       run->message,   run->note,        run->model_name,
                   run->model_text, run->data_name, run->data_hash,   run->data_split,
                   run->isa,        run->blas_core, run->blas_version};

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  for (guint i = 0; i < run->n_hparams; i++) {
    g_free ((char *) run->hparams[i].key);
    g_free ((char *) run->hparams[i].t);
  }
  g_free (run->hparams);
  g_strfreev (run->labels);
  g_clear_pointer (&run->last, g_array_unref);
  g_free (run);
}

static void
format_uuid (const guint8 *bytes, gsize size, char text[37])
{
  char *out = text;

  for (gsize i = 0; i < MIN (size, 16); i++) {
    if (i == 4 || i == 6 || i == 8 || i == 10)
      *out++ = '-';
    out += g_snprintf (out, 3, "%02x", bytes[i]);
  }
  *out = 0;
}

#define RUN_COLUMNS                                                                                \
  "run_id, uuid, name, state, created_us, ended_us, message, note, pinned, archived, trashed_us,"  \
  " model_name, model_text, data_name, data_hash, data_split, seed, isa, blas_core, blas_version," \
  " threads, parent_run_id, CASE WHEN state IN (0, 6) THEN (SELECT writer FROM attempt AS a"       \
  " WHERE a.run_id = run.run_id ORDER BY ordinal DESC LIMIT 1) END"

/* Running in the file means running only while the writer of its last attempt holds the lock. */
static TsRunState
infer_state (TsReader *reader, sqlite3_stmt *q)
{
  TsRunState state = (TsRunState) sqlite3_column_int (q, 3);
  guint8 token[TS_LOCK_TOKEN_BYTES];

  if (state != TS_RUN_RUNNING && state != TS_RUN_PAUSED)
    return state;
  if (ts_lock_probe (reader->path, token) && sqlite3_column_bytes (q, 22) == TS_LOCK_TOKEN_BYTES &&
      memcmp (sqlite3_column_blob (q, 22), token, sizeof token) == 0)
    return state;
  return TS_RUN_INTERRUPTED;
}

static TsRun *
read_run (TsReader *reader, sqlite3_stmt *q)
{
  TsRun *run = g_new0 (TsRun, 1);

  run->run_id = sqlite3_column_int64 (q, 0);
  format_uuid (sqlite3_column_blob (q, 1), (gsize) sqlite3_column_bytes (q, 1), run->uuid);
  run->name = ts_sql_dup_text (q, 2);
  run->state = infer_state (reader, q);
  run->created_us = ts_reader_time (q, 4);
  run->ended_us = ts_reader_time (q, 5);
  run->message = ts_sql_dup_text (q, 6);
  run->note = ts_sql_dup_text (q, 7);
  run->pinned = sqlite3_column_int (q, 8) != 0;
  run->archived = sqlite3_column_int (q, 9) != 0;
  run->trashed_us = ts_reader_time (q, 10);
  run->model_name = ts_sql_dup_text (q, 11);
  run->model_text = ts_sql_dup_text (q, 12);
  run->data_name = ts_sql_dup_text (q, 13);
  run->data_hash = ts_sql_dup_text (q, 14);
  run->data_split = ts_sql_dup_text (q, 15);
  run->seed = (guint64) sqlite3_column_int64 (q, 16);
  run->isa = ts_sql_dup_text (q, 17);
  run->blas_core = ts_sql_dup_text (q, 18);
  run->blas_version = ts_sql_dup_text (q, 19);
  run->threads = (guint) sqlite3_column_int64 (q, 20);
  run->parent_run_id = sqlite3_column_int64 (q, 21);
  run->last = g_array_new (FALSE, TRUE, sizeof (TsLastValue));
  g_array_set_clear_func (run->last, clear_last);
  return run;
}

/* The runs that are being filled: what belongs to them is asked for run by run when they are few, else all of it
 * at once. */
typedef struct {
  TsReader *reader;
  GPtrArray *list;   /* of TsRun */
  GHashTable *by_id; /* run_id → TsRun; NULL: they are few */
  GHashTable *tags;  /* tag_id → GRefString, as they are met */
} Filling;

#define FEW 4

typedef void (*RowFunc) (Filling *f, TsRun *run, sqlite3_stmt *row);

/* Calls @take for each row of @select, whose first column is the run and which ends with @order. */
static gboolean
fill (Filling *f, const char *select, const char *order, RowFunc take, GError **error)
{
  g_autofree char *all = g_strconcat (select, order, NULL);
  g_autofree char *one = g_strconcat (select, " WHERE run_id = ?1", order, NULL);
  TsSql *sql = f->reader->sql;

  for (guint i = 0; i < (f->by_id ? 1 : f->list->len); i++) {
    TsRun *run = f->by_id ? NULL : f->list->pdata[i];
    sqlite3_stmt *q =
        run ? ts_sql_query (sql, error, one, "i", run->run_id) : ts_sql_query (sql, error, all, "");
    int more = -1;
    while (q && (more = ts_sql_next (sql, q, error)) == 1) {
      gint64 run_id = sqlite3_column_int64 (q, 0);
      TsRun *to = run ? run : g_hash_table_lookup (f->by_id, &run_id);
      if (to) /* else it is in the trash */
        take (f, to, q);
    }
    if (more != 0)
      return FALSE;
  }
  return TRUE;
}

/* Grows by doubling; nothing else knows how much room there is. */
static gboolean
is_full (guint n)
{
  return (n & (n - 1)) == 0;
}

static TsHparamKind
hparam_kind (int kind)
{
  return kind >= TS_HPARAM_NULL && kind <= TS_HPARAM_BOOL ? (TsHparamKind) kind : TS_HPARAM_NULL;
}

static void
take_hparam (Filling *f, TsRun *run, sqlite3_stmt *q)
{
  guint n = run->n_hparams++;

  if (is_full (n))
    run->hparams = g_renew (TsHparam, run->hparams, MAX (1, 2 * n));
  run->hparams[n] = (TsHparam){.key = ts_sql_dup_text (q, 1),
                               .kind = hparam_kind (sqlite3_column_int (q, 2)),
                               .i = sqlite3_column_int64 (q, 3),
                               .r = ts_unbits ((guint64) sqlite3_column_int64 (q, 4)),
                               .t = ts_sql_dup_text (q, 5)};
}

static void
take_label (Filling *f, TsRun *run, sqlite3_stmt *q)
{
  guint n = g_strv_length (run->labels);

  run->labels = g_renew (char *, run->labels, n + 2);
  run->labels[n] = ts_sql_dup_text (q, 1);
  run->labels[n + 1] = NULL;
}

static char *
take_tag (Filling *f, gint64 tag_id)
{
  char *tag = g_hash_table_lookup (f->tags, &tag_id);

  if (!tag) {
    g_autofree char *name = NULL;
    sqlite3_stmt *t =
        ts_sql_query (f->reader->sql, NULL, "SELECT name FROM tag WHERE tag_id = ?1", "i", tag_id);
    if (t && ts_sql_next (f->reader->sql, t, NULL) == 1) {
      name = ts_sql_dup_bytes (t, 0);
      ts_sql_reset (t);
    }
    tag = g_ref_string_new (name ? name : "");
    g_hash_table_insert (f->tags, g_memdup2 (&tag_id, sizeof tag_id), tag);
  }
  return g_ref_string_acquire (tag);
}

/* Counts and last values: the heads, and what the flush log has beyond them. */
static void
take_series (Filling *f, TsRun *run, sqlite3_stmt *q)
{
  gint64 end = sqlite3_column_int64 (q, 3);
  TsTail *tail = ts_tails_lookup (f->reader, sqlite3_column_int64 (q, 1));

  run->n_tags++;
  if (sqlite3_column_int64 (q, 2) != TS_SERIES_SCALAR)
    return;
  TsLastValue last = {NULL, (guint64) sqlite3_column_int64 (q, 4)};
  if (tail && tail->seq0 + tail->points->len > end) {
    end = tail->seq0 + tail->points->len;
    last.bits = g_array_index (tail->points, TsTailPoint, tail->points->len - 1).point.bits;
  }
  if (end <= 0 || __builtin_add_overflow (run->n_points, end, &run->n_points))
    return;
  last.tag = take_tag (f, sqlite3_column_int64 (q, 5));
  g_array_append_val (run->last, last);
}

static gboolean
fill_runs (Filling *f, GError **error)
{
  for (guint i = 0; i < f->list->len; i++) {
    TsRun *run = f->list->pdata[i];
    run->labels = g_new0 (char *, 1);
    if (f->by_id)
      g_hash_table_insert (f->by_id, &run->run_id, run);
  }
  return fill (f, "SELECT run_id, key, kind, i, bits, t FROM hparam", " ORDER BY run_id, key",
               take_hparam, error) &&
         fill (f, "SELECT run_id, tag FROM run_tag", " ORDER BY run_id, tag", take_label, error) &&
         fill (f, "SELECT run_id, series_id, kind, next_seq, last_bits, tag_id FROM series",
               " ORDER BY series_id", take_series, error);
}

/* The runs of a query, whole. */
static GPtrArray *
collect (TsReader *reader, sqlite3_stmt *q, GError **error)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_run_free);
  int more = -1;

  while (q && (more = ts_sql_next (reader->sql, q, error)) == 1)
    g_ptr_array_add (list, read_run (reader, q));
  if (more != 0)
    return NULL;
  g_autoptr (GHashTable) by_id =
      list->len > FEW ? g_hash_table_new (g_int64_hash, g_int64_equal) : NULL;
  g_autoptr (GHashTable) tags = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                                       (GDestroyNotify) g_ref_string_release);
  Filling f = {reader, list, by_id, tags};
  return fill_runs (&f, error) ? g_steal_pointer (&list) : NULL;
}

GPtrArray *
ts_reader_list_runs (TsReader *reader, gboolean trashed, GError **error)
{
  if (!ts_reader_begin (reader, error))
    return NULL;
  sqlite3_stmt *q = ts_sql_query (reader->sql, error,
                                  "SELECT " RUN_COLUMNS " FROM run"
                                  " WHERE trashed_us IS NULL OR ?1 ORDER BY created_us, run_id",
                                  "i", (gint64) (trashed != 0));
  GPtrArray *list = collect (reader, q, error);
  ts_reader_end (reader);
  return list;
}

static TsRun *
pick (TsReader *reader, const char *what, GPtrArray *list, GError **error)
{
  if (list->len == 0) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_FOUND,
                 "there is no run '%s' in %s: give a name, a uuid or its first digits", what,
                 reader->path);
    return NULL;
  }
  if (list->len == 1)
    return g_ptr_array_steal_index (list, 0);
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < list->len; i++) {
    const TsRun *run = list->pdata[i];
    g_string_append_printf (text, "%s%s (%s)", i ? ", " : "", run->name, run->uuid);
  }
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_AMBIGUOUS, "'%s' fits %u runs of %s: %s", what,
               list->len, reader->path, text->str);
  return NULL;
}

/* A uuid or its first digits, with or without dashes, as lower-case digits; NULL when it is none.
 */
static char *
uuid_digits (const char *what)
{
  g_autoptr (GString) digits = g_string_new (NULL);

  for (; *what; what++) {
    if (g_ascii_isxdigit (*what))
      g_string_append_c (digits, *what);
    else if (*what != '-')
      return NULL;
  }
  if (digits->len == 0 || digits->len > 32)
    return NULL;
  return g_string_free (g_steal_pointer (&digits), FALSE);
}

static TsRun *
find_run (TsReader *reader, const char *what, GError **error)
{
  g_autofree char *digits = uuid_digits (what);
  static const char by_prefix[] = "SELECT " RUN_COLUMNS " FROM run WHERE"
                                  " substr(hex(uuid), 1, length(?1)) = upper(?1) ORDER BY run_id";
  static const char by_name[] = "SELECT " RUN_COLUMNS " FROM run"
                                " WHERE name = ?1 AND (trashed_us IS NULL) = ?2 ORDER BY run_id";
  g_autoptr (GPtrArray) list = NULL;

  if (digits && strlen (digits) == 32)
    list = collect (reader, ts_sql_query (reader->sql, error, by_prefix, "s", digits), error);
  else
    list = g_ptr_array_new ();
  for (gint64 live = 1; list && list->len == 0 && live >= 0; live--) {
    g_ptr_array_unref (list);
    list = collect (reader, ts_sql_query (reader->sql, error, by_name, "si", what, live), error);
  }
  if (list && list->len == 0 && digits) {
    g_ptr_array_unref (list);
    list = collect (reader, ts_sql_query (reader->sql, error, by_prefix, "s", digits), error);
  }
  return list ? pick (reader, what, list, error) : NULL;
}

TsRun *
ts_reader_find_run (TsReader *reader, const char *what, GError **error)
{
  if (!ts_reader_begin (reader, error))
    return NULL;
  TsRun *run = find_run (reader, what, error);
  ts_reader_end (reader);
  return run;
}
