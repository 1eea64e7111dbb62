/* SPDX-License-Identifier: MIT */
#include "app/run-json.h"

#include <string.h>

#include "data/store/json-read.h"

static void
add_time (JsonBuilder *b, const char *key, gint64 us)
{
  g_autoptr (GDateTime) seconds = us ? g_date_time_new_from_unix_utc (us / G_USEC_PER_SEC) : NULL;
  g_autofree char *text = seconds ? g_date_time_format (seconds, "%Y-%m-%dT%H:%M:%S") : NULL;
  g_autofree char *full =
      text ? g_strdup_printf ("%s.%06dZ", text, (int) (us % G_USEC_PER_SEC)) : NULL;

  ts_cli_json_text (b, key, full);
}

static void
add_hparams (JsonBuilder *b, const TsRun *run)
{
  json_builder_set_member_name (b, "hparams");
  json_builder_begin_object (b);
  for (guint i = 0; i < run->n_hparams; i++) {
    const TsHparam *h = &run->hparams[i];
    switch (h->kind) {
    case TS_HPARAM_INT:
      ts_cli_json_int (b, h->key, h->i);
      break;
    case TS_HPARAM_REAL:
      ts_cli_json_number (b, h->key, h->r);
      break;
    case TS_HPARAM_BOOL:
      json_builder_set_member_name (b, h->key);
      json_builder_add_boolean_value (b, h->i != 0);
      break;
    case TS_HPARAM_TEXT:
    case TS_HPARAM_NULL:
      ts_cli_json_text (b, h->key, h->t);
      break;
    }
  }
  json_builder_end_object (b);
}

static void
set_tag_name (JsonBuilder *b, const char *tag)
{
  g_autofree char *valid = g_utf8_make_valid (tag, -1);

  json_builder_set_member_name (b, valid);
}

static void
add_head (JsonBuilder *b, const TsRun *run)
{
  ts_cli_json_text (b, "run", run->name);
  ts_cli_json_text (b, "uuid", run->uuid);
  ts_cli_json_text (b, "state", ts_run_state_name (run->state));
  add_time (b, "created", run->created_us);
  if (run->ended_us)
    add_time (b, "ended", run->ended_us);
  if (run->trashed_us)
    add_time (b, "trashed", run->trashed_us);
  if (run->message)
    ts_cli_json_text (b, "error", run->message);
  if (run->note)
    ts_cli_json_text (b, "note", run->note);
}

void
ts_run_json_summary (JsonBuilder *b, const TsRun *run)
{
  json_builder_begin_object (b);
  add_head (b, run);
  ts_cli_json_int (b, "tags", run->n_tags);
  ts_cli_json_int (b, "points", run->n_points);
  add_hparams (b, run);
  json_builder_set_member_name (b, "last");
  json_builder_begin_object (b);
  for (guint i = 0; i < run->last->len; i++) {
    const TsLastValue *v = &g_array_index (run->last, TsLastValue, i);
    set_tag_name (b, v->tag);
    ts_cli_json_number (b, NULL, ts_unbits (v->bits));
  }
  json_builder_end_object (b);
  json_builder_end_object (b);
}

static gboolean
add_attempts (JsonBuilder *b, TsReader *reader, const TsRun *run, GError **error)
{
  g_autoptr (GArray) attempts = ts_reader_list_attempts (reader, run->run_id, error);

  if (!attempts)
    return FALSE;
  json_builder_set_member_name (b, "sessions");
  json_builder_begin_array (b);
  for (guint i = 0; i < attempts->len; i++) {
    const TsAttemptInfo *a = &g_array_index (attempts, TsAttemptInfo, i);
    json_builder_begin_object (b);
    ts_cli_json_int (b, "ordinal", a->ordinal);
    add_time (b, "started", a->started_us);
    add_time (b, "ended", a->ended_us);
    if (a->resumed)
      ts_cli_json_int (b, "resume_step", a->resume_step);
    ts_cli_json_text (b, "host", a->host);
    ts_cli_json_int (b, "pid", a->pid);
    ts_cli_json_text (b, "origin", a->origin);
    ts_cli_json_int (b, "thinned", (gint64) a->thinned);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
  return TRUE;
}

/* What the event file said about the tag: its plugin, its name for people. */
static void
add_meta (JsonBuilder *b, const char *meta)
{
  g_autoptr (JsonNode) node = ts_json_read (meta);

  if (!node)
    return;
  JsonObject *object = json_node_get_object (node);
  static const char *const keys[] = {"plugin", "display_name", "description"};
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (ts_json_text (object, keys[i], NULL))
      ts_cli_json_text (b, keys[i], ts_json_text (object, keys[i], NULL));
}

static void
add_stats (JsonBuilder *b, const TsTagInfo *info, const TsStats *s)
{
  json_builder_begin_object (b);
  ts_cli_json_text (b, "kind", ts_series_kind_name (info->kind));
  add_meta (b, info->meta);
  ts_cli_json_int (b, "count", s->count);
  if (s->count) {
    ts_cli_json_int (b, "first_step", s->first_step);
    ts_cli_json_int (b, "last_step", s->last_step);
    ts_cli_json_int (b, "min_step", s->min_step);
    ts_cli_json_int (b, "max_step", s->max_step);
  }
  if (s->count && info->kind == TS_SERIES_SCALAR) {
    ts_cli_json_number (b, "first_value", ts_unbits (s->first_bits));
    ts_cli_json_number (b, "last_value", ts_unbits (s->last_bits));
    if (s->finite) {
      ts_cli_json_number (b, "min", s->min);
      ts_cli_json_number (b, "max", s->max);
      ts_cli_json_number (b, "sum", s->sum);
    }
    ts_cli_json_int (b, "finite", s->finite);
    ts_cli_json_int (b, "nan", s->nan);
    ts_cli_json_int (b, "pos_inf", s->pos_inf);
    ts_cli_json_int (b, "neg_inf", s->neg_inf);
  }
  json_builder_end_object (b);
}

/* The tag; of a second series under the same tag, with its kind: "weight (histogram)". */
static void
set_series_name (JsonBuilder *b, const GPtrArray *tags, guint index)
{
  const TsTagInfo *info = tags->pdata[index];
  g_autofree char *longer = NULL;

  for (guint i = 0; i < index && !longer; i++)
    if (strcmp (((const TsTagInfo *) tags->pdata[i])->tag, info->tag) == 0)
      longer = g_strdup_printf ("%s (%s)", info->tag, ts_series_kind_name (info->kind));
  set_tag_name (b, longer ? longer : info->tag);
}

static gboolean
add_tags (JsonBuilder *b, TsReader *reader, const TsRun *run, gboolean latest, GError **error)
{
  g_autoptr (GPtrArray) tags = ts_reader_list_tags (reader, run->run_id, error);

  if (!tags)
    return FALSE;
  json_builder_set_member_name (b, "tags");
  json_builder_begin_object (b);
  for (guint i = 0; i < tags->len; i++) {
    const TsTagInfo *info = tags->pdata[i];
    TsStats visible;
    if (latest && !ts_reader_visible_stats (reader, info->series_id, info->kind, &visible, error))
      return FALSE;
    set_series_name (b, tags, i);
    add_stats (b, info, latest ? &visible : &info->stats);
  }
  json_builder_end_object (b);
  return TRUE;
}

static gboolean
add_checkpoints (JsonBuilder *b, TsReader *reader, const TsRun *run, GError **error)
{
  g_autoptr (GArray) list = ts_reader_list_checkpoints (reader, run->run_id, error);

  if (!list)
    return FALSE;
  json_builder_set_member_name (b, "checkpoints");
  json_builder_begin_array (b);
  for (guint i = 0; i < list->len; i++) {
    const TsCheckpointInfo *c = &g_array_index (list, TsCheckpointInfo, i);
    char sha[65];
    for (guint k = 0; k < 32; k++)
      g_snprintf (sha + 2 * k, 3, "%02x", c->sha256[k]);
    json_builder_begin_object (b);
    ts_cli_json_int (b, "step", c->step);
    ts_cli_json_int (b, "epoch", c->epoch);
    ts_cli_json_int (b, "bytes", c->size_bytes);
    ts_cli_json_text (b, "sha256", sha);
    ts_cli_json_text (b, "path", c->path);
    json_builder_set_member_name (b, "best");
    json_builder_add_boolean_value (b, c->is_best);
    json_builder_set_member_name (b, "exists");
    json_builder_add_boolean_value (b, c->exists);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
  return TRUE;
}

static gboolean
add_story (JsonBuilder *b, TsReader *reader, const TsRun *run, GError **error)
{
  g_autoptr (GArray) notes = ts_reader_list_notes (reader, run->run_id, error);
  g_autoptr (GArray) edits = notes ? ts_reader_list_edits (reader, run->run_id, error) : NULL;

  if (!edits)
    return FALSE;
  json_builder_set_member_name (b, "notes");
  json_builder_begin_array (b);
  for (guint i = 0; i < notes->len; i++) {
    static const char *const severities[] = {"info", "warning", "error"};
    const TsNoteInfo *n = &g_array_index (notes, TsNoteInfo, i);
    json_builder_begin_object (b);
    ts_cli_json_int (b, "step", n->step);
    ts_cli_json_text (b, "severity", severities[MIN ((guint) n->severity, 2)]);
    ts_cli_json_text (b, "text", n->text);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
  json_builder_set_member_name (b, "edits");
  json_builder_begin_array (b);
  for (guint i = 0; i < edits->len; i++) {
    const TsEditInfo *e = &g_array_index (edits, TsEditInfo, i);
    json_builder_begin_object (b);
    ts_cli_json_int (b, "step", e->step);
    ts_cli_json_text (b, "key", e->key);
    ts_cli_json_number (b, "from", e->from);
    ts_cli_json_number (b, "to", e->to);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
  return TRUE;
}

gboolean
ts_run_json_full (JsonBuilder *b, TsReader *reader, const TsRun *run, gboolean latest,
                  GError **error)
{
  json_builder_begin_object (b);
  add_head (b, run);
  ts_cli_json_text (b, "model", run->model_name);
  ts_cli_json_text (b, "data", run->data_name);
  ts_cli_json_text (b, "data_sha256", run->data_hash);
  ts_cli_json_text (b, "split", run->data_split);
  ts_cli_json_text (b, "isa", run->isa);
  ts_cli_json_text (b, "blas_core", run->blas_core);
  ts_cli_json_text (b, "blas_version", run->blas_version);
  add_hparams (b, run);
  if (!add_attempts (b, reader, run, error) || !add_tags (b, reader, run, latest, error) ||
      !add_checkpoints (b, reader, run, error) || !add_story (b, reader, run, error))
    return FALSE;
  json_builder_end_object (b);
  return TRUE;
}
