/* SPDX-License-Identifier: MIT */
#include "engine/tensor/blas.h"

#include <cblas.h>
#include <dlfcn.h>

/* Training does not need it (docs/decisions/0011), so it is loaded when somebody first asks: two
 * megabytes, a pool of threads and some milliseconds that a start does not have to wait for. */
typedef struct {
  __typeof__ (&cblas_sgemm) sgemm;
  __typeof__ (&cblas_dgemm) dgemm;
  __typeof__ (&openblas_get_corename) core;
  __typeof__ (&openblas_get_config) config;
  gboolean loaded;
} Blas;

static const Blas *
blas (void)
{
  static Blas b;
  static gsize once;

  if (g_once_init_enter (&once)) {
    void *library = dlopen ("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    __typeof__ (&openblas_set_num_threads) set_threads = NULL;
    if (library) {
      b.sgemm = dlsym (library, "cblas_sgemm");
      b.dgemm = dlsym (library, "cblas_dgemm");
      b.core = dlsym (library, "openblas_get_corename");
      b.config = dlsym (library, "openblas_get_config");
      set_threads = dlsym (library, "openblas_set_num_threads");
    }
    b.loaded = b.sgemm && b.dgemm && b.core && b.config && set_threads;
    if (b.loaded)
      set_threads (1);
    g_once_init_leave (&once, 1);
  }
  return &b;
}

gboolean
ts_blas_gemm (TsDtype dtype, gint64 m, gint64 n, gint64 k, const void *a, gint64 a_row,
              const void *b, gint64 b_row, void *c, gint64 c_row)
{
  const Blas *library = blas ();

  if (!library->loaded)
    return FALSE;
  if (dtype == TS_F32)
    library->sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (int) m, (int) n, (int) k, 1, a,
                    (int) a_row, b, (int) b_row, 0, c, (int) c_row);
  else
    library->dgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (int) m, (int) n, (int) k, 1, a,
                    (int) a_row, b, (int) b_row, 0, c, (int) c_row);
  return TRUE;
}

const char *
ts_blas_core (void)
{
  return blas ()->loaded ? blas ()->core () : "none";
}

const char *
ts_blas_version (void)
{
  return blas ()->loaded ? blas ()->config () : "none";
}
