/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/window.h"

G_BEGIN_DECLS

/* What the convolutions share.  NHWC images, HWIO kernels [k_h, k_w, in / groups, out].  A line of
 * output pixels is one matrix product whose K runs over kernel rows (segments) of k_w·C neighbouring
 * values: no im2col.  The gradients are products of the same kind: dx with the kernel turned by 180°
 * and its channels swapped, dkernel as a sum over slots of one strided product per kernel row and
 * image.
 *
 * Sequences [length, channels] are images of height 1. */

typedef struct {
  TsWindow w; /* of the image that the convolution reads */
  gint64 groups, filters;
} TsConv;

/* Parameters of the gradient nodes: everything resolved. */
extern const TsParamSpec ts_conv_grad_params[];
/* Fills @params for the gradients of @conv, whose values have @axes (1 or 2) axes of pixels. */
void ts_conv_set_grad_params (TsParams *params, const TsConv *conv, guint axes);
/* The convolution that a node with such parameters is about. */
TsConv ts_conv_of_grad (const TsNode *node, gint64 channels, gint64 filters);
/* 1 for sequences, 2 for images. */
guint ts_conv_grad_axes (const TsNode *node);

/* [batch, length, channels] as [batch, 1, length, channels]; others as they are. */
TsShape ts_conv_image (const TsShape *shape);
/* [batch, h, w, channels], or without h when @axes is 1. */
TsShape ts_conv_shape (gint64 batch, gint64 h, gint64 w, gint64 channels, guint axes);

/* Checks kernel, groups and bias of a convolution of @x: SHAPE naming @op. */
gboolean ts_conv_check (const char *op, const TsShape *x, const TsShape *kernel,
                        const TsValue *bias, gint64 groups, GError **error);

/* y = conv (x) + bias for the images of @call. */
gsize ts_conv_workspace (const TsConv *conv, TsDtype dtype);
void ts_conv_forward (const TsCall *call, const TsConv *conv, gint64 images, const void *x,
                      const void *kernel, const void *bias, void *y);

/* Whether the windows of @window over images with @filters channels out are what the kernels conv3 are for;
 * then fills the geometry of @g. */
gboolean ts_conv_is_three (const TsCall *call, const TsWindow *window, gint64 groups,
                           gint64 filters, TsConv3 *g);

/* The window that slides over dy to give dx, as far as there is no stride. */
TsWindow ts_conv_back_window (const TsConv *conv);

/* dx = the gradient of conv with respect to its image (+ bias): @turned is the kernel as
 * ts_conv_turn makes it. */
gsize ts_conv_back_workspace (const TsConv *conv, TsDtype dtype);
void ts_conv_back (const TsCall *call, const TsConv *conv, gint64 images, const void *dy,
                   const void *turned, const void *bias, void *dx, void *workspace);

/* [k_h, k_w, in, out] -> [k_h, k_w, out, in], both axes of taps reversed; lines [begin, end) of the
 * taps·in lines of the kernel, @kernel at line `begin`. */
void ts_conv_turn (const TsCall *call, const TsShape *kernel, gint64 begin, gint64 end,
                   const void *from, void *turned);

/* Emits the gradients of y = conv (x, kernel) + bias; NULL in @grad_in: not wanted.  @want as in
 * backward. */
void ts_conv_backward (TsEmitter *e, TsNode *node, const TsConv *conv, guint axes, TsValue *dy,
                       const gboolean *want, TsValue **grad_in);

/* 2·multiplications of @pixels output pixels an image. */
double ts_conv_flops (gint64 pixels, const TsShape *kernel, gint64 batch, const TsShape *image);

G_END_DECLS
