/* SPDX-License-Identifier: MIT */
#include "engine/base/event.h"

const char *
ts_run_state_name (TsRunState state)
{
  static const char *const names[] = {"running",     "finished", "failed", "stopped",
                                      "interrupted", "imported", "paused"};

  return (guint) state < G_N_ELEMENTS (names) ? names[state] : "unknown";
}

TsEvent *
ts_event_new (TsEventKind kind, gint64 step, guint n)
{
  gsize extra = 0;

  if (kind == TS_EVENT_SCALARS)
    extra = n * sizeof (TsScalar);
  else if (kind == TS_EVENT_HISTOGRAM)
    extra = sizeof (TsHistogram);

  TsEvent *e = g_malloc0 (sizeof *e + extra);
  e->refs = 1;
  e->kind = kind;
  e->step = step;
  e->wall_us = g_get_real_time ();
  if (kind == TS_EVENT_SCALARS) {
    e->u.scalars.n = n;
    e->u.scalars.items = (TsScalar *) (e + 1);
  } else if (kind == TS_EVENT_HISTOGRAM) {
    e->u.histogram.data = (TsHistogram *) (e + 1);
  }
  return e;
}

TsEvent *
ts_event_ref (TsEvent *event)
{
  __atomic_add_fetch (&event->refs, 1, __ATOMIC_RELAXED);
  return event;
}

void
ts_event_unref (TsEvent *event)
{
  if (__atomic_sub_fetch (&event->refs, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  switch (event->kind) {
  case TS_EVENT_GRAPH:
    g_free (event->u.graph.json);
    break;
  case TS_EVENT_CHECKPOINT:
    g_free (event->u.checkpoint.path);
    break;
  case TS_EVENT_NOTE:
    g_free (event->u.note.text);
    break;
  case TS_EVENT_EDIT:
    g_free (event->u.edit.key);
    break;
  case TS_EVENT_END:
    g_free (event->u.end.message);
    break;
  case TS_EVENT_SCALARS:
  case TS_EVENT_HISTOGRAM:
  case TS_EVENT_STATE:
    break;
  }
  g_free (event);
}
