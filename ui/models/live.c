/* SPDX-License-Identifier: MIT */
#include "ui/models/live.h"

#include <math.h>

struct _TsLive {
  GObject parent;
  TsFigures figures;
  char *name;
};

G_DEFINE_FINAL_TYPE (TsLive, ts_live, G_TYPE_OBJECT)

static guint changed;

static void
ts_live_finalize (GObject *object)
{
  g_free (TS_LIVE (object)->name);
  G_OBJECT_CLASS (ts_live_parent_class)->finalize (object);
}

static void
ts_live_class_init (TsLiveClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ts_live_finalize;
  changed = g_signal_new ("changed", TS_TYPE_LIVE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                          G_TYPE_NONE, 0);
}

static void
ts_live_init (TsLive *live)
{
  live->figures = (TsFigures){.loss = NAN,
                              .accuracy = NAN,
                              .val_loss = NAN,
                              .val_metric = NAN,
                              .grad_norm = NAN,
                              .lr = NAN};
}

TsLive *
ts_live_new (void)
{
  return g_object_new (TS_TYPE_LIVE, NULL);
}

void
ts_live_set (TsLive *live, const TsFigures *figures)
{
  char *name = g_strdup (figures->name);

  live->figures = *figures;
  g_free (live->name);
  live->figures.name = live->name = name;
  g_signal_emit (live, changed, 0);
}

const TsFigures *
ts_live_get (TsLive *live)
{
  return &live->figures;
}

double
ts_figures_get_left (const TsFigures *f)
{
  if (f->steps_per_s <= 0 || !isfinite (f->steps_per_s))
    return NAN;
  return (double) (f->total_steps - f->step) / f->steps_per_s;
}
