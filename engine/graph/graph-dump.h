/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

/* The graph as a JSON text (owned by the caller): {"nodes": [{"name", "op", "inputs": ["name:0"],
 * "control": ["name"], "outputs": [{"dtype", "shape": [null, 10]}], "params": {…}, "line",
 * "column", "kind": "variable|constant|placeholder|op|derived"}, …]}, in graph order.  An unknown
 * dimension is null.  This is what a run stores and the graph page draws. */
char *ts_graph_dup_json (const TsGraph *graph);

G_END_DECLS
