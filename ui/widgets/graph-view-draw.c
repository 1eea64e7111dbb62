/* SPDX-License-Identifier: MIT */
#include "ui/widgets/graph-view-private.h"

#include <math.h>
#include <string.h>

#include "ui/widgets/palette.h"

#define TEXT_SCALE  0.45 /* below it boxes have no text */
#define SHAPE_SCALE 0.6  /* below it connections have no shapes */

PangoLayout *
ts_graph_view_make_text (GtkWidget *widget, const char *text, int px, gboolean bold)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (widget, text);
  PangoAttrList *attrs = pango_attr_list_new ();

  pango_attr_list_insert (attrs, pango_attr_size_new_absolute (px * PANGO_SCALE));
  if (bold)
    pango_attr_list_insert (attrs, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, attrs);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_MIDDLE);
  pango_layout_set_width (layout, -1);
  pango_attr_list_unref (attrs);
  return layout;
}

int
ts_graph_view_text_width (PangoLayout *layout)
{
  int w;

  pango_layout_get_pixel_size (layout, &w, NULL);
  return w;
}

typedef struct {
  GdkRGBA card, line, ink, ink2, ink3, accent, rail, selection;
} Inks;

static void
get_inks (GtkWidget *widget, Inks *k)
{
  ts_palette_token (widget, "card_bg_color", &k->card);
  ts_palette_token (widget, "line", &k->line);
  ts_palette_token (widget, "window_fg_color", &k->ink);
  ts_palette_token (widget, "ink2", &k->ink2);
  ts_palette_token (widget, "ink3", &k->ink3);
  ts_palette_token (widget, "accent_color", &k->accent);
  ts_palette_token (widget, "rail", &k->rail);
  ts_palette_token (widget, "selection", &k->selection);
}

static void
rounded (cairo_t *cr, double x, double y, double w, double h, double r)
{
  cairo_new_sub_path (cr);
  cairo_arc (cr, x + w - r, y + r, r, -G_PI / 2, 0);
  cairo_arc (cr, x + w - r, y + h - r, r, 0, G_PI / 2);
  cairo_arc (cr, x + r, y + h - r, r, G_PI / 2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, 3 * G_PI / 2);
  cairo_close_path (cr);
}

static void
draw_text (cairo_t *cr, PangoLayout *layout, const GdkRGBA *ink, double x, double middle,
           double align)
{
  int w, h;

  pango_layout_get_pixel_size (layout, &w, &h);
  gdk_cairo_set_source_rgba (cr, ink);
  cairo_move_to (cr, x - align * w, middle - h / 2.0);
  pango_cairo_show_layout (cr, layout);
}

/* Does a box show at all? */
static gboolean
in_sight (const TsGraphView *view, const TsDiagramBox *b)
{
  double width = gtk_widget_get_width (GTK_WIDGET (view)),
         height = gtk_widget_get_height (GTK_WIDGET (view));
  double x = ((double) b->x + view->left) * view->zoom,
         y = ((double) b->y + view->top) * view->zoom;

  return x < width && y < height && x + (double) b->w * view->zoom > 0 &&
         y + (double) b->h * view->zoom > 0;
}

static void
outline (TsGraphView *view, cairo_t *cr, const Inks *k, gboolean is_selected)
{
  gdk_cairo_set_source_rgba (cr, is_selected ? &k->accent : &k->line);
  cairo_set_line_width (cr, is_selected ? MAX (2, 2 / view->zoom) : 1);
  cairo_stroke (cr);
}

/* An open scope is a frame with its title; a closed one looks like a stack of three. */
static void
draw_scope (TsGraphView *view, cairo_t *cr, const Inks *k, guint s)
{
  const TsDiagramBox *b = &view->diagram->scopes[s];
  gboolean is_selected = view->scope == (int) s;
  GdkRGBA tint = k->rail;

  if (!view->open[s])
    for (int i = 2; i > 0; i--) {
      rounded (cr, (double) b->x + 3 * i, (double) b->y + 3 * i, b->w, b->h, 8);
      gdk_cairo_set_source_rgba (cr, &k->card);
      cairo_fill_preserve (cr);
      outline (view, cr, k, FALSE);
    }
  rounded (cr, b->x, b->y, b->w, b->h, view->open[s] ? 10 : 8);
  tint.alpha = view->open[s] ? 0.6f : 1.0f;
  gdk_cairo_set_source_rgba (cr, view->open[s] ? &tint : &k->card);
  cairo_fill_preserve (cr);
  outline (view, cr, k, is_selected);
  if (view->zoom < TEXT_SCALE)
    return;
  if (view->open[s])
    draw_text (cr, view->scope_labels[s], &k->ink3, (double) b->x + 10, (double) b->y + 14, 0);
  else
    draw_text (cr, view->scope_labels[s], &k->ink, (double) (b->x + b->w / 2),
               (double) (b->y + b->h / 2), 0.5);
}

static void
draw_node (TsGraphView *view, cairo_t *cr, const Inks *k, guint i)
{
  const TsDiagramBox *b = &view->diagram->nodes[i];
  const TsGraphNode *n = ts_graph_model_node (view->model, i);
  gboolean input = n->kind == TS_GRAPH_INPUT;

  rounded (cr, b->x, b->y, b->w, b->h, input ? (double) b->h / 2 : 8);
  gdk_cairo_set_source_rgba (cr, input ? &k->selection : &k->card);
  cairo_fill_preserve (cr);
  outline (view, cr, k, view->node == (int) i);
  if (view->zoom < TEXT_SCALE)
    return;
  draw_text (cr, view->labels[i], &k->ink, (double) (b->x + b->w / 2), (double) b->y + 14, 0.5);
  draw_text (cr, view->shapes[i], &k->ink3, (double) (b->x + b->w / 2), (double) b->y + 29, 0.5);
}

static void
trace_route (cairo_t *cr, const TsDiagramPoint *p, guint n)
{
  cairo_move_to (cr, p[0].x, p[0].y);
  for (guint i = 1; i < n; i++) {
    double middle = (double) (p[i - 1].y + p[i].y) / 2;
    if (fabsf (p[i].x - p[i - 1].x) < 0.5f)
      cairo_line_to (cr, p[i].x, p[i].y);
    else
      cairo_curve_to (cr, p[i - 1].x, middle, p[i].x, middle, p[i].x, p[i].y);
  }
}

static void
draw_arrow (cairo_t *cr, const TsDiagramPoint *tip, gboolean up)
{
  double d = up ? 7 : -7;

  cairo_move_to (cr, tip->x, tip->y);
  cairo_line_to (cr, (double) tip->x - 4, (double) tip->y + d);
  cairo_line_to (cr, (double) tip->x + 4, (double) tip->y + d);
  cairo_close_path (cr);
  cairo_fill (cr);
}

/* The shape that all edges of a bundle share, or NULL. */
static const char *
shared_shape (const TsGraphView *view, const TsDiagramRoute *r, double *elems)
{
  const char *shape = NULL;

  *elems = 1;
  for (guint k = 0; k < r->n_edges; k++) {
    int index = g_array_index (view->diagram->bundled, int, r->first_edge + k);
    const TsGraphEdge *e = ts_graph_model_edge (view->model, (guint) index);
    *elems = MAX (*elems, e->elems);
    if (shape && strcmp (shape, e->shape) != 0)
      return NULL;
    shape = e->shape;
  }
  return shape;
}

static gboolean
touches_selected (const TsGraphView *view, const TsDiagramRoute *r)
{
  for (guint k = 0; view->node >= 0 && k < r->n_edges; k++) {
    int index = g_array_index (view->diagram->bundled, int, r->first_edge + k);
    const TsGraphEdge *e = ts_graph_model_edge (view->model, (guint) index);
    if (e->from == view->node || e->to == view->node)
      return TRUE;
  }
  return FALSE;
}

/* Where the curve from @a to @b is after the part @t of its parameter. */
static TsDiagramPoint
on_route (const TsDiagramPoint *a, const TsDiagramPoint *b, float t)
{
  float u = 1 - t, across = 3 * u * t * t + t * t * t;
  float down = 1.5f * u * t + t * t * t; /* both inner control points lie half way down */

  return (TsDiagramPoint){a->x + (b->x - a->x) * across, a->y + (b->y - a->y) * down};
}

/* Puts the shape beside the edge where no other shape stands; none when it is too crowded. */
static void
draw_shape (TsGraphView *view, cairo_t *cr, const Inks *k, const TsDiagramPoint *p,
            const char *shape, GArray *taken)
{
  static const float places[] = {0.5f, 0.25f, 0.75f};
  g_autoptr (PangoLayout) layout = ts_graph_view_make_text (GTK_WIDGET (view), shape, 11, FALSE);
  gboolean straight = fabsf (p[0].x - p[1].x) < 0.5f;

  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    TsDiagramPoint at = on_route (&p[0], &p[1], places[(i + !straight) % G_N_ELEMENTS (places)]);
    graphene_rect_t box =
        GRAPHENE_RECT_INIT (at.x + 7, at.y - 7, (float) ts_graph_view_text_width (layout), 14);
    gboolean is_free = TRUE;
    for (guint j = 0; j < taken->len && is_free; j++)
      is_free =
          !graphene_rect_intersection (&box, &g_array_index (taken, graphene_rect_t, j), NULL);
    if (!is_free)
      continue;
    g_array_append_val (taken, box);
    draw_text (cr, layout, &k->ink2, (double) at.x + 7, (double) at.y, 0);
    return;
  }
}

static void
draw_route (TsGraphView *view, cairo_t *cr, const Inks *k, const TsDiagramRoute *r, GArray *taken)
{
  static const double dashes[] = {4, 3};
  const TsDiagramPoint *p = &g_array_index (view->diagram->points, TsDiagramPoint, r->first_point);
  const TsDiagramPoint *tip = &p[r->reversed ? 0 : r->n_points - 1];
  gboolean lit = touches_selected (view, r);
  double elems;
  const char *shape = shared_shape (view, r, &elems);

  gdk_cairo_set_source_rgba (cr, lit ? &k->accent : &k->ink3);
  cairo_set_line_width (cr, CLAMP (0.8 + log2 (elems) / 6, 0.8, 4)); /* as wide as what flows */
  cairo_set_dash (cr, dashes, r->control ? 2 : 0, 0);
  trace_route (cr, p, r->n_points);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (r->arrow)
    draw_arrow (cr, tip, r->reversed);
  if (!shape || !*shape || r->control || view->zoom < SHAPE_SCALE)
    return;
  draw_shape (view, cr, k, p, shape, taken);
}

void
ts_graph_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TsGraphView *view = TS_GRAPH_VIEW (widget);
  float width = (float) gtk_widget_get_width (widget),
        height = (float) gtk_widget_get_height (widget);
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (graphene_rect_t));
  Inks inks;

  if (!view->diagram)
    return;
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  get_inks (widget, &inks);
  cairo_scale (cr, view->zoom, view->zoom);
  cairo_translate (cr, view->left, view->top);
  for (guint s = 1; s < view->model->scopes->len; s++)
    if (view->diagram->scopes[s].visible && view->open[s] &&
        in_sight (view, &view->diagram->scopes[s]))
      draw_scope (view, cr, &inks, s);
  for (guint i = 0; i < view->diagram->routes->len; i++)
    draw_route (view, cr, &inks, &g_array_index (view->diagram->routes, TsDiagramRoute, i), taken);
  for (guint s = 1; s < view->model->scopes->len; s++)
    if (view->diagram->scopes[s].visible && !view->open[s] &&
        in_sight (view, &view->diagram->scopes[s]))
      draw_scope (view, cr, &inks, s);
  for (guint i = 0; i < view->model->nodes->len; i++)
    if (view->diagram->nodes[i].visible && in_sight (view, &view->diagram->nodes[i]))
      draw_node (view, cr, &inks, i);
  cairo_destroy (cr);
}
