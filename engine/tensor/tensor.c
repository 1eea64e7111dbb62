/* SPDX-License-Identifier: MIT */
#include "engine/tensor/tensor.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/base/error.h"

#define ALIGN      64
#define HUGE_BYTES ((gsize) 2 << 20)

TsTensor *
ts_tensor_new (TsDtype dtype, const TsShape *shape)
{
  gint64 n = ts_shape_elems (shape);
  g_return_val_if_fail (n >= 0, NULL);

  TsTensor *t = g_new0 (TsTensor, 1);
  t->refs = 1;
  t->dtype = dtype;
  t->shape = *shape;
  t->bytes = (gsize) n * ts_dtype_size (dtype);
  gsize room = (t->bytes + ALIGN) & ~(gsize) (ALIGN - 1);
  t->data = aligned_alloc (ALIGN, room);
  if (!t->data)
    g_error ("out of memory: %" G_GSIZE_FORMAT " bytes for a tensor", room);
  memset (t->data, 0, room);
  return t;
}

TsTensor *
ts_tensor_new_copy (TsDtype dtype, const TsShape *shape, const void *data)
{
  TsTensor *t = ts_tensor_new (dtype, shape);

  if (t && t->bytes)
    memcpy (t->data, data, t->bytes);
  return t;
}

TsTensor *
ts_tensor_ref (TsTensor *t)
{
  __atomic_add_fetch (&t->refs, 1, __ATOMIC_RELAXED);
  return t;
}

void
ts_tensor_unref (TsTensor *t)
{
  if (__atomic_sub_fetch (&t->refs, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  free (t->data);
  g_free (t);
}

gint64
ts_tensor_elems (const TsTensor *t)
{
  return ts_shape_elems (&t->shape);
}

double
ts_tensor_get (const TsTensor *t, gint64 i)
{
  return ts_dtype_get (t->dtype, t->data, i);
}

void
ts_tensor_set (TsTensor *t, gint64 i, double value)
{
  ts_dtype_set (t->dtype, t->data, i, value);
}

gboolean
ts_memory_check (gsize bytes, const char *what, GError **error)
{
  struct rlimit limit;
  gsize whole = (gsize) sysconf (_SC_PHYS_PAGES) * (gsize) sysconf (_SC_PAGESIZE);

  if (getrlimit (RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    whole = MIN (whole, limit.rlim_cur);
  if (bytes <= whole)
    return TRUE;
  g_autofree char *needed = g_format_size (bytes), *there = g_format_size (whole);
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_LIMIT,
               "%s would need %s of memory, and there are %s in all", what, needed, there);
  return FALSE;
}

void *
ts_pages_alloc (gsize bytes)
{
  if (bytes == 0)
    return NULL;
  void *p = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (p == MAP_FAILED)
    g_error ("out of memory: %" G_GSIZE_FORMAT " bytes for an arena", bytes);
  if (bytes >= HUGE_BYTES)
    madvise (p, bytes, MADV_HUGEPAGE); /* THP is on request only on Debian */
  return p;
}

void
ts_pages_free (void *pages, gsize bytes)
{
  if (pages)
    munmap (pages, bytes);
}
