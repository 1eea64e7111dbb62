/* SPDX-License-Identifier: MIT */
/* The golden cases of convolutions, pooling, normalisation and resizing.  PyTorch's images are NCHW
 * and its kernels OIHW. */
#include "tests/support/golden.h"

static const GoldenCase cases[] = {
    {"torch", "conv2d_nchw_s2_d2_g2", "conv2d", "stride=2, dilation=2, groups=2, pads=[2, 2, 2, 2]",
     "*x:0231 w:2310 b", "y:0231"},
    {"torch", "conv1d_causal_d2", "conv1d", "pad=causal, dilation=2", "*x:021 w:210", "y:021"},
    {"tf", "conv2dtranspose_same_s2", "conv2d_transpose", "stride=2", "*x w"},
    {"tf", "conv2dtranspose_valid_s2", "conv2d_transpose", "stride=2, pad=valid", "*x w"},
    {"torch", "convtranspose2d", "conv2d_transpose", "stride=2, pads=[1, 1, 1, 1], output=[6, 6]",
     "*x:0231 w:2310", "y:0231"},
};

void golden_images (void);

void
golden_images (void)
{
  golden_add_tests (cases, G_N_ELEMENTS (cases));
}
