/* SPDX-License-Identifier: MIT */
#include "ui/widgets/glyph.h"

#include <math.h>
#include <string.h>

#include "ui/widgets/palette.h"

static void
set_color (cairo_t *cr, guint index, double alpha)
{
  GdkRGBA color;

  ts_palette_get (index, &color);
  color.alpha = (float) alpha;
  gdk_cairo_set_source_rgba (cr, &color);
}

static void
dot (cairo_t *cr, double x, double y, double r)
{
  cairo_arc (cr, x, y, r, 0, 2 * G_PI);
  cairo_fill (cr);
}

/* Two arms of points wound into each other. */
static void
draw_spirals (cairo_t *cr, double cx, double cy, double size)
{
  for (guint arm = 0; arm < 2; arm++)
    for (guint i = 0; i < 34; i++) {
      double t = (i + 2) / 36., angle = t * 3.3 * G_PI + arm * G_PI;
      set_color (cr, arm, 1);
      dot (cr, cx + cos (angle) * t * size, cy + sin (angle) * t * size, 2.6);
    }
}

/* How many dots stand for @width units: all of few, more for more. */
static guint
count_dots (guint width)
{
  return width <= 4 ? width : MIN (8, 3 + (guint) floor (log2 (width) / 1.7));
}

static double
dot_y (guint i, guint n, double cy, double gap)
{
  return cy + (i - (n - 1) / 2.) * gap;
}

/* The network: a column of dots a layer, every unit tied to every unit of the next. */
static void
draw_network (GtkWidget *widget, cairo_t *cr, const guint *sizes, guint n, double cx, double cy,
              double width, double height)
{
  GdkRGBA ink;
  double gap = MIN (15, height / 8), step = n > 1 ? MIN (62, width / (n - 1)) : 0;

  ts_palette_token (widget, "ink2", &ink);
  for (guint l = 0; l + 1 < n; l++) {
    guint a = count_dots (sizes[l]), b = count_dots (sizes[l + 1]);
    double x0 = cx + (l - (n - 1) / 2.) * step, x1 = x0 + step;
    cairo_set_line_width (cr, .9);
    for (guint i = 0; i < a; i++)
      for (guint k = 0; k < b; k++) {
        /* orange and blue as weights of either sign; which is which says nothing here */
        set_color (cr, (i * 7 + k * 5 + l) % 3 == 0, .34);
        cairo_move_to (cr, x0, dot_y (i, a, cy, gap));
        cairo_line_to (cr, x1, dot_y (k, b, cy, gap));
        cairo_stroke (cr);
      }
  }
  for (guint l = 0; l < n; l++) {
    guint a = count_dots (sizes[l]);
    gdk_cairo_set_source_rgba (cr, &ink);
    for (guint i = 0; i < a; i++)
      dot (cr, cx + (l - (n - 1) / 2.) * step, dot_y (i, a, cy, gap), 4.2);
  }
}

static void
draw_sizes (GtkWidget *widget, cairo_t *cr, const guint *sizes, guint n, double cx, double y)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (PangoLayout) layout = NULL;
  PangoAttrList *attrs = pango_attr_list_new ();
  GdkRGBA ink;
  int w, h;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%u", i ? " → " : "", sizes[i]);
  layout = gtk_widget_create_pango_layout (widget, text->str);
  pango_attr_list_insert (attrs, pango_attr_size_new_absolute (11 * PANGO_SCALE));
  pango_layout_set_attributes (layout, attrs);
  pango_attr_list_unref (attrs);
  pango_layout_get_pixel_size (layout, &w, &h);
  ts_palette_token (widget, "ink3", &ink);
  gdk_cairo_set_source_rgba (cr, &ink);
  cairo_move_to (cr, floor (cx - w / 2.), floor (y - h / 2.));
  pango_cairo_show_layout (cr, layout);
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  TsTemplateItem *item = data;
  guint n;
  const guint *sizes = ts_template_item_get_sizes (item, &n);

  if (strcmp (ts_template_item_get_name (item), "spirals") == 0) {
    draw_spirals (cr, width / 2., height / 2., height * .43);
  } else if (n) {
    draw_network (GTK_WIDGET (area), cr, sizes, n, width / 2., height / 2. - 8, width * .72,
                  height - 34);
    draw_sizes (GTK_WIDGET (area), cr, sizes, n, width / 2., height - 13);
  }
}

GtkWidget *
ts_glyph_new (TsTemplateItem *item)
{
  GtkWidget *area = gtk_drawing_area_new ();

  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), 136);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw, g_object_ref (item),
                                  g_object_unref);
  gtk_widget_add_css_class (area, "picture");
  gtk_widget_set_overflow (area, GTK_OVERFLOW_HIDDEN);
  return area;
}
