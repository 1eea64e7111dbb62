/* SPDX-License-Identifier: MIT */
#include "engine/nn/recurrent.h"

/* A layer's op and what its variables are like. */
typedef struct {
  const char *op;
  guint gates, bias_lines;
  const char *bias_init;
  TsParams *params;
} Cell;

static TsValue *
variable (TsLayer *layer, TsGraph *graph, const char *name, gboolean reverse, const TsValue *x,
          const TsShape *shape, const char *init, GError **error)
{
  g_autofree char *full = g_strconcat (reverse ? "reverse_" : "", name, NULL);

  return ts_layer_variable (layer, graph, full, x->dtype, shape, init, error);
}

/* One direction; @second: the other one of a bidirectional layer. */
static TsValue *
build_direction (TsLayer *layer, TsGraph *graph, TsValue *x, const Cell *c, gboolean second,
                 GError **error)
{
  const TsParams *p = ts_layer_get_params (layer);
  gint64 units = ts_params_int (p, "units"), width = units * c->gates;
  gboolean bias = ts_params_bool (p, "bias");
  TsShape shape = c->bias_lines == 1 ? TS_SHAPE (width) : TS_SHAPE (c->bias_lines, width);
  TsValue *in[4] = {x};

  in[1] = variable (layer, graph, "kernel", second, x, &TS_SHAPE (x->shape.dim[2], width),
                    ts_params_text (p, "init"), error);
  if (!in[1] || !(in[2] = variable (layer, graph, "recurrent", second, x, &TS_SHAPE (units, width),
                                    "orthogonal", error)))
    return NULL;
  if (bias && !(in[3] = variable (layer, graph, "bias", second, x, &shape, c->bias_init, error)))
    return NULL;
  ts_params_set_bool (c->params, "reverse", second || ts_params_bool (p, "reverse"), NULL);
  TsNode *node = ts_graph_add (graph, c->op, NULL, in, bias ? 4 : 3, c->params, error);
  return node ? node->out[ts_params_bool (p, "seq") ? 0 : 1] : NULL;
}

TsValue *
ts_recurrent_build (TsLayer *layer, TsGraph *graph, TsValue *x, const char *op, guint gates,
                    guint bias_lines, const char *bias_init, TsParams *params, GError **error)
{
  const TsParams *p = ts_layer_get_params (layer);
  Cell cell = {op, gates, bias_lines, bias_init, params};
  TsValue *y[2];

  if (x->shape.rank != 3 || !ts_dtype_is_float (x->dtype)) {
    g_autofree char *text = ts_shape_dup_row_text (&x->shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s needs a sequence of vectors [steps, features] but its input is %s", op, text);
    return NULL;
  }
  if (!ts_params_bool (p, "bidirectional"))
    return build_direction (layer, graph, x, &cell, FALSE, error);
  if (ts_params_bool (p, "reverse")) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "%s: with bidirectional=true the steps are taken in both directions; leave out "
                 "reverse=true",
                 op);
    return NULL;
  }
  if (!(y[0] = build_direction (layer, graph, x, &cell, FALSE, error)) ||
      !(y[1] = build_direction (layer, graph, x, &cell, TRUE, error)))
    return NULL;
  TsNode *both = ts_graph_add (graph, "concat", NULL, y, 2, NULL, error);
  return both ? both->out[0] : NULL;
}
