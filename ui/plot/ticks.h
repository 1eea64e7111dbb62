/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where an axis has its ticks and what stands there.  Plain values, no allocation, no locale: the
 * decimal sign is always a point.  Any thread. */
#define TS_TICKS_MAX 48

typedef struct {
  double value;
  char label[40]; /* UTF-8 */
} TsTick;

typedef struct {
  int n;
  double step; /* between two ticks; decades for a log axis */
  TsTick tick[TS_TICKS_MAX];
} TsTicks;

/* In all of these lo < hi, both finite (ts_scale_init's), and @target is about how many ticks are
 * wanted.  Ticks lie within [lo, hi] (and a rounding error), in rising order, with as many digits
 * as it takes to tell them apart. */

/* 1, 2 or 5 times a power of ten. */
double ts_ticks_step (double lo, double hi, int target);

/* Widens the range to the ticks next to it. */
void ts_ticks_nice (double *lo, double *hi, int target);

/* Values: 0.25, -1.5, 12k, 1.25×10⁻⁷. */
void ts_ticks_linear (TsTicks *ticks, double lo, double hi, int target);

/* Steps: whole numbers only; 500, 5k, 1.2M, 12,345. */
void ts_ticks_steps (TsTicks *ticks, double lo, double hi, int target);

/* Decades: 0.01, 1, 100, 10⁻³; with 2 and 5 between them (then 0.002) when there are few, linear
 * ticks when there are fewer than two; every other, third … decade when there are many. */
void ts_ticks_log (TsTicks *ticks, double lo, double hi, int target);

/* Seconds as "30 s", "1:30 min", "5 min", "1:30 h", "2 h", "3 d". */
void ts_ticks_duration (TsTicks *ticks, double lo, double hi, int target);

/* Seconds since the epoch as "14:05", "14:05:30", "30 Nov"; midnight shows the date.
 * @utc_offset_s: of the clock on the wall, east positive. */
void ts_ticks_wall (TsTicks *ticks, double lo, double hi, int target, int utc_offset_s);

/* --- Numbers in words; @buffer has 40 bytes and is returned --- */
#define TS_NUMBER_SIZE 40

/* For a label beside a curve: four decimals or four digits, "0.2409", "12.35", "1.0×10⁻⁶", "NaN",
 * "+Inf", "-Inf". */
char *ts_ticks_format_value (char *buffer, double value);

/* 1,203,441 */
char *ts_ticks_format_count (char *buffer, gint64 count);

/* 10⁻³ */
char *ts_ticks_format_power (char *buffer, int exponent);

G_END_DECLS
