/* SPDX-License-Identifier: MIT */
#include "ui/models/histograms.h"

#include <string.h>

/* Read with one question: some MB. */
#define MAX_ITEMS 4000 /* of a tag in one answer */

typedef struct {
  gint64 series_id, next_seq;
  char *tag;
  GArray *items; /* of TsStoredHistogram */
} Tag;

struct _TsHistograms {
  GObject parent;
  TsQuery *query;
  gint64 run_id;
  guint epoch, attempts;
  GPtrArray *tags;
  gboolean busy;
};

G_DEFINE_FINAL_TYPE (TsHistograms, ts_histograms, G_TYPE_OBJECT)

static guint changed;

static void
tag_free (gpointer data)
{
  Tag *tag = data;

  g_free (tag->tag);
  g_array_unref (tag->items);
  g_free (tag);
}

static Tag *
tag_new (gint64 series_id, const char *name)
{
  Tag *tag = g_new0 (Tag, 1);

  tag->series_id = series_id;
  tag->tag = g_strdup (name);
  tag->items = g_array_new (FALSE, FALSE, sizeof (TsStoredHistogram));
  return tag;
}

static void
ts_histograms_finalize (GObject *object)
{
  g_ptr_array_unref (TS_HISTOGRAMS (object)->tags);
  G_OBJECT_CLASS (ts_histograms_parent_class)->finalize (object);
}

static void
ts_histograms_class_init (TsHistogramsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ts_histograms_finalize;
  changed = g_signal_new ("changed", TS_TYPE_HISTOGRAMS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                          G_TYPE_NONE, 0);
}

static void
ts_histograms_init (TsHistograms *histograms)
{
  histograms->tags = g_ptr_array_new_with_free_func (tag_free);
}

TsHistograms *
ts_histograms_new (void)
{
  return g_object_new (TS_TYPE_HISTOGRAMS, NULL);
}

/* --- The question --- */

typedef struct {
  TsAsk ask;
  TsHistograms *owner; /* a reference */
  guint epoch, attempts;
  gint64 run_id;
  GPtrArray *known; /* Tag: how far each has been read; filled with what is new */
  gboolean anew;    /* another attempt has begun: what is hidden has changed */
} Ask;

static Tag *
find_tag (GPtrArray *tags, gint64 series_id)
{
  for (guint i = 0; i < tags->len; i++)
    if (((Tag *) tags->pdata[i])->series_id == series_id)
      return tags->pdata[i];
  return NULL;
}

static void
ask_run (TsAsk *ask, TsReader *reader)
{
  Ask *self = (Ask *) ask;
  g_autoptr (GPtrArray) infos = ts_reader_list_tags (reader, self->run_id, &ask->error);
  g_autoptr (GArray) attempts =
      infos ? ts_reader_list_attempts (reader, self->run_id, &ask->error) : NULL;

  if (!attempts)
    return;
  self->anew = self->attempts != attempts->len;
  self->attempts = attempts->len;
  for (guint i = 0; i < infos->len; i++) {
    const TsTagInfo *info = infos->pdata[i];
    if (info->kind != TS_SERIES_HISTOGRAM)
      continue;
    Tag *tag = find_tag (self->known, info->series_id);
    if (!tag) {
      tag = tag_new (info->series_id, info->tag);
      g_ptr_array_add (self->known, tag);
    }
    if (!ts_reader_read_histograms (reader, tag->series_id, self->anew ? 0 : tag->next_seq,
                                    MAX_ITEMS, tag->items, &ask->error))
      return;
  }
}

/* Appends what @from brings; hidden ones are counted and left out. */
static gboolean
merge (TsHistograms *histograms, const Tag *from, gboolean anew)
{
  Tag *tag = find_tag (histograms->tags, from->series_id);
  gboolean more = FALSE;

  if (!tag) {
    tag = tag_new (from->series_id, from->tag);
    g_ptr_array_add (histograms->tags, tag);
  }
  if (anew) {
    g_array_set_size (tag->items, 0);
    tag->next_seq = 0;
  }
  for (guint i = 0; i < from->items->len; i++) {
    const TsStoredHistogram *h = &g_array_index (from->items, TsStoredHistogram, i);
    tag->next_seq = h->seq + 1;
    if (!h->hidden)
      g_array_append_vals (tag->items, h, 1);
    more = TRUE;
  }
  return more;
}

static void
ask_done (TsAsk *ask)
{
  Ask *self = (Ask *) ask;
  TsHistograms *histograms = self->owner;
  gboolean more = FALSE;

  if (self->epoch != histograms->epoch)
    return; /* somebody else's by now */
  histograms->busy = FALSE;
  if (ask->error)
    return; /* the next commit asks again */
  for (guint i = 0; i < self->known->len; i++)
    more |= merge (histograms, self->known->pdata[i], self->anew);
  histograms->attempts = self->attempts;
  if (!more)
    return;
  g_signal_emit (histograms, changed, 0);
  ts_histograms_refresh (histograms); /* there may be more than one answer holds */
}

static void
ask_free (TsAsk *ask)
{
  Ask *self = (Ask *) ask;

  g_clear_error (&ask->error);
  g_ptr_array_unref (self->known);
  g_object_unref (self->owner);
  g_free (self);
}

void
ts_histograms_refresh (TsHistograms *histograms)
{
  Ask *ask;

  if (histograms->busy || !histograms->query || !histograms->run_id)
    return;
  ask = g_new0 (Ask, 1);
  ask->ask = (TsAsk){ask_run, ask_done, ask_free, NULL};
  ask->owner = g_object_ref (histograms);
  ask->epoch = histograms->epoch;
  ask->attempts = histograms->attempts;
  ask->run_id = histograms->run_id;
  ask->known = g_ptr_array_new_with_free_func (tag_free);
  for (guint i = 0; i < histograms->tags->len; i++) {
    const Tag *tag = histograms->tags->pdata[i];
    Tag *copy = tag_new (tag->series_id, tag->tag);
    copy->next_seq = tag->next_seq;
    g_ptr_array_add (ask->known, copy);
  }
  histograms->busy = TRUE;
  ts_query_push (histograms->query, &ask->ask);
}

void
ts_histograms_set_run (TsHistograms *histograms, TsQuery *query, gint64 run_id)
{
  if (histograms->query == query && histograms->run_id == run_id)
    return;
  histograms->query = query;
  histograms->run_id = run_id;
  histograms->epoch++;
  histograms->attempts = 0;
  histograms->busy = FALSE;
  g_ptr_array_set_size (histograms->tags, 0);
  g_signal_emit (histograms, changed, 0);
  ts_histograms_refresh (histograms);
}

guint
ts_histograms_get_n (TsHistograms *histograms)
{
  return histograms->tags->len;
}

const char *
ts_histograms_get_tag (TsHistograms *histograms, guint index)
{
  return ((Tag *) histograms->tags->pdata[index])->tag;
}

const TsStoredHistogram *
ts_histograms_get_items (TsHistograms *histograms, guint index, guint *n)
{
  const Tag *tag = histograms->tags->pdata[index];

  *n = tag->items->len;
  return (const TsStoredHistogram *) (gpointer) tag->items->data;
}
