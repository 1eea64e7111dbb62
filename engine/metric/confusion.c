/* SPDX-License-Identifier: MIT */
#include "engine/metric/confusion.h"

#include <math.h>
#include <string.h>

#include "engine/base/error.h"

struct TsConfusion {
  guint n_classes;
  guint64 n;
  guint64 *count; /* [label, predicted] */
};

TsConfusion *
ts_confusion_new (guint n_classes)
{
  g_return_val_if_fail (n_classes > 0, NULL);
  TsConfusion *c = g_new0 (TsConfusion, 1);

  c->n_classes = n_classes;
  c->count = g_new0 (guint64, (gsize) n_classes * n_classes);
  return c;
}

void
ts_confusion_free (TsConfusion *c)
{
  g_free (c->count);
  g_free (c);
}

void
ts_confusion_reset (TsConfusion *c)
{
  c->n = 0;
  memset (c->count, 0, (gsize) c->n_classes * c->n_classes * sizeof *c->count);
}

gboolean
ts_confusion_update (TsConfusion *c, const gint32 *labels, const gint32 *predicted, gsize n,
                     GError **error)
{
  for (gsize i = 0; i < n; i++) {
    gboolean bad_label = labels[i] < 0 || (guint) labels[i] >= c->n_classes;
    if (!bad_label && predicted[i] >= 0 && (guint) predicted[i] < c->n_classes)
      continue;
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_RANGE,
                 "%s %d in row %" G_GSIZE_FORMAT " is outside [0, %u)",
                 bad_label ? "label" : "prediction", bad_label ? labels[i] : predicted[i], i,
                 c->n_classes);
    return FALSE;
  }
  for (gsize i = 0; i < n; i++)
    c->count[(gsize) labels[i] * c->n_classes + (gsize) predicted[i]]++;
  c->n += n;
  return TRUE;
}

guint64
ts_confusion_get (const TsConfusion *c, guint label, guint predicted)
{
  g_return_val_if_fail (label < c->n_classes && predicted < c->n_classes, 0);
  return c->count[(gsize) label * c->n_classes + predicted];
}

guint64
ts_confusion_get_n (const TsConfusion *c)
{
  return c->n;
}

/* Rows that are of class @k, and rows that were taken for it. */
static void
totals (const TsConfusion *c, guint k, guint64 *are, guint64 *taken)
{
  *are = *taken = 0;
  for (guint j = 0; j < c->n_classes; j++) {
    *are += ts_confusion_get (c, k, j);
    *taken += ts_confusion_get (c, j, k);
  }
}

static double
share (double part, double all)
{
  return all > 0 ? part / all : 0;
}

static double
f_beta (double precision, double recall, double beta)
{
  double b = beta * beta;

  return share ((1 + b) * precision * recall, b * precision + recall);
}

double
ts_confusion_precision (const TsConfusion *c, guint label)
{
  guint64 are, taken;

  totals (c, label, &are, &taken);
  return share ((double) ts_confusion_get (c, label, label), (double) taken);
}

double
ts_confusion_recall (const TsConfusion *c, guint label)
{
  guint64 are, taken;

  totals (c, label, &are, &taken);
  return share ((double) ts_confusion_get (c, label, label), (double) are);
}

double
ts_confusion_f_beta (const TsConfusion *c, guint label, double beta)
{
  return f_beta (ts_confusion_precision (c, label), ts_confusion_recall (c, label), beta);
}

double
ts_confusion_iou (const TsConfusion *c, guint label)
{
  guint64 are, taken, both = ts_confusion_get (c, label, label);

  totals (c, label, &are, &taken);
  return share ((double) both, (double) (are + taken - both));
}

double
ts_confusion_accuracy (const TsConfusion *c)
{
  guint64 hits = 0;

  for (guint k = 0; k < c->n_classes; k++)
    hits += ts_confusion_get (c, k, k);
  return c->n ? (double) hits / (double) c->n : NAN;
}

typedef double (*OfClass) (const TsConfusion *c, guint label, double beta);

/* Every row has one label and one prediction, so that all classes together miss as often as they are wrongly
 * taken: micro averages are the accuracy. */
static double
mean (const TsConfusion *c, TsAverage average, OfClass of_class, double beta)
{
  guint n = 0;
  double sum = 0;

  if (average == TS_AVERAGE_MICRO || c->n == 0)
    return ts_confusion_accuracy (c);
  for (guint k = 0; k < c->n_classes; k++) {
    guint64 are, taken;
    totals (c, k, &are, &taken);
    if (are + taken == 0)
      continue;
    sum += of_class (c, k, beta);
    n++;
  }
  return sum / n;
}

static double
precision_of (const TsConfusion *c, guint label, double beta)
{
  return ts_confusion_precision (c, label);
}

static double
recall_of (const TsConfusion *c, guint label, double beta)
{
  return ts_confusion_recall (c, label);
}

static double
iou_of (const TsConfusion *c, guint label, double beta)
{
  return ts_confusion_iou (c, label);
}

double
ts_confusion_mean_iou (const TsConfusion *c)
{
  return mean (c, TS_AVERAGE_MACRO, iou_of, 0);
}

double
ts_confusion_mean_precision (const TsConfusion *c, TsAverage average)
{
  return mean (c, average, precision_of, 0);
}

double
ts_confusion_mean_recall (const TsConfusion *c, TsAverage average)
{
  return mean (c, average, recall_of, 0);
}

double
ts_confusion_mean_f_beta (const TsConfusion *c, TsAverage average, double beta)
{
  return mean (c, average, ts_confusion_f_beta, beta);
}
