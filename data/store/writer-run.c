/* SPDX-License-Identifier: MIT */
#include "data/store/writer-private.h"

#include <string.h>
#include <unistd.h>

#include "data/store/error.h"

#define NAME_MAX_CHARS 200

/* Runs begin, go on, and are kept in order: requests that work in a transaction of their own. */

static void
uuid_to_bytes (const char *text, guint8 bytes[16])
{
  guint n = 0;

  for (; *text && n < 32; text++) {
    if (!g_ascii_isxdigit (*text))
      continue;
    guint8 digit = (guint8) g_ascii_xdigit_value (*text);
    bytes[n / 2] = n % 2 ? bytes[n / 2] | digit : (guint8) (digit << 4);
    n++;
  }
}

static gboolean
find_uuid (TsWriter *writer, const char *uuid, gint64 *run_id, GError **error)
{
  guint8 bytes[16];

  *run_id = 0;
  if (g_uuid_string_is_valid (uuid)) {
    uuid_to_bytes (uuid, bytes);
    if (!ts_sql_get (writer->sql, run_id, error, "SELECT run_id FROM run WHERE uuid = ?1", "b",
                     bytes, sizeof bytes))
      return FALSE;
  }
  if (*run_id)
    return TRUE;
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_FOUND, "there is no run %s in %s", uuid,
               writer->path);
  return FALSE;
}

/* A name is one line of text that fits in a table. */
static gboolean
is_name (const char *name)
{
  gboolean blank = TRUE;

  if (!g_utf8_validate (name, -1, NULL) || g_utf8_strlen (name, -1) > NAME_MAX_CHARS)
    return FALSE;
  for (const char *p = name; *p; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);
    GUnicodeType type = g_unichar_type (c);
    if (type == G_UNICODE_CONTROL || type == G_UNICODE_FORMAT || type == G_UNICODE_LINE_SEPARATOR ||
        type == G_UNICODE_PARAGRAPH_SEPARATOR)
      return FALSE;
    blank &= g_unichar_isspace (c);
  }
  return !blank;
}

static gboolean
check_name (TsWriter *writer, const char *name, gint64 but_run_id, GError **error)
{
  gint64 other = 0;

  if (!is_name (name)) {
    g_autofree char *shown = g_strescape (name, NULL);
    if (strlen (shown) > 60)
      strcpy (shown + 57, "…");
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NAME,
                 "'%s' cannot be the name of a run: it takes 1 to %d characters on one line", shown,
                 NAME_MAX_CHARS);
    return FALSE;
  }
  if (!ts_sql_get (writer->sql, &other, error,
                   "SELECT run_id FROM run WHERE name = ?1 AND trashed_us IS NULL AND run_id <> ?2",
                   "si", name, but_run_id))
    return FALSE;
  if (!other)
    return TRUE;
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_EXISTS,
               "there is already a run named '%s' in %s; choose another name", name, writer->path);
  return FALSE;
}

/* "mlp-3": one more than the largest number in use, by runs in the trash too. */
static char *
make_name (TsWriter *writer, const char *model_name, GError **error)
{
  g_autofree char *prefix = g_strconcat (model_name && *model_name ? model_name : "run", "-", NULL);
  guint64 largest = 0;
  sqlite3_stmt *q = ts_sql_query (writer->sql, error,
                                  "SELECT substr(name, length(?1) + 1) FROM run"
                                  " WHERE substr(name, 1, length(?1)) = ?1",
                                  "s", prefix);
  int more = -1;

  while (q && (more = ts_sql_next (writer->sql, q, error)) == 1) {
    guint64 number;
    if (g_ascii_string_to_unsigned ((const char *) sqlite3_column_text (q, 0), 10, 0,
                                    G_MAXINT64 - 1, &number, NULL))
      largest = MAX (largest, number);
  }
  return more == 0 ? g_strdup_printf ("%s%" G_GUINT64_FORMAT, prefix, largest + 1) : NULL;
}

static void
copy_name (char *to, gsize size, const char *name)
{
  const char *end = name + strlen (name);

  if (strlen (name) >= size) {
    end = name + size - 1;
    while (end > name && (*end & 0xc0) == 0x80)
      end--;
  }
  memcpy (to, name, (gsize) (end - name));
  to[end - name] = 0;
}

gboolean
ts_writer_insert_hparam (TsWriter *writer, gint64 run_id, const TsHparam *p, GError **error)
{
  static const char insert[] =
      "INSERT INTO hparam(run_id, key, kind, i, r, bits, t) VALUES(?,?,?,?,?,?,?)";

  switch (p->kind) {
  case TS_HPARAM_INT:
  case TS_HPARAM_BOOL:
    return ts_sql_do (writer->sql, error, insert, "isiinnn", run_id, p->key, (gint64) p->kind,
                      p->i);
  case TS_HPARAM_REAL:
    return ts_sql_do (writer->sql, error, insert, "isindin", run_id, p->key, (gint64) p->kind, p->r,
                      (gint64) ts_bits (p->r));
  case TS_HPARAM_TEXT:
    return ts_sql_do (writer->sql, error, insert, "isinnns", run_id, p->key, (gint64) p->kind,
                      p->t);
  case TS_HPARAM_NULL:
    break;
  }
  return ts_sql_do (writer->sql, error, insert, "isinnnn", run_id, p->key, (gint64) TS_HPARAM_NULL);
}

/* One line of at most NAME_MAX_CHARS; what does not fit in is replaced or left out in front. */
static char *
fit_name (const char *wish)
{
  g_autofree char *valid = g_utf8_make_valid (wish, -1);
  g_autoptr (GString) name = g_string_new (NULL);
  glong excess = g_utf8_strlen (valid, -1) - (NAME_MAX_CHARS - 8);

  for (const char *p = excess > 0 ? g_utf8_offset_to_pointer (valid, excess) : valid; *p;
       p = g_utf8_next_char (p)) {
    g_autofree char *one = g_strndup (p, (gsize) (g_utf8_next_char (p) - p));
    gboolean space = g_unichar_type (g_utf8_get_char (p)) == G_UNICODE_SPACE_SEPARATOR;
    g_string_append (name, space || is_name (one) ? one : "\uFFFD");
  }
  if (!is_name (name->str))
    g_string_assign (name, "unnamed");
  return g_string_free (g_steal_pointer (&name), FALSE);
}

char *
ts_writer_dup_free_name (TsWriter *writer, const char *wish, GError **error)
{
  g_autofree char *base = fit_name (wish), *name = g_strdup (base);

  for (guint i = 2;; i++) {
    gint64 taken = 0;
    if (!ts_sql_get (writer->sql, &taken, error,
                     "SELECT 1 FROM run WHERE name = ?1 AND trashed_us IS NULL", "s", name))
      return NULL;
    if (!taken)
      return g_steal_pointer (&name);
    g_free (name);
    name = g_strdup_printf ("%s (%u)", base, i);
  }
}

gboolean
ts_writer_insert_imported (TsWriter *writer, const char *name, gint64 parent, gint64 *run_id,
                           GError **error)
{
  guint8 uuid[16];
  g_autofree char *text = g_uuid_string_random ();

  uuid_to_bytes (text, uuid);
  if (!ts_sql_do (writer->sql, error,
                  "INSERT INTO run(uuid, parent_run_id, name, state, created_us)"
                  " VALUES(?1, nullif(?2, 0), ?3, ?4, ?5)",
                  "bisii", uuid, sizeof uuid, parent, name, (gint64) TS_RUN_IMPORTED,
                  g_get_real_time ()))
    return FALSE;
  *run_id = sqlite3_last_insert_rowid (writer->sql->db);
  return TRUE;
}

typedef struct {
  const TsRunInfo *info; /* begin */
  const char *uuid;      /* resume */
  gint64 resume_step;
  TsRunRef *ref;
  TsAttempt *attempt; /* made by run, handed over by done */
} Start;

static gboolean
insert_run (TsWriter *writer, const TsRunInfo *info, gint64 parent, const char *name, TsRunRef *ref,
            GError **error)
{
  guint8 uuid[16];
  g_autofree char *text = g_uuid_string_random ();

  uuid_to_bytes (text, uuid);
  if (!ts_sql_do (writer->sql, error,
                  "INSERT INTO run(uuid, parent_run_id, name, state, created_us, model_name,"
                  " model_text, data_name, data_hash, data_split, seed, isa, blas_core,"
                  " blas_version, threads)"
                  " VALUES(?1, nullif(?2, 0), ?3, 0, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
                  " ?14)",
                  "bisisssssisssi", uuid, sizeof uuid, parent, name, g_get_real_time (),
                  info->model_name, info->model_text, info->data_name, info->data_hash,
                  info->data_split, (gint64) info->seed, info->isa, info->blas_core,
                  info->blas_version, (gint64) info->threads))
    return FALSE;
  ref->run_id = sqlite3_last_insert_rowid (writer->sql->db);
  g_strlcpy (ref->uuid, text, sizeof ref->uuid);
  copy_name (ref->name, sizeof ref->name, name);
  for (guint i = 0; i < info->n_hparams; i++)
    if (!ts_writer_insert_hparam (writer, ref->run_id, &info->hparams[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
insert_attempt (TsWriter *writer, Start *start, gint64 ordinal, GError **error)
{
  static const char insert[] =
      "INSERT INTO attempt(run_id, ordinal, writer, started_us, resume_step, host, pid)"
      " VALUES(?1, ?2, ?3, ?4, CASE WHEN ?2 > 0 THEN ?5 END, ?6, ?7)";
  TsRunRef *ref = start->ref;

  if (!ts_sql_do (writer->sql, error, insert, "iibiisi", ref->run_id, ordinal, writer->token,
                  sizeof writer->token, g_get_real_time (), start->resume_step, g_get_host_name (),
                  (gint64) getpid ()))
    return FALSE;
  ref->attempt_id = sqlite3_last_insert_rowid (writer->sql->db);
  g_clear_pointer (&start->attempt, ts_attempt_free);
  start->attempt = ts_attempt_new (writer, ref->run_id, ref->attempt_id);
  return TRUE;
}

static gboolean
begin (TsWriter *writer, gpointer args, GError **error)
{
  Start *start = args;
  const TsRunInfo *info = start->info;
  gint64 parent = 0;
  g_autofree char *name =
      info->name ? g_strdup (info->name) : make_name (writer, info->model_name, error);

  return name && (!info->parent || find_uuid (writer, info->parent, &parent, error)) &&
         check_name (writer, name, 0, error) &&
         insert_run (writer, info, parent, name, start->ref, error) &&
         insert_attempt (writer, start, 0, error);
}

/* The series of the run go on where the last attempt left them. */
static gboolean
load_series (TsWriter *writer, TsAttempt *attempt, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  sqlite3_stmt *q = ts_sql_query (writer->sql, error,
                                  "SELECT series_id, tag_id, kind FROM series WHERE run_id = ?1",
                                  "i", attempt->run_id);
  int more = -1;
  GHashTableIter iter;
  TsTag *tag;
  g_autoptr (GHashTable) names = g_hash_table_new (g_int64_hash, g_int64_equal);

  g_hash_table_iter_init (&iter, writer->tags);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &tag))
    g_hash_table_insert (names, &tag->tag_id, tag);
  while (q && (more = ts_sql_next (writer->sql, q, error)) == 1) {
    gint64 row[3];
    for (int i = 0; i < 3; i++)
      row[i] = sqlite3_column_int64 (q, i);
    g_array_append_vals (ids, row, 3);
  }
  for (guint i = 0; more == 0 && i < ids->len; i += 3) {
    gint64 *row = &g_array_index (ids, gint64, i);
    tag = g_hash_table_lookup (names, &row[1]);
    if (!tag || row[2] > TS_SERIES_HISTOGRAM)
      continue;
    TsSeries *s = ts_attempt_series (attempt, tag->name, (TsSeriesKind) row[2]);
    s->series_id = row[0];
    s->in_file = TRUE;
    if (!ts_recover_head (writer, s->series_id, &s->sealed, &s->stats, error))
      return FALSE;
    s->seq0 = s->committed = s->next_item = s->sealed;
    s->item_stats = s->stats;
  }
  return more == 0;
}

static gboolean
resume (TsWriter *writer, gpointer args, GError **error)
{
  Start *start = args;
  TsRunRef *ref = start->ref;
  gint64 ordinal = 0;

  if (!find_uuid (writer, start->uuid, &ref->run_id, error))
    return FALSE;
  sqlite3_stmt *q = ts_sql_query (writer->sql, error,
                                  "SELECT name, (SELECT max(ordinal) + 1 FROM attempt AS a WHERE"
                                  " a.run_id = run.run_id) FROM run WHERE run_id = ?1",
                                  "i", ref->run_id);
  if (!q || ts_sql_next (writer->sql, q, error) != 1)
    return FALSE;
  copy_name (ref->name, sizeof ref->name, (const char *) sqlite3_column_text (q, 0));
  ordinal = sqlite3_column_int64 (q, 1);
  ts_sql_reset (q);
  g_strlcpy (ref->uuid, start->uuid, sizeof ref->uuid);
  return insert_attempt (writer, start, ordinal, error) &&
         ts_sql_do (writer->sql, error,
                    "UPDATE run SET state = 0, ended_us = NULL, message = NULL"
                    " WHERE run_id = ?1",
                    "i", ref->run_id) &&
         load_series (writer, start->attempt, error);
}

static void
started (TsWriter *writer, gpointer args)
{
  Start *start = args;

  for (guint i = 0; i < writer->attempts->len; i++) {
    TsAttempt *attempt = writer->attempts->pdata[i];
    if (attempt->run_id == start->attempt->run_id)
      __atomic_store_n (&attempt->over, 1, __ATOMIC_RELEASE);
  }
  pthread_mutex_lock (&writer->lock);
  g_ptr_array_add (writer->attempts, g_steal_pointer (&start->attempt));
  pthread_mutex_unlock (&writer->lock);
}

gboolean
ts_writer_begin_run (TsWriter *writer, const TsRunInfo *info, TsRunRef *ref, GError **error)
{
  Start start = {.info = info, .ref = ref};

  memset (ref, 0, sizeof *ref);
  gboolean ok = ts_writer_request (writer, begin, started, &start, FALSE, error);
  g_clear_pointer (&start.attempt, ts_attempt_free);
  return ok;
}

gboolean
ts_writer_resume_run (TsWriter *writer, const char *uuid, gint64 resume_step, TsRunRef *ref,
                      GError **error)
{
  Start start = {.uuid = uuid, .resume_step = resume_step, .ref = ref};

  memset (ref, 0, sizeof *ref);
  /* Sealed first: a chunk never spans attempts, and the heads must be up to date. */
  gboolean ok = ts_writer_request (writer, resume, started, &start, TRUE, error);
  g_clear_pointer (&start.attempt, ts_attempt_free);
  return ok;
}

TsSink *
ts_writer_get_sink (TsWriter *writer, const TsRunRef *ref)
{
  TsSink *sink = NULL;

  pthread_mutex_lock (&writer->lock);
  for (guint i = 0; i < writer->attempts->len; i++) {
    TsAttempt *attempt = writer->attempts->pdata[i];
    if (attempt->attempt_id == ref->attempt_id)
      sink = &attempt->sink;
  }
  pthread_mutex_unlock (&writer->lock);
  return sink;
}

/* --- Keeping house --- */

typedef struct {
  gint64 run_id;
  const char *statement, *text;
  gint64 number;
  gboolean names; /* text is a new name; or with number 0, the old one becomes live again */
} Change;

static gboolean
change (TsWriter *writer, gpointer args, GError **error)
{
  Change *c = args;
  g_autofree char *name = NULL;
  sqlite3_stmt *q = ts_sql_query (
      writer->sql, error, "SELECT name, trashed_us FROM run WHERE run_id = ?1", "i", c->run_id);
  int more = q ? ts_sql_next (writer->sql, q, error) : -1;

  if (more == 0)
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_FOUND,
                 "there is no run number %" G_GINT64_FORMAT " in %s", c->run_id, writer->path);
  if (more != 1)
    return FALSE;
  name = c->text ? g_strdup (c->text) : ts_sql_dup_text (q, 0);
  gboolean live = sqlite3_column_type (q, 1) == SQLITE_NULL;
  ts_sql_reset (q);
  if (c->names && (live || !c->text) && !check_name (writer, name, c->run_id, error))
    return FALSE;
  return ts_sql_do (writer->sql, error, c->statement, "isi", c->run_id, c->text, c->number);
}

static gboolean
change_run (TsWriter *writer, Change c, GError **error)
{
  return ts_writer_request (writer, change, NULL, &c, FALSE, error);
}

gboolean
ts_writer_rename_run (TsWriter *writer, gint64 run_id, const char *name, GError **error)
{
  return change_run (
      writer,
      (Change){run_id, "UPDATE run SET name = ?2 WHERE run_id = ?1 AND ?3 = 0", name, 0, TRUE},
      error);
}

gboolean
ts_writer_set_note (TsWriter *writer, gint64 run_id, const char *note, GError **error)
{
  return change_run (
      writer,
      (Change){run_id, "UPDATE run SET note = ?2 WHERE run_id = ?1 AND ?3 = 0", note, 0, FALSE},
      error);
}

gboolean
ts_writer_set_pinned (TsWriter *writer, gint64 run_id, gboolean pinned, GError **error)
{
  return change_run (writer,
                     (Change){run_id, "UPDATE run SET pinned = ?3 WHERE run_id = ?1 AND ?2 IS NULL",
                              NULL, pinned != 0, FALSE},
                     error);
}

gboolean
ts_writer_set_archived (TsWriter *writer, gint64 run_id, gboolean archived, GError **error)
{
  return change_run (writer,
                     (Change){run_id,
                              "UPDATE run SET archived = ?3 WHERE run_id = ?1 AND ?2 IS NULL", NULL,
                              archived != 0, FALSE},
                     error);
}

gboolean
ts_writer_set_trashed (TsWriter *writer, gint64 run_id, gboolean trashed, GError **error)
{
  return change_run (
      writer,
      (Change){run_id, "UPDATE run SET trashed_us = nullif(?3, 0) WHERE run_id = ?1 AND ?2 IS NULL",
               NULL, trashed ? g_get_real_time () : 0, !trashed},
      error);
}

gboolean
ts_writer_add_label (TsWriter *writer, gint64 run_id, const char *label, GError **error)
{
  return change_run (
      writer,
      (Change){run_id, "INSERT OR IGNORE INTO run_tag(run_id, tag) SELECT ?1, ?2 WHERE ?3 = 0",
               label, 0, FALSE},
      error);
}

gboolean
ts_writer_remove_label (TsWriter *writer, gint64 run_id, const char *label, GError **error)
{
  return change_run (writer,
                     (Change){run_id,
                              "DELETE FROM run_tag WHERE run_id = ?1 AND tag = ?2 AND ?3 = 0",
                              label, 0, FALSE},
                     error);
}
