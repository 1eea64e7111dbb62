/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "ui/plot/layout-private.h"

#define LABEL_GAP  15
#define MARKER_GAP 6 /* between two of a kind and series */
#define WHERE_MAX  3

/* --- Marks of what is not finite --- */

/* A stretch without any value between shows where it begins; single ones keep a distance. */
static void
place_markers_of (TsLayout *l, guint k, int kind)
{
  const TsColumns *columns = &l->series[k].raw;
  double gap = MARKER_GAP * l->options.scale, last = -1e9;
  gboolean stretch = FALSE;

  for (int c = 0; c < columns->n; c++) {
    const TsColumn *column = &columns->column[c];
    const guint32 count[3] = {column->n_nan, column->n_pos_inf, column->n_neg_inf};
    if (count[kind] && !stretch && c - last >= gap) {
      TsLayoutMarker m = {k, TS_MARK_NAN + (TsMarkKind) kind,
                          (c + .5 + l->device_x) / l->options.scale};
      g_array_append_val (l->markers, m);
      last = c;
    }
    if (count[kind])
      stretch = TRUE;
    if (column->count && !(column->flags & TS_COLUMN_CUT_AFTER))
      stretch = FALSE;
  }
}

void
ts_layout_place_markers (TsLayout *l)
{
  l->markers = g_array_new (FALSE, FALSE, sizeof (TsLayoutMarker));
  for (guint k = 0; k < l->n_series; k++)
    for (int kind = 0; kind < 3; kind++)
      place_markers_of (l, k, kind);
}

/* --- Labels at the ends of curves --- */

typedef struct {
  double sum, n; /* of the positions, each moved up by what lies above it */
  guint first;
} Cluster;

static double
cluster_place (const Cluster *c)
{
  return c->sum / c->n;
}

/* Pool adjacent violators: with the gaps subtracted, "apart" is "not decreasing", and neighbours
 * that violate it share their mean. */
void
ts_layout_push_apart (double *y, guint n, double gap, double lo, double hi)
{
  g_autofree Cluster *clusters = g_new (Cluster, MAX (n, 1));
  guint top = 0;

  hi = MAX (hi - gap * ((double) n - 1), lo); /* of the shifted positions */
  for (guint i = 0; i < n; i++) {
    clusters[top++] = (Cluster){y[i] - gap * i, 1, i};
    while (top > 1 && cluster_place (&clusters[top - 2]) > cluster_place (&clusters[top - 1])) {
      clusters[top - 2].sum += clusters[top - 1].sum;
      clusters[top - 2].n += clusters[top - 1].n;
      top--;
    }
  }
  for (guint k = 0; k < top; k++) {
    guint end = k + 1 < top ? clusters[k + 1].first : n;
    double place = CLAMP (cluster_place (&clusters[k]), lo, hi);
    for (guint i = clusters[k].first; i < end; i++)
      y[i] = place + gap * i;
  }
}

static int
by_wanted (const void *a, const void *b)
{
  const TsLayoutLabel *p = a, *q = b;

  if (p->wanted != q->wanted)
    return p->wanted < q->wanted ? -1 : 1;
  return p->series < q->series ? -1 : p->series > q->series;
}

/* Where the curve ends, and what it last said. */
static gboolean
end_of_series (const TsLayout *l, TsLayoutSeries *s, TsLayoutLabel *label)
{
  const double *drawn = s->smooth ? s->smooth : s->y;
  gssize end = -1; /* the last point of all, by x */

  for (gsize i = 0; i < s->n; i++) {
    if (!isfinite (s->x[i]))
      continue;
    if (end < 0 || s->x[i] >= s->x[end])
      end = (gssize) i;
    if (isfinite (ts_scale_to_px (&l->y_scale, drawn[i])) &&
        (s->last < 0 || s->x[i] >= s->x[s->last]))
      s->last = (gssize) i;
  }
  if (end < 0)
    return FALSE;
  ts_ticks_format_value (label->value, drawn[end]);
  double y = isfinite (drawn[end]) ? ts_scale_to_px (&l->y_scale, drawn[end]) : l->plot.y;
  if (isnan (y)) /* below a log axis */
    y = l->plot.y + l->plot.height;
  label->wanted = label->y = CLAMP (y, l->plot.y, l->plot.y + l->plot.height);
  return TRUE;
}

void
ts_layout_place_labels (TsLayout *l)
{
  double lo = l->plot.y + 5, hi = l->plot.y + l->plot.height - 4;
  gboolean shown = l->options.end_labels && !l->options.live;

  l->labels = g_array_new (FALSE, FALSE, sizeof (TsLayoutLabel));
  /* the selected ones first: they keep their labels when there is no room for all */
  for (guint i = l->n_series; i-- > 0;) {
    guint k = l->order[i];
    TsLayoutLabel label = {.series = k};
    if (end_of_series (l, &l->series[k], &label) && shown)
      g_array_append_val (l->labels, label);
  }
  guint room = (guint) MAX (floor ((hi - lo) / LABEL_GAP) + 1, 1);
  if (l->labels->len > room) {
    guint keep = room > 1 ? room - 1 : 0;
    l->n_unlabelled = l->labels->len - keep;
    l->more_y = hi;
    g_array_set_size (l->labels, keep);
    hi -= LABEL_GAP;
  }
  TsLayoutLabel *labels = (TsLayoutLabel *) (void *) l->labels->data;
  guint n = l->labels->len;
  if (!n)
    return;
  qsort (labels, n, sizeof *labels, by_wanted);
  g_autofree double *y = g_new (double, n);
  for (guint i = 0; i < n; i++)
    y[i] = labels[i].wanted;
  ts_layout_push_apart (y, n, LABEL_GAP, lo, hi);
  for (guint i = 0; i < n; i++)
    labels[i].y = y[i];
}

/* --- The exact line --- */

static void
append_where (const TsLayout *l, GString *text, int kind)
{
  static const char *const names[3] = {"NaN", "+Inf", "-Inf"};
  gsize found = 0;

  if (l->options.x_kind != TS_X_STEP)
    return;
  for (guint k = 0; k < l->n_series; k++) {
    const TsLayoutSeries *s = &l->series[k];
    for (gsize i = 0; i < s->n && found <= WHERE_MAX; i++) {
      char count[TS_NUMBER_SIZE];
      gboolean hit = kind == 0   ? isnan (s->y[i])
                     : kind == 1 ? isinf (s->y[i]) && s->y[i] > 0
                                 : isinf (s->y[i]) && s->y[i] < 0;
      if (!hit || !(fabs (s->x[i]) < 9e15))
        continue;
      if (found == 0)
        g_string_append_printf (text, "%s%s at", text->len ? ", " : "", names[kind]);
      if (++found > WHERE_MAX)
        g_string_append (text, " …");
      else
        g_string_append_printf (text, "%s %s", found > 1 ? ";" : "",
                                ts_ticks_format_count (count, (gint64) s->x[i]));
    }
  }
}

void
ts_layout_write_exact (TsLayout *l)
{
  gsize points = 0, bad = 0, hidden = 0, nowhere = 0;
  char count[TS_NUMBER_SIZE];
  g_autoptr (GString) text = g_string_new ("exact: ");
  g_autoptr (GString) where = g_string_new (NULL);

  for (guint k = 0; k < l->n_series; k++) {
    const TsColumns *c = &l->series[k].raw;
    points += c->n_points;
    bad += c->n_nan + c->n_pos_inf + c->n_neg_inf;
    hidden += c->n_hidden;
    nowhere += c->n_no_x;
  }
  g_string_append_printf (text, "%s point%s", ts_ticks_format_count (count, (gint64) points),
                          points == 1 ? "" : "s");
  if (bad)
    g_string_append_printf (text, ", %s non-finite", ts_ticks_format_count (count, (gint64) bad));
  else if (points)
    g_string_append (text, ", all finite");
  if (hidden)
    g_string_append_printf (text, ", %s not above 0",
                            ts_ticks_format_count (count, (gint64) hidden));
  if (nowhere)
    g_string_append_printf (text, ", %s without a place in x",
                            ts_ticks_format_count (count, (gint64) nowhere));
  l->exact = g_string_free (g_steal_pointer (&text), FALSE);
  for (int kind = 0; kind < 3; kind++)
    append_where (l, where, kind);
  if (where->len)
    l->where = g_string_free (g_steal_pointer (&where), FALSE);
}
