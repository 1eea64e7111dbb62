/* SPDX-License-Identifier: MIT */
#include "engine/nn/recurrent.h"

TsValue *
ts_recurrent_build (TsLayer *layer, TsGraph *graph, TsValue *x, const char *op, guint gates,
                    guint bias_lines, const char *bias_init, TsParams *params, GError **error)
{
  const TsParams *p = ts_layer_get_params (layer);
  gint64 units = ts_params_int (p, "units"), width = units * gates;
  gboolean bias = ts_params_bool (p, "bias");
  TsValue *in[4] = {x};

  if (x->shape.rank != 3 || !ts_dtype_is_float (x->dtype)) {
    g_autofree char *text = ts_shape_dup_row_text (&x->shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s needs a sequence of vectors [steps, features] but its input is %s", op, text);
    return NULL;
  }
  in[1] = ts_layer_variable (layer, graph, "kernel", x->dtype, &TS_SHAPE (x->shape.dim[2], width),
                             ts_params_text (p, "init"), error);
  if (!in[1] || !(in[2] = ts_layer_variable (layer, graph, "recurrent", x->dtype,
                                             &TS_SHAPE (units, width), "orthogonal", error)))
    return NULL;
  TsShape shape = bias_lines == 1 ? TS_SHAPE (width) : TS_SHAPE (bias_lines, width);
  if (bias &&
      !(in[3] = ts_layer_variable (layer, graph, "bias", x->dtype, &shape, bias_init, error)))
    return NULL;
  ts_params_set_bool (params, "reverse", ts_params_bool (p, "reverse"), NULL);
  TsNode *node = ts_graph_add (graph, op, NULL, in, bias ? 4 : 3, params, error);
  return node ? node->out[ts_params_bool (p, "seq") ? 0 : 1] : NULL;
}
