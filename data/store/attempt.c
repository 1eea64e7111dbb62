/* SPDX-License-Identifier: MIT */
#include "data/store/writer-private.h"

#include "data/store/error.h"

void
ts_series_free (gpointer data)
{
  TsSeries *series = data;

  g_clear_pointer (&series->points, g_array_unref);
  ts_lod_free (series->lod);
  ts_lod_free (series->staged_lod);
  g_free (series);
}

void
ts_message_free (gpointer data)
{
  TsMessage *message = data;

  g_clear_pointer (&message->event, ts_event_unref);
  g_clear_pointer (&message->request, ts_request_unref);
  g_free (message);
}

static gboolean
check_checkpoint (TsWriter *writer, const TsEvent *event, GError **error)
{
  const char *path = event->u.checkpoint.path, *rest = path;
  gsize length = strlen (writer->folder);

  if (g_str_has_prefix (path, writer->folder) && path[length] == '/')
    rest = path + length + 1;
  if (rest != path && *rest && !strstr (rest, ".."))
    return TRUE;
  g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_OPEN,
               "the checkpoint %s cannot be recorded: it must lie in %s", path, writer->folder);
  return FALSE;
}

/* TRUE: a heavy event was dropped and counted. */
static gboolean
thin (TsAttempt *attempt, TsMessage *message)
{
  TsQueue *queue = attempt->writer->queue;

  if (message->event->kind != TS_EVENT_HISTOGRAM)
    return FALSE;
  if (ts_queue_length (queue) < ts_queue_capacity (queue) / 4 * 3 &&
      ts_queue_try_push (queue, message))
    return FALSE;
  __atomic_add_fetch (&attempt->thinned, 1, __ATOMIC_RELAXED);
  return TRUE;
}

static gboolean
push (TsSink *sink, TsEvent *event, GError **error)
{
  TsAttempt *attempt = (TsAttempt *) sink;

  if (__atomic_load_n (&attempt->over, __ATOMIC_ACQUIRE)) {
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CLOSED,
                 "the run in %s has been resumed elsewhere; this attempt is over",
                 attempt->writer->path);
    ts_event_unref (event);
    return FALSE;
  }
  if (event->kind == TS_EVENT_CHECKPOINT && !check_checkpoint (attempt->writer, event, error)) {
    ts_event_unref (event);
    return FALSE;
  }
  gboolean heavy = event->kind == TS_EVENT_HISTOGRAM;
  TsMessage *message = g_new0 (TsMessage, 1);
  message->attempt = attempt;
  message->event = event;
  if (thin (attempt, message)) {
    ts_message_free (message);
    return TRUE;
  }
  if (heavy || ts_queue_push (attempt->writer->queue, message))
    return TRUE;
  ts_writer_set_closed_error (attempt->writer, error);
  return FALSE;
}

TsAttempt *
ts_attempt_new (TsWriter *writer, gint64 run_id, gint64 attempt_id)
{
  TsAttempt *attempt = g_new0 (TsAttempt, 1);

  attempt->sink.push = push;
  attempt->writer = writer;
  attempt->run_id = attempt->mark.run_id = run_id;
  attempt->attempt_id = attempt_id;
  attempt->scalars = g_hash_table_new (NULL, NULL);
  attempt->histograms = g_hash_table_new (NULL, NULL);
  attempt->series = g_ptr_array_new_with_free_func (ts_series_free);
  return attempt;
}

void
ts_attempt_free (gpointer data)
{
  TsAttempt *attempt = data;

  g_hash_table_unref (attempt->scalars);
  g_hash_table_unref (attempt->histograms);
  g_ptr_array_unref (attempt->series);
  g_clear_error (&attempt->mark.error);
  g_free (attempt);
}

TsTag *
ts_writer_tag (TsWriter *writer, const char *name)
{
  TsTag *tag = g_hash_table_lookup (writer->tags, name);

  if (!tag) {
    tag = g_new0 (TsTag, 1);
    tag->name = name;
    tag->tag_id = writer->next_tag_id++;
    g_hash_table_insert (writer->tags, (gpointer) name, tag);
  }
  return tag;
}

TsSeries *
ts_attempt_series (TsAttempt *attempt, const char *tag, TsSeriesKind kind)
{
  GHashTable *table = kind == TS_SERIES_SCALAR ? attempt->scalars : attempt->histograms;
  TsSeries *series = g_hash_table_lookup (table, tag);

  if (series)
    return series;
  /* Keys are interned; this makes sure of it, once for each tag. */
  tag = g_intern_string (tag);
  series = g_hash_table_lookup (table, tag);
  if (series)
    return series;
  series = g_new0 (TsSeries, 1);
  series->attempt = attempt;
  series->tag = tag;
  series->tag_id = ts_writer_tag (attempt->writer, tag)->tag_id;
  series->kind = kind;
  series->series_id = attempt->writer->next_series_id++;
  if (kind == TS_SERIES_SCALAR)
    series->points = g_array_new (FALSE, FALSE, sizeof (TsPoint));
  g_hash_table_insert (table, (gpointer) tag, series);
  g_ptr_array_add (attempt->series, series);
  return series;
}
