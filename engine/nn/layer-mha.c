/* SPDX-License-Identifier: MIT */
#include "engine/nn/layer.h"
#include "engine/ops/initializer.h"

/* Self-attention of several heads (Vaswani et al. 2017).  Query, key and value come from one product:
 * their kernels lie beside each other, as in PyTorch's in_proj. */

static const TsParamSpec params[] = {
    {"heads", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 4096, .doc = "how many"},
    {"causal", TS_PARAM_BOOL, .doc = "a step sees itself and what came before"},
    {"bias", TS_PARAM_BOOL, .number = 1, .doc = "add biases"},
    {"init", TS_PARAM_WORD, .text = "glorot_uniform", .words = ts_initializer_words,
     .doc = "initial kernels"},
    {NULL},
};

static TsValue *
project (TsLayer *layer, TsGraph *graph, TsValue *x, const char *name, gint64 width, GError **error)
{
  const TsParams *p = ts_layer_get_params (layer);
  gboolean bias = ts_params_bool (p, "bias");
  g_autofree char *kernel = g_strconcat (name, "_kernel", NULL);
  g_autofree char *offset = g_strconcat (name, "_bias", NULL);
  TsValue *in[3] = {x};

  in[1] = ts_layer_variable (layer, graph, kernel, x->dtype, &TS_SHAPE (x->shape.dim[2], width),
                             ts_params_text (p, "init"), error);
  if (!in[1] || (bias && !(in[2] = ts_layer_variable (layer, graph, offset, x->dtype,
                                                      &TS_SHAPE (width), "zeros", error))))
    return NULL;
  TsNode *node = ts_graph_add (graph, "dense", NULL, in, bias ? 3 : 2, NULL, error);
  return node ? node->out[0] : NULL;
}

static TsValue *
mha_build (TsLayer *layer, TsGraph *graph, TsValue *const *in, GError **error)
{
  const TsParams *p = ts_layer_get_params (layer);
  const TsShape *x = &in[0]->shape;
  gint64 heads = ts_params_int (p, "heads");
  TsParams op;

  if (x->rank != 3 || !ts_dtype_is_float (in[0]->dtype) || x->dim[2] % heads) {
    g_autofree char *text = ts_shape_dup_row_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "mha needs a sequence of vectors [steps, features] whose features divide by its "
                 "%" G_GINT64_FORMAT " heads, but its input is %s",
                 heads, text);
    return NULL;
  }
  TsValue *all = project (layer, graph, in[0], "qkv", 3 * x->dim[2], error);
  if (!all)
    return NULL;
  ts_params_init (&op, ts_op_lookup ("attention")->params);
  ts_params_set_number (&op, "heads", (double) heads, NULL);
  ts_params_set_bool (&op, "causal", ts_params_bool (p, "causal"), NULL);
  ts_params_set_bool (&op, "packed", TRUE, NULL);
  TsNode *node = ts_graph_add (graph, "attention", NULL, &all, 1, &op, error);
  return node ? project (layer, graph, node->out[0], "out", x->dim[2], error) : NULL;
}

const TsLayerClass ts_layer_mha = {
    .name = "mha",
    .doc = "Multi-head self-attention over a sequence.",
    .in_names = "x",
    .n_in = 1,
    .params = params,
    .build = mha_build,
};
