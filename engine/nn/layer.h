/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/graph.h"
#include "engine/graph/variables.h"

G_BEGIN_DECLS

/* Layers: an op together with the variables it needs, one per file layer-<name>.c with
 * `const TsLayerClass ts_layer_<name>`.  Ops without variables need no layer: the model language
 * finds them in the op table.
 *
 * A TsLayer is one use's variables: applying the same object twice shares them.  Not thread-safe. */

typedef struct TsLayer TsLayer;

typedef struct {
  const char *name;
  const char *doc;
  const char *in_names; /* "x" */
  guint n_in;
  const TsParamSpec *params; /* in the order of positional arguments */
  /* Adds the nodes of one application.  Error messages are worded for the model language (shapes
   * without batch); lines after the first are notes. */
  TsValue *(*build) (TsLayer *layer, TsGraph *graph, TsValue *const *in, GError **error);
} TsLayerClass;

const TsLayerClass *ts_layer_lookup (const char *name);
extern const TsLayerClass *const ts_layer_table[]; /* NULL-ended, in name order */

/* @name is the scope of its variables: "dense" gives "dense/kernel". */
TsLayer *ts_layer_new (const TsLayerClass *klass, const char *name, const TsParams *params);
void ts_layer_free (TsLayer *layer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsLayer, ts_layer_free)

const TsLayerClass *ts_layer_get_class (const TsLayer *layer);
const TsParams *ts_layer_get_params (const TsLayer *layer);

/* One use of the layer.  Errors: SHAPE, DTYPE, PARAM. */
TsValue *ts_layer_apply (TsLayer *layer, TsGraph *graph, TsValue *const *in, guint n_in,
                         GError **error);

/* For build functions: the layer's variable @name, made at the first use; later uses must ask for
 * the same shape (SHAPE otherwise: the layer is shared but its input changed). */
TsValue *ts_layer_variable (TsLayer *layer, TsGraph *graph, const char *name, TsDtype dtype,
                            const TsShape *shape, const char *init, GError **error);

/* The same for what training follows but no gradient changes: moving averages. */
TsValue *ts_layer_statistic (TsLayer *layer, TsGraph *graph, const char *name, TsDtype dtype,
                             const TsShape *shape, const char *init, GError **error);

/* For build functions: @x through the activation @name ("linear": @x itself). */
TsValue *ts_layer_activate (TsGraph *graph, const char *name, TsValue *x, GError **error);

#define TS_ACTIVATION_WORDS                                                                        \
  "linear|elu|gelu|hard_sigmoid|hard_swish|leaky_relu|log_softmax|mish|relu|relu6|selu|sigmoid|"   \
  "silu|softmax|softplus|softsign|tanh"

G_END_DECLS
