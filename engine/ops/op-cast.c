/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"
#include "engine/tensor/cast.h"

static const TsParamSpec params[] = {
    {"dtype", TS_PARAM_WORD, .required = TRUE, .words = "f32|f64|i32|i64|u8|bool",
     .doc = "element type of the output"},
    {NULL},
};

static gboolean
cast_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  ts_dtype_parse (ts_params_text (&node->params, "dtype"), &out[0].dtype);
  return TRUE;
}

static void
cast_forward (TsCall *call)
{
  const TsNode *node = call->node;

  ts_cast (node->in[0]->dtype, call->in[0], node->out[0]->dtype, call->out[0],
           ts_call_elems (call));
}

static void
cast_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
               TsValue **grad_in)
{
  TsParams back;

  if (!want[0] || !grad_out[0])
    return;
  ts_params_init (&back, params);
  ts_params_set_text (&back, "dtype", ts_dtype_name (node->in[0]->dtype), NULL);
  grad_in[0] = e->emit (e, "cast", grad_out, 1, &back)->out[0];
}

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .params = "dtype=f64", .low = -4, .high = 4},
    {.in = {"f 5 6"}, .params = "dtype=i32", .low = -4, .high = 4},
    {.in = {"labels 7"}, .params = "dtype=f32"},
    {.in = {"bool 3 5"}, .params = "dtype=f32"},
};

const TsOpClass ts_op_cast = {
    .name = "cast",
    .formula = "y = x as another type",
    .category = "element-wise",
    .doc =
        "Floats become integers towards zero, held inside the range; NaN becomes 0.  The gradient "
        "passes between floats.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = -1,
    .infer = cast_infer,
    .forward = cast_forward,
    .backward = cast_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
