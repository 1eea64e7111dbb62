/* SPDX-License-Identifier: MIT */
#include "data/store/error.h"

/* Not G_DEFINE_QUARK: its plain static is a data race when two threads come first. */
GQuark
ts_store_error_quark (void)
{
  static GQuark quark;
  GQuark q = __atomic_load_n (&quark, __ATOMIC_ACQUIRE);

  if (!q) {
    q = g_quark_from_static_string ("ts-store-error-quark");
    __atomic_store_n (&quark, q, __ATOMIC_RELEASE);
  }
  return q;
}
