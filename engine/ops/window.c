/* SPDX-License-Identifier: MIT */
#include "engine/ops/window.h"

#include <string.h>

TsWindowSpec
ts_window_spec (const TsParams *p)
{
  TsWindowSpec spec = {.stride_h = 1, .stride_w = 1, .dilation = 1};
  int pads = ts_params_lookup (p, "pads");

  if (ts_params_lookup (p, "stride") >= 0)
    spec.stride_h = spec.stride_w = ts_params_int (p, "stride");
  if (ts_params_lookup (p, "dilation") >= 0)
    spec.dilation = ts_params_int (p, "dilation");
  if (ts_params_lookup (p, "pad") >= 0) {
    const char *pad = ts_params_text (p, "pad");
    spec.same = strcmp (pad, "same") == 0;
    if (strcmp (pad, "explicit") == 0)
      spec.n_pads = G_N_ELEMENTS (spec.pads);
  }
  if (pads >= 0 && p->v[pads].n_list > 0) {
    spec.n_pads = p->v[pads].n_list;
    memcpy (spec.pads, p->v[pads].list, sizeof spec.pads);
  }
  return spec;
}

static void
along (gint64 in, gint64 effective, gint64 stride, const TsWindowSpec *spec, gint64 *out,
       gint64 *before, gint64 *after, gint64 *padded)
{
  if (spec->n_pads)
    *out = (in + *before + *after - effective) / stride + 1;
  else
    *out = spec->same ? (in + stride - 1) / stride : (in - effective + stride) / stride;
  gint64 need = (*out - 1) * stride + effective;
  if (!spec->n_pads) {
    gint64 all = spec->same ? MAX (need - in, 0) : 0;
    *before = all / 2;
    *after = all - all / 2;
  }
  *padded = MAX (need, in + *before);
}

static gboolean
check_pads (const TsWindowSpec *spec, const char *op, gint64 reach_h, gint64 reach_w,
            GError **error)
{
  if (spec->n_pads && spec->n_pads != G_N_ELEMENTS (spec->pads)) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "%s: pads takes four numbers (top, bottom, left, right), not %u", op,
                 spec->n_pads);
    return FALSE;
  }
  for (guint i = 0; i < spec->n_pads; i++)
    if (spec->pads[i] < 0 || spec->pads[i] >= (i < 2 ? reach_h : reach_w)) {
      g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                   "%s: a window of %" G_GINT64_FORMAT " by %" G_GINT64_FORMAT
                   " takes pads from 0 to its size less one, not %" G_GINT64_FORMAT,
                   op, reach_h, reach_w, spec->pads[i]);
      return FALSE;
    }
  return TRUE;
}

gboolean
ts_window_check (const char *op, const TsShape *image, const TsShape *kernel, GError **error)
{
  const TsShape *shapes[] = {image, kernel};

  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
    for (guint i = s == 0; shapes[s] && i < shapes[s]->rank; i++)
      if (shapes[s]->dim[i] < 1) {
        g_autofree char *text = (s ? ts_shape_dup_text : ts_shape_dup_row_text) (shapes[s]);
        g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE, "%s: the %s %s is empty", op,
                     s ? "kernel" : "input", text);
        return FALSE;
      }
  return TRUE;
}

gboolean
ts_window_init (TsWindow *w, const char *op, const TsShape *image, gint64 k_h, gint64 k_w,
                const TsWindowSpec *spec, GError **error)
{
  if (image->rank != 4) {
    g_autofree char *text = ts_shape_dup_row_text (image);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s needs an image [height, width, channels] but its input is %s", op, text);
    return FALSE;
  }
  if (!ts_window_check (op, image, NULL, error))
    return FALSE;
  *w = (TsWindow){.in_h = image->dim[1],
                  .in_w = image->dim[2],
                  .channels = image->dim[3],
                  .k_h = k_h,
                  .k_w = k_w,
                  .stride_h = spec->stride_h,
                  .stride_w = spec->stride_w,
                  .dilation = spec->dilation,
                  .pad_top = spec->pads[0],
                  .pad_bottom = spec->pads[1],
                  .pad_left = spec->pads[2],
                  .pad_right = spec->pads[3]};
  gint64 reach_h = (k_h - 1) * spec->dilation + 1, reach_w = (k_w - 1) * spec->dilation + 1;
  if (!check_pads (spec, op, reach_h, reach_w, error))
    return FALSE;
  if ((spec->n_pads || !spec->same) && (reach_h > w->in_h + w->pad_top + w->pad_bottom ||
                                        reach_w > w->in_w + w->pad_left + w->pad_right)) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "%s: a window of %" G_GINT64_FORMAT " by %" G_GINT64_FORMAT
                 " does not fit into an image of %" G_GINT64_FORMAT " by %" G_GINT64_FORMAT
                 " without padding",
                 op, reach_h, reach_w, w->in_h, w->in_w);
    return FALSE;
  }
  along (w->in_h, reach_h, w->stride_h, spec, &w->out_h, &w->pad_top, &w->pad_bottom, &w->padded_h);
  along (w->in_w, reach_w, w->stride_w, spec, &w->out_w, &w->pad_left, &w->pad_right, &w->padded_w);
  return TRUE;
}

gboolean
ts_window_needs_copy (const TsWindow *w)
{
  return w->padded_h != w->in_h || w->padded_w != w->in_w || w->pad_top || w->pad_left;
}

gsize
ts_window_padded_bytes (const TsWindow *w, TsDtype dtype)
{
  return ((gsize) (w->padded_h * w->padded_w * w->channels) * ts_dtype_size (dtype) + 127) &
         ~(gsize) 63;
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

void
ts_window_crop (const TsWindow *w, gsize elem, const void *padded, void *x)
{
  gsize pixel = (gsize) w->channels * elem, line = (gsize) w->padded_w * pixel;
  gsize copy = (gsize) w->in_w * pixel;

  for (gint64 i = 0; i < w->in_h; i++)
    memcpy ((char *) x + (gsize) i * copy,
            (const char *) padded + (gsize) (i + w->pad_top) * line + (gsize) w->pad_left * pixel,
            copy);
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

gsize
ts_window_lines (const TsWindow *w, gint64 i, gint64 j, char *image, gsize pixel, char **lines)
{
  gint64 top = i * w->stride_h - w->pad_top, left = j * w->stride_w - w->pad_left;
  gsize n = 0;

  if (top >= 0 && left >= 0 && top + w->k_h <= w->in_h && left + w->k_w <= w->in_w) {
    for (gint64 a = 0; a < w->k_h; a++) {
      char *line = image + (gsize) ((top + a) * w->in_w + left) * pixel;
      for (gint64 b = 0; b < w->k_w; b++, line += pixel)
        lines[n++] = line;
    }
    return n;
  }
  for (gint64 a = 0; a < w->k_h; a++)
    for (gint64 b = 0; b < w->k_w; b++) {
      gint64 y = top + a, x = left + b;
      gboolean inside = y >= 0 && y < w->in_h && x >= 0 && x < w->in_w;
      lines[n++] = inside ? image + (gsize) (y * w->in_w + x) * pixel : NULL;
    }
  return n;
}
