/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/session.h"

G_BEGIN_DECLS

/* A few ops on a few inputs, tried with numbers.  Whatever is refused is fatal. */

#define TRY_INPUTS 4
#define TRY_ROWS   130 /* of inputs with a batch axis: several rows in every slot */

typedef struct {
  TsGraph *graph;
  guint n;
  TsValue *x[TRY_INPUTS];
  TsTensor *data[TRY_INPUTS];
} Try;

/* Input "x<n>" of @shape with numbers from -1 to 1, or integers from -5 to 5. */
TsValue *try_input (Try *t, TsDtype dtype, TsShape shape);

/* All elements of input @i. */
void try_set (Try *t, guint i, const double *values);

/* The first output of an op on one to three values. */
TsValue *try_op (Try *t, const char *name, const char *params, TsValue *a, TsValue *b, TsValue *c);

/* The numbers of @v; NULL with @error when the run fails. */
TsTensor *try_fetch (Try *t, TsValue *v, guint threads, GError **error);

/* d sum (y) / d input @i */
TsTensor *try_gradient (Try *t, TsValue *y, guint i, guint threads);

/* Exactly these @n numbers; NaN equals NaN. */
void try_expect (const TsTensor *got, const double *want, gint64 n);

void try_clear (Try *t);

G_END_DECLS
