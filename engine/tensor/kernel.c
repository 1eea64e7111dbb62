/* SPDX-License-Identifier: MIT */
#include "engine/tensor/kernel.h"

#include <stdatomic.h>
#include <string.h>

#include "engine/tensor/kernel-levels-private.h"

#ifdef __x86_64__
#include <xmmintrin.h>

const TsKernels *const *
ts_kernels_list (void)
{
  static const TsKernels *list[4];
  static gsize once;

  if (g_once_init_enter (&once)) {
    guint n = 0;
    __builtin_cpu_init ();
    if (__builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512bw") &&
        __builtin_cpu_supports ("avx512dq") && __builtin_cpu_supports ("avx512vl"))
      list[n++] = &ts_kernels_v4;
    if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma") &&
        __builtin_cpu_supports ("bmi2"))
      list[n++] = &ts_kernels_v3;
    list[n++] = &ts_kernels_v2;
    g_once_init_leave (&once, 1);
  }
  return list;
}

/* Flush-to-zero and denormals-are-zero of MXCSR. */
#define FLUSH 0x8040u

guint32
ts_denormals_enter (void)
{
  guint32 former = _mm_getcsr ();

  _mm_setcsr (former | FLUSH);
  return former;
}

void
ts_denormals_leave (guint32 former)
{
  _mm_setcsr ((_mm_getcsr () & ~FLUSH) | (former & FLUSH));
}

#else

const TsKernels *const *
ts_kernels_list (void)
{
  static const TsKernels *const list[] = {&ts_kernels_portable, NULL};

  return list;
}

#ifdef __aarch64__
#define FLUSH ((guint64) 1 << 24) /* FPCR.FZ */

guint32
ts_denormals_enter (void)
{
  guint64 mode;

  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  __asm__ volatile("msr fpcr, %0" : : "r"(mode | FLUSH));
  return (mode & FLUSH) != 0;
}

void
ts_denormals_leave (guint32 former)
{
  guint64 mode;

  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  __asm__ volatile("msr fpcr, %0" : : "r"(former ? mode : mode & ~FLUSH));
}
#else
guint32
ts_denormals_enter (void)
{
  return 0;
}

void
ts_denormals_leave (guint32 former)
{
}
#endif
#endif

/* The last part of a level's name: "v3". */
static const char *
short_name (const TsKernels *k)
{
  const char *dash = strrchr (k->isa, '-');

  return dash ? dash + 1 : k->isa;
}

static void
warn_of_level (const TsKernels *const *list, const char *wish)
{
  static atomic_flag warned = ATOMIC_FLAG_INIT;
  g_autoptr (GString) known = g_string_new (NULL);

  if (atomic_flag_test_and_set (&warned))
    return;
  for (guint i = 0; list[i]; i++)
    g_string_append_printf (known, "%s%s", i ? ", " : "", short_name (list[i]));
  g_printerr ("trainscope: TRAINSCOPE_ISA=%s is no level of this processor; it has %s and goes on "
              "with %s\n",
              wish, known->str, short_name (list[0]));
}

static const TsKernels *
choose (void)
{
  const TsKernels *const *list = ts_kernels_list ();
  const char *wish = g_getenv ("TRAINSCOPE_ISA");

  for (guint i = 0; wish && list[i]; i++)
    if (g_str_has_suffix (list[i]->isa, wish))
      return list[i];
  if (wish)
    warn_of_level (list, wish);
  return list[0];
}

const TsKernels *
ts_kernels_get (void)
{
  static const TsKernels *_Atomic chosen; /* whoever comes first finds the same */
  const TsKernels *k = atomic_load_explicit (&chosen, memory_order_acquire);

  if (!k) {
    k = choose ();
    atomic_store_explicit (&chosen, k, memory_order_release);
  }
  return k;
}
