/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/window.h"

G_BEGIN_DECLS

/* What the poolings share: their parameters, and the way through the windows of an image. */

#define TS_POOL_WINDOW_MAX 255 /* pixels: an index is a byte */

extern const TsParamSpec ts_pool_params[];
extern const TsParamSpec ts_pool_grad_params[]; /* the same and the size of the image */

/* One float input: SHAPE or PARAM; output 0 takes the pooled shape. */
gboolean ts_pool_infer (TsNode *node, TsValue *out, GError **error);
/* The window of a pooling of images of shape @x, whose parameters @node has. */
TsWindow ts_pool_window (const TsNode *node, const TsShape *x);

/* Emits the gradient @op with the inputs @in (dy first). */
TsValue *ts_pool_emit_grad (TsEmitter *e, const TsNode *node, const char *op, TsValue *const *in,
                            guint n_in);
/* Output 0 has the image's shape. */
gboolean ts_pool_grad_infer (TsNode *node, TsValue *out, GError **error);

/* Calls @func for every window of the call's images; @lines: the window's pixels in @image, which is
 * the x or dx of the node; @at: number of the output pixel within the call. */
typedef void TsPoolFunc (TsCall *call, const TsWindow *window, char *const *lines, gsize n_lines,
                         gsize at);
void ts_pool_each (TsCall *call, const TsWindow *window, gint64 images, char *image,
                   TsPoolFunc *func);

G_END_DECLS
