/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/tensor/dtype.h"

G_BEGIN_DECLS

/* y[i] = x[i] as another type, @n elements; the buffers do not overlap unless they are the same and the
 * types, too.  A float becomes an integer towards zero, at the nearest end of the range beyond it; NaN
 * becomes 0.  A wider integer keeps its low bits.  Booleans are x != 0; NaN is TRUE. */
void ts_cast (TsDtype from, const void *x, TsDtype to, void *y, gsize n);

G_END_DECLS
