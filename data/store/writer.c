/* SPDX-License-Identifier: MIT */
#include "data/store/writer-private.h"

#include <sys/stat.h>
#include <time.h>

#include "data/store/chunk.h"
#include "data/store/error.h"
#include "data/store/migrate.h"

/* A synchronous call.  Shared by the caller and the queue, so that a caller whom a full disk would
 * keep waiting can leave it behind. */
struct TsRequest {
  TsRequestFunc run;
  TsRequestDone done;
  gpointer args;
  gboolean seal;
  gint refs; /* atomic */
  /* under writer->lock */
  enum { QUEUED, RUNNING, FINISHED, LEFT } progress;
  GError *error;
};

#define CLOSE_TRIES 3

void
ts_request_unref (TsRequest *request)
{
  if (__atomic_sub_fetch (&request->refs, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  g_clear_error (&request->error);
  g_free (request);
}

void
ts_writer_set_closed_error (TsWriter *writer, GError **error)
{
  pthread_mutex_lock (&writer->lock);
  if (writer->dead)
    g_propagate_error (error, g_error_copy (writer->dead));
  else
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CLOSED, "%s has been closed", writer->path);
  pthread_mutex_unlock (&writer->lock);
}

/* --- The thread --- */

static gboolean
is_closing (TsWriter *writer)
{
  pthread_mutex_lock (&writer->lock);
  gboolean closing = writer->closing;
  pthread_mutex_unlock (&writer->lock);
  return closing;
}

static void
publish (TsWriter *writer, const GError *error)
{
  pthread_mutex_lock (&writer->lock);
  TsWatermarkFunc func = writer->func;
  gpointer data = writer->func_data;
  pthread_mutex_unlock (&writer->lock);

  for (guint i = 0; i < writer->attempts->len; i++) {
    TsAttempt *attempt = writer->attempts->pdata[i];
    if (!attempt->touched)
      continue;
    pthread_mutex_lock (&writer->lock);
    g_clear_error (&attempt->mark.error);
    attempt->mark.error = error ? g_error_copy (error) : NULL;
    attempt->mark.thinned = __atomic_load_n (&attempt->thinned, __ATOMIC_RELAXED);
    TsWatermark mark = attempt->mark;
    pthread_mutex_unlock (&writer->lock);
    /* Only this thread changes the mark, so the copy's error stays alive during the call. */
    if (func)
      func (&mark, data);
    attempt->touched = error != NULL;
  }
}

static gboolean
is_hopeless (const GError *error)
{
  return g_error_matches (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT) ||
         g_error_matches (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_A_WORKSPACE) ||
         g_error_matches (error, TS_STORE_ERROR, TS_STORE_ERROR_SQL);
}

static void
set_trouble (TsWriter *writer, const GError *error)
{
  const TsWriterOptions *o = &writer->options;
  gboolean hopeless = error && is_hopeless (error);

  pthread_mutex_lock (&writer->lock);
  g_clear_error (&writer->stuck);
  if (error)
    writer->stuck = g_error_copy (error);
  if (hopeless && !writer->dead)
    writer->dead = g_error_copy (error);
  pthread_cond_broadcast (&writer->changed);
  pthread_mutex_unlock (&writer->lock);
  if (error) {
    writer->retry_ms =
        writer->retry_ms ? MIN (writer->retry_ms * 2, o->retry_max_ms) : o->retry_min_ms;
    writer->retry_us = g_get_monotonic_time () + writer->retry_ms * (gint64) 1000;
  } else {
    writer->retry_ms = 0;
    writer->retry_us = 0;
  }
}

/* The WAL is moved into the file when it has grown by so much since the last time; a reader that
 * holds a snapshot may keep it from being moved whole, which is tried again later. */
static void
checkpoint (TsWriter *writer)
{
  gint64 limit = writer->options.checkpoint_bytes / TS_WORKSPACE_PAGE_BYTES;

  if (writer->wal_frames < writer->checkpoint_frames)
    writer->checkpoint_frames = 0; /* the WAL has begun anew */
  if (writer->wal_frames - writer->checkpoint_frames <= limit)
    return;
  sqlite3_wal_checkpoint_v2 (writer->sql->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
  writer->checkpoint_frames = writer->wal_frames;
}

static gboolean
commit (TsWriter *writer, gboolean seal_all, GError **error)
{
  g_autoptr (GError) trouble = NULL;
  gboolean ok = ts_batch_commit (writer, seal_all, &trouble);

  set_trouble (writer, trouble);
  publish (writer, trouble);
  if (ok)
    checkpoint (writer);
  else
    g_propagate_error (error, g_steal_pointer (&trouble));
  return ok;
}

static gboolean
in_transaction (TsWriter *writer, TsRequest *request, GError **error)
{
  if (ts_sql_exec (writer->sql, "BEGIN IMMEDIATE", error) &&
      request->run (writer, request->args, error) && ts_sql_exec (writer->sql, "COMMIT", error))
    return TRUE;
  sqlite3_exec (writer->sql->db, "ROLLBACK", NULL, NULL, NULL);
  return FALSE;
}

static void
serve (TsWriter *writer, TsRequest *request)
{
  GError *error = NULL;
  gboolean ok = TRUE;

  pthread_mutex_lock (&writer->lock);
  gboolean left = request->progress == LEFT;
  if (!left)
    request->progress = RUNNING;
  pthread_mutex_unlock (&writer->lock);
  if (left)
    return;
  if (!ts_batch_is_empty (writer) || request->seal)
    ok = commit (writer, request->seal, &error);
  if (ok && request->run)
    ok = in_transaction (writer, request, &error);
  if (ok && request->done)
    request->done (writer, request->args);
  pthread_mutex_lock (&writer->lock);
  request->error = error;
  request->progress = FINISHED;
  pthread_cond_broadcast (&writer->changed);
  pthread_mutex_unlock (&writer->lock);
}

static void
handle (TsWriter *writer, TsMessage *message)
{
  if (message->request)
    serve (writer, message->request);
  else
    ts_batch_take (writer, message->attempt, g_steal_pointer (&message->event));
  ts_message_free (message);
}

/* A failed write waits here.  Nothing is taken from the queue meanwhile: what waits is bounded by
 * it, and the trainer stops when it is full. */
static void
wait_for_retry (TsWriter *writer)
{
  struct timespec until = {writer->retry_us / G_USEC_PER_SEC,
                           writer->retry_us % G_USEC_PER_SEC * 1000};

  pthread_mutex_lock (&writer->lock);
  while (!writer->closing && g_get_monotonic_time () < writer->retry_us)
    pthread_cond_timedwait (&writer->changed, &writer->lock, &until);
  pthread_mutex_unlock (&writer->lock);
}

static gint64
time_to_wait (TsWriter *writer)
{
  gint64 interval = writer->options.commit_ms * (gint64) 1000;

  if (!ts_batch_is_empty (writer))
    return MAX (0, writer->first_us + interval - g_get_monotonic_time ());
  return ts_batch_has_unsealed (writer) ? interval : -1;
}

static gboolean
is_dead (TsWriter *writer)
{
  pthread_mutex_lock (&writer->lock);
  gboolean dead = writer->dead != NULL;
  pthread_mutex_unlock (&writer->lock);
  return dead;
}

static void
finish (TsWriter *writer)
{
  TsMessage *message;

  ts_queue_close (writer->queue);
  while ((message = ts_queue_pop (writer->queue, 0))) {
    if (is_dead (writer))
      ts_message_free (message);
    else
      handle (writer, message);
  }
  for (int i = 0; i < CLOSE_TRIES && !is_dead (writer); i++) {
    if (i)
      g_usleep (writer->options.retry_min_ms * 1000ul);
    if (commit (writer, TRUE, NULL))
      break;
  }
  /* Readers may hold the WAL; then it stays and the next writer moves it. */
  sqlite3_busy_timeout (writer->sql->db, 100);
  sqlite3_wal_checkpoint_v2 (writer->sql->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
}

static void *
run_writer (void *data)
{
  TsWriter *writer = data;

  while (!is_dead (writer)) {
    if (writer->retry_us) {
      wait_for_retry (writer);
      if (is_closing (writer))
        break;
      commit (writer, FALSE, NULL);
      continue;
    }
    TsMessage *message = ts_queue_pop (writer->queue, time_to_wait (writer));
    if (message)
      handle (writer, message);
    else if (is_closing (writer))
      break;
    gboolean due = writer->waiting_bytes >= writer->options.commit_bytes ||
                   (!message && ts_batch_has_unsealed (writer)) ||
                   (!ts_batch_is_empty (writer) && time_to_wait (writer) == 0);
    if (due && !writer->retry_us)
      commit (writer, FALSE, NULL);
  }
  finish (writer);
  return NULL;
}

/* --- Calls from other threads --- */

static gboolean
enqueue (TsWriter *writer, TsMessage *message, GError **error)
{
  /* Not ts_queue_push: when the disk is full nobody makes room, and this call must come back. */
  while (!ts_queue_try_push (writer->queue, message)) {
    pthread_mutex_lock (&writer->lock);
    const GError *why = writer->dead ? writer->dead : writer->stuck;
    gboolean closed = writer->closing || why;
    if (why)
      g_propagate_error (error, g_error_copy (why));
    pthread_mutex_unlock (&writer->lock);
    if (closed) {
      if (!why)
        ts_writer_set_closed_error (writer, error);
      ts_message_free (message);
      return FALSE;
    }
    g_usleep (1000);
  }
  return TRUE;
}

gboolean
ts_writer_request (TsWriter *writer, TsRequestFunc run, TsRequestDone done, gpointer args,
                   gboolean seal, GError **error)
{
  TsRequest *request = g_new0 (TsRequest, 1);
  TsMessage *message = g_new0 (TsMessage, 1);
  GError *trouble = NULL;

  *request = (TsRequest){run, done, args, seal, 2, QUEUED, NULL};
  message->request = request;
  if (enqueue (writer, message, &trouble)) {
    pthread_mutex_lock (&writer->lock);
    while (request->progress != FINISHED && !trouble) {
      const GError *why = writer->dead ? writer->dead : writer->stuck;
      if (request->progress == QUEUED && why) {
        request->progress = LEFT;
        trouble = g_error_copy (why);
      } else {
        pthread_cond_wait (&writer->changed, &writer->lock);
      }
    }
    if (!trouble)
      trouble = g_steal_pointer (&request->error);
    pthread_mutex_unlock (&writer->lock);
  }
  ts_request_unref (request);
  if (!trouble)
    return TRUE;
  g_propagate_error (error, trouble);
  return FALSE;
}

gboolean
ts_writer_flush (TsWriter *writer, GError **error)
{
  return ts_writer_request (writer, NULL, NULL, NULL, FALSE, error);
}

void
ts_writer_set_watermark_func (TsWriter *writer, TsWatermarkFunc func, gpointer user_data)
{
  pthread_mutex_lock (&writer->lock);
  writer->func = func;
  writer->func_data = user_data;
  pthread_mutex_unlock (&writer->lock);
}

gboolean
ts_writer_get_watermark (TsWriter *writer, gint64 run_id, TsWatermark *watermark)
{
  gboolean found = FALSE;

  memset (watermark, 0, sizeof *watermark);
  pthread_mutex_lock (&writer->lock);
  for (guint i = writer->attempts->len; i-- > 0 && !found;) {
    const TsAttempt *attempt = writer->attempts->pdata[i];
    if (attempt->run_id != run_id)
      continue;
    *watermark = attempt->mark;
    watermark->error = attempt->mark.error ? g_error_copy (attempt->mark.error) : NULL;
    found = TRUE;
  }
  pthread_mutex_unlock (&writer->lock);
  return found;
}

void
ts_watermark_clear (TsWatermark *watermark)
{
  g_clear_error (&watermark->error);
}

const char *
ts_writer_get_path (TsWriter *writer)
{
  return writer->path;
}

const char *
ts_writer_get_folder (TsWriter *writer)
{
  return writer->folder;
}

/* --- Opening and closing --- */

static void
writer_free (TsWriter *writer)
{
  g_clear_pointer (&writer->queue, ts_queue_unref);
  g_clear_pointer (&writer->sql, ts_sql_close);
  g_clear_pointer (&writer->file_lock, ts_lock_release);
  g_ptr_array_unref (writer->cycle);
  g_array_unref (writer->waiting);
  g_ptr_array_unref (writer->attempts);
  g_ptr_array_unref (writer->doomed);
  g_hash_table_unref (writer->tags);
  g_byte_array_unref (writer->buffer);
  g_clear_error (&writer->stuck);
  g_clear_error (&writer->dead);
  pthread_mutex_destroy (&writer->lock);
  pthread_cond_destroy (&writer->changed);
  g_free (writer->path);
  g_free (writer->folder);
  g_free (writer);
}

static TsWriter *
writer_new (const TsWriterOptions *options)
{
  static const TsWriterOptions defaults = {250, 1u << 20, 40, 250, 5000, 4096, 4u << 20};
  TsWriter *writer = g_new0 (TsWriter, 1);
  TsWriterOptions *o = &writer->options;
  pthread_condattr_t attr;

  *o = options ? *options : defaults;
  o->commit_ms = o->commit_ms ? o->commit_ms : defaults.commit_ms;
  o->commit_bytes = o->commit_bytes ? o->commit_bytes : defaults.commit_bytes;
  o->cycle_commits = o->cycle_commits ? o->cycle_commits : defaults.cycle_commits;
  o->retry_min_ms = o->retry_min_ms ? o->retry_min_ms : defaults.retry_min_ms;
  o->retry_max_ms = o->retry_max_ms ? o->retry_max_ms : defaults.retry_max_ms;
  o->queue_capacity = o->queue_capacity ? o->queue_capacity : defaults.queue_capacity;
  o->checkpoint_bytes = o->checkpoint_bytes ? o->checkpoint_bytes : defaults.checkpoint_bytes;
  pthread_mutex_init (&writer->lock, NULL);
  pthread_condattr_init (&attr);
  pthread_condattr_setclock (&attr, CLOCK_MONOTONIC);
  pthread_cond_init (&writer->changed, &attr);
  pthread_condattr_destroy (&attr);
  writer->queue = ts_queue_new (o->queue_capacity, ts_message_free);
  writer->attempts = g_ptr_array_new_with_free_func (ts_attempt_free);
  writer->tags = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  writer->waiting = g_array_new (FALSE, FALSE, sizeof (TsWaiting));
  g_array_set_clear_func (writer->waiting, ts_waiting_clear);
  writer->cycle = g_ptr_array_new ();
  writer->doomed = g_ptr_array_new_with_free_func (g_free);
  writer->buffer = g_byte_array_new ();
  writer->chunk_guess = TS_CHUNK_POINTS;
  return writer;
}

static int
on_wal (void *data, sqlite3 *db, const char *name, int frames)
{
  ((TsWriter *) data)->wal_frames = frames;
  return SQLITE_OK;
}

static gboolean
open_file (TsWriter *writer, GError **error)
{
  static const char pragmas[] =
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
      "PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 16777216;"
      "PRAGMA cell_size_check = ON; PRAGMA cache_size = -1024";
  gint64 version;

  writer->sql = ts_sql_open (writer->path, writer->path, SQLITE_OPEN_READWRITE, error);
  if (!writer->sql)
    return FALSE;
  sqlite3 *db = writer->sql->db;
  sqlite3_db_config (db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_busy_timeout (db, 5000);
  if (!ts_migrate_gate (writer->sql, &version, error))
    return FALSE;
  if (sqlite3_db_readonly (db, "main")) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_READ_ONLY,
                 "%s is read-only; it can be looked at but not trained into", writer->path);
    return FALSE;
  }
  if (!ts_migrate_up (writer->sql, &ts_migrations, error) ||
      !ts_migrate_check (writer->sql, error) || !ts_sql_exec (writer->sql, pragmas, error))
    return FALSE;
  sqlite3_wal_hook (db, on_wal, writer);
  return ts_recover_ids (writer, error) && ts_recover (writer, error);
}

static gboolean
prepare (TsWriter *writer, const char *path, GError **error)
{
  struct stat st;

  writer->path = ts_workspace_find_path (path, error);
  if (!writer->path)
    return FALSE;
  writer->folder = ts_workspace_dup_folder (writer->path);
  writer->file_lock = ts_lock_acquire (writer->path, writer->token, error);
  if (!writer->file_lock)
    return FALSE;
  if ((stat (writer->path, &st) != 0 || st.st_size == 0) &&
      !ts_migrate_create (writer->path, error))
    return FALSE;
  return open_file (writer, error);
}

TsWriter *
ts_writer_open_with (const char *path, const TsWriterOptions *options, GError **error)
{
  TsWriter *writer = writer_new (options);

  if (!prepare (writer, path, error)) {
    writer_free (writer);
    return NULL;
  }
  int failed = pthread_create (&writer->thread, NULL, run_writer, writer);
  if (failed) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_OPEN, "cannot start a thread for %s: %s",
                 writer->path, g_strerror (failed));
    writer_free (writer);
    return NULL;
  }
  return writer;
}

TsWriter *
ts_writer_open (const char *path, GError **error)
{
  return ts_writer_open_with (path, NULL, error);
}

gboolean
ts_writer_close (TsWriter *writer, GError **error)
{
  ts_queue_close (writer->queue);
  pthread_mutex_lock (&writer->lock);
  writer->closing = TRUE;
  pthread_cond_broadcast (&writer->changed);
  pthread_mutex_unlock (&writer->lock);
  pthread_join (writer->thread, NULL);
  const GError *why = writer->dead ? writer->dead : writer->stuck;
  gboolean ok = why == NULL;
  if (!ok)
    g_propagate_prefixed_error (error, g_error_copy (why),
                                "the last part of the run could not be saved and is lost: ");
  writer_free (writer);
  return ok;
}
