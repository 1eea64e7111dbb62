/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

/* Reverse-mode differentiation that adds nodes: grads[i] becomes the value of d loss / d xs[i]
 * (NULL when @loss does not depend on it), below the scope "gradients".  @loss has all dimensions
 * known; a loss with several elements is differentiated as their sum.  @xs may be any values, not
 * only variables.  Several paths to one value are added in a fixed order.
 * Errors: NO_GRADIENT when no x is reached, SHAPE when the loss has a batch axis. */
gboolean ts_graph_gradients (TsGraph *graph, TsValue *loss, TsValue *const *xs, guint n,
                             TsValue **grads, GError **error);

G_END_DECLS
