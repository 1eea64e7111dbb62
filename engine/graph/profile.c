/* SPDX-License-Identifier: MIT */
#include "engine/graph/profile.h"

#include <json-glib/json-glib.h>
#include <string.h>
#include <time.h>

#include "engine/ops/op.h"

/* A trace of a long training would fill the memory: calls beyond this are only summed up. */
#define CALLS_MAX 1000000

typedef struct {
  GArray *calls;   /* of TsProfileCall, the first ones */
  GArray *entries; /* of TsProfileEntry, by node id */
  guint64 count;
} Lane;

struct TsProfile {
  guint n_threads;
  Lane *lanes;
};

TsProfile *
ts_profile_new (guint n_threads)
{
  TsProfile *p = g_new0 (TsProfile, 1);

  p->n_threads = n_threads;
  p->lanes = g_new0 (Lane, n_threads);
  for (guint i = 0; i < n_threads; i++) {
    p->lanes[i].calls = g_array_new (FALSE, FALSE, sizeof (TsProfileCall));
    p->lanes[i].entries = g_array_new (FALSE, TRUE, sizeof (TsProfileEntry));
  }
  return p;
}

void
ts_profile_free (TsProfile *p)
{
  for (guint i = 0; i < p->n_threads; i++) {
    g_array_unref (p->lanes[i].calls);
    g_array_unref (p->lanes[i].entries);
  }
  g_free (p->lanes);
  g_free (p);
}

void
ts_profile_clear (TsProfile *p)
{
  for (guint i = 0; i < p->n_threads; i++) {
    g_array_set_size (p->lanes[i].calls, 0);
    g_array_set_size (p->lanes[i].entries, 0);
    p->lanes[i].count = 0;
  }
}

static void
add_to (GArray *entries, const TsProfileEntry *e)
{
  if (entries->len <= e->node->id)
    g_array_set_size (entries, e->node->id + 1);
  TsProfileEntry *sum = &g_array_index (entries, TsProfileEntry, e->node->id);
  sum->node = e->node;
  sum->calls += e->calls;
  sum->seconds += e->seconds;
  sum->flops += e->flops;
  sum->bytes += e->bytes;
}

void
ts_profile_add (TsProfile *p, const TsProfileCall *c)
{
  Lane *lane = &p->lanes[c->thread];
  TsProfileEntry e = {c->node, 1, 1e-9 * (double) (c->end_ns - c->start_ns), c->flops, c->bytes};

  lane->count++;
  add_to (lane->entries, &e);
  if (lane->calls->len < CALLS_MAX)
    g_array_append_val (lane->calls, *c);
}

static int
by_seconds (gconstpointer a, gconstpointer b)
{
  double x = ((const TsProfileEntry *) a)->seconds, y = ((const TsProfileEntry *) b)->seconds;

  return x < y ? 1 : x > y ? -1 : 0;
}

GArray *
ts_profile_dup_entries (TsProfile *p)
{
  g_autoptr (GArray) all = g_array_new (FALSE, TRUE, sizeof (TsProfileEntry));
  GArray *used = g_array_new (FALSE, FALSE, sizeof (TsProfileEntry));

  for (guint t = 0; t < p->n_threads; t++)
    for (guint i = 0; i < p->lanes[t].entries->len; i++) {
      const TsProfileEntry *e = &g_array_index (p->lanes[t].entries, TsProfileEntry, i);
      if (e->node)
        add_to (all, e);
    }
  for (guint i = 0; i < all->len; i++) {
    const TsProfileEntry *e = &g_array_index (all, TsProfileEntry, i);
    if (e->node)
      g_array_append_val (used, *e);
  }
  g_array_sort (used, by_seconds);
  return used;
}

guint64
ts_profile_count (TsProfile *p)
{
  guint64 sum = 0;

  for (guint i = 0; i < p->n_threads; i++)
    sum += p->lanes[i].count;
  return sum;
}

static void
add_number (JsonBuilder *b, const char *key, double value)
{
  json_builder_set_member_name (b, key);
  json_builder_add_double_value (b, value);
}

static void
add_text (JsonBuilder *b, const char *key, const char *value)
{
  json_builder_set_member_name (b, key);
  json_builder_add_string_value (b, value);
}

static void
add_event (JsonBuilder *b, const TsProfileCall *c, gint64 origin)
{
  json_builder_begin_object (b);
  add_text (b, "name", c->node->name);
  add_text (b, "cat", c->node->op->name);
  add_text (b, "ph", "X");
  add_number (b, "ts", 1e-3 * (double) (c->start_ns - origin));
  add_number (b, "dur", 1e-3 * (double) (c->end_ns - c->start_ns));
  add_number (b, "pid", 1);
  add_number (b, "tid", c->thread);
  json_builder_set_member_name (b, "args");
  json_builder_begin_object (b);
  add_number (b, "flops", c->flops);
  add_number (b, "bytes", c->bytes);
  json_builder_end_object (b);
  json_builder_end_object (b);
}

char *
ts_profile_dup_trace (TsProfile *p)
{
  g_autoptr (JsonBuilder) b = json_builder_new ();
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  gint64 origin = G_MAXINT64;

  for (guint t = 0; t < p->n_threads; t++)
    if (p->lanes[t].calls->len)
      origin = MIN (origin, g_array_index (p->lanes[t].calls, TsProfileCall, 0).start_ns);
  json_builder_begin_object (b);
  json_builder_set_member_name (b, "traceEvents");
  json_builder_begin_array (b);
  for (guint t = 0; t < p->n_threads; t++)
    for (guint i = 0; i < p->lanes[t].calls->len; i++)
      add_event (b, &g_array_index (p->lanes[t].calls, TsProfileCall, i), origin);
  json_builder_end_array (b);
  json_builder_end_object (b);
  g_autoptr (JsonNode) root = json_builder_get_root (b);
  json_generator_set_root (generator, root);
  return json_generator_to_data (generator, NULL);
}

gint64
ts_profile_now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (gint64) t.tv_sec * 1000000000 + t.tv_nsec;
}
