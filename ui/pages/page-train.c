/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ui/models/figure.h"
#include "ui/pages/page.h"
#include "ui/widgets/chart-overlay.h"
#include "ui/widgets/figure-strip.h"
#include "ui/widgets/model-view.h"
#include "ui/widgets/rate-panel.h"

/* The run that is shown: its model, its settings, its figures and curves; for the one that trains,
 * the learning rate as well. */
#define TS_TYPE_PAGE_TRAIN (ts_page_train_get_type ())
G_DECLARE_FINAL_TYPE (TsPageTrain, ts_page_train, TS, PAGE_TRAIN, GtkWidget)

#define SMOOTHING  0.6 /* of what every step records */
#define CURVES_MAX 2   /* of training and of validation */

/* A card with curves. */
typedef struct {
  GtkWidget *card;
  GtkLabel *title;
  TsChartView *view;             /* of the run that is plotted, or NULL */
  TsChartRun curves[CURVES_MAX]; /* owns the series */
  guint n_curves;
} Plot;

struct _TsPageTrain {
  GtkWidget parent;
  TsDesk *desk;
  TsRunItem *item;
  gint64 plotted_run;
  char *metric; /* of the plotted run */
  gboolean narrow;
  TsSeries *loss; /* tells the last step */
  GtkWidget *stack, *empty, *choose, *tabs, *tab_curves, *tab_model, *paned, *model_side,
      *curves_side;
  GtkWidget *model_name, *data_badge, *view, *settings, *curves;
  GtkWidget *strip, *rate, *charts;
  Plot plots[3]; /* loss, metric, gradient norm */
};

G_DEFINE_FINAL_TYPE (TsPageTrain, ts_page_train, GTK_TYPE_WIDGET)

enum { PROP_NARROW = 1 };

static void
show_tab (TsPageTrain *page)
{
  gboolean model = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (page->tab_model));

  gtk_widget_set_visible (page->tabs, page->narrow);
  if (page->charts)
    gtk_flow_box_set_min_children_per_line (GTK_FLOW_BOX (page->charts), page->narrow ? 1 : 2);
  gtk_widget_set_visible (page->model_side, !page->narrow || model);
  gtk_widget_set_visible (page->curves_side, !page->narrow || !model);
}

static void
ts_page_train_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  TsPageTrain *page = TS_PAGE_TRAIN (object);

  page->narrow = g_value_get_boolean (value);
  show_tab (page);
}

static void on_loss (TsPageTrain *page);
static void clear_plot (TsPageTrain *page, Plot *plot);

static void
let_loss_go (TsPageTrain *page)
{
  if (page->loss)
    g_signal_handlers_disconnect_by_func (page->loss, on_loss, page);
  g_clear_object (&page->loss);
}

static void
ts_page_train_dispose (GObject *object)
{
  TsPageTrain *page = TS_PAGE_TRAIN (object);

  g_clear_object (&page->item);
  let_loss_go (page);
  for (guint i = 0; i < G_N_ELEMENTS (page->plots); i++)
    clear_plot (page, &page->plots[i]);
  g_clear_pointer (&page->stack, gtk_widget_unparent);
  G_OBJECT_CLASS (ts_page_train_parent_class)->dispose (object);
}

static void
ts_page_train_finalize (GObject *object)
{
  g_free (TS_PAGE_TRAIN (object)->metric);
  G_OBJECT_CLASS (ts_page_train_parent_class)->finalize (object);
}

static void
ts_page_train_class_init (TsPageTrainClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);
  GObjectClass *object = G_OBJECT_CLASS (klass);

  g_type_ensure (TS_TYPE_CHART_OVERLAY);
  g_type_ensure (TS_TYPE_MODEL_VIEW);
  object->dispose = ts_page_train_dispose;
  object->finalize = ts_page_train_finalize;
  object->set_property = ts_page_train_set_property;
  g_object_class_install_property (
      object, PROP_NARROW,
      g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                            G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget, "/org/trainscope/Workbench/page-train.ui");
  gtk_widget_class_bind_template_child (widget, TsPageTrain, stack);
  gtk_widget_class_bind_template_child (widget, TsPageTrain, empty);
  gtk_widget_class_bind_template_child (widget, TsPageTrain, choose);
  gtk_widget_class_bind_template_child (widget, TsPageTrain, tabs);
  gtk_widget_class_bind_template_child (widget, TsPageTrain, tab_curves);
  gtk_widget_class_bind_template_child (widget, TsPageTrain, tab_model);
  gtk_widget_class_bind_template_child (widget, TsPageTrain, paned);
  gtk_widget_class_bind_template_child (widget, TsPageTrain, model_side);
  gtk_widget_class_bind_template_child (widget, TsPageTrain, curves_side);
  gtk_widget_class_bind_template_child (widget, TsPageTrain, model_name);
  gtk_widget_class_bind_template_child (widget, TsPageTrain, data_badge);
  gtk_widget_class_bind_template_child (widget, TsPageTrain, view);
  gtk_widget_class_bind_template_child (widget, TsPageTrain, settings);
  gtk_widget_class_bind_template_child (widget, TsPageTrain, curves);
}

static void
make_plot (Plot *plot, const char *title)
{
  GtkWidget *head = gtk_label_new (title);

  plot->card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  plot->title = GTK_LABEL (head);
  gtk_label_set_xalign (plot->title, 0);
  gtk_widget_add_css_class (head, "card-title");
  gtk_widget_add_css_class (head, "card-head");
  gtk_widget_add_css_class (plot->card, "card");
  gtk_widget_add_css_class (plot->card, "chart-card");
  gtk_box_append (GTK_BOX (plot->card), head);
}

static void
ts_page_train_init (TsPageTrain *page)
{
  static const char *const titles[] = {"Loss", "Accuracy", "Gradient norm"};

  gtk_widget_init_template (GTK_WIDGET (page));
  for (guint i = 0; i < G_N_ELEMENTS (page->plots); i++)
    make_plot (&page->plots[i], titles[i]);
  g_signal_connect_swapped (page->tab_model, "toggled", G_CALLBACK (show_tab), page);
}

/* --- The model and its settings --- */

static void
add_setting (TsPageTrain *page, const char *key, const char *value)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *name = gtk_label_new (key), *text = gtk_label_new (value);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_xalign (GTK_LABEL (text), 1);
  gtk_label_set_ellipsize (GTK_LABEL (text), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_selectable (GTK_LABEL (text), TRUE);
  gtk_widget_set_can_focus (text, FALSE);
  gtk_widget_set_hexpand (text, TRUE);
  gtk_widget_set_tooltip_text (text, value);
  gtk_widget_add_css_class (name, "secondary");
  gtk_widget_add_css_class (text, "mono");
  gtk_widget_add_css_class (row, "settings-row");
  gtk_box_append (GTK_BOX (row), name);
  gtk_box_append (GTK_BOX (row), text);
  gtk_box_append (GTK_BOX (page->settings), row);
}

static void
show_settings (TsPageTrain *page, const TsRun *run)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (page->settings)))
    gtk_box_remove (GTK_BOX (page->settings), child);
  for (guint i = 0; i < run->n_hparams; i++) {
    g_autofree char *value = ts_hparam_dup_text (&run->hparams[i]);
    if (*value)
      add_setting (page, run->hparams[i].key, value);
  }
  if (run->data_split)
    add_setting (page, "split", run->data_split);
}

static void
show_model (TsPageTrain *page)
{
  const TsRun *run = ts_run_item_get (page->item);
  g_autofree char *file = g_strdup_printf ("%s.model", run->model_name ? run->model_name : "run");

  gtk_label_set_text (GTK_LABEL (page->model_name), file);
  gtk_label_set_text (GTK_LABEL (page->data_badge), run->data_name ? run->data_name : "");
  gtk_widget_set_visible (page->data_badge, run->data_name != NULL);
  ts_model_view_set_text (TS_MODEL_VIEW (page->view), run->model_text ? run->model_text : "");
  show_settings (page, run);
}

/* --- Curves --- */

/* The first metric the run has recorded, NULL before that. */
static const char *
find_metric (TsRunItem *item)
{
  const GArray *last = ts_run_item_get (item)->last;

  for (guint i = 0; i < last->len; i++) {
    const char *tag = g_array_index (last, TsLastValue, i).tag;
    if (g_str_has_prefix (tag, "train/") && strcmp (tag, "train/loss") != 0)
      return tag + strlen ("train/");
  }
  return NULL;
}

static void
clear_plot (TsPageTrain *page, Plot *plot)
{
  if (!plot->view)
    return;
  ts_chart_overlay_remove (TS_CHART_OVERLAY (page->curves_side), plot->view);
  gtk_box_remove (GTK_BOX (plot->card), GTK_WIDGET (plot->view));
  plot->view = NULL;
  for (guint i = 0; i < plot->n_curves; i++)
    g_object_unref (plot->curves[i].series);
  plot->n_curves = 0;
}

static void
fill_plot (TsPageTrain *page, Plot *plot, const char *name)
{
  plot->view = TS_CHART_VIEW (ts_chart_view_new (name));
  ts_chart_view_set_look (plot->view, &(TsChartLook){.smoothing = SMOOTHING});
  gtk_widget_set_vexpand (GTK_WIDGET (plot->view), TRUE);
  gtk_box_append (GTK_BOX (plot->card), GTK_WIDGET (plot->view));
  ts_chart_overlay_add (TS_CHART_OVERLAY (page->curves_side), plot->view);
}

static void
add_curve (TsPageTrain *page, Plot *plot, const char *split, const char *name, guint color)
{
  g_autofree char *tag = split ? g_strconcat (split, "/", name, NULL) : g_strdup (name);

  if (!plot->view)
    fill_plot (page, plot, name);
  plot->curves[plot->n_curves++] = (TsChartRun){
      .series = ts_series_cache_get (ts_desk_get_series (page->desk), page->plotted_run, tag),
      .name = split ? split : "global",
      .color = color,
      .exact = g_strcmp0 (split, "val") == 0,
  };
}

/* Live curves end in a halo, on an axis that goes on until the last step. */
static void
show_curves (TsPageTrain *page)
{
  gboolean live = ts_desk_shows_live (page->desk);
  gint64 planned = live ? ts_live_get (ts_desk_get_live (page->desk))->total_steps : 0;

  for (guint i = 0; i < G_N_ELEMENTS (page->plots); i++) {
    Plot *plot = &page->plots[i];
    if (!plot->view)
      continue;
    for (guint k = 0; k < plot->n_curves; k++)
      plot->curves[k].live = live;
    ts_chart_view_set_runs (plot->view, plot->curves, plot->n_curves);
    ts_chart_view_set_planned (plot->view, planned);
  }
}

static void
on_loss (TsPageTrain *page)
{
  guint n;
  const TsStoredPoint *points = ts_series_get_points (page->loss, &n);

  ts_figure_strip_set_last_step (TS_FIGURE_STRIP (page->strip), n ? points[n - 1].step : 0);
}

static void
plot_run (TsPageTrain *page, gint64 run_id, const char *metric)
{
  g_autofree char *title = g_strdup (metric ? metric : "");
  TsSeriesCache *cache = ts_desk_get_series (page->desk);

  page->plotted_run = run_id;
  g_free (page->metric);
  page->metric = g_strdup (metric);
  for (guint i = 0; i < G_N_ELEMENTS (page->plots); i++)
    clear_plot (page, &page->plots[i]);
  let_loss_go (page);
  if (!run_id)
    return;
  page->loss = ts_series_cache_get (cache, run_id, "train/loss");
  g_signal_connect_object (page->loss, "changed", G_CALLBACK (on_loss), page, G_CONNECT_SWAPPED);
  add_curve (page, &page->plots[0], "train", "loss", 0);
  add_curve (page, &page->plots[0], "val", "loss", 1);
  add_curve (page, &page->plots[2], NULL, "grad_norm", 2);
  /* with its place in the flow box */
  gtk_widget_set_visible (gtk_widget_get_parent (page->plots[1].card), metric != NULL);
  if (metric) {
    title[0] = g_ascii_toupper (title[0]);
    gtk_label_set_text (page->plots[1].title, title);
    add_curve (page, &page->plots[1], "train", metric, 0);
    add_curve (page, &page->plots[1], "val", metric, 1);
  }
  ts_figure_strip_set_metric (TS_FIGURE_STRIP (page->strip), metric);
  show_curves (page);
  on_loss (page);
}

/* --- What is shown --- */

static void
on_live (TsPageTrain *page)
{
  gtk_widget_set_visible (page->rate, ts_desk_shows_live (page->desk));
  show_curves (page);
}

/* The item has news: a metric may have appeared. */
static void
on_item (TsPageTrain *page)
{
  const char *metric = find_metric (page->item);

  if (page->plotted_run != ts_run_item_get_id (page->item) || g_strcmp0 (metric, page->metric) != 0)
    plot_run (page, ts_run_item_get_id (page->item), metric);
}

static void
on_shown (TsPageTrain *page)
{
  TsRunItem *item = ts_desk_get_shown (page->desk);

  gtk_stack_set_visible_child_name (GTK_STACK (page->stack), item ? "run" : "empty");
  if (item == page->item)
    return;
  if (page->item)
    g_signal_handlers_disconnect_by_func (page->item, on_item, page);
  g_set_object (&page->item, item);
  if (!item) {
    plot_run (page, 0, NULL);
    return;
  }
  g_signal_connect_object (item, "changed", G_CALLBACK (on_item), page, G_CONNECT_SWAPPED);
  show_model (page);
  on_item (page);
  on_live (page);
}

static GtkWidget *
create (TsDesk *desk)
{
  TsPageTrain *page = g_object_new (TS_TYPE_PAGE_TRAIN, NULL);

  page->desk = desk;
  page->strip = ts_figure_strip_new (desk);
  page->rate = ts_rate_panel_new (ts_desk_get_live (desk));
  page->charts = gtk_flow_box_new ();
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (page->charts), GTK_SELECTION_NONE);
  gtk_flow_box_set_homogeneous (GTK_FLOW_BOX (page->charts), TRUE);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (page->charts), 2);
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (page->charts), 10);
  gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (page->charts), 10);
  gtk_widget_add_css_class (page->charts, "charts");
  gtk_widget_add_css_class (page->rate, "card");
  gtk_widget_set_vexpand (page->charts, TRUE);
  gtk_flow_box_append (GTK_FLOW_BOX (page->charts), page->plots[0].card);
  gtk_flow_box_append (GTK_FLOW_BOX (page->charts), page->plots[1].card);
  gtk_box_append (GTK_BOX (page->curves), page->strip);
  gtk_box_append (GTK_BOX (page->curves), page->rate);
  gtk_box_append (GTK_BOX (page->curves), page->charts);
  gtk_box_append (GTK_BOX (page->curves), page->plots[2].card);
  g_signal_connect_object (desk, "shown-changed", G_CALLBACK (on_shown), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (ts_desk_get_live (desk), "changed", G_CALLBACK (on_live), page,
                           G_CONNECT_SWAPPED);
  on_shown (page);
  on_live (page);
  show_tab (page);
  return GTK_WIDGET (page);
}

const TsPageClass ts_page_train = {
    .name = "train",
    .title = "Train",
    .icon = "ts-train-symbolic",
    .group = 1,
    .place = 1,
    .create = create,
};
