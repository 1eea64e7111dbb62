/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* For ops that change variables: input 0 is the variable, input 1 its gradient.  Optimizers take an f64
 * vector next, the numbers of the step with the learning rate first, and then the variable's slots, all of
 * its shape and type.  No outputs. */
gboolean ts_infer_update (TsNode *node, TsValue *out, GError **error);

/* Blocks of the variable; everything shaped like it is cut along. */
TsPartition ts_partition_update (const TsNode *node);

/* Elements in this call. */
gsize ts_update_elems (const TsCall *call);

/* Number @i of the step: 0 is the learning rate. */
double ts_update_number (const TsCall *call, guint i);

/* The variable, gradient and slots of this call, with the decay that the parameters ask for; c[] is left
 * to the op. */
TsUpdate ts_update_begin (const TsCall *call);

/* Both parts of an op that works out the numbers of a step from the rate and counters, all f64: @n of them
 * in its only output. */
gboolean ts_infer_numbers (TsNode *node, TsValue *out, gint64 n);

/* Parameters that many optimizers have, for their table and that of their op. */
#define TS_PARAM_BETA1(value)                                                                      \
  {                                                                                                \
    "beta1", TS_PARAM_FLOAT, .number = value, .min = 0, .max = 1, .max_open = TRUE,                \
                             .doc = "decay of the mean of gradients"                               \
  }
#define TS_PARAM_BETA2(value, of)                                                                  \
  {                                                                                                \
    "beta2", TS_PARAM_FLOAT, .number = value, .min = 0, .max = 1, .max_open = TRUE,                \
                             .doc = "decay of the " of                                             \
  }
#define TS_PARAM_RHO(value)                                                                        \
  {                                                                                                \
    "rho", TS_PARAM_FLOAT, .number = value, .min = 0, .max = 1, .max_open = TRUE,                  \
                           .doc = "decay of the mean of squares"                                   \
  }
#define TS_PARAM_EPS                                                                               \
  {                                                                                                \
    "eps", TS_PARAM_FLOAT, .number = 1e-7, .min = 0, .max = 1, .doc = "keeps the division finite"  \
  }
#define TS_PARAM_FORM(what)                                                                        \
  {                                                                                                \
    "form", TS_PARAM_WORD, .text = "keras", .words = "keras|torch", .doc = what                    \
  }
/* The decay of weights, read by ts_update_begin. */
#define TS_PARAMS_DECAY(value)                                                                     \
  {"weight_decay", TS_PARAM_FLOAT, .number = value,                                                \
   .min = 0,       .max = 1e6,     .doc = "share of the rate by which weights shrink in a step"},  \
  {                                                                                                \
    "decay", TS_PARAM_WORD,                                                                        \
        .text = "decoupled", .words = "decoupled|coupled",                                         \
        .doc = "shrink the weights themselves, or add the decay to their gradients (L2)"           \
  }

G_END_DECLS
