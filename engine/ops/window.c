/* SPDX-License-Identifier: MIT */
#include "engine/ops/window.h"

#include <string.h>

static void
along (gint64 in, gint64 k, gint64 stride, gint64 dilation, gboolean same, gint64 *out,
       gint64 *before, gint64 *padded)
{
  gint64 effective = (k - 1) * dilation + 1;

  *out = same ? (in + stride - 1) / stride : (in - effective + stride) / stride;
  gint64 need = (*out - 1) * stride + effective;
  *before = same ? MAX (need - in, 0) / 2 : 0;
  *padded = MAX (need, in + *before);
}

gboolean
ts_window_init (TsWindow *w, const char *op, const TsShape *image, gint64 k_h, gint64 k_w,
                gint64 stride, gint64 dilation, gboolean same, GError **error)
{
  if (image->rank != 4) {
    g_autofree char *text = ts_shape_dup_row_text (image);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s needs an image [height, width, channels] but its input is %s", op, text);
    return FALSE;
  }
  *w = (TsWindow){.in_h = image->dim[1],
                  .in_w = image->dim[2],
                  .channels = image->dim[3],
                  .k_h = k_h,
                  .k_w = k_w,
                  .stride = stride,
                  .dilation = dilation};
  gint64 reach_h = (k_h - 1) * dilation + 1, reach_w = (k_w - 1) * dilation + 1;
  if (!same && (reach_h > w->in_h || reach_w > w->in_w)) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s: a window of %" G_GINT64_FORMAT " by %" G_GINT64_FORMAT
                 " does not fit into an image of %" G_GINT64_FORMAT " by %" G_GINT64_FORMAT
                 " without padding",
                 op, reach_h, reach_w, w->in_h, w->in_w);
    return FALSE;
  }
  along (w->in_h, k_h, stride, dilation, same, &w->out_h, &w->pad_top, &w->padded_h);
  along (w->in_w, k_w, stride, dilation, same, &w->out_w, &w->pad_left, &w->padded_w);
  return TRUE;
}

void
ts_window_pad (const TsWindow *w, gsize elem, const void *x, void *padded)
{
  gsize pixel = (gsize) w->channels * elem, line = (gsize) w->padded_w * pixel;
  gsize copy = (gsize) w->in_w * pixel, left = (gsize) w->pad_left * pixel;

  for (gint64 i = 0; i < w->padded_h; i++) {
    char *to = (char *) padded + (gsize) i * line;
    gint64 from = i - w->pad_top;
    if (from < 0 || from >= w->in_h) {
      memset (to, 0, line);
      continue;
    }
    memset (to, 0, left);
    memcpy (to + left, (const char *) x + (gsize) from * copy, copy);
    memset (to + left + copy, 0, line - left - copy);
  }
}

TsPartition
ts_window_partition (const TsNode *node)
{
  if (node->in[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  return ts_partition_whole (node);
}

gint64
ts_window_images (const TsCall *call, const TsValue *x)
{
  return x->kind == TS_VALUE_ROWS ? call->end - call->begin : x->shape.dim[0];
}
