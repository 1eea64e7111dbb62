/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/plot/column.h"
#include "ui/plot/scale.h"

G_BEGIN_DECLS

/* Sorts points into pixel columns, in one pass and without sorting them: x may come in any order.
 * Point i falls into column floor (px) where px is its place on @x_scale, whose pixels are columns
 * counted from the left edge of column 0.  With @positive_only (a log axis) values that are not
 * above 0 count as hidden.
 *
 * @columns has been initialised with the number of columns and is filled anew.  Any thread. */
void ts_decimate (TsColumns *columns, const double *x, const double *y, gsize n,
                  const TsScale *x_scale, gboolean positive_only);

G_END_DECLS
