/* SPDX-License-Identifier: MIT */
#include "engine/optim/schedule.h"

#include <math.h>

#include "engine/base/error.h"

#define STEPS(text)                                                                                \
  {                                                                                                \
    "steps", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 1e15, .doc = text                    \
  }
#define STAIRCASE                                                                                  \
  {                                                                                                \
    "staircase", TS_PARAM_BOOL, .doc = "only whole multiples of `steps` count"                     \
  }
#define ALPHA                                                                                      \
  {                                                                                                \
    "alpha", TS_PARAM_FLOAT, .min = 0, .max = 1,                                                   \
                             .doc = "share of the rate that is left at the end"                    \
  }

static const TsParamSpec none[] = {{NULL}};

static const TsParamSpec exponential[] = {
    STEPS ("steps in which the rate is multiplied once"),
    {"rate", TS_PARAM_FLOAT, .required = TRUE, .min = 0, .max = 1e6, .doc = "the factor"},
    STAIRCASE,
    {NULL},
};

static const TsParamSpec inverse_time[] = {
    STEPS ("steps that count as one"),
    {"rate", TS_PARAM_FLOAT, .required = TRUE, .min = 0, .max = 1e6, .doc = "how fast it falls"},
    STAIRCASE,
    {NULL},
};

static const TsParamSpec polynomial[] = {
    STEPS ("steps down to `end`"),
    {"end", TS_PARAM_FLOAT, .number = 1e-4, .min = 0, .max = 1e6, .doc = "the last rate"},
    {"power", TS_PARAM_FLOAT, .number = 1, .min = 0, .max = 100, .doc = "1: along a line"},
    {"cycle", TS_PARAM_BOOL, .doc = "start again, with one more `steps` each time"},
    {NULL},
};

static const TsParamSpec piecewise[] = {
    {"boundaries", TS_PARAM_NUMBERS, .required = TRUE, .min = 0, .max = 1e15,
     .doc = "steps up to which each rate holds, ascending"},
    {"values", TS_PARAM_NUMBERS, .required = TRUE, .min = 0, .max = 1e6,
     .doc = "the rates themselves, one more than boundaries"},
    {NULL},
};

static const TsParamSpec cosine[] = {
    STEPS ("steps down, behind the warm-up"),
    ALPHA,
    {"warmup", TS_PARAM_INT, .min = 0, .max = 1e15, .doc = "steps up from 0 along a line"},
    {"form", TS_PARAM_WORD, .text = "keras", .words = "keras|torch",
     .doc = "stay at the end, or go up again along the wave"},
    {NULL},
};

static const TsParamSpec cosine_restarts[] = {
    STEPS ("steps of the first period"),
    {"t_mul", TS_PARAM_FLOAT, .number = 2, .min = 1, .max = 1e6,
     .doc = "each period is longer by it"},
    {"m_mul", TS_PARAM_FLOAT, .number = 1, .min = 0, .max = 1e6, .doc = "factor of each start"},
    ALPHA,
    {NULL},
};

static const TsParamSpec one_cycle[] = {
    STEPS ("steps of the whole cycle"),
    {"up", TS_PARAM_FLOAT, .number = 0.3, .min = 0, .max = 1, .doc = "share of them that go up"},
    {"div", TS_PARAM_FLOAT, .number = 25, .min = 1, .max = 1e12, .doc = "lr over the first rate"},
    {"final_div", TS_PARAM_FLOAT, .number = 1e4, .min = 1, .max = 1e12,
     .doc = "the first rate over the last"},
    {NULL},
};

static const TsParamSpec steps_down[] = {
    {"size", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 1e15, .doc = "steps of one stair"},
    {"factor", TS_PARAM_FLOAT, .number = 0.1, .min = 0, .max = 1e6, .doc = "of each stair"},
    {NULL},
};

enum {
  CONSTANT,
  EXPONENTIAL,
  INVERSE_TIME,
  POLYNOMIAL,
  PIECEWISE,
  COSINE,
  RESTARTS,
  ONE_CYCLE,
  STEP
};

const TsOptionClass ts_schedules[] = {
    [CONSTANT] = {"constant", "The optimizer's rate all the time.", none},
    [EXPONENTIAL] = {"exponential", "lr·rate^(t/steps).", exponential},
    [INVERSE_TIME] = {"inverse_time", "lr / (1 + rate·t/steps).", inverse_time},
    [POLYNOMIAL] = {"polynomial", "(lr - end)·(1 - t/steps)^power + end.", polynomial},
    [PIECEWISE] = {"piecewise", "The first value whose boundary is not passed.", piecewise},
    [COSINE] = {"cosine", "Up along a line, then down along half a cosine wave.", cosine},
    [RESTARTS] = {"cosine_restarts", "Half cosine waves, each from the top.", cosine_restarts},
    [ONE_CYCLE] = {"one_cycle", "From lr/div up to lr and down to almost nothing.", one_cycle},
    [STEP] = {"step", "lr·factor^(whole t/size).", steps_down},
    {NULL},
};

/* Half a cosine wave from @from (part 0) to @to (part 1). */
static double
half_wave (double from, double to, double part)
{
  return to + (from - to) * 0.5 * (1 + cos (G_PI * part));
}

static double
parts_of (const TsParams *p, double t)
{
  double parts = t / (double) ts_params_int (p, "steps");

  return ts_params_bool (p, "staircase") ? floor (parts) : parts;
}

static double
polynomial_at (const TsParams *p, double lr, double t)
{
  double steps = (double) ts_params_int (p, "steps"), end = ts_params_float (p, "end");

  if (ts_params_bool (p, "cycle"))
    steps *= MAX (ceil (t / steps), 1);
  return (lr - end) * pow (1 - MIN (t, steps) / steps, ts_params_float (p, "power")) + end;
}

static double
piecewise_at (const TsParams *p, double t)
{
  guint n, n_values, i = 0;
  const double *boundary = ts_params_numbers (p, "boundaries", &n);
  const double *value = ts_params_numbers (p, "values", &n_values);

  while (i < n && t > boundary[i])
    i++;
  return value[i];
}

static double
cosine_at (const TsParams *p, double lr, double t)
{
  double steps = (double) ts_params_int (p, "steps"), warmup = (double) ts_params_int (p, "warmup");

  if (t < warmup)
    return lr * t / warmup;
  t -= warmup;
  if (ts_params_text (p, "form")[0] == 'k')
    t = MIN (t, steps);
  return half_wave (lr, lr * ts_params_float (p, "alpha"), t / steps);
}

static double
restarts_at (const TsParams *p, double lr, double t)
{
  double period = (double) ts_params_int (p, "steps"), longer = ts_params_float (p, "t_mul");
  double top = 1, factor = ts_params_float (p, "m_mul"), alpha = ts_params_float (p, "alpha");

  if (longer == 1) {
    top = pow (factor, floor (t / period));
    t = fmod (t, period);
  }
  for (; t >= period; period *= longer) {
    t -= period;
    top *= factor;
  }
  return lr * ((1 - alpha) * 0.5 * top * (1 + cos (G_PI * t / period)) + alpha);
}

static double
one_cycle_at (const TsParams *p, double lr, double t)
{
  double steps = (double) ts_params_int (p, "steps"), last = MAX (steps - 1, 1);
  double peak = ts_params_float (p, "up") * steps - 1, first = lr / ts_params_float (p, "div");

  t = MIN (t, last);
  if (t <= peak && peak > 0)
    return half_wave (first, lr, t / peak);
  peak = MAX (peak, 0);
  return half_wave (lr, first / ts_params_float (p, "final_div"),
                    last > peak ? (t - peak) / (last - peak) : 1);
}

double
ts_schedule_at (const TsOption *schedule, double lr, gint64 step)
{
  const TsParams *p = &schedule->params;
  double t = (double) step;

  switch (schedule->kind ? schedule->kind - ts_schedules : CONSTANT) {
  case EXPONENTIAL:
    return lr * pow (ts_params_float (p, "rate"), parts_of (p, t));
  case INVERSE_TIME:
    return lr / (1 + ts_params_float (p, "rate") * parts_of (p, t));
  case POLYNOMIAL:
    return polynomial_at (p, lr, t);
  case PIECEWISE:
    return piecewise_at (p, t);
  case COSINE:
    return cosine_at (p, lr, t);
  case RESTARTS:
    return restarts_at (p, lr, t);
  case ONE_CYCLE:
    return one_cycle_at (p, lr, t);
  case STEP:
    return lr * pow (ts_params_float (p, "factor"), floor (t / (double) ts_params_int (p, "size")));
  default:
    return lr;
  }
}

gboolean
ts_schedule_check (const TsOption *schedule, GError **error)
{
  guint n, n_values;

  if (!schedule->kind)
    return TRUE;
  if (!ts_params_check (&schedule->params, schedule->kind->name, error))
    return FALSE;
  if (schedule->kind != &ts_schedules[PIECEWISE])
    return TRUE;
  const double *boundary = ts_params_numbers (&schedule->params, "boundaries", &n);
  ts_params_numbers (&schedule->params, "values", &n_values);
  if (n_values != n + 1) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "piecewise: %u boundaries need %u values, not %u", n, n + 1, n_values);
    return FALSE;
  }
  for (guint i = 1; i < n; i++)
    if (boundary[i] <= boundary[i - 1]) {
      g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                   "piecewise: boundary %g does not come after %g", boundary[i], boundary[i - 1]);
      return FALSE;
    }
  return TRUE;
}
