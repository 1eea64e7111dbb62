/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/base/param.h"
#include "engine/tensor/dtype.h"
#include "engine/tensor/shape.h"

G_BEGIN_DECLS

/* What a computation graph is made of.  A node applies an op to values and makes values; the graph
 * (engine/graph/graph.h) owns both, and they never move or change once made. */

typedef struct TsOpClass TsOpClass;
typedef struct TsNode TsNode;
typedef struct TsValue TsValue;

typedef enum {
  TS_VALUE_ROWS,  /* leads with the batch: dimension 0 is TS_ANY */
  TS_VALUE_FREE,  /* all dimensions known, lives for one run */
  TS_VALUE_STATE, /* a variable or a copy derived from one: persists in the session */
} TsValueKind;

struct TsValue {
  TsNode *node; /* who makes it */
  guint index;  /* which output of the node */
  guint id;     /* position in the graph, dense */
  TsValueKind kind;
  TsDtype dtype;
  TsShape shape;
};

#define TS_NODE_OUTPUTS_MAX 8

struct TsNode {
  const TsOpClass *op;
  const char *name; /* unique in the graph, with scopes: "dense_1/kernel"; the graph's */
  TsParams params;
  guint id; /* position in the graph: a topological order */
  guint n_in, n_out;
  TsValue **in;
  TsValue *out[TS_NODE_OUTPUTS_MAX];
  guint n_after;
  TsNode **after;   /* control dependencies: run before this one */
  void *data;       /* of a constant: its elements; NULL: `value` everywhere */
  guint64 stream;   /* of its random numbers: the hash of the name */
  int line, column; /* in the model text, from 1; 0 when it came from elsewhere */
};

/* Bytes of one element row (ROWS: of one batch row; others: of the whole value). */
static inline gsize
ts_value_row_bytes (const TsValue *value)
{
  gint64 n = value->kind == TS_VALUE_ROWS ? ts_shape_row_elems (&value->shape)
                                          : ts_shape_elems (&value->shape);
  return (gsize) n * ts_dtype_size (value->dtype);
}

G_END_DECLS
