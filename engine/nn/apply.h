/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/nn/layer.h"

G_BEGIN_DECLS

/* Short forms for programs in C.  They may be nested: a NULL input gives NULL, and the first error stays
 * in *error, so that only the end of a chain needs a look. */

/* A new layer or op called @name on @x: ts_apply (graph, x, "dense", "units=256, act=relu", &error).  Its
 * variables belong to this use; to share them keep a TsLayer. */
TsValue *ts_apply (TsGraph *graph, TsValue *x, const char *name, const char *params,
                   GError **error);

/* An op with two inputs: losses, sums. */
TsValue *ts_apply2 (TsGraph *graph, TsValue *a, TsValue *b, const char *name, const char *params,
                    GError **error);

G_END_DECLS
