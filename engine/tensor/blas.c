/* SPDX-License-Identifier: MIT */
#include "engine/tensor/blas.h"

#include <cblas.h>

static void
one_thread (void)
{
  static gsize once;

  if (g_once_init_enter (&once)) {
    openblas_set_num_threads (1);
    g_once_init_leave (&once, 1);
  }
}

void
ts_blas_gemm (TsDtype dtype, gint64 m, gint64 n, gint64 k, const void *a, gint64 a_row,
              const void *b, gint64 b_row, void *c, gint64 c_row)
{
  one_thread ();
  if (dtype == TS_F32)
    cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, a_row, b, b_row, 0, c,
                 c_row);
  else
    cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, a_row, b, b_row, 0, c,
                 c_row);
}

const char *
ts_blas_core (void)
{
  return openblas_get_corename ();
}

const char *
ts_blas_version (void)
{
  return openblas_get_config ();
}
