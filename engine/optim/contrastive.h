/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/optim/optimizer.h"

G_BEGIN_DECLS

/* Training of a restricted Boltzmann machine by contrastive divergence (Hinton 2002; the recipe of
 * "A Practical Guide to Training Restricted Boltzmann Machines", 2010): units are stochastic in the
 * positive phase, reconstructions are probabilities, the statistics use probabilities. */
typedef struct {
  TsValue *kernel;           /* variable [visible, hidden] */
  TsValue *visible, *hidden; /* their biases */
} TsRbm;

/* What was added.  @hidden_probabilities [hidden] and @reconstruction [visible] per row; @error is the mean
 * squared difference of reconstruction and data, a scalar. */
typedef struct {
  TsValue *hidden_probabilities, *reconstruction, *error;
  TsMinimize minimize;
} TsContrastive;

/* One update of the three variables by @k ≥ 1 steps of Gibbs sampling from @data ([visible] per row,
 * values in [0, 1]), through any optimizer.  Errors: SHAPE, PARAM.  ts_minimize_clear (&out->minimize). */
gboolean ts_contrastive_divergence (TsGraph *graph, const TsRbm *rbm, TsValue *data, guint k,
                                    const TsOptimizerClass *optimizer, const TsParams *params,
                                    TsContrastive *out, GError **error);

G_END_DECLS
