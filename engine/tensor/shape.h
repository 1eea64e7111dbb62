/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "engine/base/param.h"

G_BEGIN_DECLS

/* A dimension that is known only when a value is fed: the batch. */
#define TS_ANY ((gint64) -1)

/* The extents of a row-major array, outermost first.  Rank 0 is a scalar.  A plain value. */
typedef struct {
  guint rank;
  gint64 dim[TS_SHAPE_MAX];
} TsShape;

#define TS_SHAPE(...)                                                                              \
  ((TsShape){.rank = sizeof ((gint64[]){__VA_ARGS__}) / sizeof (gint64), .dim = {__VA_ARGS__}})
#define TS_SCALAR ((TsShape){0})

/* Product of all dimensions; TS_ANY when one is unknown. */
gint64 ts_shape_elems (const TsShape *shape);

/* Elements of one row: the product of all dimensions but the first (1 for rank 0 and 1). */
gint64 ts_shape_row_elems (const TsShape *shape);

gboolean ts_shape_equal (const TsShape *a, const TsShape *b);

/* Equal where both are known. */
gboolean ts_shape_compatible (const TsShape *a, const TsShape *b);

/* "(?, 28, 28)"; the text of a scalar is "()", of a vector "(3,)". */
char *ts_shape_dup_text (const TsShape *shape);

/* The same without the batch axis, as the model language shows it: "[28, 28]". */
char *ts_shape_dup_row_text (const TsShape *shape);

G_END_DECLS
