/* SPDX-License-Identifier: MIT */
#include "ui/models/run-list.h"

struct _TsRunList {
  GObject parent;
  GPtrArray *items; /* of TsRunItem */
  TsQuery *query;
  guint epoch;          /* counts queries: answers of an earlier one are dropped */
  gboolean busy, again; /* an answer is awaited; another one is wanted */
  gboolean loaded;
};

static GType
list_get_item_type (GListModel *model)
{
  return TS_TYPE_RUN_ITEM;
}

static guint
list_get_n_items (GListModel *model)
{
  return TS_RUN_LIST (model)->items->len;
}

static gpointer
list_get_item (GListModel *model, guint position)
{
  TsRunList *list = TS_RUN_LIST (model);

  return position < list->items->len ? g_object_ref (list->items->pdata[position]) : NULL;
}

static void
init_model (GListModelInterface *iface)
{
  iface->get_item_type = list_get_item_type;
  iface->get_n_items = list_get_n_items;
  iface->get_item = list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TsRunList, ts_run_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, init_model))

enum { REFRESHED, FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
ts_run_list_finalize (GObject *object)
{
  g_ptr_array_unref (TS_RUN_LIST (object)->items);
  G_OBJECT_CLASS (ts_run_list_parent_class)->finalize (object);
}

static void
ts_run_list_class_init (TsRunListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ts_run_list_finalize;
  signals[REFRESHED] = g_signal_new ("refreshed", TS_TYPE_RUN_LIST, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] = g_signal_new ("failed", TS_TYPE_RUN_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
ts_run_list_init (TsRunList *list)
{
  list->items = g_ptr_array_new_with_free_func (g_object_unref);
}

TsRunList *
ts_run_list_new (void)
{
  return g_object_new (TS_TYPE_RUN_LIST, NULL);
}

typedef struct {
  TsAsk ask;
  TsRunList *list;
  guint epoch;
  GPtrArray *runs;
  GArray *colors; /* guint for each: its place among all, those in the trash too */
} ListAsk;

static void
read_runs (TsAsk *ask, TsReader *reader)
{
  ListAsk *self = (ListAsk *) ask;
  g_autoptr (GPtrArray) all = ts_reader_list_runs (reader, TRUE, &ask->error);

  if (!all)
    return;
  self->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_run_free);
  self->colors = g_array_new (FALSE, FALSE, sizeof (guint));
  g_ptr_array_set_free_func (all, NULL);
  for (guint i = 0; i < all->len; i++) {
    TsRun *run = all->pdata[i];
    if (run->trashed_us) {
      ts_run_free (run);
      continue;
    }
    g_ptr_array_add (self->runs, run);
    g_array_append_val (self->colors, i);
  }
}

static TsRunItem *
steal_item (GPtrArray *items, gint64 run_id)
{
  for (guint i = 0; i < items->len; i++)
    if (items->pdata[i] && ts_run_item_get_id (items->pdata[i]) == run_id)
      return g_steal_pointer (&items->pdata[i]);
  return NULL;
}

/* Items stay the same objects, so that selections and open pages keep them. */
static void
merge (TsRunList *list, GPtrArray *runs, const GArray *colors)
{
  GPtrArray *old = list->items;
  guint n_old = old->len;
  guint same = 0;

  while (same < n_old && same < runs->len &&
         ts_run_item_get_id (old->pdata[same]) == ((TsRun *) runs->pdata[same])->run_id)
    same++;
  list->items = g_ptr_array_new_full (runs->len, g_object_unref);
  g_ptr_array_set_free_func (runs, NULL);
  for (guint i = 0; i < runs->len; i++) {
    TsRun *run = runs->pdata[i];
    TsRunItem *item = steal_item (old, run->run_id);
    gboolean known = item != NULL;
    if (!known)
      item = ts_run_item_new (run);
    g_ptr_array_add (list->items, item);
    ts_run_item_set_color (item, g_array_index (colors, guint, i));
    if (known)
      ts_run_item_take (item, run);
  }
  if (same < n_old || same < runs->len)
    g_list_model_items_changed (G_LIST_MODEL (list), same, n_old - same, runs->len - same);
  for (guint i = 0; i < old->len; i++)
    g_clear_object (&old->pdata[i]);
  g_ptr_array_set_free_func (old, NULL);
  g_ptr_array_unref (old);
}

static void
runs_read (TsAsk *ask)
{
  ListAsk *self = (ListAsk *) ask;
  TsRunList *list = self->list;

  if (self->epoch != list->epoch)
    return;
  list->busy = FALSE;
  if (self->runs) {
    list->loaded = TRUE;
    merge (list, self->runs, self->colors);
    g_signal_emit (list, signals[REFRESHED], 0);
  } else {
    g_signal_emit (list, signals[FAILED], 0, ask->error ? ask->error->message : "");
  }
  if (list->again) {
    list->again = FALSE;
    ts_run_list_refresh (list);
  }
}

static void
free_ask (TsAsk *ask)
{
  ListAsk *self = (ListAsk *) ask;

  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_clear_pointer (&self->colors, g_array_unref);
  g_clear_error (&ask->error);
  g_object_unref (self->list);
  g_free (self);
}

void
ts_run_list_set_query (TsRunList *list, TsQuery *query)
{
  guint n = list->items->len;

  list->query = query;
  list->epoch++;
  list->busy = list->again = list->loaded = FALSE;
  g_ptr_array_set_size (list->items, 0);
  if (n)
    g_list_model_items_changed (G_LIST_MODEL (list), 0, n, 0);
}

void
ts_run_list_refresh (TsRunList *list)
{
  ListAsk *ask;

  if (!list->query)
    return;
  if (list->busy) {
    list->again = TRUE;
    return;
  }
  list->busy = TRUE;
  ask = g_new0 (ListAsk, 1);
  ask->ask = (TsAsk){read_runs, runs_read, free_ask, NULL};
  ask->list = g_object_ref (list);
  ask->epoch = list->epoch;
  ts_query_push (list->query, &ask->ask);
}

gboolean
ts_run_list_is_loaded (TsRunList *list)
{
  return list->loaded;
}

TsRunItem *
ts_run_list_lookup (TsRunList *list, gint64 run_id)
{
  for (guint i = 0; i < list->items->len; i++)
    if (ts_run_item_get_id (list->items->pdata[i]) == run_id)
      return list->items->pdata[i];
  return NULL;
}
