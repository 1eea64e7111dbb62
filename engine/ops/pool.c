/* SPDX-License-Identifier: MIT */
#include "engine/ops/pool.h"

#define POOL_PARAMS                                                                                \
  {                                                                                                \
      "size",   TS_PARAM_INT, .number = 2,                                                         \
      .min = 1, .max = 15,    .doc = "height and width of the window"},                            \
      {"stride", TS_PARAM_INT, .number = 0,                                                        \
       .min = 0, .max = 64,    .doc = "pixels between windows; 0: size"},                          \
      {"pad", TS_PARAM_WORD, .text = "valid", .words = TS_PAD_WORDS,                               \
       .doc = "windows may leave the image, or not, or as far as pads says"},                      \
      TS_PARAM_PADS, {"window", TS_PARAM_SHAPE, .doc = "height and width, when they differ"},      \
  {                                                                                                \
    "strides", TS_PARAM_SHAPE, .doc = "pixels down and to the right, when they differ"             \
  }

const TsParamSpec ts_pool_params[] = {POOL_PARAMS, {NULL}};
const TsParamSpec ts_pool_grad_params[] = {
    POOL_PARAMS, {"image", TS_PARAM_SHAPE, .doc = "height and width of the image"}, {NULL}};

#define N_POOL_PARAMS (G_N_ELEMENTS (ts_pool_params) - 1)

static gboolean
pair (const TsNode *node, guint param, gint64 *a, gint64 *b, GError **error)
{
  const TsParams *p = &node->params;

  if (p->v[param].n_list == 0)
    return TRUE;
  *a = p->v[param].list[0];
  *b = p->v[param].list[1];
  if (p->v[param].n_list == 2 && MIN (*a, *b) >= 1 && MAX (*a, *b) <= 1 << 20)
    return TRUE;
  g_autofree char *text = ts_params_dup_value (p, param);
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
               "%s: %s takes two numbers of at least 1, not %s", node->op->name,
               p->specs[param].name, text);
  return FALSE;
}

static gboolean
window_of (const TsNode *node, const TsShape *x, TsWindow *w, GError **error)
{
  TsWindowSpec spec = ts_window_spec (&node->params);
  gint64 h = node->params.v[0].i, width = h;

  if (!pair (node, 4, &h, &width, error))
    return FALSE;
  if (node->params.v[1].i == 0) {
    spec.stride_h = h;
    spec.stride_w = width;
  }
  if (!pair (node, 5, &spec.stride_h, &spec.stride_w, error))
    return FALSE;
  if (h * width > TS_POOL_WINDOW_MAX) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "%s: a window of %" G_GINT64_FORMAT " by %" G_GINT64_FORMAT
                 " has more than %d pixels",
                 node->op->name, h, width, TS_POOL_WINDOW_MAX);
    return FALSE;
  }
  return ts_window_init (w, node->op->name, x, h, width, &spec, error);
}

gboolean
ts_pool_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  TsWindow w;

  if (!ts_infer_floats (node, error) || !window_of (node, x, &w, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (x->dim[0], w.out_h, w.out_w, w.channels);
  return TRUE;
}

TsWindow
ts_pool_window (const TsNode *node, const TsShape *x)
{
  TsWindow w;

  if (!window_of (node, x, &w, NULL))
    g_assert_not_reached ();
  return w;
}

TsValue *
ts_pool_emit_grad (TsEmitter *e, const TsNode *node, const char *op, TsValue *const *in, guint n_in)
{
  const TsShape *x = &node->in[0]->shape;
  TsParams p;

  ts_params_init (&p, ts_pool_grad_params);
  for (guint i = 0; i < N_POOL_PARAMS; i++)
    p.v[i] = node->params.v[i];
  ts_params_set_list (&p, "image", (gint64[]){x->dim[1], x->dim[2]}, 2, NULL);
  return e->emit (e, op, in, n_in, &p)->out[0];
}

gboolean
ts_pool_grad_infer (TsNode *node, TsValue *out, GError **error)
{
  const gint64 *image = node->params.v[N_POOL_PARAMS].list;
  const TsShape *dy = &node->in[0]->shape;

  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (dy->dim[0], image[0], image[1], dy->dim[3]);
  return TRUE;
}

void
ts_pool_each (TsCall *call, const TsWindow *w, gint64 images, char *image, TsPoolFunc *func)
{
  gsize pixel = (gsize) w->channels * ts_dtype_size (call->dtype), at = 0;
  char *lines[TS_POOL_WINDOW_MAX];

  for (gint64 r = 0; r < images; r++, image += (gsize) (w->in_h * w->in_w) * pixel)
    for (gint64 i = 0; i < w->out_h; i++)
      for (gint64 j = 0; j < w->out_w; j++, at++)
        func (call, w, lines, ts_window_lines (w, i, j, image, pixel, lines), at);
}
