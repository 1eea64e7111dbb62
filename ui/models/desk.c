/* SPDX-License-Identifier: MIT */
#include "ui/models/desk.h"

#include "ui/models/template-item.h"

#define REFRESH_MS      250
#define POLL_S          1
#define RUNS_REFRESH_US (1000 * 1000)

struct _TsDesk {
  GObject parent;
  char *workspace;
  char *source; /* NULL: the workspace itself */
  TsQuery *query;
  TsLive *live;
  TsRunList *runs;
  TsRunSet *run_set;
  TsSeriesCache *series;
  TsRecents *recents;
  GListStore *templates;
  gint64 shown_id, chosen_id;
  TsRunItem *shown;
  TsNotice notice;
  char *notice_texts[4]; /* owns what notice points to */
  guint refresh_source, poll_source;
  gboolean polling;       /* an answer is awaited */
  guint epoch;            /* counts workspaces */
  gboolean refresh_again; /* asked for while the quarter second ran */
  gint64 runs_read_us;
};

G_DEFINE_FINAL_TYPE (TsDesk, ts_desk, G_TYPE_OBJECT)

enum { WORKSPACE_CHANGED, SHOWN_CHANGED, CHOSEN_CHANGED, NOTICE_CHANGED, COMMITTED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
find_shown (TsDesk *desk)
{
  TsRunItem *item = desk->shown_id ? ts_run_list_lookup (desk->runs, desk->shown_id) : NULL;

  if (g_set_object (&desk->shown, item))
    g_signal_emit (desk, signals[SHOWN_CHANGED], 0);
}

/* Another program may write the workspace: look once a second whether it did. */
typedef struct {
  TsAsk ask;
  TsDesk *desk;
  guint epoch;
  gboolean changed;
} PollAsk;

static void
poll_run (TsAsk *ask, TsReader *reader)
{
  ts_reader_poll (reader, &((PollAsk *) ask)->changed, &ask->error);
}

static void
poll_done (TsAsk *ask)
{
  PollAsk *self = (PollAsk *) ask;

  if (self->epoch != self->desk->epoch)
    return;
  self->desk->polling = FALSE;
  if (self->changed) {
    ts_desk_refresh (self->desk);
    ts_desk_refresh_runs (self->desk);
  }
}

static void
poll_free (TsAsk *ask)
{
  g_clear_error (&ask->error);
  g_free (ask);
}

static gboolean
on_poll (gpointer data)
{
  TsDesk *desk = data;
  PollAsk *ask;

  if (desk->polling || !desk->query)
    return G_SOURCE_CONTINUE;
  ask = g_new0 (PollAsk, 1);
  ask->ask = (TsAsk){poll_run, poll_done, poll_free, NULL};
  ask->desk = desk;
  ask->epoch = desk->epoch;
  desk->polling = TRUE;
  ts_query_push (desk->query, &ask->ask);
  return G_SOURCE_CONTINUE;
}

static void
close_workspace (TsDesk *desk)
{
  desk->epoch++;
  desk->polling = FALSE;
  g_clear_handle_id (&desk->poll_source, g_source_remove);
  ts_run_list_set_query (desk->runs, NULL);
  ts_series_cache_set_query (desk->series, NULL);
  g_clear_pointer (&desk->query, ts_query_free);
  g_clear_handle_id (&desk->refresh_source, g_source_remove);
  g_clear_pointer (&desk->workspace, g_free);
}

static void
ts_desk_finalize (GObject *object)
{
  TsDesk *desk = TS_DESK (object);

  close_workspace (desk);
  g_clear_object (&desk->shown);
  g_object_unref (desk->live);
  g_object_unref (desk->run_set);
  g_object_unref (desk->runs);
  g_free (desk->source);
  g_object_unref (desk->recents);
  g_object_unref (desk->templates);
  ts_series_cache_free (desk->series);
  for (guint i = 0; i < G_N_ELEMENTS (desk->notice_texts); i++)
    g_free (desk->notice_texts[i]);
  G_OBJECT_CLASS (ts_desk_parent_class)->finalize (object);
}

static void
ts_desk_class_init (TsDeskClass *klass)
{
  static const char *const names[N_SIGNALS] = {"workspace-changed", "shown-changed",
                                               "chosen-changed", "notice-changed", "committed"};

  G_OBJECT_CLASS (klass)->finalize = ts_desk_finalize;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], TS_TYPE_DESK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 0);
}

static void
ts_desk_init (TsDesk *desk)
{
  desk->live = ts_live_new ();
  desk->runs = ts_run_list_new ();
  desk->run_set = ts_run_set_new (desk->runs);
  desk->series = ts_series_cache_new ();
  desk->recents = ts_recents_new ();
  desk->templates = g_list_store_new (TS_TYPE_TEMPLATE_ITEM);
  g_signal_connect_swapped (desk->runs, "refreshed", G_CALLBACK (find_shown), desk);
}

TsDesk *
ts_desk_new (void)
{
  return g_object_new (TS_TYPE_DESK, NULL);
}

void
ts_desk_set_workspace (TsDesk *desk, const char *path)
{
  close_workspace (desk);
  ts_desk_show_run (desk, 0);
  ts_desk_choose_run (desk, 0);
  if (path) {
    desk->workspace = g_strdup (path);
    desk->query = ts_query_new (path);
    ts_run_list_set_query (desk->runs, desk->query);
    ts_series_cache_set_query (desk->series, desk->query);
    desk->poll_source = g_timeout_add_seconds (POLL_S, on_poll, desk);
  }
  g_signal_emit (desk, signals[WORKSPACE_CHANGED], 0);
  ts_desk_refresh_runs (desk);
}

const char *
ts_desk_get_workspace (TsDesk *desk)
{
  return desk->workspace;
}

void
ts_desk_set_source (TsDesk *desk, const char *path)
{
  g_free (desk->source);
  desk->source = g_strdup (path);
}

const char *
ts_desk_get_source (TsDesk *desk)
{
  return desk->source ? desk->source : desk->workspace;
}

TsQuery *
ts_desk_get_query (TsDesk *desk)
{
  return desk->query;
}

static void
refresh_now (TsDesk *desk)
{
  ts_series_cache_refresh (desk->series);
  g_signal_emit (desk, signals[COMMITTED], 0);
  if (g_get_monotonic_time () - desk->runs_read_us >= RUNS_REFRESH_US)
    ts_desk_refresh_runs (desk);
}

/* The quarter second is over. */
static gboolean
on_refresh (gpointer data)
{
  TsDesk *desk = data;

  if (!desk->refresh_again) {
    desk->refresh_source = 0;
    return G_SOURCE_REMOVE;
  }
  desk->refresh_again = FALSE;
  refresh_now (desk);
  return G_SOURCE_CONTINUE;
}

void
ts_desk_refresh (TsDesk *desk)
{
  if (desk->refresh_source) {
    desk->refresh_again = TRUE;
    return;
  }
  refresh_now (desk);
  desk->refresh_again = FALSE;
  desk->refresh_source = g_timeout_add (REFRESH_MS, on_refresh, desk);
}

void
ts_desk_refresh_runs (TsDesk *desk)
{
  desk->runs_read_us = g_get_monotonic_time ();
  ts_run_list_refresh (desk->runs);
}

TsLive *
ts_desk_get_live (TsDesk *desk)
{
  return desk->live;
}

TsRunList *
ts_desk_get_runs (TsDesk *desk)
{
  return desk->runs;
}

TsRunSet *
ts_desk_get_run_set (TsDesk *desk)
{
  return desk->run_set;
}

TsSeriesCache *
ts_desk_get_series (TsDesk *desk)
{
  return desk->series;
}

TsRecents *
ts_desk_get_recents (TsDesk *desk)
{
  return desk->recents;
}

GListStore *
ts_desk_get_templates (TsDesk *desk)
{
  return desk->templates;
}

void
ts_desk_show_run (TsDesk *desk, gint64 run_id)
{
  if (desk->shown_id == run_id)
    return;
  TsRunItem *item = run_id ? ts_run_list_lookup (desk->runs, run_id) : NULL;
  desk->shown_id = run_id;
  g_set_object (&desk->shown, item);
  g_signal_emit (desk, signals[SHOWN_CHANGED], 0);
}

gint64
ts_desk_get_shown_id (TsDesk *desk)
{
  return desk->shown_id;
}

TsRunItem *
ts_desk_get_shown (TsDesk *desk)
{
  return desk->shown;
}

gboolean
ts_desk_shows_live (TsDesk *desk)
{
  const TsFigures *figures = ts_live_get (desk->live);

  return figures->active && figures->run_id && figures->run_id == desk->shown_id;
}

void
ts_desk_choose_run (TsDesk *desk, gint64 run_id)
{
  if (desk->chosen_id == run_id)
    return;
  desk->chosen_id = run_id;
  g_signal_emit (desk, signals[CHOSEN_CHANGED], 0);
}

TsRunItem *
ts_desk_get_chosen (TsDesk *desk)
{
  return desk->chosen_id ? ts_run_list_lookup (desk->runs, desk->chosen_id) : NULL;
}

void
ts_desk_set_notice (TsDesk *desk, const TsNotice *notice)
{
  const char *texts[4] = {NULL};

  if (notice) {
    texts[0] = notice->title;
    texts[1] = notice->text;
    texts[2] = notice->button;
    texts[3] = notice->action;
  } else if (!desk->notice.title) {
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    char *copy = g_strdup (texts[i]);
    g_free (desk->notice_texts[i]);
    desk->notice_texts[i] = copy;
  }
  desk->notice = (TsNotice){notice ? notice->severity : TS_SEVERITY_INFO, desk->notice_texts[0],
                            desk->notice_texts[1], desk->notice_texts[2], desk->notice_texts[3]};
  g_signal_emit (desk, signals[NOTICE_CHANGED], 0);
}

const TsNotice *
ts_desk_get_notice (TsDesk *desk)
{
  return desk->notice.title ? &desk->notice : NULL;
}
