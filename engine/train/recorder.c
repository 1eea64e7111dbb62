/* SPDX-License-Identifier: MIT */
#include "engine/train/recorder.h"

#include <math.h>
#include <string.h>

#define SCALARS_MAX 64

struct TsRecorder {
  TsSink *sink;
  gboolean values;
  GError *error;
  guint n;
  TsScalar scalars[SCALARS_MAX];
};

TsRecorder *
ts_recorder_new (TsSink *sink, gboolean values)
{
  TsRecorder *r = g_new0 (TsRecorder, 1);

  r->sink = sink;
  r->values = sink && values;
  return r;
}

void
ts_recorder_free (TsRecorder *r)
{
  g_clear_error (&r->error);
  g_free (r);
}

void
ts_recorder_push (TsRecorder *r, TsEvent *event)
{
  if (!r->sink || r->error)
    ts_event_unref (event);
  else
    r->sink->push (r->sink, event, &r->error);
}

void
ts_recorder_add (TsRecorder *r, const char *tag, double value)
{
  if (!r->values)
    return;
  g_return_if_fail (r->n < SCALARS_MAX);
  /* the sign of a NaN depends on which operand a processor took: one NaN for all */
  r->scalars[r->n++] = (TsScalar){tag, isnan (value) ? (double) NAN : value};
}

void
ts_recorder_flush (TsRecorder *r, gint64 step)
{
  if (!r->n)
    return;
  TsEvent *e = ts_event_new (TS_EVENT_SCALARS, step, r->n);
  memcpy (e->u.scalars.items, r->scalars, r->n * sizeof (TsScalar));
  r->n = 0;
  ts_recorder_push (r, e);
}

void
ts_recorder_histogram (TsRecorder *r, const char *tag, gint64 step, TsDtype dtype, const void *data,
                       gsize n)
{
  if (!r->values)
    return;
  TsEvent *e = ts_event_new (TS_EVENT_HISTOGRAM, step, 0);
  e->u.histogram.tag = tag;
  ts_histogram_fill (e->u.histogram.data, dtype, data, n);
  ts_recorder_push (r, e);
}

void
ts_recorder_note (TsRecorder *r, gint64 step, TsSeverity severity, const char *format, ...)
{
  va_list args;

  if (!r->sink)
    return;
  TsEvent *e = ts_event_new (TS_EVENT_NOTE, step, 0);
  va_start (args, format);
  e->u.note.text = g_strdup_vprintf (format, args);
  va_end (args);
  e->u.note.severity = severity;
  ts_recorder_push (r, e);
}

gboolean
ts_recorder_check (TsRecorder *r, GError **error)
{
  if (!r->error)
    return TRUE;
  if (error)
    *error = g_error_copy (r->error);
  return FALSE;
}

static inline double
element (TsDtype dtype, const void *data, gsize i)
{
  return dtype == TS_F32 ? (double) ((const float *) data)[i] : ((const double *) data)[i];
}

void
ts_histogram_fill (TsHistogram *h, TsDtype dtype, const void *data, gsize n)
{
  memset (h, 0, sizeof *h);
  h->count = n;
  h->min = INFINITY;
  h->max = -INFINITY;
  for (gsize i = 0; i < n; i++) {
    double v = element (dtype, data, i);
    if (!isfinite (v)) {
      h->nonfinite++;
      continue;
    }
    h->min = v < h->min ? v : h->min;
    h->max = v > h->max ? v : h->max;
    h->sum += v;
    h->sum_squares += v * v;
  }
  if (h->nonfinite == n) {
    h->min = h->max = NAN;
    return;
  }
  /* one value only: one bucket around it */
  h->n = h->max > h->min ? TS_HISTOGRAM_BUCKETS : 1;
  double width = (h->max - h->min) / h->n;
  for (guint b = 0; b < h->n; b++) {
    h->left[b] = b ? h->right[b - 1] : h->min;
    h->right[b] = b + 1 == h->n ? h->max : h->min + width * (b + 1);
  }
  double inverse = width > 0 ? 1 / width : 0;
  for (gsize i = 0; i < n; i++) {
    double v = element (dtype, data, i);
    if (!isfinite (v))
      continue;
    guint b = (guint) MIN ((v - h->min) * inverse, (double) (h->n - 1));
    /* the product rounds; the edges decide */
    while (b > 0 && v < h->left[b])
      b--;
    while (b + 1 < h->n && v >= h->right[b])
      b++;
    h->bucket[b]++;
  }
}
