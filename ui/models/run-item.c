/* SPDX-License-Identifier: MIT */
#include "ui/models/run-item.h"

#include <math.h>
#include <string.h>

struct _TsRunItem {
  GObject parent;
  TsRun *run;
  guint color;
  gboolean editing;
};

G_DEFINE_FINAL_TYPE (TsRunItem, ts_run_item, G_TYPE_OBJECT)

enum { PROP_EDITING = 1 };

static guint changed;

static void
ts_run_item_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_boolean (value, TS_RUN_ITEM (object)->editing);
}

static void
ts_run_item_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  ts_run_item_set_editing (TS_RUN_ITEM (object), g_value_get_boolean (value));
}

static void
ts_run_item_finalize (GObject *object)
{
  g_clear_pointer (&TS_RUN_ITEM (object)->run, ts_run_free);
  G_OBJECT_CLASS (ts_run_item_parent_class)->finalize (object);
}

static void
ts_run_item_class_init (TsRunItemClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);

  object->get_property = ts_run_item_get_property;
  object->set_property = ts_run_item_set_property;
  object->finalize = ts_run_item_finalize;
  g_object_class_install_property (
      object, PROP_EDITING,
      g_param_spec_boolean ("editing", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS));
  changed = g_signal_new ("changed", TS_TYPE_RUN_ITEM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                          G_TYPE_NONE, 0);
}

static void
ts_run_item_init (TsRunItem *item)
{
}

TsRunItem *
ts_run_item_new (TsRun *run)
{
  TsRunItem *item = g_object_new (TS_TYPE_RUN_ITEM, NULL);

  item->run = run;
  return item;
}

/* Nothing that a list shows is another: the usual case, four times a second. */
static gboolean
is_same (const TsRun *a, const TsRun *b)
{
  if (strcmp (a->name, b->name) != 0 || a->state != b->state || a->n_points != b->n_points ||
      a->ended_us != b->ended_us || a->last->len != b->last->len || a->pinned != b->pinned)
    return FALSE;
  for (guint i = 0; i < a->last->len; i++)
    if (g_array_index (a->last, TsLastValue, i).bits !=
        g_array_index (b->last, TsLastValue, i).bits)
      return FALSE;
  return TRUE;
}

void
ts_run_item_take (TsRunItem *item, TsRun *run)
{
  gboolean same = is_same (item->run, run);

  ts_run_free (item->run);
  item->run = run;
  if (!same)
    g_signal_emit (item, changed, 0);
}

const TsRun *
ts_run_item_get (TsRunItem *item)
{
  return item->run;
}

gint64
ts_run_item_get_id (TsRunItem *item)
{
  return item->run->run_id;
}

const char *
ts_run_item_get_name (TsRunItem *item)
{
  return item->run->name;
}

TsRunState
ts_run_item_get_state (TsRunItem *item)
{
  return item->run->state;
}

guint
ts_run_item_get_color (TsRunItem *item)
{
  return item->color;
}

void
ts_run_item_set_color (TsRunItem *item, guint color)
{
  item->color = color;
}

double
ts_run_item_get_last (TsRunItem *item, const char *tag, gboolean *known)
{
  const GArray *last = item->run->last;

  for (guint i = 0; i < last->len; i++) {
    const TsLastValue *value = &g_array_index (last, TsLastValue, i);
    if (strcmp (value->tag, tag) == 0) {
      if (known)
        *known = TRUE;
      return ts_unbits (value->bits);
    }
  }
  if (known)
    *known = FALSE;
  return NAN;
}

double
ts_run_item_get_seconds (TsRunItem *item)
{
  const TsRun *run = item->run;
  gboolean open = run->state == TS_RUN_RUNNING || run->state == TS_RUN_PAUSED;

  if (!open && !run->ended_us)
    return NAN;
  return (double) ((open ? g_get_real_time () : run->ended_us) - run->created_us) / 1e6;
}

char *
ts_hparam_dup_text (const TsHparam *h)
{
  switch (h->kind) {
  case TS_HPARAM_INT:
    return g_strdup_printf ("%" G_GINT64_FORMAT, h->i);
  case TS_HPARAM_REAL:
    return g_strdup_printf ("%g", h->r);
  case TS_HPARAM_BOOL:
    return g_strdup (h->i ? "true" : "false");
  case TS_HPARAM_TEXT:
    return g_strdup (h->t ? h->t : "");
  case TS_HPARAM_NULL:
  default:
    return g_strdup ("–");
  }
}

char *
ts_run_item_dup_hparam (TsRunItem *item, const char *key)
{
  for (guint i = 0; i < item->run->n_hparams; i++)
    if (strcmp (item->run->hparams[i].key, key) == 0)
      return ts_hparam_dup_text (&item->run->hparams[i]);
  return NULL;
}

void
ts_run_item_set_editing (TsRunItem *item, gboolean editing)
{
  if (item->editing == editing)
    return;
  item->editing = editing;
  g_object_notify (G_OBJECT (item), "editing");
}

gboolean
ts_run_item_get_editing (TsRunItem *item)
{
  return item->editing;
}
