/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/layout.h"

G_BEGIN_DECLS

/* Matrices on the last two axes: with @square they must be that. */
gboolean ts_infer_matrices (const TsNode *node, gboolean square, GError **error);

/* tril and triu: what is on the other side of diagonal k becomes 0. */
extern const TsParamSpec ts_triangle_params[];
gboolean ts_triangle_infer (TsNode *node, TsValue *out, GError **error);
void ts_triangle_forward (TsCall *call, gboolean upper);
void ts_triangle_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out,
                           const gboolean *want, TsValue **grad_in);

G_END_DECLS
