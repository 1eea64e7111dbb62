/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* The geometry of a window that slides over images [height, width, channels].  With effective size
 * e = (k - 1)·dilation + 1: SAME gives ceil (in / stride) outputs and pads
 * max ((out - 1)·stride + e - in, 0) in all, the smaller half before; VALID gives
 * ceil ((in - e + 1) / stride) and pads nothing; explicit pads give
 * floor ((in + before + after - e) / stride) + 1. */

#define TS_PAD_WORDS "same|valid|explicit"

/* Window parameters that several ops share; `pads` alone means pad=explicit. */
#define TS_PARAM_PADS                                                                              \
  {                                                                                                \
    "pads", TS_PARAM_SHAPE, .doc = "pixels around the image: top, bottom, left, right"             \
  }
#define TS_PARAM_STRIDE                                                                            \
  {                                                                                                \
    "stride", TS_PARAM_INT, .number = 1, .min = 1, .max = 64, .doc = "pixels between windows"      \
  }
#define TS_PARAM_DILATION                                                                          \
  {                                                                                                \
    "dilation", TS_PARAM_INT, .number = 1, .min = 1, .max = 64, .doc = "pixels between taps"       \
  }

typedef struct {
  gint64 stride_h, stride_w, dilation;
  gboolean same;
  guint n_pads;   /* 4: explicit */
  gint64 pads[4]; /* top, bottom, left, right */
} TsWindowSpec;

typedef struct {
  gint64 in_h, in_w, channels;
  gint64 k_h, k_w, stride_h, stride_w, dilation;
  gint64 out_h, out_w;
  gint64 pad_top, pad_bottom, pad_left, pad_right;
  gint64 padded_h, padded_w; /* what the windows touch, at least the input moved by the pads */
} TsWindow;

/* From the parameters stride, dilation, pad and pads, as far as @params has them. */
TsWindowSpec ts_window_spec (const TsParams *params);

/* @image: the value's shape with its batch axis.  SHAPE when it is no image or the window does not
 * fit, PARAM for pads that are not four numbers or reach beyond the window; the message is worded for
 * the model language. */
gboolean ts_window_init (TsWindow *window, const char *op, const TsShape *image, gint64 k_h,
                         gint64 k_w, const TsWindowSpec *spec, GError **error);

/* Neither @image nor @kernel (or NULL) has an axis of length 0 besides the batch: SHAPE naming @op.
 * There is nothing to slide over then. */
gboolean ts_window_check (const char *op, const TsShape *image, const TsShape *kernel,
                          GError **error);

/* By rows when input 0 has a batch axis, in one piece otherwise. */
TsPartition ts_window_partition (const TsNode *node);
/* How many images of @x this call is to work on. */
gint64 ts_window_images (const TsCall *call, const TsValue *x);

/* Whether the windows need a padded copy of the image; its bytes, rounded up to whole lines. */
gboolean ts_window_needs_copy (const TsWindow *window);
gsize ts_window_padded_bytes (const TsWindow *window, TsDtype dtype);

/* Copies image @x into @padded [padded_h, padded_w, channels] with zeros around. */
void ts_window_pad (const TsWindow *window, gsize elem, const void *x, void *padded);
/* The way back: the part of @padded that was the image. */
void ts_window_crop (const TsWindow *window, gsize elem, const void *padded, void *x);

/* The addresses of the k_h·k_w pixels of output pixel (@i, @j) in @image, NULL outside; returns how
 * many there are. @pixel: bytes of one. */
gsize ts_window_lines (const TsWindow *window, gint64 i, gint64 j, char *image, gsize pixel,
                       char **lines);

G_END_DECLS
