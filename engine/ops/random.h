/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* For ops that draw a number for each element of output 0: the node's random numbers at this step, and
 * the index of the call's first element in them.  @stream: the name whose numbers are meant, or NULL for
 * the node's own. */
TsRng ts_call_draw (const TsCall *call, const char *stream, guint64 *first);

G_END_DECLS
