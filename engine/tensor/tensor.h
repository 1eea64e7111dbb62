/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/tensor/dtype.h"
#include "engine/tensor/shape.h"

G_BEGIN_DECLS

/* A dense row-major array that owns its memory (64-byte aligned).  Reference-counted; the count is
 * atomic, the contents are whoever holds it to guard. */
typedef struct TsTensor {
  gint refs; /* private */
  TsDtype dtype;
  TsShape shape;
  gsize bytes;
  void *data;
} TsTensor;

/* Zero-filled.  All dimensions of @shape are known. */
TsTensor *ts_tensor_new (TsDtype dtype, const TsShape *shape);

/* A copy of @data, which holds as many elements as @shape says. */
TsTensor *ts_tensor_new_copy (TsDtype dtype, const TsShape *shape, const void *data);

TsTensor *ts_tensor_ref (TsTensor *tensor);
void ts_tensor_unref (TsTensor *tensor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsTensor, ts_tensor_unref)

gint64 ts_tensor_elems (const TsTensor *tensor);

/* Element @index as a double, whatever the type (i64 beyond 2^53 rounds). */
double ts_tensor_get (const TsTensor *tensor, gint64 index);
void ts_tensor_set (TsTensor *tensor, gint64 index, double value);

/* Would @bytes more fit in this machine at all?  FALSE: no; LIMIT, with @what needs them and how much
 * there is. */
gboolean ts_memory_check (gsize bytes, const char *what, GError **error);

/* Aligned, zeroed memory in whole pages for arenas; large ones ask for huge pages.  Freed with
 * ts_pages_free and the same @bytes. */
void *ts_pages_alloc (gsize bytes);
void ts_pages_free (void *pages, gsize bytes);

G_END_DECLS
