/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/base/rng.h"
#include "engine/tensor/dtype.h"
#include "engine/tensor/shape.h"

G_BEGIN_DECLS

/* Initial values of variables.  Names as in Keras; "uniform" and "normal" take `scale` as limit and
 * standard deviation.
 *
 * glorot: scale 1 / mean of fans (Glorot, Bengio 2010); he: 2 / fan_in (He et al. 2015); lecun:
 * 1 / fan_in (LeCun et al. 1998).  uniform limit = sqrt (3·scale), normal = truncated at two standard
 * deviations and widened so that the standard deviation is sqrt (scale).  Fans: dense [in, out];
 * convolution [.., in, out] times the receptive field; vector n: both n.
 *
 * orthogonal: lines (or columns, when there are fewer) orthonormal (Saxe et al. 2014); identity: 1 where
 * line and column agree; unit_forget: 1 in the second quarter, the forget gate's part of an LSTM's bias
 * (Jozefowicz et al. 2015). */

/* "zeros|ones|constant|uniform|normal|glorot_uniform|…" for a parameter table. */
extern const char ts_initializer_words[];

/* Fills @data (f32 or f64).  @name is one of the words; @scale is used by constant, uniform, normal.
 * Each variable has its own stream, so the numbers of one do not depend on the others. */
void ts_initializer_fill (const char *name, double scale, TsDtype dtype, const TsShape *shape,
                          TsRng rng, void *data);

G_END_DECLS
