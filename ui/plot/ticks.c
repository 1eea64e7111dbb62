/* SPDX-License-Identifier: MIT */
#include "ui/plot/ticks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* m · 10^e, rounded once. */
static double
times_power (double m, int e)
{
  if (e < -300)
    return m * pow (10, e + 200) * 1e-200;
  return e < 0 ? m / pow (10, -e) : m * pow (10, e);
}

/* step = m · 10^e with m of 1, 2, 5. */
static void
choose_step (double lo, double hi, int target, int *m, int *e)
{
  double raw = (hi * .5 - lo * .5) / MAX (target, 1);

  raw = MAX (raw, 1e-304); /* halved */
  *e = (int) floor (log10 (raw) + log10 (2));
  double rest = raw / times_power (.5, *e);
  *m = 1;
  if (rest >= sqrt (50)) {
    (*e)++;
  } else if (rest >= sqrt (10)) {
    *m = 5;
  } else if (rest >= sqrt (2)) {
    *m = 2;
  }
}

double
ts_ticks_step (double lo, double hi, int target)
{
  int m, e;

  choose_step (lo, hi, target, &m, &e);
  return times_power (m, e);
}

void
ts_ticks_nice (double *lo, double *hi, int target)
{
  double a = *lo, b = *hi;

  for (int round = 0; round < 2; round++) { /* a wider range may have a wider step */
    double step = ts_ticks_step (a, b, target);
    double from = floor (*lo / step + 1e-9) * step, to = ceil (*hi / step - 1e-9) * step;
    if (!isfinite (from) || !isfinite (to) || !(from < to))
      return;
    a = MIN (from, *lo);
    b = MAX (to, *hi);
  }
  *lo = a;
  *hi = b;
}

/* --- Numbers --- */

static void
put_superscript (GString *s, int n)
{
  static const char *const digit[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char plain[16];

  g_snprintf (plain, sizeof plain, "%d", n);
  for (const char *p = plain; *p; p++)
    g_string_append (s, *p == '-' ? "⁻" : digit[*p - '0']);
}

char *
ts_ticks_format_power (char *buffer, int exponent)
{
  g_autoptr (GString) s = g_string_new ("10");

  put_superscript (s, exponent);
  g_strlcpy (buffer, s->str, TS_NUMBER_SIZE);
  return buffer;
}

static char *
fixed (char *buffer, double value, int decimals)
{
  char format[16];

  g_snprintf (format, sizeof format, "%%.%df", CLAMP (decimals, 0, 17));
  g_ascii_formatd (buffer, TS_NUMBER_SIZE, format, value);
  if (buffer[0] == '-' && strspn (buffer, "-0.") == strlen (buffer))
    memmove (buffer, buffer + 1, strlen (buffer)); /* -0.00 */
  return buffer;
}

static void
strip_zeros (char *buffer)
{
  if (!strchr (buffer, '.'))
    return;
  char *end = buffer + strlen (buffer);
  while (end[-1] == '0')
    *--end = 0;
  if (end[-1] == '.')
    *--end = 0;
}

/* 1.25×10⁻⁷ with @decimals after the point. */
static char *
scientific (char *buffer, double value, int decimals)
{
  char format[16], plain[TS_NUMBER_SIZE];

  g_snprintf (format, sizeof format, "%%.%de", CLAMP (decimals, 0, 16));
  g_ascii_formatd (plain, sizeof plain, format, value);
  char *e = strchr (plain, 'e');
  g_autoptr (GString) s = g_string_new_len (plain, e - plain);
  g_string_append (s, "×10");
  put_superscript (s, atoi (e + 1));
  g_strlcpy (buffer, s->str, TS_NUMBER_SIZE);
  return buffer;
}

char *
ts_ticks_format_count (char *buffer, gint64 count)
{
  char plain[24];
  char *out = buffer;

  g_snprintf (plain, sizeof plain, "%" G_GINT64_FORMAT, count);
  gsize n = strlen (plain), sign = plain[0] == '-';
  for (gsize i = 0; i < n; i++) {
    if (i > sign && (n - i) % 3 == 0)
      *out++ = ',';
    *out++ = plain[i];
  }
  *out = 0;
  return buffer;
}

char *
ts_ticks_format_value (char *buffer, double value)
{
  double a = fabs (value);

  if (isnan (value))
    g_strlcpy (buffer, "NaN", TS_NUMBER_SIZE);
  else if (isinf (value))
    g_strlcpy (buffer, value > 0 ? "+Inf" : "-Inf", TS_NUMBER_SIZE);
  else if (a == 0)
    g_strlcpy (buffer, "0", TS_NUMBER_SIZE);
  else if (a < 1e-3 || a >= 1e6)
    scientific (buffer, value, 1);
  else if (a == floor (a) || a >= 1000)
    ts_ticks_format_count (buffer, (gint64) round (value));
  else
    fixed (buffer, value, a < 10 ? 4 : a < 100 ? 2 : 1);
  return buffer;
}

/* --- Linear axes --- */

/* "15k": the largest unit below the value, as long as the step is a sensible part of it. */
static gboolean
with_unit (char *buffer, double value, double step)
{
  static const struct {
    double size;
    const char *sign;
  } unit[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};

  for (guint i = 0; i < G_N_ELEMENTS (unit); i++) {
    double size = unit[i].size;
    if (fabs (value) < size * (1 - 1e-12) || step < size * .0999)
      continue;
    fixed (buffer, value / size, 1);
    strip_zeros (buffer);
    g_strlcat (buffer, unit[i].sign, TS_NUMBER_SIZE);
    return TRUE;
  }
  return FALSE;
}

static void
value_label (char *buffer, double value, double largest, double step, int e)
{
  if (value == 0) {
    g_strlcpy (buffer, e < 0 && largest >= 1e-4 ? fixed ((char[TS_NUMBER_SIZE]){0}, 0, -e) : "0",
               TS_NUMBER_SIZE);
    return;
  }
  if (largest >= 1e15 || (largest < 1e-4)) {
    int decimals = (int) floor (log10 (fabs (value)) + 1e-12) - e;
    scientific (buffer, value, MAX (decimals, 0));
    return;
  }
  if (step >= 99 && with_unit (buffer, value, step))
    return;
  fixed (buffer, value, -e);
}

/* Ticks k·step for whole k; @integer: no step below 1. */
static void
linear (TsTicks *ticks, double lo, double hi, int target, gboolean integer)
{
  int m, e;

  ticks->n = 0;
  choose_step (lo, hi, MIN (target, TS_TICKS_MAX / 3), &m, &e);
  if (integer && e < 0)
    m = 1, e = 0;
  double step = ticks->step = times_power (m, e);
  double k0 = ceil (lo / step - 1e-6), k1 = floor (hi / step + 1e-6);
  double largest = MAX (fabs (lo), fabs (hi));
  for (double k = k0; k <= k1 && ticks->n < TS_TICKS_MAX; k++) {
    TsTick *t = &ticks->tick[ticks->n];
    t->value = times_power (k * m, e);
    if (!isfinite (t->value))
      continue;
    if (integer && fabs (t->value) < 1e15) {
      if (!with_unit (t->label, t->value, step))
        ts_ticks_format_count (t->label, (gint64) t->value);
    } else {
      value_label (t->label, t->value, largest, step, e);
    }
    ticks->n++;
    if (k + 1 == k) /* beyond 2^53 steps from 0: neighbours no longer differ */
      break;
  }
}

void
ts_ticks_linear (TsTicks *ticks, double lo, double hi, int target)
{
  linear (ticks, lo, hi, target, FALSE);
}

void
ts_ticks_steps (TsTicks *ticks, double lo, double hi, int target)
{
  linear (ticks, lo, hi, target, TRUE);
}

/* --- Log axes --- */

static void
log_label (char *buffer, int m, int e)
{
  if (e >= -2 && e <= 3)
    fixed (buffer, times_power (m, e), MAX (-e, 0));
  else if (m == 1)
    ts_ticks_format_power (buffer, e);
  else
    scientific (buffer, times_power (m, e), 0);
}

void
ts_ticks_log (TsTicks *ticks, double lo, double hi, int target)
{
  static const int fine[3] = {1, 2, 5};
  double a = log10 (lo), b = log10 (hi);
  int first = (int) ceil (a - 1e-9), last = (int) floor (b + 1e-9);
  int decades = last - first + 1;

  target = CLAMP (target, 1, TS_TICKS_MAX / 3);
  ticks->n = 0;
  ticks->step = 1;
  if (b - a < 1.2) {
    linear (ticks, lo, hi, target, FALSE);
    if (ticks->n && ticks->tick[0].value <= 0) {
      memmove (ticks->tick, ticks->tick + 1, (gsize) (ticks->n - 1) * sizeof (TsTick));
      ticks->n--;
    }
    return;
  }
  gboolean dense = (b - a) * 3 <= target * 1.8;
  int every = MAX ((decades + target - 1) / target, 1);
  ticks->step = every;
  for (int e = first - 1; e <= last && ticks->n < TS_TICKS_MAX; e++) {
    for (int k = 0; k < (dense ? 3 : 1) && ticks->n < TS_TICKS_MAX; k++) {
      double v = times_power (fine[k], e);
      if (v < lo * (1 - 1e-9) || v > hi * (1 + 1e-9) || (!dense && ((e % every) + every) % every))
        continue;
      ticks->tick[ticks->n].value = v;
      log_label (ticks->tick[ticks->n++].label, fine[k], e);
    }
  }
}

/* --- Time axes --- */

static double
time_step (double lo, double hi, int target)
{
  static const int steps[] = {1,   2,    5,    10,   15,    30,    60,    120,   300,   600,
                              900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800};
  double raw = (hi - lo) / MAX (target, 1);

  if (raw <= .75)
    return ts_ticks_step (lo, hi, target);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (raw <= steps[i] * 1.3)
      return steps[i];
  return ts_ticks_step (lo / 86400, hi / 86400, target) * 86400;
}

static void
duration_label (char *buffer, double v, double step, double hi)
{
  static const struct {
    double size;
    const char *name;
  } unit[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
  double a = fabs (v);

  if (v == 0 || step < 1) {
    fixed (buffer, v, v == 0 ? 0 : (int) -floor (log10 (step) + 1e-9));
    g_strlcat (buffer, " s", TS_NUMBER_SIZE);
    return;
  }
  guint i = 0;
  while (i < 3 && hi < unit[i].size * 1.999)
    i++;
  if (step >= unit[i].size || i == 3) {
    fixed (buffer, v / unit[i].size, 1);
    strip_zeros (buffer);
    g_strlcat (buffer, " ", TS_NUMBER_SIZE);
    g_strlcat (buffer, unit[i].name, TS_NUMBER_SIZE);
    return;
  }
  double whole = floor (a / unit[i].size), part = a - whole * unit[i].size;
  if (i == 0) /* days and hours */
    g_snprintf (buffer, TS_NUMBER_SIZE, "%s%.0fd %.0fh", v < 0 ? "-" : "", whole, part / 3600);
  else
    g_snprintf (buffer, TS_NUMBER_SIZE, "%s%.0f:%02.0f %s", v < 0 ? "-" : "", whole,
                part / unit[i + 1].size, unit[i].name);
}

void
ts_ticks_duration (TsTicks *ticks, double lo, double hi, int target)
{
  double step = ticks->step = time_step (lo, hi, MIN (target, TS_TICKS_MAX / 3));
  double largest = MAX (fabs (lo), fabs (hi));

  if (largest > 1e12) { /* 30,000 years: not a duration any more */
    linear (ticks, lo, hi, target, FALSE);
    return;
  }
  ticks->n = 0;
  for (double k = ceil (lo / step - 1e-6); k * step <= hi + step * 1e-6; k++) {
    if (ticks->n == TS_TICKS_MAX)
      return;
    ticks->tick[ticks->n].value = k * step;
    duration_label (ticks->tick[ticks->n++].label, k * step, step, largest);
  }
}

static void
wall_label (char *buffer, double local, double step)
{
  g_autoptr (GDateTime) t = g_date_time_new_from_unix_utc ((gint64) floor (local + 1e-7));
  gboolean midnight = fmod (local, 86400) == 0;
  const char *format = step >= 60 ? "%H:%M" : "%H:%M:%S";
  static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

  if (!t) {
    g_strlcpy (buffer, "?", TS_NUMBER_SIZE);
    return;
  }
  if (step >= 86400 || midnight) { /* by hand: month names without the locale */
    g_snprintf (buffer, TS_NUMBER_SIZE, "%d %s", g_date_time_get_day_of_month (t),
                months[g_date_time_get_month (t) - 1]);
    return;
  }
  g_autofree char *text = g_date_time_format (t, format);
  g_strlcpy (buffer, text, TS_NUMBER_SIZE);
  if (step < 1) {
    char part[TS_NUMBER_SIZE];
    fixed (part, local - floor (local + 1e-7), (int) -floor (log10 (step) + 1e-9));
    g_strlcat (buffer, part + strspn (part, "-0"), TS_NUMBER_SIZE);
  }
}

void
ts_ticks_wall (TsTicks *ticks, double lo, double hi, int target, int utc_offset_s)
{
  if (fabs (lo) > 2e11 || fabs (hi) > 2e11) { /* beyond the year 8000 */
    linear (ticks, lo, hi, target, FALSE);
    return;
  }
  double step = ticks->step = time_step (lo, hi, MIN (target, TS_TICKS_MAX / 3));
  double from = lo + utc_offset_s, to = hi + utc_offset_s;

  ticks->n = 0;
  for (double k = ceil (from / step - 1e-6); k * step <= to + step * 1e-6; k++) {
    if (ticks->n == TS_TICKS_MAX)
      return;
    ticks->tick[ticks->n].value = k * step - utc_offset_s;
    wall_label (ticks->tick[ticks->n++].label, k * step, step);
  }
}
