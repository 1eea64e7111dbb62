/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

/* What is allowed but hardly meant.  @note may be NULL. */
typedef void (*TsLintFunc) (gpointer data, const TsNode *node, const char *message,
                            const char *note);

/* Looks at a graph before gradients are added to it: variables that nothing asked for uses, variables that
 * a loss does not change, probabilities where logits belong, print on no path that is fetched.  @losses and
 * @others (metrics, outputs) are what will be fetched.  One call per finding, in the order of the graph. */
void ts_graph_lint (const TsGraph *graph, TsValue *const *losses, guint n_losses,
                    TsValue *const *others, guint n_others, TsLintFunc func, gpointer data);

G_END_DECLS
