/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/reduce.h"

G_BEGIN_DECLS

/* Reductions that go line by line: the elements that make one output element are a line, whatever axes
 * they lie on, and are seen in pieces that only their position decides.  Without the batch axis each
 * row has its own lines; with it one thread goes over all. */

#define TS_LINE_PIECE 512 /* elements */

/* The merged axes of the lines (0) and those along a line (1), with their steps in elements. */
typedef struct {
  TsCall *call;
  gsize size; /* bytes of an element */
  guint rank[2];
  gint64 dim[2][TS_SHAPE_MAX], step[2][TS_SHAPE_MAX];
  gint64 n_lines, length;
  gint64 line; /* the one that is looked at */
} TsLines;

TsPartition ts_lines_partition (const TsNode *node);

/* The lines of @x, one of the node's inputs, in this call. */
void ts_lines_init (TsLines *l, TsCall *call, const TsValue *x);

/* Elements [at, at + n) of the current line of @data, in @buffer or where they lie; n <= PIECE. */
const void *ts_lines_gather (const TsLines *l, const void *data, gint64 at, gint64 n, void *buffer);
/* The other way round. */
void ts_lines_scatter (const TsLines *l, const void *piece, gint64 at, gint64 n, void *data);

/* What the current line of input 0 comes to. */
double ts_lines_fold (const TsLines *l, TsFold fold, double start, double c);

/* TRUE when an element of the current line of booleans is @value. */
gboolean ts_lines_find (const TsLines *l, guint8 value);

/* Output 0 = @value of each line. */
void ts_lines_forward (TsCall *call, double (*value) (const TsLines *l));

G_END_DECLS
