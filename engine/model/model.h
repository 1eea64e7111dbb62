/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/graph.h"
#include "engine/model/diag.h"

G_BEGIN_DECLS

/* A model file with its meaning: the graph that its statements describe, and what it says about
 * training.  Building runs no kernel and allocates no weights, so a stranger's file is safe to load.
 * Immutable once built, but for the graph, to which a trainer adds gradients: one trainer per model.
 * Reference-counted. */

typedef struct {
  const char *name; /* interned */
  TsValue *value;
  TsSpan span;
} TsModelValue;

/* A call in a section that others look up: `data spirals(features=sin)`, `optimizer adam(lr=1e-3)`.
 * The checker knows neither data sets nor optimizers; it checks form and keeps the places, so that
 * whoever does know reports at the right spot. */
typedef struct {
  const char *name; /* interned; NULL when the file does not say */
  TsSpan span;
  guint n;
  struct {
    const char *key;  /* interned; NULL: by position */
    const char *text; /* interned: "1e-3", "sin", "[1, 2]", or what stood in quotes */
    gboolean quoted;
    TsSpan span, key_span; /* of the value; of the key, or of the value where there is none */
  } args[16];
} TsModelCall;

typedef struct TsModel TsModel;
struct TsModel {
  gint refs; /* private */
  TsSource *source;
  const char *name;  /* of the `model` statement; the file's stem when there is none */
  const char *title; /* or NULL */
  TsGraph *graph;

  TsModelValue *inputs; /* placeholders, in order; `int` inputs are TS_I32, `float` ones TS_F32 */
  guint n_inputs;
  TsModelValue *losses; /* scalars: a loss per row has been averaged over the batch */
  guint n_losses;
  TsModelValue *metrics; /* scalars */
  guint n_metrics;
  TsModelValue *outputs; /* of `output` statements; else the scores of the first loss */
  guint n_outputs;
  guint64 n_parameters; /* trainable numbers */

  /* `train { … }`; 0 or NULL where it says nothing */
  TsSpan train_span; /* empty: there is none */
  TsModelCall data, optimizer, schedule, clip, stop, reduce;
  gint64 batch, epochs, steps, accumulate;
  TsSpan accumulate_span;
  gint64 seed; /* -1: not said */
  double ema;  /* 0: not said */
  gboolean terminate_on_nan;
};

/* Parses and builds; all problems are added to @diags (made for @source).  NULL when there was an
 * error.  Keeps a reference to @source. */
TsModel *ts_model_new (TsSource *source, TsDiags *diags);

TsModel *ts_model_ref (TsModel *model);
void ts_model_unref (TsModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsModel, ts_model_unref)

/* The input, metric … called @name, or NULL. */
const TsModelValue *ts_model_lookup_input (const TsModel *model, const char *name);

G_END_DECLS
