/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/nn/layer.h"

G_BEGIN_DECLS

/* What the recurrent layers share. */

#define TS_RECURRENT_PARAMS                                                                        \
  {"units", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 1 << 20, .doc = "size of the state"}, \
      {"seq", TS_PARAM_BOOL, .doc = "give the state after every step, not only the last"},         \
      {"bias", TS_PARAM_BOOL, .number = 1, .doc = "add a bias"},                                   \
      {"reverse", TS_PARAM_BOOL, .doc = "go through the steps from the last to the first"},        \
      {"init", TS_PARAM_WORD, .text = "glorot_uniform", .words = ts_initializer_words,             \
       .doc = "initial kernel of the input"},                                                      \
  {                                                                                                \
    "bidirectional", TS_PARAM_BOOL,                                                                \
        .doc = "go through the steps in both directions, each with its own variables"              \
  }

/* Adds the op @op, called like the layer, with its variables: kernel [features, gates·units], recurrent
 * [units, gates·units] and bias [bias_lines, gates·units] (a vector when 1) that starts as @bias_init.
 * @params: of the op; `reverse` is set from the layer's.  A bidirectional layer has a second op with the
 * variables reverse_kernel and so on; the last axis holds the forward states, then the others. */
TsValue *ts_recurrent_build (TsLayer *layer, TsGraph *graph, TsValue *x, const char *op,
                             guint gates, guint bias_lines, const char *bias_init, TsParams *params,
                             GError **error);

G_END_DECLS
