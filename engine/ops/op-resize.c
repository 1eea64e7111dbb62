/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/ops/channels.h"
#include "engine/ops/op.h"
#include "engine/ops/window.h"

static const TsParamSpec params[] = {
    {"size", TS_PARAM_SHAPE, .required = TRUE, .doc = "height and width of the output"},
    {"method", TS_PARAM_WORD, .text = "bilinear", .words = "bilinear|nearest",
     .doc = "blend the four pixels around, or take the closest"},
    {"grid", TS_PARAM_WORD, .text = "half_pixel", .words = "half_pixel|align_corners|legacy",
     .doc =
         "pixels have their centre at 1/2, or the corners of both images meet, or pixel i lies at "
         "i·scale"},
    {NULL},
};

/* Where an output coordinate lies: between pixels `a` and `b`, `part` of the way. */
typedef struct {
  gint64 a, b;
  double part;
} Place;

static Place
place_of (const TsParams *p, gint64 i, gint64 in, gint64 out)
{
  gboolean half = p->v[2].s[0] == 'h', corners = p->v[2].s[0] == 'a';
  double scale =
      corners && out > 1 ? (double) (in - 1) / (double) (out - 1) : (double) in / (double) out;
  double at = half ? ((double) i + 0.5) * scale : (double) i * scale;

  if (p->v[1].s[0] == 'n') {
    gint64 near = (gint64) floor (corners ? at + 0.5 : at);
    near = CLAMP (near, 0, in - 1);
    return (Place){near, near, 0};
  }
  at = CLAMP (half ? at - 0.5 : at, 0, (double) (in - 1));
  gint64 a = (gint64) floor (at);
  double part = at - (double) a;
  return (Place){a, part > 0 ? MIN (a + 1, in - 1) : a, part};
}

static gboolean
resize_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  const gint64 *size = node->params.v[0].list;

  if (!ts_infer_floats (node, error))
    return FALSE;
  if (x->rank != 4) {
    g_autofree char *text = ts_shape_dup_row_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "resize needs an image [height, width, channels] but its input is %s", text);
    return FALSE;
  }
  if (!ts_window_check ("resize", x, NULL, error))
    return FALSE;
  if (node->params.v[0].n_list != 2 || MIN (size[0], size[1]) < 1 ||
      MAX (size[0], size[1]) > 1 << 20) {
    g_autofree char *text = ts_params_dup_value (&node->params, 0);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "resize: size takes a height and a width of at least 1, not %s", text);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (x->dim[0], size[0], size[1], x->dim[3]);
  return TRUE;
}

typedef void PixelFunc (TsCall *call, char *const corner[4], const Place *x, const Place *y,
                        char *pixel, gsize n);

/* Calls @func for every pixel of @small's resized images, with the four pixels around it. */
static void
each_pixel (TsCall *call, const TsValue *x, const TsShape *y, char *small, char *large,
            PixelFunc *func)
{
  const TsParams *p = &call->node->params;
  gint64 h = x->shape.dim[1], w = x->shape.dim[2];
  gsize n = (gsize) x->shape.dim[3], pixel = n * ts_dtype_size (call->dtype);

  for (gint64 r = 0; r < ts_window_images (call, x); r++, small += (gsize) (h * w) * pixel)
    for (gint64 i = 0; i < y->dim[1]; i++) {
      Place down = place_of (p, i, h, y->dim[1]);
      for (gint64 j = 0; j < y->dim[2]; j++, large += pixel) {
        Place right = place_of (p, j, w, y->dim[2]);
        char *corner[4] = {small + (gsize) (down.a * w + right.a) * pixel,
                           small + (gsize) (down.a * w + right.b) * pixel,
                           small + (gsize) (down.b * w + right.a) * pixel,
                           small + (gsize) (down.b * w + right.b) * pixel};
        func (call, corner, &right, &down, large, n);
      }
    }
}

static void
blend (TsCall *call, char *const corner[4], const Place *x, const Place *y, char *pixel, gsize n)
{
  const void *from[4] = {corner[0], corner[1], corner[2], corner[3]};

  if (x->part == 0 && y->part == 0)
    memcpy (pixel, corner[0], n * ts_dtype_size (call->dtype));
  else
    call->k->blend[call->dtype](from, x->part, y->part, pixel, n);
}

static void
resize_forward (TsCall *call)
{
  const TsNode *node = call->node;

  each_pixel (call, node->in[0], &node->out[0]->shape, (char *) call->in[0], call->out[0], blend);
}

static void
resize_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                 TsValue **grad_in)
{
  TsValue *in[] = {grad_out[0], node->in[0]};

  if (want[0])
    grad_in[0] = e->emit (e, "resize_grad", in, 2, &node->params)->out[0];
}

static void
spread (TsCall *call, char *const corner[4], const Place *x, const Place *y, char *pixel, gsize n)
{
  double share[4] = {(1 - x->part) * (1 - y->part), x->part * (1 - y->part),
                     (1 - x->part) * y->part, x->part * y->part};

  for (guint i = 0; i < 4; i++)
    if (share[i] > 0)
      call->k->add_scaled[call->dtype](pixel, share[i], corner[i], n);
}

static void
grad_forward (TsCall *call)
{
  const TsNode *node = call->node;
  const TsValue *x = node->in[1];

  memset (call->out[0], 0,
          (gsize) (ts_window_images (call, x) * ts_shape_row_elems (&x->shape)) *
              ts_dtype_size (call->dtype));
  each_pixel (call, x, &node->in[0]->shape, call->out[0], (char *) call->in[0], spread);
}

static const TsOpClass resize_grad = {
    .name = "resize_grad",
    .formula = "dx = dy spread over the pixels that it was made from",
    .category = "image",
    .doc = "Gradient of resize.",
    .in_names = "dy, x",
    .min_in = 2,
    .max_in = 2,
    .params = params,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = ts_infer_like_second,
    .partition = ts_window_partition,
    .forward = grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 2 3 4"}, .params = "size=[4, 5]", .low = -2, .high = 2},
    {.in = {"rows 5 4 2"}, .params = "size=[3, 2], grid=align_corners", .low = -2, .high = 2},
    {.in = {"rows 3 4 2"}, .params = "size=[7, 6], method=nearest", .low = -2, .high = 2},
    {.in = {"f 2 3 3 2"}, .params = "size=[5, 4], grid=legacy", .low = -2, .high = 2},
};

const TsOpClass ts_op_resize = {
    .name = "resize",
    .formula = "y[i, j] = x at the place of (i, j) on x's grid",
    .category = "image",
    .doc =
        "An image of another height and width, blended from the pixels around or copied from the "
        "nearest.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = resize_infer,
    .partition = ts_window_partition,
    .forward = resize_forward,
    .backward = resize_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&resize_grad, NULL},
};
