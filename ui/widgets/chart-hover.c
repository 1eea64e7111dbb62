/* SPDX-License-Identifier: MIT */
#include "ui/widgets/chart-hover.h"

#include <math.h>
#include <string.h>

#include "ui/models/figure.h"
#include "ui/plot/palette.h"
#include "ui/widgets/palette.h"

/* --- Rows --- */

gboolean
ts_tag_wants_high (const char *tag)
{
  static const char *const words[] = {"acc",  "precision", "recall", "f1",   "auc",    "iou",
                                      "bleu", "r2",        "psnr",   "ssim", "reward", "score"};
  g_autofree char *low = g_ascii_strdown (tag, -1);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (low, words[i]))
      return TRUE;
  return FALSE;
}

static gint
by_value (gconstpointer a, gconstpointer b, gpointer wants_high)
{
  double p = ((const TsChartHover *) a)->hit.y, q = ((const TsChartHover *) b)->hit.y;

  if (isnan (p) || isnan (q))
    return isnan (p) - isnan (q);
  return (p < q ? -1 : p > q) * (wants_high ? -1 : 1);
}

GArray *
ts_chart_hover_new (const TsLayout *l, const char *tag, double x)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (TsChartHover));
  double px = ts_scale_to_px (&l->x_scale, x);

  for (guint k = 0; k < l->n_series; k++) {
    TsChartHover row = {.name = l->series[k].name, .color = l->series[k].color, .delta = NAN};
    if (!ts_layout_find_point (l, k, px, &row.hit))
      continue;
    row.away = row.hit.x != x;
    g_array_append_val (rows, row);
  }
  g_array_sort_with_data (rows, by_value, GINT_TO_POINTER (ts_tag_wants_high (tag)));
  for (guint i = 1; i < rows->len; i++) {
    TsChartHover *row = &g_array_index (rows, TsChartHover, i);
    row->delta = row->hit.y - g_array_index (rows, TsChartHover, 0).hit.y;
  }
  return rows;
}

char *
ts_figure_exact (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  gboolean is_float = (double) (float) value == value;

  if (isnan (value))
    return g_strdup ("NaN");
  if (isinf (value))
    return g_strdup (value > 0 ? "+Inf" : "-Inf");
  for (int digits = 6; digits <= 17; digits++) {
    char format[8];
    g_snprintf (format, sizeof format, "%%.%dg", digits);
    g_ascii_formatd (text, sizeof text, format, value);
    double back = g_ascii_strtod (text, NULL);
    if (back == value || (is_float && (float) back == (float) value))
      break;
  }
  return g_strdup (text);
}

/* --- The table --- */

#define PAD        12
#define GAP        14
#define ROW        18
#define HEAD       22
#define SWATCH     10
#define NAME_WIDTH 170
#define N_COLUMNS  5 /* name, smoothed, value, Δ, where */

typedef struct {
  PangoLayout *cell[N_COLUMNS]; /* NULL: empty */
  gint64 color;                 /* -1: no swatch */
} Row;

struct _TsHoverTable {
  GtkWidget parent;
  PangoLayout *title;
  GArray *rows; /* of Row: the head, the runs, "+ N more" */
  int widths[N_COLUMNS];
  int width, height;
};

G_DEFINE_FINAL_TYPE (TsHoverTable, ts_hover_table, GTK_TYPE_WIDGET)

static void
clear_row (gpointer data)
{
  for (guint i = 0; i < N_COLUMNS; i++)
    g_clear_object (&((Row *) data)->cell[i]);
}

static PangoLayout *
make_text (TsHoverTable *table, const char *text, gboolean bold)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (table), text);
  PangoAttrList *attrs = pango_attr_list_new ();

  pango_attr_list_insert (attrs, pango_attr_size_new_absolute (12 * PANGO_SCALE));
  pango_attr_list_insert (attrs, pango_attr_font_features_new ("tnum=1"));
  if (bold)
    pango_attr_list_insert (attrs, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, attrs);
  pango_attr_list_unref (attrs);
  return layout;
}

static char *
dup_x (const TsLayout *l, double x)
{
  if (l->options.x_kind == TS_X_STEP) {
    g_autofree char *count = ts_figure_count ((gint64) x);
    return g_strdup_printf ("step %s", count);
  }
  if (l->options.x_kind == TS_X_RELATIVE)
    return ts_figure_duration (x);
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc ((gint64) floor (x));
  g_autoptr (GDateTime) local = utc ? g_date_time_to_local (utc) : NULL;
  return local ? g_date_time_format (local, "%e %b %H:%M:%S") : g_strdup ("–");
}

static void
add_head (TsHoverTable *table, gboolean smoothed)
{
  Row row = {.color = -1};

  row.cell[0] = make_text (table, "run", TRUE);
  if (smoothed)
    row.cell[1] = make_text (table, "smoothed", TRUE);
  row.cell[2] = make_text (table, "value", TRUE);
  row.cell[3] = make_text (table, "Δ best", TRUE);
  g_array_append_val (table->rows, row);
}

static void
add_run (TsHoverTable *table, const TsLayout *l, const TsChartHover *hover)
{
  Row row = {.color = hover->color};
  char smooth[TS_NUMBER_SIZE], delta[TS_NUMBER_SIZE];
  gboolean smoothed = l->options.smoothing > 0;
  g_autofree char *value = ts_figure_exact (hover->hit.raw);

  row.cell[0] = make_text (table, hover->name, FALSE);
  pango_layout_set_ellipsize (row.cell[0], PANGO_ELLIPSIZE_MIDDLE);
  pango_layout_set_width (row.cell[0], -1);
  if (smoothed)
    row.cell[1] = make_text (table, ts_ticks_format_value (smooth, hover->hit.y), TRUE);
  row.cell[2] = make_text (table, value, !smoothed);
  ts_ticks_format_value (delta, hover->delta);
  g_autofree char *sign = g_strconcat (hover->delta > 0 ? "+" : "", delta, NULL);
  row.cell[3] = make_text (table, isnan (hover->delta) ? "–" : sign, FALSE);
  if (hover->away) {
    g_autofree char *where = dup_x (l, hover->hit.x), *text = g_strconcat ("at ", where, NULL);
    row.cell[4] = make_text (table, text, FALSE);
  }
  g_array_append_val (table->rows, row);
}

static void
measure_columns (TsHoverTable *table)
{
  int width, at = PAD + SWATCH + 8;

  for (guint c = 0; c < N_COLUMNS; c++) {
    table->widths[c] = 0;
    for (guint i = 0; i < table->rows->len; i++) {
      PangoLayout *cell = g_array_index (table->rows, Row, i).cell[c];
      if (!cell)
        continue;
      pango_layout_get_pixel_size (cell, &width, NULL);
      if (c == 0 && width > NAME_WIDTH) {
        pango_layout_set_width (cell, NAME_WIDTH * PANGO_SCALE);
        width = NAME_WIDTH;
      }
      table->widths[c] = MAX (table->widths[c], width);
    }
    at += table->widths[c] ? table->widths[c] + GAP : 0;
  }
  pango_layout_get_pixel_size (table->title, &width, NULL);
  table->width = MAX (at - GAP, width + PAD) + PAD;
  table->height = 2 * (PAD - 4) + HEAD + (int) table->rows->len * ROW;
}

void
ts_hover_table_set (TsHoverTable *table, const TsLayout *l, const char *tag, double x)
{
  g_autoptr (GArray) hovers = ts_chart_hover_new (l, tag, x);
  g_autofree char *title = dup_x (l, x);
  guint n = hovers->len > TS_HOVER_ROWS ? TS_HOVER_ROWS : hovers->len;
  int width = table->width, height = table->height;

  g_array_set_size (table->rows, 0);
  g_clear_object (&table->title);
  table->title = make_text (table, title, TRUE);
  add_head (table, l->options.smoothing > 0);
  for (guint i = 0; i < n; i++)
    add_run (table, l, &g_array_index (hovers, TsChartHover, i));
  if (n < hovers->len) {
    g_autofree char *more = g_strdup_printf ("+ %u more", hovers->len - n);
    Row row = {.color = -1};
    row.cell[0] = make_text (table, more, FALSE);
    g_array_append_val (table->rows, row);
  }
  measure_columns (table);
  /* a little air, so that the size does not change with every digit */
  table->width = (table->width + 23) / 24 * 24;
  if (table->width != width || table->height != height)
    gtk_widget_queue_resize (GTK_WIDGET (table));
  gtk_widget_queue_draw (GTK_WIDGET (table));
}

static void
draw_text (GtkSnapshot *snapshot, PangoLayout *text, double x, double y, const GdkRGBA *color)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  gtk_snapshot_append_layout (snapshot, text, color);
  gtk_snapshot_restore (snapshot);
}

static void
draw_row (TsHoverTable *table, GtkSnapshot *snapshot, const Row *row, gboolean head, double y)
{
  GdkRGBA ink, faint, color;
  double x = PAD + SWATCH + 8;

  ts_palette_token (GTK_WIDGET (table), "window_fg_color", &ink);
  ts_palette_token (GTK_WIDGET (table), "ink3", &faint);
  if (row->color >= 0) {
    GskRoundedRect swatch;
    graphene_rect_t box = GRAPHENE_RECT_INIT (PAD, (float) y + 4, SWATCH, SWATCH);
    ts_palette_get ((guint) row->color, &color);
    gsk_rounded_rect_init_from_rect (&swatch, &box, 3);
    gtk_snapshot_push_rounded_clip (snapshot, &swatch);
    gtk_snapshot_append_color (snapshot, &color, &box);
    gtk_snapshot_pop (snapshot);
  }
  for (guint c = 0; c < N_COLUMNS; c++) {
    int width;
    if (!table->widths[c])
      continue;
    if (row->cell[c]) {
      pango_layout_get_pixel_size (row->cell[c], &width, NULL);
      gboolean right = c >= 1 && c <= 3;
      draw_text (snapshot, row->cell[c], x + (right ? table->widths[c] - width : 0), y + 1,
                 head || c >= 3 ? &faint : &ink);
    }
    x += table->widths[c] + GAP;
  }
}

static void
ts_hover_table_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TsHoverTable *table = TS_HOVER_TABLE (widget);
  double y = PAD - 4;
  GdkRGBA ink;

  if (!table->title)
    return;
  ts_palette_token (widget, "window_fg_color", &ink);
  draw_text (snapshot, table->title, PAD, y + 1, &ink);
  y += HEAD;
  for (guint i = 0; i < table->rows->len; i++, y += ROW)
    draw_row (table, snapshot, &g_array_index (table->rows, Row, i), i == 0, y);
}

static void
ts_hover_table_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
  TsHoverTable *table = TS_HOVER_TABLE (widget);

  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? table->width : table->height;
}

static void
ts_hover_table_finalize (GObject *object)
{
  g_array_unref (TS_HOVER_TABLE (object)->rows);
  g_clear_object (&TS_HOVER_TABLE (object)->title);
  G_OBJECT_CLASS (ts_hover_table_parent_class)->finalize (object);
}

static void
ts_hover_table_class_init (TsHoverTableClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ts_hover_table_finalize;
  widget->measure = ts_hover_table_measure;
  widget->snapshot = ts_hover_table_snapshot;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_TOOLTIP);
  gtk_widget_class_set_css_name (widget, "hovertable");
}

static void
ts_hover_table_init (TsHoverTable *table)
{
  table->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  g_array_set_clear_func (table->rows, clear_row);
  gtk_widget_set_can_target (GTK_WIDGET (table), FALSE);
}

GtkWidget *
ts_hover_table_new (void)
{
  return g_object_new (TS_TYPE_HOVER_TABLE, NULL);
}

#define AWAY_PX 6

void
ts_hover_table_place (const TsBox *chart, const TsBox *plot, const TsBox *page, double px,
                      double width, double height, double *x, double *y)
{
  double end = page->y + page->height, under = chart->y + chart->height;
  double axis = plot->y + plot->height + 22, above = plot->y - AWAY_PX - height;

  *x = CLAMP (px + 10, page->x + AWAY_PX, MAX (page->x + page->width - width - AWAY_PX, page->x));
  if (under + height + AWAY_PX <= end)
    *y = under;
  else if (axis + height <= end || (above < page->y && plot->y - page->y <= end - axis))
    *y = axis;
  else
    *y = above; /* perhaps cut off at the top, but never over the curves */
}
