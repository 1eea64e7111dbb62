/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/channels.h"

G_BEGIN_DECLS

/* What the normalisations over sets inside one row share: layer and RMS norm take every line of
 * channels for a set, group norm a group of channels of all pixels of an image.  Inputs are x, gamma?,
 * beta?, the last two with one number per channel. */

typedef struct {
  gint64 outer;  /* lines or images in the call */
  gint64 groups; /* sets in each of them */
  gint64 runs, n;
} TsNormSets;

/* Parameters of the gradients. */
extern const TsParamSpec ts_norm_grad_params[];

/* x is float with channels; gamma and beta fit; output 0 is like x. */
gboolean ts_norm_infer (TsNode *node, TsValue *out, GError **error);
/* @groups 0: a line is a set. */
void ts_norm_forward (TsCall *call, gint64 groups, double epsilon, gboolean centred);
void ts_norm_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                       TsValue **grad_in, gint64 groups, double epsilon, gboolean centred);

/* The gradients' forward functions; inputs are dy, x, gamma? and dy, x. */
void ts_norm_grad_forward (TsCall *call);
void ts_norm_sums_forward (TsCall *call);

#define TS_PARAM_EPSILON(value)                                                                    \
  {                                                                                                \
    "eps", TS_PARAM_FLOAT, .number = value, .min = 0, .max = 1,                                    \
                           .doc = "added to the variance, so that it is never 0"                   \
  }

G_END_DECLS
