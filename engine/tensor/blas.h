/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "engine/tensor/dtype.h"

G_BEGIN_DECLS

/* OpenBLAS behind one door: the reference that tests and bench hold our kernels against, loaded when it
 * is first asked for.  It runs on the calling thread alone.  Its rows depend on how many travel together,
 * so a product that goes through it must be cut by shape, never by thread count. */

/* C[m, n] = A[m, k]·B[k, n], row-major, dense rows of the given strides.  FALSE: it is not here. */
gboolean ts_blas_gemm (TsDtype dtype, gint64 m, gint64 n, gint64 k, const void *a, gint64 a_row,
                   const void *b, gint64 b_row, void *c, gint64 c_row);

/* "SkylakeX" and "OpenBLAS 0.3.21 …"; "none" where it is not.  Static strings. */
const char *ts_blas_core (void);
const char *ts_blas_version (void);

G_END_DECLS
