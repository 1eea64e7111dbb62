/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* The generic test of an op, driven by its examples: gradients of all elements against signed
 * central differences in f64 under random cotangents of all outputs that carry one, accumulation
 * over two uses, the same bits run after run, for 1 and 3 threads and with everything fetched,
 * NaN in gives NaN out, and wrong inputs are refused in words.  Returns NULL or what went wrong. */
char *ts_opcheck_run (const TsOpClass *op, const TsOpExample *example);

G_END_DECLS
