/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ops/op.h"
#include "engine/ops/window.h"

#define WINDOWS_MAX 255 /* an index is a byte */

static const TsParamSpec params[] = {
    {"size", TS_PARAM_INT, .number = 2, .min = 1, .max = 15,
     .doc = "height and width of the window"},
    {"stride", TS_PARAM_INT, .number = 0, .min = 0, .max = 64,
     .doc = "pixels between windows; 0: size"},
    {"pad", TS_PARAM_WORD, .text = "valid", .words = "same|valid",
     .doc = "windows may leave the image, or not"},
    {NULL},
};

static const TsParamSpec grad_params[] = {
    {"size", TS_PARAM_INT, .number = 2, .min = 1, .max = 15,
     .doc = "height and width of the window"},
    {"stride", TS_PARAM_INT, .number = 0, .min = 0, .max = 64,
     .doc = "pixels between windows; 0: size"},
    {"pad", TS_PARAM_WORD, .text = "valid", .words = "same|valid",
     .doc = "windows may leave the image, or not"},
    {"image", TS_PARAM_SHAPE, .doc = "height and width of the image"},
    {NULL},
};

static gboolean
window_of (const TsParams *p, const TsShape *x, TsWindow *w, GError **error)
{
  gint64 size = p->v[0].i, stride = p->v[1].i ? p->v[1].i : size;
  TsWindowSpec spec = ts_window_spec (p);

  spec.stride_h = spec.stride_w = stride;
  return ts_window_init (w, "maxpool", x, size, size, &spec, error);
}

static gboolean
maxpool_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  TsWindow w;

  if (!ts_infer_floats (node, error) || !window_of (&node->params, x, &w, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  ts_infer_like (node, out, 1, node->in[0]);
  out[0].shape = out[1].shape = TS_SHAPE (x->dim[0], w.out_h, w.out_w, w.channels);
  out[1].dtype = TS_U8;
  return TRUE;
}

static void
maxpool_forward (TsCall *call)
{
  const TsNode *node = call->node;
  char *lines[WINDOWS_MAX], *y = call->out[0];
  guint8 *index = call->out[1];
  TsWindow w;

  window_of (&node->params, &node->in[0]->shape, &w, NULL);
  gsize pixel = (gsize) w.channels * ts_dtype_size (call->dtype),
        image = (gsize) (w.in_h * w.in_w) * pixel;
  for (gint64 r = 0; r < ts_window_images (call, node->in[0]); r++)
    for (gint64 i = 0; i < w.out_h; i++)
      for (gint64 j = 0; j < w.out_w; j++) {
        gsize n = ts_window_lines (&w, i, j, (char *) call->in[0] + (gsize) r * image, pixel, lines);
        call->k->max_select[call->dtype]((const void *const *) lines, n, (gsize) w.channels, y,
                                         index);
        y += pixel;
        index += w.channels;
      }
}

static void
maxpool_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                  TsValue **grad_in)
{
  const TsShape *x = &node->in[0]->shape;
  TsValue *in[] = {grad_out[0], node->out[1]};
  TsParams p;

  if (!want[0] || !grad_out[0])
    return;
  ts_params_init (&p, grad_params);
  for (guint i = 0; i < 3; i++)
    p.v[i] = node->params.v[i];
  ts_params_set_list (&p, "image", (gint64[]){x->dim[1], x->dim[2]}, 2, NULL);
  grad_in[0] = e->emit (e, "maxpool_grad", in, 2, &p)->out[0];
}

static gboolean
grad_infer (TsNode *node, TsValue *out, GError **error)
{
  const gint64 *image = node->params.v[3].list;
  const TsShape *dy = &node->in[0]->shape;

  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (dy->dim[0], image[0], image[1], dy->dim[3]);
  return TRUE;
}

static void
grad_forward (TsCall *call)
{
  const TsNode *node = call->node;
  const char *dy = call->in[0];
  const guint8 *index = call->in[1];
  char *lines[WINDOWS_MAX];
  TsWindow w;

  window_of (&node->params, &node->out[0]->shape, &w, NULL);
  gsize pixel = (gsize) w.channels * ts_dtype_size (call->dtype),
        image = (gsize) (w.in_h * w.in_w) * pixel;
  for (gint64 r = 0; r < ts_window_images (call, node->in[0]); r++) {
    char *dx = (char *) call->out[0] + (gsize) r * image;
    memset (dx, 0, image);
    for (gint64 i = 0; i < w.out_h; i++)
      for (gint64 j = 0; j < w.out_w; j++) {
        gsize n = ts_window_lines (&w, i, j, dx, pixel, lines);
        call->k->max_scatter[call->dtype](dy, index, n, (gsize) w.channels, (void *const *) lines);
        dy += pixel;
        index += w.channels;
      }
  }
}

static const TsOpClass maxpool_grad = {
    .name = "maxpool_grad",
    .formula = "dx = dy at the place of each window's largest, else 0",
    .category = "image",
    .doc = "Gradient of maxpool; windows that overlap add up.",
    .in_names = "dy, index",
    .min_in = 2,
    .max_in = 2,
    .params = grad_params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = grad_infer,
    .partition = ts_window_partition,
    .forward = grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 6 4 3"}, .low = -3, .high = 3},
    {.in = {"rows 5 5 17"}, .params = "stride=1", .low = -3, .high = 3},
    {.in = {"rows 5 7 2"}, .params = "pad=same", .low = -3, .high = 3},
    {.in = {"f 2 4 4 5"}, .low = -3, .high = 3},
};

const TsOpClass ts_op_maxpool = {
    .name = "maxpool",
    .formula = "y[i, j, c] = max of x[s·i … s·i + k - 1, s·j … s·j + k - 1, c]",
    .category = "image",
    .doc = "The largest value of each window; the first of equals takes the gradient, NaN wins.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .flags = TS_OP_SELECT,
    .inplace = -1,
    .infer = maxpool_infer,
    .partition = ts_window_partition,
    .forward = maxpool_forward,
    .backward = maxpool_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&maxpool_grad, NULL},
};
