/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/nn/layer.h"
#include "engine/ops/initializer.h"

G_BEGIN_DECLS

/* What the convolutional layers share: kernels, an optional bias, an activation. */

#define TS_CONV_LAYER_COMMON                                                                       \
  {"bias", TS_PARAM_BOOL, .number = 1, .doc = "add a bias"},                                       \
  {                                                                                                \
    "init", TS_PARAM_WORD, .text = "glorot_uniform", .words = ts_initializer_words,                \
                           .doc = "initial kernel"                                                 \
  }

typedef struct {
  const char *op;
  guint n_kernels;
  const char *names[2];
  TsShape kernels[2];
  gint64 channels; /* of the output */
} TsConvLayer;

/* Is @x a float image (rank 4) or sequence (rank 3)?  SHAPE otherwise. */
gboolean ts_conv_layer_check (TsLayer *layer, const TsValue *x, guint rank, GError **error);

/* Channels of the kernel of a layer with the parameters `groups` and `filters`; 0 with PARAM set when
 * they cannot be cut into equal groups. */
gint64 ts_conv_layer_kernel_channels (TsLayer *layer, gint64 channels, GError **error);

/* The op on @x, the layer's kernels and its bias, through its activation.  Parameters that layer and
 * op both have go from one to the other. */
TsValue *ts_conv_layer_build (TsLayer *layer, TsGraph *graph, TsValue *x, const TsConvLayer *what,
                              GError **error);

G_END_DECLS
