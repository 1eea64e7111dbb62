/* SPDX-License-Identifier: MIT */
/* The golden cases of convolutions, pooling, normalisation and resizing.  PyTorch's images are NCHW
 * and its kernels OIHW. */
#include "tests/support/golden.h"

/* What the `bn` layer computes while training. */
static TsValue *
batch_norm (GoldenRun *r, const char *params)
{
  TsValue *x = golden_in (r, 0), *mean = golden_op (r, "moments", NULL, x, NULL, NULL);
  TsValue *in[] = {x, mean, mean->node->out[1], golden_in (r, 1), golden_in (r, 2)};
  TsParams p;

  ts_params_init (&p, ts_op_lookup ("batch_norm")->params);
  g_assert_true (ts_params_parse_all (&p, params, NULL));
  return ts_graph_add (golden_graph (r), "batch_norm", NULL, in, G_N_ELEMENTS (in), &p, NULL)
      ->out[0];
}

static TsValue *
build_keras_norm (GoldenRun *r)
{
  return batch_norm (r, "eps=1e-3");
}

static TsValue *
build_torch_norm (GoldenRun *r)
{
  return batch_norm (r, "eps=1e-5");
}

static const GoldenCase cases[] = {
    {"torch", "conv2d_nchw_s2_d2_g2", "conv2d", "stride=2, dilation=2, groups=2, pads=[2, 2, 2, 2]",
     "*x:0231 w:2310 b", "y:0231"},
    {"torch", "conv1d_causal_d2", "conv1d", "pad=causal, dilation=2", "*x:021 w:210", "y:021"},
    {"tf", "conv2dtranspose_same_s2", "conv2d_transpose", "stride=2", "*x w"},
    {"tf", "conv2dtranspose_valid_s2", "conv2d_transpose", "stride=2, pad=valid", "*x w"},
    {"torch", "convtranspose2d", "conv2d_transpose", "stride=2, pads=[1, 1, 1, 1], output=[6, 6]",
     "*x:0231 w:2310", "y:0231"},
    {"tf", "depthwise_same_s1", "depthwise_conv2d", NULL, "*x w"},
    {"tf", "depthwise_same_s2", "depthwise_conv2d", "stride=2", "*x w"},
    {"tf", "depthwise_valid_s1", "depthwise_conv2d", "pad=valid", "*x w"},
    {"tf", "depthwise_valid_s2", "depthwise_conv2d", "pad=valid, stride=2", "*x w"},
    {"tf", "separable_same", "separable_conv2d", NULL, "*x d p", "y -"},
    {"tf", "keras_sepconv2d", "separable_conv2d", NULL,
     "*x w0_depthwise_kernel w1_pointwise_kernel w2_bias", "y -"},
    /* tfjs divides the gradient of a window at the border by 6, not by its count: no oracle there */
    {"tf", "maxpool_same_s1", "maxpool", "window=[3, 2], stride=1, pad=same", "*x", "y -"},
    {"tf", "avgpool_same_s1", "avgpool", "window=[3, 2], stride=1, pad=same", "*!x"},
    {"tf", "maxpool_same_s2", "maxpool", "window=[3, 2], stride=2, pad=same", "*x", "y -"},
    {"tf", "avgpool_same_s2", "avgpool", "window=[3, 2], stride=2, pad=same", "*!x"},
    {"tf", "maxpool_valid_s1", "maxpool", "window=[3, 2], stride=1, pad=valid", "*x", "y -"},
    {"tf", "avgpool_valid_s1", "avgpool", "window=[3, 2], stride=1, pad=valid", "*x"},
    {"tf", "maxpool_valid_s2", "maxpool", "window=[3, 2], stride=2, pad=valid", "*x", "y -"},
    {"tf", "avgpool_valid_s2", "avgpool", "window=[3, 2], stride=2, pad=valid", "*x"},
    {"torch", "maxpool_ties", "maxpool", NULL, "*x:0231", "y:0231 -"},
    {"tf", "layernorm", "layer_norm", NULL, "*x g b"},
    {"torch", "layernorm", "layer_norm", "eps=1e-5", "*x g b"},
    {"torch", "groupnorm", "group_norm", "groups=2, eps=1e-5", "*x:0231 g b", "y:0231"},
    {"torch", "rmsnorm", "rms_norm", NULL, "*x g"},
    {"tf", "lrn", "lrn", "radius=2, bias=1, alpha=0.1, beta=0.75", "*x"},
    {"tf", "batchnorm_train", NULL, NULL, "*x g b", .build = build_keras_norm},
    {"torch", "batchnorm_nchw_train", NULL, NULL, "*x:0231 g b", "y:0231",
     .build = build_torch_norm},
    {"torch", "glu", "glu", NULL, "*x"},
    {"tf", "resize_bilinear_halfpixel", "resize", "size=[4, 5]", "*x"},
    {"tf", "resize_bilinear_halfpixel", "resize", "size=[4, 5], grid=align_corners", "*x",
     "y_align"},
    {"tf", "resize_bilinear_halfpixel", "resize", "size=[4, 5], grid=legacy", "*x", "y_legacy"},
    {"tf", "resize_bilinear_halfpixel", "resize", "size=[4, 5], method=nearest", "*x", "nn_half"},
};

void golden_images (void);

void
golden_images (void)
{
  golden_add_tests (cases, G_N_ELEMENTS (cases));
}
