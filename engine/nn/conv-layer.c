/* SPDX-License-Identifier: MIT */
#include "engine/nn/conv-layer.h"

gboolean
ts_conv_layer_check (TsLayer *layer, const TsValue *x, guint rank, GError **error)
{
  if (x->shape.rank == rank && ts_dtype_is_float (x->dtype))
    return TRUE;
  g_autofree char *text = ts_shape_dup_row_text (&x->shape);
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE, "%s needs %s but its input is %s",
               ts_layer_get_class (layer)->name,
               rank == 4 ? "an image [height, width, channels]" : "a sequence [length, channels]",
               text);
  return FALSE;
}

gint64
ts_conv_layer_kernel_channels (TsLayer *layer, gint64 channels, GError **error)
{
  const TsParams *p = ts_layer_get_params (layer);
  gint64 groups = ts_params_int (p, "groups"), filters = ts_params_int (p, "filters");

  if (channels % groups == 0 && filters % groups == 0)
    return channels / groups;
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
               "%s: %" G_GINT64_FORMAT " channels and %" G_GINT64_FORMAT
               " filters cannot be cut into %" G_GINT64_FORMAT " equal groups",
               ts_layer_get_class (layer)->name, channels, filters, groups);
  return 0;
}

TsValue *
ts_conv_layer_build (TsLayer *layer, TsGraph *graph, TsValue *x, const TsConvLayer *what,
                     GError **error)
{
  const TsParams *p = ts_layer_get_params (layer);
  TsValue *in[4] = {x};
  guint n_in = 1;
  TsParams op;

  for (guint i = 0; i < what->n_kernels; i++) {
    in[n_in] = ts_layer_variable (layer, graph, what->names[i], x->dtype, &what->kernels[i],
                                  ts_params_text (p, "init"), error);
    if (!in[n_in++])
      return NULL;
  }
  if (ts_params_bool (p, "bias")) {
    in[n_in] = ts_layer_variable (layer, graph, "bias", x->dtype, &TS_SHAPE (what->channels),
                                  "zeros", error);
    if (!in[n_in++])
      return NULL;
  }
  ts_params_init (&op, ts_op_lookup (what->op)->params);
  ts_params_take (&op, p);
  TsNode *node = ts_graph_add (graph, what->op, NULL, in, n_in, &op, error);
  return node ? ts_layer_activate (graph, ts_params_text (p, "act"), node->out[0], error) : NULL;
}
