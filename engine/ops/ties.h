/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* The gradient of reduce_max and reduce_min: divided evenly among the elements equal to the output. */
void ts_ties_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                       TsValue **grad_in);

G_END_DECLS
