/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/conv.h"

G_BEGIN_DECLS

/* Depthwise convolution: each of C channels has `multiplier` kernels of its own, and output channel
 * c·multiplier + m is channel c under its kernel m.  Kernels are [k_h, k_w, C, multiplier]. */

/* The parameters of ops that begin with a depthwise convolution: stride, pad, dilation, pads. */
extern const TsParamSpec ts_depthwise_params[];

typedef struct {
  TsWindow w;
  gint64 multiplier;
} TsDepthwiseConv;

/* From the parameters and the first two inputs of @node: SHAPE, PARAM. */
gboolean ts_depthwise_of (const TsNode *node, TsDepthwiseConv *conv, GError **error);

/* y = depthwise (x) + bias for @images images; call->workspace holds the padded image. */
gsize ts_depthwise_workspace (const TsDepthwiseConv *conv, TsDtype dtype);
void ts_depthwise_forward (const TsCall *call, const TsDepthwiseConv *conv, gint64 images,
                           const void *x, const void *kernel, const void *bias, void *y);

/* Line @i of the output, whose image starts at @y, over the padded image @x. */
TsDepthwise ts_depthwise_line (const TsDepthwiseConv *conv, gsize elem, gint64 i, const void *x,
                               const void *kernel, const void *y);
/* Bytes of an image of x or (@out) of y. */
gsize ts_depthwise_image_bytes (const TsDepthwiseConv *conv, gsize elem, gboolean out);
/* @image itself or its padded copy in the call's workspace. */
const void *ts_depthwise_padded (const TsCall *call, const TsWindow *window, const void *image);

/* Emits the gradients with respect to inputs 0 and 1 of @node, from @dy of the depthwise part. */
void ts_depthwise_backward (TsEmitter *e, TsNode *node, const TsDepthwiseConv *conv, TsValue *dy,
                            const gboolean *want, TsValue **grad_in);

G_END_DECLS
