/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A model in training on made-up data, for `bench`: the data has the shape of the model's input, bytes
 * for images of one colour, tokens for integers.  Used from one thread. */
typedef struct TsBenchModel TsBenchModel;

/* The names there are, NULL-ended: templates and the models of bench/models. */
const char *const *ts_bench_model_names (void);

/* Errors: NAME, and those of the model. */
TsBenchModel *ts_bench_model_new (const char *name, guint threads, GError **error);
void ts_bench_model_free (TsBenchModel *model);

typedef struct {
  double wall, cpu; /* samples per second of wall-clock time and of this process's CPU time */
} TsBenchRate;

/* Trains for about @seconds. */
TsBenchRate ts_bench_model_run (TsBenchModel *model, double seconds);

/* Multiplications and additions of one sample's share of a step. */
double ts_bench_model_get_flops (TsBenchModel *model);
/* Arena, scratch of all threads, and what all values of a step together would take, in bytes. */
void ts_bench_model_get_memory (TsBenchModel *model, gsize *planned, gsize *sum);

/* Trains for about @seconds with a profile and says which ops took how long, in which nodes: a table for
 * people, the longest first.  Times are of all threads together. */
char *ts_bench_model_dup_profile (TsBenchModel *model, double seconds);

/* Fused multiply-adds per second that one thread can do at most, times two, measured for 0.05 s. */
double ts_bench_peak_flops (void);

G_END_DECLS
