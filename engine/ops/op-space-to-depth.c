/* SPDX-License-Identifier: MIT */
#include "engine/ops/layout.h"

static const TsParamSpec params[] = {
    {"block", TS_PARAM_INT, .required = TRUE, .min = 1, .max = 1024, .doc = "pixels each way"},
    {NULL},
};

static void
layout (const TsNode *node, const TsShape *x, TsLayout *l)
{
  gint64 b = node->params.v[0].i, w = x->dim[2], c = x->dim[3];

  ts_layout_init (l, x);
  l->rank = 6;
  l->axis[1] = (TsAxis){TS_AXIS_STEP, x->dim[1] / b, x->dim[1] / b, 0, 1, b * w * c};
  l->axis[2] = (TsAxis){TS_AXIS_STEP, w / b, w / b, 0, 1, b * c};
  l->axis[3] = (TsAxis){TS_AXIS_STEP, b, b, 0, 1, w * c};
  l->axis[4] = (TsAxis){TS_AXIS_STEP, b, b, 0, 1, c};
  l->axis[5] = (TsAxis){TS_AXIS_STEP, c, c, 0, 1, 1};
}

static gboolean
space_to_depth_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsShape *x = &node->in[0]->shape;
  gint64 b = node->params.v[0].i;

  if (!(x->rank == 4 && x->dim[1] % b == 0 && x->dim[2] % b == 0)) {
    g_autofree char *text = ts_shape_dup_text (x);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "space_to_depth needs images [batch, height, width, channels] and a block that "
                 "fits, but the block is "
                 "%" G_GINT64_FORMAT
                 " and '%s' is %s; height and width must be multiples of the block",
                 b, node->in[0]->node->name, text);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  out[0].shape = TS_SHAPE (x->dim[0], x->dim[1] / b, x->dim[2] / b, x->dim[3] * b * b);
  return TRUE;
}

static void
space_to_depth_forward (TsCall *call)
{
  ts_layout_forward (call, layout, NULL);
}

static void
space_to_depth_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                         TsValue **grad_in)
{
  if (want[0])
    grad_in[0] = e->emit (e, "depth_to_space", grad_out, 1, &node->params)->out[0];
}

static const TsOpExample examples[] = {
    {.in = {"rows 4 2 1"}, .params = "block=2", .low = -1, .high = 1},
    {.in = {"f 2 4 6 2"}, .params = "block=2", .low = -1, .high = 1},
};

const TsOpClass ts_op_space_to_depth = {
    .name = "space_to_depth",
    .formula = "y[i, j, (k·block + l)·C + c] = x[i·block + k, j·block + l, c]",
    .category = "image",
    .doc = "Blocks of pixels become one pixel with more channels.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = space_to_depth_infer,
    .partition = ts_partition_rows,
    .forward = space_to_depth_forward,
    .backward = space_to_depth_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
