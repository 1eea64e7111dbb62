/* SPDX-License-Identifier: MIT */
#include "ui/widgets/graph-view-private.h"

#include <math.h>
#include <string.h>

#define NODE_HEIGHT 40
#define ZOOM_MIN    0.02
#define ZOOM_MAX    4.0
#define CLICK_PX    5

G_DEFINE_FINAL_TYPE (TsGraphView, ts_graph_view, GTK_TYPE_WIDGET)

static guint selected;

/* --- Layout --- */

static void
drop_texts (TsGraphView *view)
{
  for (guint i = 0; view->model && view->labels && i < view->model->nodes->len; i++) {
    g_object_unref (view->labels[i]);
    g_object_unref (view->shapes[i]);
  }
  for (guint i = 0; view->model && view->scope_labels && i < view->model->scopes->len; i++)
    g_object_unref (view->scope_labels[i]);
  g_clear_pointer (&view->labels, g_free);
  g_clear_pointer (&view->shapes, g_free);
  g_clear_pointer (&view->scope_labels, g_free);
}

static char *
scope_title (const TsGraphScope *scope)
{
  return g_strdup_printf ("%s  %u %s", scope->label, scope->n_nodes,
                          scope->n_nodes == 1 ? "op" : "ops");
}

static void
make_texts (TsGraphView *view)
{
  GtkWidget *widget = GTK_WIDGET (view);
  const TsGraphModel *m = view->model;

  view->labels = g_new0 (PangoLayout *, m->nodes->len + 1);
  view->shapes = g_new0 (PangoLayout *, m->nodes->len + 1);
  view->scope_labels = g_new0 (PangoLayout *, m->scopes->len + 1);
  for (guint i = 0; i < m->nodes->len; i++) {
    const TsGraphNode *n = ts_graph_model_node (m, i);
    g_autofree char *below =
        n->n_parameters
            ? g_strdup_printf ("%s · %" G_GUINT64_FORMAT " parameters", n->op, n->n_parameters)
            : g_strdup (n->kind == TS_GRAPH_INPUT ? "input" : n->op);
    view->labels[i] = ts_graph_view_make_text (widget, n->label, 13, TRUE);
    view->shapes[i] = ts_graph_view_make_text (widget, below, 11, FALSE);
  }
  for (guint i = 0; i < m->scopes->len; i++) {
    g_autofree char *title = scope_title (ts_graph_model_scope (m, i));
    view->scope_labels[i] = ts_graph_view_make_text (widget, title, 12, TRUE);
  }
}

static void
lay_out (TsGraphView *view)
{
  const TsGraphModel *m = view->model;
  g_autofree TsDiagramNode *nodes = g_new0 (TsDiagramNode, m->nodes->len + 1);
  g_autofree TsDiagramEdge *edges = g_new0 (TsDiagramEdge, m->edges->len + 1);
  g_autofree TsDiagramScope *scopes = g_new0 (TsDiagramScope, m->scopes->len + 1);

  for (guint i = 0; i < m->nodes->len; i++)
    nodes[i] = (TsDiagramNode){(float) MAX (ts_graph_view_text_width (view->labels[i]),
                                            ts_graph_view_text_width (view->shapes[i])) +
                                   28,
                               NODE_HEIGHT, ts_graph_model_node (m, i)->scope};
  for (guint i = 0; i < m->edges->len; i++) {
    const TsGraphEdge *e = ts_graph_model_edge (m, i);
    edges[i] = (TsDiagramEdge){e->from, e->to, e->control};
  }
  for (guint i = 0; i < m->scopes->len; i++)
    scopes[i] = (TsDiagramScope){ts_graph_model_scope (m, i)->parent, i == 0 || view->open[i],
                                 (float) ts_graph_view_text_width (view->scope_labels[i]) + 40,
                                 NODE_HEIGHT};
  g_clear_pointer (&view->diagram, ts_diagram_free);
  view->diagram =
      ts_diagram_new (nodes, m->nodes->len, edges, m->edges->len, scopes, m->scopes->len);
}

/* --- Looking --- */

void
ts_graph_view_fit (TsGraphView *view)
{
  double width = gtk_widget_get_width (GTK_WIDGET (view)),
         height = gtk_widget_get_height (GTK_WIDGET (view));

  view->fitted = TRUE;
  if (!view->diagram || width < 2 || height < 2)
    return;
  double w = (double) view->diagram->width, h = (double) view->diagram->height;
  view->zoom = CLAMP (MIN (width / w, height / h), ZOOM_MIN, 1);
  view->left = (width / view->zoom - w) / 2;
  view->top = (height / view->zoom - h) / 2;
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

static void
zoom_at (TsGraphView *view, double factor, double x, double y)
{
  double zoom = CLAMP (view->zoom * factor, ZOOM_MIN, ZOOM_MAX);

  view->left += x / zoom - x / view->zoom;
  view->top += y / zoom - y / view->zoom;
  view->zoom = zoom;
  view->fitted = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

void
ts_graph_view_zoom (TsGraphView *view, double factor)
{
  zoom_at (view, factor, gtk_widget_get_width (GTK_WIDGET (view)) / 2.0,
           gtk_widget_get_height (GTK_WIDGET (view)) / 2.0);
}

static void
ts_graph_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  if (TS_GRAPH_VIEW (widget)->fitted)
    ts_graph_view_fit (TS_GRAPH_VIEW (widget));
}

static gboolean
holds (const TsDiagramBox *b, double x, double y)
{
  return b->visible && x >= (double) b->x && y >= (double) b->y && x <= (double) (b->x + b->w) &&
         y <= (double) (b->y + b->h);
}

void
ts_graph_view_pick (TsGraphView *view, double px, double py, int *node, int *scope)
{
  double x = px / view->zoom - view->left, y = py / view->zoom - view->top;

  *node = *scope = -1;
  if (!view->diagram)
    return;
  for (guint i = 0; i < view->model->nodes->len; i++)
    if (holds (&view->diagram->nodes[i], x, y))
      *node = (int) i;
  for (guint s = 1; *node < 0 && s < view->model->scopes->len; s++)
    if (holds (&view->diagram->scopes[s], x, y)) /* children come later: the innermost wins */
      *scope = (int) s;
}

gboolean
ts_graph_view_get_node_area (TsGraphView *view, int node, graphene_rect_t *area)
{
  const TsDiagramBox *b = &view->diagram->nodes[node];

  if (!b->visible)
    return FALSE;
  *area = GRAPHENE_RECT_INIT ((float) (((double) b->x + view->left) * view->zoom),
                              (float) (((double) b->y + view->top) * view->zoom),
                              (float) ((double) b->w * view->zoom),
                              (float) ((double) b->h * view->zoom));
  return TRUE;
}

/* --- Scopes and selection --- */

static void
describe (TsGraphView *view)
{
  g_autofree char *text = NULL;

  if (!view->model)
    text = g_strdup ("no graph");
  else if (view->node >= 0)
    text = g_strdup_printf ("%s, %s, selected",
                            ts_graph_model_node (view->model, (guint) view->node)->name,
                            ts_graph_model_node (view->model, (guint) view->node)->op);
  else
    text = g_strdup_printf ("%u ops in %u groups", view->model->nodes->len,
                            view->model->scopes->len - 1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
}

void
ts_graph_view_select (TsGraphView *view, int node, int scope)
{
  if (view->node == node && view->scope == scope)
    return;
  view->node = node;
  view->scope = scope;
  describe (view);
  gtk_widget_queue_draw (GTK_WIDGET (view));
  g_signal_emit (view, selected, 0);
}

int
ts_graph_view_get_selected_node (TsGraphView *view)
{
  return view->node;
}

int
ts_graph_view_get_selected_scope (TsGraphView *view)
{
  return view->scope;
}

static void
set_open (TsGraphView *view, int scope, gboolean open)
{
  const char *name = ts_graph_model_scope (view->model, (guint) scope)->name;

  view->open[scope] = open;
  if (open)
    g_hash_table_add (view->opened, g_strdup (name));
  else
    g_hash_table_remove (view->opened, name);
}

/* The header that was clicked stays under the pointer. */
void
ts_graph_view_toggle_scope (TsGraphView *view, int scope)
{
  g_return_if_fail (view->model && scope > 0);
  TsDiagramBox before = view->diagram->scopes[scope];

  set_open (view, scope, !view->open[scope]);
  lay_out (view);
  if (view->fitted) {
    ts_graph_view_fit (view);
  } else {
    const TsDiagramBox *after = &view->diagram->scopes[scope];
    view->left += (double) (before.x + before.w / 2 - after->x - after->w / 2);
    view->top += (double) (before.y - after->y);
  }
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

void
ts_graph_view_open_all (TsGraphView *view, gboolean open)
{
  if (!view->model)
    return;
  for (guint s = 1; s < view->model->scopes->len; s++)
    set_open (view, (int) s, open);
  lay_out (view);
  ts_graph_view_fit (view);
}

void
ts_graph_view_take_model (TsGraphView *view, TsGraphModel *model)
{
  drop_texts (view);
  g_clear_pointer (&view->diagram, ts_diagram_free);
  g_clear_pointer (&view->open, g_free);
  g_clear_pointer (&view->model, ts_graph_model_free);
  view->model = model;
  ts_graph_view_select (view, -1, -1);
  if (model) {
    view->open = g_new0 (gboolean, model->scopes->len);
    for (guint s = 1; s < model->scopes->len; s++)
      view->open[s] = g_hash_table_contains (view->opened, ts_graph_model_scope (model, s)->name);
    make_texts (view);
    lay_out (view);
    ts_graph_view_fit (view);
  }
  describe (view);
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

const TsGraphModel *
ts_graph_view_get_model (TsGraphView *view)
{
  return view->model;
}

/* --- Input --- */

static void
on_click (GtkGestureClick *click, int n, double x, double y, TsGraphView *view)
{
  int node, scope;

  gtk_widget_grab_focus (GTK_WIDGET (view));
  ts_graph_view_pick (view, x, y, &node, &scope);
  ts_graph_view_select (view, node, scope);
  if (n == 2 && scope > 0)
    ts_graph_view_toggle_scope (view, scope);
}

static void
on_drag_begin (GtkGestureDrag *drag, double x, double y, TsGraphView *view)
{
  view->drag_left = view->left;
  view->drag_top = view->top;
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, TsGraphView *view)
{
  if (fabs (dx) + fabs (dy) < CLICK_PX && view->fitted)
    return;
  view->left = view->drag_left + dx / view->zoom;
  view->top = view->drag_top + dy / view->zoom;
  view->fitted = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy, TsGraphView *view)
{
  zoom_at (view, pow (1.2, -dy), view->pointer_x, view->pointer_y);
  return TRUE;
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y, TsGraphView *view)
{
  view->pointer_x = x;
  view->pointer_y = y;
}

static gboolean
on_key (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state,
        TsGraphView *view)
{
  double step = 60 / view->zoom;

  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK) || !view->diagram)
    return FALSE;
  switch (key) {
  case GDK_KEY_plus:
  case GDK_KEY_equal:
    ts_graph_view_zoom (view, 1.25);
    return TRUE;
  case GDK_KEY_minus:
    ts_graph_view_zoom (view, 0.8);
    return TRUE;
  case GDK_KEY_0:
    ts_graph_view_fit (view);
    return TRUE;
  case GDK_KEY_Return:
    if (view->scope > 0)
      ts_graph_view_toggle_scope (view, view->scope);
    return view->scope > 0;
  case GDK_KEY_Left:
  case GDK_KEY_Right:
    view->left += key == GDK_KEY_Left ? step : -step;
    break;
  case GDK_KEY_Up:
  case GDK_KEY_Down:
    view->top += key == GDK_KEY_Up ? step : -step;
    break;
  default:
    return FALSE;
  }
  view->fitted = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (view));
  return TRUE;
}

static void
ts_graph_view_finalize (GObject *object)
{
  TsGraphView *view = TS_GRAPH_VIEW (object);

  drop_texts (view);
  g_clear_pointer (&view->diagram, ts_diagram_free);
  g_clear_pointer (&view->model, ts_graph_model_free);
  g_free (view->open);
  g_hash_table_unref (view->opened);
  G_OBJECT_CLASS (ts_graph_view_parent_class)->finalize (object);
}

static void
ts_graph_view_class_init (TsGraphViewClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ts_graph_view_finalize;
  widget->snapshot = ts_graph_view_snapshot;
  widget->size_allocate = ts_graph_view_size_allocate;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget, "graphview");
  selected = g_signal_new ("selected", TS_TYPE_GRAPH_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                           G_TYPE_NONE, 0);
}

static void
add (TsGraphView *view, gpointer controller)
{
  gtk_widget_add_controller (GTK_WIDGET (view), GTK_EVENT_CONTROLLER (controller));
}

static void
ts_graph_view_init (TsGraphView *view)
{
  GtkGesture *click = gtk_gesture_click_new (), *drag = gtk_gesture_drag_new ();
  GtkEventController *scroll =
      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkEventController *motion = gtk_event_controller_motion_new (),
                     *keys = gtk_event_controller_key_new ();

  view->zoom = 1;
  view->fitted = TRUE;
  view->node = view->scope = -1;
  view->opened = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gtk_widget_set_focusable (GTK_WIDGET (view), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (view), GTK_OVERFLOW_HIDDEN);
  g_signal_connect (click, "pressed", G_CALLBACK (on_click), view);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), view);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), view);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), view);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), view);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), view);
  add (view, click);
  add (view, drag);
  add (view, scroll);
  add (view, motion);
  add (view, keys);
}

GtkWidget *
ts_graph_view_new (void)
{
  return g_object_new (TS_TYPE_GRAPH_VIEW, NULL);
}
