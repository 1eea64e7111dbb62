/* SPDX-License-Identifier: MIT */
#include "engine/train/callbacks.h"

#include <math.h>

#define MONITOR                                                                                    \
  {"monitor", TS_PARAM_STRING, .text = "val.loss", .doc = "what it looks at"},                     \
  {                                                                                                \
    "mode", TS_PARAM_WORD,                                                                         \
        .text = "auto", .words = "auto|min|max",                                                   \
        .doc =                                                                                     \
            "less is better, or more; auto: less of a loss or an error, more of what counts hits"  \
  }

static const TsParamSpec early[] = {
    MONITOR,
    {"patience", TS_PARAM_INT, .number = 3, .min = 0, .max = G_MAXINT32,
     .doc = "epochs without improvement that are waited for"},
    {"min_delta", TS_PARAM_FLOAT, .min = 0, .max = 1e30, .doc = "smallest change that counts"},
    {"restore", TS_PARAM_BOOL, .number = 1, .doc = "end with the best weights, stopped or not"},
    {"start_from_epoch", TS_PARAM_INT, .min = 0, .max = G_MAXINT32,
     .doc = "epochs that are not looked at"},
    {"baseline", TS_PARAM_FLOAT, .number = NAN, .doc = "what must be beaten, too; NaN: nothing"},
    {NULL},
};

static const TsParamSpec on_plateau[] = {
    MONITOR,
    {"factor", TS_PARAM_FLOAT, .number = 0.1, .min = 0, .max = 1, .max_open = TRUE,
     .doc = "what the rate is multiplied by"},
    {"patience", TS_PARAM_INT, .number = 10, .min = 0, .max = G_MAXINT32,
     .doc = "epochs without improvement before that"},
    {"min_delta", TS_PARAM_FLOAT, .number = 1e-4, .min = 0, .max = 1e30,
     .doc = "smallest change that counts"},
    {"cooldown", TS_PARAM_INT, .min = 0, .max = G_MAXINT32,
     .doc = "epochs after it that are not counted"},
    {"min_lr", TS_PARAM_FLOAT, .min = 0, .max = 1e6, .doc = "the rate does not fall below"},
    {NULL},
};

const TsOptionClass ts_stops[] = {
    {"early", "Ends the training when a value has stopped getting better.", early},
    {NULL},
};

const TsOptionClass ts_reductions[] = {
    {"on_plateau", "Lowers the learning rate when a value has stopped getting better.", on_plateau},
    {NULL},
};

void
ts_callbacks_init (TsCallbackState *state)
{
  *state = (TsCallbackState){.lr_scale = 1, .stop_best = NAN, .reduce_best = NAN};
}

gboolean
ts_callback_rises (const TsOption *option, gboolean less_is_better)
{
  const char *mode = ts_params_text (&option->params, "mode");

  return mode[0] == 'a' ? !less_is_better : mode[1] == 'a';
}

/* @best NaN: none yet. */
static gboolean
improves (gboolean rises, double value, double best, double min_delta)
{
  if (isnan (best))
    return !isnan (value);
  return rises ? value - min_delta > best : value + min_delta < best;
}

gboolean
ts_stop_early (const TsOption *stop, gboolean rises, TsCallbackState *s, double value, gint64 epoch,
               gint64 step, gboolean *is_best)
{
  const TsParams *p = &stop->params;
  double min_delta = ts_params_float (p, "min_delta");

  *is_best = FALSE;
  if (epoch <= ts_params_int (p, "start_from_epoch"))
    return FALSE;
  *is_best = s->stop_step == 0; /* there is something to restore even if nothing ever improves */
  s->stop_wait++;
  if (improves (rises, value, s->stop_best, min_delta)) {
    *is_best = TRUE;
    s->stop_best = value;
    if (improves (rises, value, ts_params_float (p, "baseline"), min_delta))
      s->stop_wait = 0;
  }
  if (*is_best) {
    s->stop_step = (double) step;
    s->stop_epoch = (double) epoch;
  }
  /* Keras does not stop in an epoch that improved, nor after the first */
  s->stopped = !*is_best && s->stop_wait >= (double) ts_params_int (p, "patience") && epoch > 1;
  return s->stopped != 0;
}

gboolean
ts_stop_holds (const TsOption *stop, const TsCallbackState *s)
{
  return s->stopped != 0 && stop->kind &&
         s->stop_wait >= (double) ts_params_int (&stop->params, "patience");
}

double
ts_reduce_on_plateau (const TsOption *reduce, gboolean rises, TsCallbackState *s, double value,
                      double lr)
{
  const TsParams *p = &reduce->params;
  double least = ts_params_float (p, "min_lr");

  if (s->reduce_cooldown > 0) {
    s->reduce_cooldown--;
    s->reduce_wait = 0;
  }
  if (improves (rises, value, s->reduce_best, ts_params_float (p, "min_delta"))) {
    s->reduce_best = value;
    s->reduce_wait = 0;
  } else if (s->reduce_cooldown == 0 &&
             ++s->reduce_wait >= (double) ts_params_int (p, "patience") && lr > least) {
    s->reduce_cooldown = (double) ts_params_int (p, "cooldown");
    s->reduce_wait = 0;
    lr = MAX (lr * ts_params_float (p, "factor"), least);
  }
  return lr;
}
