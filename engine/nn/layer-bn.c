/* SPDX-License-Identifier: MIT */
#include "engine/nn/layer.h"

/* Batch statistics while training, moving ones otherwise. */

static const TsParamSpec params[] = {
    {"momentum", TS_PARAM_FLOAT, .number = 0.99, .min = 0, .max = 1,
     .doc = "share of the moving statistics kept at each step"},
    {"eps", TS_PARAM_FLOAT, .number = 1e-3, .min = 0, .max = 1,
     .doc = "added to the variance, so that it is never 0"},
    {"unbiased", TS_PARAM_BOOL, .number = 0,
     .doc = "keep the unbiased variance n / (n - 1), as PyTorch does"},
    {NULL},
};

static const struct {
  const char *name, *init;
  gboolean trainable;
} variables[] = {
    {"gamma", "ones", TRUE},
    {"beta", "zeros", TRUE},
    {"moving_mean", "zeros", FALSE},
    {"moving_variance", "ones", FALSE},
};

static gboolean
make_variables (TsLayer *layer, TsGraph *graph, const TsValue *x, TsValue **v, GError **error)
{
  TsShape channels = TS_SHAPE (x->shape.dim[x->shape.rank - 1]);

  for (guint i = 0; i < G_N_ELEMENTS (variables); i++) {
    v[i] = (variables[i].trainable ? ts_layer_variable : ts_layer_statistic) (
        layer, graph, variables[i].name, x->dtype, &channels, variables[i].init, error);
    if (!v[i])
      return FALSE;
  }
  return TRUE;
}

/* @moving follows @value; @per_row as in moving_average. */
static gboolean
follow (TsLayer *layer, TsGraph *graph, TsValue *moving, TsValue *value, gint64 per_row,
        GError **error)
{
  TsValue *in[] = {moving, value};
  TsParams p;

  ts_params_init (&p, ts_op_lookup ("moving_average")->params);
  ts_params_set_number (&p, "momentum", ts_params_float (ts_layer_get_params (layer), "momentum"),
                        NULL);
  ts_params_set_number (&p, "per_row", (double) per_row, NULL);
  TsNode *node = ts_graph_add (graph, "moving_average", NULL, in, 2, &p, error);
  if (node)
    ts_graph_add_update (graph, node);
  return node != NULL;
}

static TsValue *
bn_build (TsLayer *layer, TsGraph *graph, TsValue *const *in, GError **error)
{
  const TsParams *params_of = ts_layer_get_params (layer);
  const TsShape *x = &in[0]->shape;
  TsValue *v[G_N_ELEMENTS (variables)], *chosen[2];
  TsParams p;

  if (in[0]->kind != TS_VALUE_ROWS || x->rank < 2) {
    g_autofree char *text = ts_shape_dup_row_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "bn needs a batch of rows with channels but its input is %s", text);
    return NULL;
  }
  if (!make_variables (layer, graph, in[0], v, error))
    return NULL;
  TsNode *moments = ts_graph_add (graph, "moments", NULL, in, 1, NULL, error);
  if (!moments)
    return NULL;
  gint64 lines = ts_shape_row_elems (x) / x->dim[x->rank - 1];
  for (guint i = 0; i < 2; i++) {
    TsValue *both[] = {moments->out[i], v[2 + i]};
    TsNode *node = ts_graph_add (graph, "by_phase", NULL, both, 2, NULL, error);
    gboolean unbiased = i == 1 && ts_params_bool (params_of, "unbiased");
    if (!node || !follow (layer, graph, v[2 + i], moments->out[i], unbiased ? lines : 0, error))
      return NULL;
    chosen[i] = node->out[0];
  }
  ts_params_init (&p, ts_op_lookup ("batch_norm")->params);
  ts_params_set_number (&p, "eps", ts_params_float (params_of, "eps"), NULL);
  TsNode *y = ts_graph_add (graph, "batch_norm", NULL,
                            (TsValue *[]){in[0], chosen[0], chosen[1], v[0], v[1]}, 5, &p, error);
  return y ? y->out[0] : NULL;
}

const TsLayerClass ts_layer_bn = {
    .name = "bn",
    .doc = "Batch normalisation: every channel by its mean and variance over the batch.",
    .in_names = "x",
    .n_in = 1,
    .params = params,
    .build = bn_build,
};
