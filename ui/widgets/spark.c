/* SPDX-License-Identifier: MIT */
#include "ui/widgets/spark.h"

#include <math.h>

#include "ui/models/figure.h"
#include "ui/widgets/palette.h"

#define LEFT   44
#define RIGHT  92
#define TOP    8
#define BOTTOM 20

typedef struct {
  TsSeries *series;
  gulong handler;
  guint color;
  char *label;
} Curve;

struct _TsSpark {
  GtkWidget parent;
  GArray *curves;
  gint64 planned;
  gboolean live;
};

G_DEFINE_FINAL_TYPE (TsSpark, ts_spark, GTK_TYPE_WIDGET)

/* The plot box and what it spans. */
typedef struct {
  double x0, x1, y0, y1; /* steps and values */
  double left, top, width, height;
} View;

static double
to_x (const View *v, double step)
{
  return v->left + (step - v->x0) / (v->x1 - v->x0) * v->width;
}

static double
to_y (const View *v, double value)
{
  return v->top + v->height - (value - v->y0) / (v->y1 - v->y0) * v->height;
}

static double
nice_step (double range)
{
  double decade = pow (10, floor (log10 (range))), f = range / decade;

  return decade * (f < 1.5 ? 1 : f < 3.5 ? 2 : f < 7.5 ? 5 : 10);
}

static void
find_view (TsSpark *spark, View *v, double width, double height)
{
  double low = INFINITY, high = -INFINITY, last = (double) spark->planned;

  for (guint i = 0; i < spark->curves->len; i++) {
    guint n;
    const TsStoredPoint *p =
        ts_series_get_points (g_array_index (spark->curves, Curve, i).series, &n);
    for (guint k = 0; k < n; k++) {
      double value = ts_unbits (p[k].bits);
      last = MAX (last, (double) p[k].step);
      if (p[k].hidden || !isfinite (value))
        continue;
      low = MIN (low, value);
      high = MAX (high, value);
    }
  }
  if (low > high)
    low = 0, high = 1;
  double pad = (high - low) * .06;
  if (pad <= 0)
    pad = fabs (high) > 0 ? fabs (high) * .1 : 1;
  /* a share or a loss does not go below zero just for the margin */
  v->y0 = low >= 0 && low - pad < 0 ? 0 : low - pad;
  v->y1 = high + pad;
  v->x0 = 0;
  v->x1 = MAX (last, 1);
  v->left = LEFT;
  v->top = TOP;
  v->width = MAX (1, width - LEFT - RIGHT);
  v->height = MAX (1, height - TOP - BOTTOM);
}

/* Returns its width. */
static int
draw_text (GtkWidget *widget, cairo_t *cr, double x, double y, double align, const char *text,
           gboolean bold)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  PangoAttrList *attrs = pango_attr_list_new ();
  int w, h;

  pango_attr_list_insert (attrs, pango_attr_size_new_absolute (11 * PANGO_SCALE));
  pango_attr_list_insert (attrs, pango_attr_font_features_new ("tnum=1"));
  if (bold)
    pango_attr_list_insert (attrs, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, attrs);
  pango_attr_list_unref (attrs);
  pango_layout_get_pixel_size (layout, &w, &h);
  cairo_move_to (cr, floor (x - align * w + .5), floor (y - h / 2. + .5));
  pango_cairo_show_layout (cr, layout);
  return w;
}

static char *
dup_step (double step)
{
  if (step >= 1e6)
    return g_strdup_printf ("%gM", step / 1e6);
  return step >= 1000 ? g_strdup_printf ("%gk", step / 1000) : g_strdup_printf ("%g", step);
}

/* As many digits as tell two ticks apart. */
static char *
dup_tick (double value, double step)
{
  int digits = (int) -floor (log10 (step) + 1e-9);

  if (fabs (value) >= 1e5 || digits > 4)
    return g_strdup_printf ("%.0e", value);
  return g_strdup_printf ("%.*f", MAX (0, digits), value);
}

static void
draw_axes (TsSpark *spark, cairo_t *cr, const View *v)
{
  GtkWidget *widget = GTK_WIDGET (spark);
  GdkRGBA grid, ink, axis;
  double dy = nice_step ((v->y1 - v->y0) / MAX (2, v->height / 42));
  double dx = MAX (1, nice_step ((v->x1 - v->x0) / MAX (1, v->width / 78)));

  ts_palette_token (widget, "line_soft", &grid);
  ts_palette_token (widget, "line", &axis);
  ts_palette_token (widget, "ink3", &ink);
  cairo_set_line_width (cr, 1);
  for (double y = ceil (v->y0 / dy - 1e-9) * dy; y <= v->y1; y += dy) {
    g_autofree char *text = dup_tick (fabs (y) < dy * 1e-6 ? 0 : y, dy);
    double py = floor (to_y (v, y)) + .5;
    gdk_cairo_set_source_rgba (cr, &grid);
    cairo_move_to (cr, v->left, py);
    cairo_line_to (cr, v->left + v->width, py);
    cairo_stroke (cr);
    gdk_cairo_set_source_rgba (cr, &ink);
    draw_text (widget, cr, v->left - 8, py, 1, text, FALSE);
  }
  gdk_cairo_set_source_rgba (cr, &axis);
  cairo_move_to (cr, v->left, floor (v->top + v->height) + .5);
  cairo_line_to (cr, v->left + v->width, floor (v->top + v->height) + .5);
  cairo_stroke (cr);
  gdk_cairo_set_source_rgba (cr, &ink);
  for (double x = 0; x <= v->x1 * (1 + 1e-9); x += dx) {
    g_autofree char *text = dup_step (x);
    draw_text (widget, cr, to_x (v, x), v->top + v->height + 11, .5, text, FALSE);
  }
}

/* One pixel column. */
typedef struct {
  double low, high, sum;
  guint n;         /* finite values */
  gboolean broken; /* a non-finite one among them: the line stops here */
} Column;

/* @last: of the visible points, NaN when there is none. */
static Column *
make_columns (TsSeries *series, const View *v, guint *n_columns, double *last)
{
  guint n;
  const TsStoredPoint *p = ts_series_get_points (series, &n);
  Column *columns;

  *n_columns = (guint) v->width + 1;
  *last = NAN;
  columns = g_new0 (Column, *n_columns);
  for (guint i = 0; i < n; i++) {
    double value = ts_unbits (p[i].bits);
    if (p[i].hidden)
      continue;
    Column *c =
        &columns[CLAMP ((int) (to_x (v, (double) p[i].step) - v->left), 0, (int) *n_columns - 1)];
    *last = value;
    if (!isfinite (value)) {
      c->broken = TRUE;
      continue;
    }
    c->low = c->n ? MIN (c->low, value) : value;
    c->high = c->n ? MAX (c->high, value) : value;
    c->sum += value;
    c->n++;
  }
  return columns;
}

static void
draw_spans (cairo_t *cr, const View *v, const Column *columns, guint n)
{
  for (guint i = 0; i < n; i++) {
    if (columns[i].n < 2)
      continue;
    double top = to_y (v, columns[i].high), bottom = to_y (v, columns[i].low);
    cairo_rectangle (cr, floor (v->left) + i, top, 1, MAX (1, bottom - top));
  }
  cairo_fill (cr);
}

static void
draw_mark (cairo_t *cr, const View *v, double x)
{
  cairo_set_line_width (cr, 1.25);
  cairo_move_to (cr, x - 4, v->top);
  cairo_line_to (cr, x + 4, v->top);
  cairo_line_to (cr, x, v->top + 7);
  cairo_close_path (cr);
  cairo_stroke (cr);
}

/* Returns whether there was a point; its place is where the curve ends. */
static gboolean
draw_line (cairo_t *cr, const View *v, const Column *columns, guint n, double *x, double *y)
{
  gboolean pen = FALSE, any = FALSE;

  cairo_set_line_width (cr, 1.75);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  for (guint i = 0; i < n; i++) {
    const Column *c = &columns[i];
    if (c->n) {
      *x = v->left + i + .5;
      *y = to_y (v, c->sum / c->n);
      if (pen)
        cairo_line_to (cr, *x, *y);
      else
        cairo_move_to (cr, *x, *y);
      pen = any = TRUE;
    }
    if (c->broken)
      pen = FALSE;
  }
  cairo_stroke (cr);
  for (guint i = 0; i < n; i++)
    if (columns[i].broken)
      draw_mark (cr, v, v->left + i + .5);
  return any;
}

typedef struct {
  double x, y, label_y, last;
  const Curve *curve;
} End;

static void
draw_curve (TsSpark *spark, cairo_t *cr, const View *v, const Curve *curve, GArray *ends)
{
  GdkRGBA color, faint;
  guint n;
  End end = {.curve = curve};
  g_autofree Column *columns = make_columns (curve->series, v, &n, &end.last);

  ts_palette_get (curve->color, &color);
  faint = color;
  faint.alpha = .28f;
  gdk_cairo_set_source_rgba (cr, &faint);
  draw_spans (cr, v, columns, n);
  gdk_cairo_set_source_rgba (cr, &color);
  if (!draw_line (cr, v, columns, n, &end.x, &end.y))
    return;
  if (spark->live) {
    gdk_cairo_set_source_rgba (cr, &faint);
    cairo_arc (cr, end.x, end.y, 7, 0, 2 * G_PI);
    cairo_fill (cr);
  }
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_arc (cr, end.x, end.y, 3, 0, 2 * G_PI);
  cairo_fill (cr);
  end.label_y = end.y;
  g_array_append_val (ends, end);
}

static gint
by_height (gconstpointer a, gconstpointer b)
{
  const End *p = a, *q = b;

  return p->label_y < q->label_y ? -1 : p->label_y > q->label_y;
}

/* Labels keep 14 px between them. */
static void
draw_ends (TsSpark *spark, cairo_t *cr, const View *v, GArray *ends)
{
  GdkRGBA ink, text, color;
  double floor_y = -INFINITY;

  g_array_sort (ends, by_height);
  ts_palette_token (GTK_WIDGET (spark), "window_fg_color", &ink);
  ts_palette_token (GTK_WIDGET (spark), "ink2", &text);
  for (guint i = 0; i < ends->len; i++) {
    End *e = &g_array_index (ends, End, i);
    g_autofree char *value = ts_figure_number (e->last);
    double x = v->left + v->width + 8;
    e->label_y = MAX (MAX (e->label_y, floor_y + 14), v->top + 4);
    floor_y = e->label_y;
    ts_palette_get (e->curve->color, &color);
    ts_palette_mix (&color, &ink, .45, &color);
    gdk_cairo_set_source_rgba (cr, &color);
    x += draw_text (GTK_WIDGET (spark), cr, x, e->label_y, 0, e->curve->label, TRUE) + 5;
    gdk_cairo_set_source_rgba (cr, &text);
    draw_text (GTK_WIDGET (spark), cr, x, e->label_y, 0, value, FALSE);
  }
}

static void
ts_spark_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TsSpark *spark = TS_SPARK (widget);
  float width = (float) gtk_widget_get_width (widget),
        height = (float) gtk_widget_get_height (widget);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (End));
  View view;

  find_view (spark, &view, width, height);
  draw_axes (spark, cr, &view);
  for (guint i = 0; i < spark->curves->len; i++)
    draw_curve (spark, cr, &view, &g_array_index (spark->curves, Curve, i), ends);
  draw_ends (spark, cr, &view, ends);
  cairo_destroy (cr);
}

static void
ts_spark_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                  int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? LEFT + RIGHT + 60 : 90;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 320 : 200;
}

static void
clear_curve (gpointer data)
{
  Curve *curve = data;

  g_signal_handler_disconnect (curve->series, curve->handler);
  g_object_unref (curve->series);
  g_free (curve->label);
}

static void
ts_spark_finalize (GObject *object)
{
  g_array_unref (TS_SPARK (object)->curves);
  G_OBJECT_CLASS (ts_spark_parent_class)->finalize (object);
}

static void
ts_spark_class_init (TsSparkClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ts_spark_finalize;
  widget->snapshot = ts_spark_snapshot;
  widget->measure = ts_spark_measure;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget, "spark");
}

static void
ts_spark_init (TsSpark *spark)
{
  spark->curves = g_array_new (FALSE, FALSE, sizeof (Curve));
  g_array_set_clear_func (spark->curves, clear_curve);
}

GtkWidget *
ts_spark_new (void)
{
  return g_object_new (TS_TYPE_SPARK, NULL);
}

static void
on_changed (TsSpark *spark)
{
  g_autofree char *words = ts_spark_dup_description (spark);

  gtk_accessible_update_property (GTK_ACCESSIBLE (spark), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  words, -1);
  gtk_widget_queue_draw (GTK_WIDGET (spark));
}

void
ts_spark_clear (TsSpark *spark)
{
  g_array_set_size (spark->curves, 0);
  on_changed (spark);
}

void
ts_spark_add (TsSpark *spark, TsSeries *series, guint color, const char *label)
{
  Curve curve = {g_object_ref (series), 0, color, g_strdup (label)};

  curve.handler = g_signal_connect_swapped (series, "changed", G_CALLBACK (on_changed), spark);
  g_array_append_val (spark->curves, curve);
  on_changed (spark);
}

void
ts_spark_set_planned (TsSpark *spark, gint64 steps)
{
  if (spark->planned == steps)
    return;
  spark->planned = steps;
  gtk_widget_queue_draw (GTK_WIDGET (spark));
}

void
ts_spark_set_live (TsSpark *spark, gboolean live)
{
  if (spark->live == live)
    return;
  spark->live = live;
  gtk_widget_queue_draw (GTK_WIDGET (spark));
}

static double
get_last (TsSeries *series, gboolean *any)
{
  guint n;
  const TsStoredPoint *p = ts_series_get_points (series, &n);

  *any = TRUE;
  while (n--)
    if (!p[n].hidden)
      return ts_unbits (p[n].bits);
  *any = FALSE;
  return NAN;
}

char *
ts_spark_dup_description (TsSpark *spark)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < spark->curves->len; i++) {
    const Curve *curve = &g_array_index (spark->curves, Curve, i);
    gboolean any;
    g_autofree char *value = ts_figure_number (get_last (curve->series, &any));
    g_string_append_printf (text, "%s%s %s", text->len ? ", " : "", curve->label,
                            any ? value : "has no points yet");
  }
  return g_string_free (text, FALSE);
}
