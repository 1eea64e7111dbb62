/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* The geometry of a window that slides over images [height, width, channels], as in TensorFlow: with
 * effective size e = (k - 1)·dilation + 1, SAME gives ceil (in / stride) outputs and pads
 * max ((out - 1)·stride + e - in, 0) in all, the smaller half before; VALID gives
 * ceil ((in - e + 1) / stride) and pads nothing. */
typedef struct {
  gint64 in_h, in_w, channels;
  gint64 k_h, k_w, stride, dilation;
  gint64 out_h, out_w;
  gint64 pad_top, pad_left;
  gint64 padded_h, padded_w; /* what the windows touch, at least the input moved by the pads */
} TsWindow;

/* @image: the value's shape with its batch axis.  SHAPE when it is no image or the window does not
 * fit; the message is worded for the model language. */
gboolean ts_window_init (TsWindow *window, const char *op, const TsShape *image, gint64 k_h,
                         gint64 k_w, gint64 stride, gint64 dilation, gboolean same, GError **error);

/* By rows when input 0 has a batch axis, in one piece otherwise. */
TsPartition ts_window_partition (const TsNode *node);
/* How many images of @x this call is to work on. */
gint64 ts_window_images (const TsCall *call, const TsValue *x);

/* Copies image @x into @padded [padded_h, padded_w, channels] with zeros around. */
void ts_window_pad (const TsWindow *window, gsize elem, const void *x, void *padded);

G_END_DECLS
