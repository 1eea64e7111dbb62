/* SPDX-License-Identifier: MIT */
#include "ui/models/series.h"

#include <string.h>

#include "data/store/error.h"

/* Points read for one series with one question: about 10 ms. */
#define MAX_POINTS 200000

struct _TsSeries {
  GObject parent;
  gint64 run_id, series_id; /* series_id: 0 until the tag exists */
  char *tag;
  guint attempts; /* of the run, when the points were read */
  GArray *points; /* of TsStoredPoint */
  TsCurve *curve; /* what charts draw of them; NULL: nobody has asked for it */
  guint n_curved; /* points that went into the curve */
  gboolean read;
};

struct TsSeriesCache {
  TsQuery *query;
  GPtrArray *series; /* weak: those that somebody holds */
  guint epoch;
  gboolean busy, again;
  struct Ask *asked; /* the question under way, or NULL */
};

G_DEFINE_FINAL_TYPE (TsSeries, ts_series, G_TYPE_OBJECT)

static guint changed;

static void
ts_series_finalize (GObject *object)
{
  TsSeries *series = TS_SERIES (object);

  g_free (series->tag);
  g_clear_pointer (&series->curve, ts_curve_free);
  g_array_unref (series->points);
  G_OBJECT_CLASS (ts_series_parent_class)->finalize (object);
}

static void
ts_series_class_init (TsSeriesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ts_series_finalize;
  changed = g_signal_new ("changed", TS_TYPE_SERIES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                          G_TYPE_NONE, 0);
}

static void
ts_series_init (TsSeries *series)
{
  series->points = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));
}

gint64
ts_series_get_run_id (TsSeries *series)
{
  return series->run_id;
}

const char *
ts_series_get_tag (TsSeries *series)
{
  return series->tag;
}

const TsStoredPoint *
ts_series_get_points (TsSeries *series, guint *n)
{
  *n = series->points->len;
  return (const TsStoredPoint *) (gpointer) series->points->data;
}

static TsCurve *
update_curve (TsSeries *series)
{
  if (!series->curve)
    series->curve = ts_curve_new ();
  ts_curve_append (series->curve, &g_array_index (series->points, TsStoredPoint, series->n_curved),
                   series->points->len - series->n_curved);
  series->n_curved = series->points->len;
  return series->curve;
}

void
ts_series_slice (TsSeries *series, TsCurveSlice *slice)
{
  ts_curve_slice (update_curve (series), slice);
}

gsize
ts_series_get_n_visible (TsSeries *series)
{
  return ts_curve_get_n (update_curve (series));
}

gboolean
ts_series_is_read (TsSeries *series)
{
  return series->read;
}

TsSeries *
ts_series_new (gint64 run_id, const char *tag)
{
  TsSeries *series = g_object_new (TS_TYPE_SERIES, NULL);

  series->run_id = run_id;
  series->tag = g_strdup (tag);
  return series;
}

void
ts_series_take (TsSeries *series, const GArray *points, gboolean anew)
{
  gboolean first = !series->read;

  series->read = TRUE;
  if (anew) {
    g_array_set_size (series->points, 0);
    g_clear_pointer (&series->curve, ts_curve_free);
    series->n_curved = 0;
  }
  if (points->len)
    g_array_append_vals (series->points, points->data, points->len);
  if (anew || first || points->len)
    g_signal_emit (series, changed, 0);
}

/* --- The cache --- */

typedef struct {
  TsSeries *series;
  gint64 run_id, series_id, from_seq;
  const char *tag; /* of series, which never changes it */
  guint attempts;
  gboolean anew; /* what is known is out of date: points holds all */
  GArray *points;
} Part;

typedef struct Ask {
  TsAsk ask;
  TsSeriesCache *cache; /* NULL: it is gone */
  guint epoch;
  GArray *parts;
  gboolean more; /* some series has more points than were read */
} Ask;

static gboolean
read_part (Part *part, TsReader *reader, GError **error)
{
  g_autoptr (GArray) attempts = ts_reader_list_attempts (reader, part->run_id, error);

  if (!attempts)
    return FALSE;
  if (!part->series_id) {
    g_autoptr (TsTagInfo) info =
        ts_reader_find_tag (reader, part->run_id, part->tag, TS_SERIES_SCALAR, error);
    if (!info)
      return FALSE;
    part->series_id = info->series_id;
  }
  /* a new attempt hides points that were visible before */
  part->anew = attempts->len != part->attempts;
  part->attempts = attempts->len;
  if (part->anew)
    part->from_seq = 0;
  return ts_reader_read_points (reader, part->series_id, part->from_seq, MAX_POINTS, part->points,
                                error);
}

static void
read_all (TsAsk *ask, TsReader *reader)
{
  Ask *self = (Ask *) ask;

  for (guint i = 0; i < self->parts->len; i++) {
    Part *part = &g_array_index (self->parts, Part, i);
    g_autoptr (GError) error = NULL;
    part->points = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));
    if (!read_part (part, reader, &error)) {
      g_clear_pointer (&part->points, g_array_unref);
      /* a tag that has no point yet is no error */
      if (!g_error_matches (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_FOUND) && !ask->error)
        ask->error = g_steal_pointer (&error);
    } else if (part->points->len >= MAX_POINTS) {
      self->more = TRUE;
    }
  }
}

static void
take_part (Part *part)
{
  TsSeries *series = part->series;

  if (!part->points)
    return;
  series->series_id = part->series_id;
  series->attempts = part->attempts;
  ts_series_take (series, part->points, part->anew);
}

static void
all_read (TsAsk *ask)
{
  Ask *self = (Ask *) ask;
  TsSeriesCache *cache = self->cache;

  if (!cache || self->epoch != cache->epoch)
    return;
  cache->busy = FALSE;
  cache->asked = NULL;
  if (ask->error)
    g_debug ("reading curves: %s", ask->error->message);
  for (guint i = 0; i < self->parts->len; i++)
    take_part (&g_array_index (self->parts, Part, i));
  if (cache->again || self->more) {
    cache->again = FALSE;
    ts_series_cache_refresh (cache);
  }
}

static void
free_ask (TsAsk *ask)
{
  Ask *self = (Ask *) ask;

  for (guint i = 0; i < self->parts->len; i++) {
    Part *part = &g_array_index (self->parts, Part, i);
    g_clear_pointer (&part->points, g_array_unref);
    g_object_unref (part->series);
  }
  g_array_unref (self->parts);
  g_clear_error (&ask->error);
  g_free (self);
}

static void
forget (gpointer data, GObject *gone)
{
  TsSeriesCache *cache = data;

  g_ptr_array_remove_fast (cache->series, gone);
}

static void
drop_all (TsSeriesCache *cache)
{
  for (guint i = 0; i < cache->series->len; i++)
    g_object_weak_unref (cache->series->pdata[i], forget, cache);
  g_ptr_array_set_size (cache->series, 0);
  if (cache->asked)
    cache->asked->cache = NULL;
  cache->asked = NULL;
  cache->busy = cache->again = FALSE;
}

TsSeriesCache *
ts_series_cache_new (void)
{
  TsSeriesCache *cache = g_new0 (TsSeriesCache, 1);

  cache->series = g_ptr_array_new ();
  return cache;
}

void
ts_series_cache_free (TsSeriesCache *cache)
{
  drop_all (cache);
  g_ptr_array_unref (cache->series);
  g_free (cache);
}

void
ts_series_cache_set_query (TsSeriesCache *cache, TsQuery *query)
{
  drop_all (cache);
  cache->query = query;
  cache->epoch++;
}

TsSeries *
ts_series_cache_get (TsSeriesCache *cache, gint64 run_id, const char *tag)
{
  TsSeries *series;

  for (guint i = 0; i < cache->series->len; i++) {
    series = cache->series->pdata[i];
    if (series->run_id == run_id && strcmp (series->tag, tag) == 0)
      return g_object_ref (series);
  }
  series = ts_series_new (run_id, tag);
  g_ptr_array_add (cache->series, series);
  g_object_weak_ref (G_OBJECT (series), forget, cache);
  ts_series_cache_refresh (cache);
  return series;
}

void
ts_series_cache_refresh (TsSeriesCache *cache)
{
  Ask *ask;

  if (!cache->query || !cache->series->len)
    return;
  if (cache->busy) {
    cache->again = TRUE;
    return;
  }
  ask = g_new0 (Ask, 1);
  ask->ask = (TsAsk){read_all, all_read, free_ask, NULL};
  ask->cache = cache;
  ask->epoch = cache->epoch;
  ask->parts = g_array_new (FALSE, TRUE, sizeof (Part));
  for (guint i = 0; i < cache->series->len; i++) {
    TsSeries *series = cache->series->pdata[i];
    Part part = {.series = g_object_ref (series),
                 .run_id = series->run_id,
                 .series_id = series->series_id,
                 .from_seq = series->points->len,
                 .tag = series->tag,
                 .attempts = series->attempts};
    g_array_append_val (ask->parts, part);
  }
  cache->busy = TRUE;
  cache->asked = ask;
  ts_query_push (cache->query, &ask->ask);
}
