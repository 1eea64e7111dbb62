/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/graph.h"
#include "engine/ops/update.h"
#include "engine/optim/clip.h"

G_BEGIN_DECLS

/* Optimizers, one per file optim-<name>.c with `const TsOptimizerClass ts_optim_<name>`.  An
 * optimizer adds update nodes to the graph; its slots are variables with readable names
 * ("dense/kernel/adam/m") that checkpoints keep. */

/* A state variable of an optimizer: how it starts, everywhere the same. */
typedef struct {
  const char *name;
  double value;
  double (*start) (const TsParams *params); /* instead of value; NULL: value */
  const char *when; /* only when this parameter is true or above 0; NULL: always */
} TsSlot;

typedef struct {
  const char *name;
  const char *doc;
  const TsParamSpec *params; /* the first is `lr` */
  /* An internal op on lr and scalar f64 slots, once a step before the updates: the value that they take
   * their rate from.  NULL: lr itself. */
  const char *rate;
  const TsSlot *numbers; /* its slots, ended by one without a name */
  /* The op that updates one variable; its inputs are variable, gradient, the rate and the slots. */
  const char *update;
  const TsSlot *slots; /* of every variable, of its shape and type, ended likewise; NULL: none */
} TsOptimizerClass;

const TsOptimizerClass *ts_optimizer_lookup (const char *name);
extern const TsOptimizerClass *const ts_optim_table[]; /* NULL-ended, in name order */

/* A slot of @variable: a variable of its shape and type called "VARIABLE/OPTIMIZER/SLOT"; of none (NULL): an
 * f64 scalar "OPTIMIZER/SLOT". */
TsValue *ts_optimizer_slot (TsGraph *graph, const TsValue *variable, const char *optimizer,
                            TsSlot slot, GError **error);

/* Parameters of every optimizer's table: the first, and the last ones. */
#define TS_PARAM_LR(value)                                                                         \
  {                                                                                                \
    "lr", TS_PARAM_FLOAT, .number = value, .min = 0, .max = 1e6, .doc = "learning rate"            \
  }
#define TS_OPTIMIZER_DECAY(value)                                                                  \
  TS_PARAMS_DECAY (value),                                                                         \
  {                                                                                                \
    "decay_all", TS_PARAM_BOOL, .doc = "biases, gamma and beta decay, too"                         \
  }

/* What happens between gradients and updates, and after these.  All zero: nothing. */
typedef struct {
  TsOption clip; /* of ts_clips */
  gint64
      accumulate; /* gradients of so many batches are averaged for one update; 0, 1: each has one */
  double ema;     /* decay of an average of every weight, "VARIABLE/ema"; 0: none */
} TsMinimizeOptions;

/* What minimize has added.  The arrays belong to the caller. */
typedef struct {
  TsNode *step; /* run this node for one step that updates */
  TsNode
      *accumulate; /* and this one for a batch that is only added up; NULL: every batch updates */
  TsValue *lr;     /* a scalar f64 variable: set it between steps */
  TsValue *norm;   /* global norm of this batch's gradients before they are clipped, f64 scalar */
  TsValue **variables, **gradients; /* gradients: of this batch, as the loss gives them */
  TsValue **averages;               /* of the variables, themselves variables; NULL without ema */
  TsValue *n_averaged;              /* f64 scalar variable: how many updates they have seen */
  guint n;
} TsMinimize;

/* Gradients of @loss for every trainable variable that it depends on, and one update for each; the
 * step runs the graph's own updates, too.  @options may be NULL.
 * Errors: NO_GRADIENT "No gradients provided for any variable", PARAM, SHAPE. */
gboolean ts_minimize_with (TsGraph *graph, TsValue *loss, const TsOptimizerClass *optimizer,
                           const TsParams *params, const TsMinimizeOptions *options,
                           TsMinimize *out, GError **error);
/* The same without options. */
gboolean ts_minimize (TsGraph *graph, TsValue *loss, const TsOptimizerClass *optimizer,
                      const TsParams *params, TsMinimize *out, GError **error);

/* The second half alone: one update of variables[i] by gradients[i], whatever those come from; a NULL
 * gradient leaves its variable out.  @options may be NULL.
 * Errors: NO_GRADIENT when all are NULL, PARAM, SHAPE. */
gboolean ts_apply_gradients (TsGraph *graph, TsValue *const *variables, TsValue *const *gradients,
                             guint n, const TsOptimizerClass *optimizer, const TsParams *params,
                             const TsMinimizeOptions *options, TsMinimize *out, GError **error);

/* ts_minimize by words: "adam", "lr=1e-3, beta1=0.9".  A NULL @loss fails with the error that is there. */
gboolean ts_minimize_by_name (TsGraph *graph, TsValue *loss, const char *optimizer,
                              const char *params, TsMinimize *out, GError **error);

/* Frees the arrays, not @minimize itself. */
void ts_minimize_clear (TsMinimize *minimize);

G_END_DECLS
