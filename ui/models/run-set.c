/* SPDX-License-Identifier: MIT */
#include "ui/models/run-set.h"

#include <string.h>

/* A workspace with more runs opens with its latest ones. */
#define FIRST_SHOWN 12

struct _TsRunSet {
  GObject parent;
  TsRunList *runs;
  GHashTable *hidden; /* of run ids */
  GListStore *fitting;
  char *filter;
  char **words; /* of it, folded */
  gint64 selected;
  gboolean begun; /* the first list has come */
};

G_DEFINE_FINAL_TYPE (TsRunSet, ts_run_set, G_TYPE_OBJECT)

static guint changed;

static void
ts_run_set_finalize (GObject *object)
{
  TsRunSet *set = TS_RUN_SET (object);

  g_hash_table_unref (set->hidden);
  g_object_unref (set->fitting);
  g_object_unref (set->runs);
  g_strfreev (set->words);
  g_free (set->filter);
  G_OBJECT_CLASS (ts_run_set_parent_class)->finalize (object);
}

static void
ts_run_set_class_init (TsRunSetClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ts_run_set_finalize;
  changed = g_signal_new ("changed", TS_TYPE_RUN_SET, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                          G_TYPE_NONE, 0);
}

static void
ts_run_set_init (TsRunSet *set)
{
  set->hidden = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  set->fitting = g_list_store_new (TS_TYPE_RUN_ITEM);
  set->filter = g_strdup ("");
}

static gboolean
fits (TsRunSet *set, TsRunItem *item)
{
  if (!set->words || !set->words[0])
    return TRUE;
  g_autofree char *valid = g_utf8_make_valid (ts_run_item_get_name (item), -1);
  g_autofree char *name = g_utf8_casefold (valid, -1);
  const char *state = ts_run_state_name (ts_run_item_get_state (item));

  for (guint i = 0; set->words[i]; i++)
    if (!strstr (name, set->words[i]) && !strstr (state, set->words[i]))
      return FALSE;
  return TRUE;
}

/* Items that stay keep their place in the model, so that lists keep their rows. */
static void
update_fitting (TsRunSet *set)
{
  GListModel *runs = G_LIST_MODEL (set->runs);
  g_autoptr (GPtrArray) wanted = g_ptr_array_new_with_free_func (g_object_unref);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (set->fitting)), same = 0, tail = 0;

  for (guint i = g_list_model_get_n_items (runs); i-- > 0;) {
    g_autoptr (TsRunItem) item = g_list_model_get_item (runs, i);
    if (fits (set, item))
      g_ptr_array_add (wanted, g_steal_pointer (&item));
  }
  for (; same < n && same < wanted->len; same++) {
    g_autoptr (TsRunItem) item = g_list_model_get_item (G_LIST_MODEL (set->fitting), same);
    if (item != wanted->pdata[same])
      break;
  }
  for (; tail < n - same && tail < wanted->len - same; tail++) {
    g_autoptr (TsRunItem) item = g_list_model_get_item (G_LIST_MODEL (set->fitting), n - 1 - tail);
    if (item != wanted->pdata[wanted->len - 1 - tail])
      break;
  }
  if (same + tail < n || same + tail < wanted->len)
    g_list_store_splice (set->fitting, same, n - same - tail, wanted->pdata + same,
                         wanted->len - same - tail);
}

static void
hide (TsRunSet *set, gint64 run_id)
{
  gint64 *key = g_new (gint64, 1);

  *key = run_id;
  g_hash_table_add (set->hidden, key);
}

static void
on_refreshed (TsRunSet *set)
{
  GListModel *runs = G_LIST_MODEL (set->runs);
  guint n = g_list_model_get_n_items (runs);

  if (!set->begun && n) {
    set->begun = TRUE;
    for (guint i = 0; i + FIRST_SHOWN < n; i++) {
      g_autoptr (TsRunItem) item = g_list_model_get_item (runs, i);
      hide (set, ts_run_item_get_id (item));
    }
  }
  update_fitting (set);
  g_signal_emit (set, changed, 0);
}

/* Another workspace: its ids mean other runs. */
static void
on_items (TsRunSet *set)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (set->runs)))
    return;
  set->begun = FALSE;
  set->selected = 0;
  g_hash_table_remove_all (set->hidden);
  update_fitting (set);
  g_signal_emit (set, changed, 0);
}

TsRunSet *
ts_run_set_new (TsRunList *runs)
{
  TsRunSet *set = g_object_new (TS_TYPE_RUN_SET, NULL);

  set->runs = g_object_ref (runs);
  g_signal_connect_object (runs, "refreshed", G_CALLBACK (on_refreshed), set, G_CONNECT_SWAPPED);
  g_signal_connect_object (runs, "items-changed", G_CALLBACK (on_items), set, G_CONNECT_SWAPPED);
  on_refreshed (set);
  return set;
}

GListModel *
ts_run_set_get_fitting (TsRunSet *set)
{
  return G_LIST_MODEL (set->fitting);
}

gboolean
ts_run_set_shows (TsRunSet *set, TsRunItem *item)
{
  gint64 id = ts_run_item_get_id (item);

  return !g_hash_table_contains (set->hidden, &id) && fits (set, item);
}

guint
ts_run_set_count_shown (TsRunSet *set)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (set->fitting)), shown = 0;

  for (guint i = 0; i < n; i++) {
    g_autoptr (TsRunItem) item = g_list_model_get_item (G_LIST_MODEL (set->fitting), i);
    gint64 id = ts_run_item_get_id (item);
    shown += !g_hash_table_contains (set->hidden, &id);
  }
  return shown;
}

guint
ts_run_set_count_all (TsRunSet *set)
{
  return g_list_model_get_n_items (G_LIST_MODEL (set->runs));
}

void
ts_run_set_show (TsRunSet *set, gint64 run_id, gboolean show)
{
  if (g_hash_table_contains (set->hidden, &run_id) == !show)
    return;
  if (show)
    g_hash_table_remove (set->hidden, &run_id);
  else
    hide (set, run_id);
  g_signal_emit (set, changed, 0);
}

void
ts_run_set_show_only (TsRunSet *set, gint64 run_id)
{
  GListModel *runs = G_LIST_MODEL (set->runs);
  guint n = g_list_model_get_n_items (runs);

  if (n > 1 && g_hash_table_size (set->hidden) == n - 1 &&
      !g_hash_table_contains (set->hidden, &run_id)) {
    ts_run_set_show_all (set);
    return;
  }
  g_hash_table_remove_all (set->hidden);
  for (guint i = 0; i < n; i++) {
    g_autoptr (TsRunItem) item = g_list_model_get_item (runs, i);
    if (ts_run_item_get_id (item) != run_id)
      hide (set, ts_run_item_get_id (item));
  }
  g_signal_emit (set, changed, 0);
}

void
ts_run_set_show_all (TsRunSet *set)
{
  g_hash_table_remove_all (set->hidden);
  g_signal_emit (set, changed, 0);
}

void
ts_run_set_set_filter (TsRunSet *set, const char *filter)
{
  g_autofree char *folded = g_utf8_casefold (filter, -1);

  if (strcmp (set->filter, filter) == 0)
    return;
  g_free (set->filter);
  set->filter = g_strdup (filter);
  g_strfreev (set->words);
  set->words = g_strsplit_set (g_strstrip (folded), " \t", -1);
  update_fitting (set);
  g_signal_emit (set, changed, 0);
}

const char *
ts_run_set_get_filter (TsRunSet *set)
{
  return set->filter;
}

void
ts_run_set_select (TsRunSet *set, gint64 run_id)
{
  if (set->selected == run_id)
    return;
  set->selected = run_id;
  g_signal_emit (set, changed, 0);
}

gint64
ts_run_set_get_selected (TsRunSet *set)
{
  return set->selected;
}
