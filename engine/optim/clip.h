/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/graph.h"
#include "engine/optim/option.h"

G_BEGIN_DECLS

/* Ways to keep gradients small: value (each element), norm (each gradient), global_norm (all together).
 * Each has `limit`. */
extern const TsOptionClass ts_clips[];

/* The norm of all @gradients together, an f64 scalar.  Errors: SHAPE. */
TsValue *ts_add_global_norm (TsGraph *graph, TsValue *const *gradients, guint n, GError **error);

/* Puts clipped gradients into the places of gradients[]; @norm: their global norm when it is there already,
 * or NULL.  Errors: SHAPE. */
gboolean ts_clip_gradients (TsGraph *graph, const TsOption *clip, TsValue **gradients, guint n,
                            TsValue *norm, GError **error);

G_END_DECLS
