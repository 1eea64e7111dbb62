/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ui/models/histograms.h"
#include "ui/pages/page.h"
#include "ui/widgets/ridge-view.h"

/* How weights and gradients of the shown run are distributed, step by step. */
#define TS_TYPE_PAGE_HISTOGRAMS (ts_page_histograms_get_type ())
G_DECLARE_FINAL_TYPE (TsPageHistograms, ts_page_histograms, TS, PAGE_HISTOGRAMS, GtkWidget)

struct _TsPageHistograms {
  GtkWidget parent;
  TsDesk *desk;
  TsHistograms *histograms;
  GtkWidget *stack, *title, *weights, *gradients, *ridges, *bands, *shared, *cards;
  GPtrArray *tags; /* interned, of the cards in their order */
};

G_DEFINE_FINAL_TYPE (TsPageHistograms, ts_page_histograms, GTK_TYPE_WIDGET)

static gboolean
is_on (GtkWidget *button)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button));
}

static TsRidgeView *
get_card (TsPageHistograms *page, guint i)
{
  GtkFlowBoxChild *child = gtk_flow_box_get_child_at_index (GTK_FLOW_BOX (page->cards), (int) i);

  return TS_RIDGE_VIEW (gtk_flow_box_child_get_child (child));
}

static void
clear_cards (TsPageHistograms *page)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (page->cards)))
    gtk_flow_box_remove (GTK_FLOW_BOX (page->cards), child);
  g_ptr_array_set_size (page->tags, 0);
}

/* One range for all cards, or each its own. */
static void
set_ranges (TsPageHistograms *page)
{
  double lo = G_MAXDOUBLE, hi = -G_MAXDOUBLE, a, b;

  for (guint i = 0; i < page->tags->len; i++)
    if (ts_ridge_view_get_range (get_card (page, i), &a, &b)) {
      lo = MIN (lo, a);
      hi = MAX (hi, b);
    }
  for (guint i = 0; i < page->tags->len; i++)
    ts_ridge_view_set_range (get_card (page, i), is_on (page->shared) ? lo : 1,
                             is_on (page->shared) ? hi : 0);
}

static void
on_mode (TsPageHistograms *page)
{
  for (guint i = 0; i < page->tags->len; i++)
    ts_ridge_view_set_mode (get_card (page, i),
                            is_on (page->bands) ? TS_RIDGE_BANDS : TS_RIDGE_OFFSET);
}

static void
update (TsPageHistograms *page)
{
  const char *prefix = is_on (page->weights) ? "weights/" : "gradients/";
  TsRunItem *run = ts_desk_get_shown (page->desk);
  guint total = ts_histograms_get_n (page->histograms), n = 0;

  for (guint i = 0; i < total; i++) {
    const char *tag = ts_histograms_get_tag (page->histograms, i);
    guint count;
    const TsStoredHistogram *items = ts_histograms_get_items (page->histograms, i, &count);
    if (!g_str_has_prefix (tag, prefix))
      continue;
    if (n < page->tags->len && page->tags->pdata[n] != g_intern_string (tag))
      clear_cards (page); /* the cards are those of other tags */
    if (n == page->tags->len) {
      gtk_flow_box_append (GTK_FLOW_BOX (page->cards), ts_ridge_view_new ());
      g_ptr_array_add (page->tags, (gpointer) g_intern_string (tag));
    }
    TsRidgeView *card = get_card (page, n++);
    ts_ridge_view_set_data (card, tag + strlen (prefix), items, count);
  }
  while (page->tags->len > n) {
    gtk_flow_box_remove (GTK_FLOW_BOX (page->cards), gtk_widget_get_last_child (page->cards));
    g_ptr_array_set_size (page->tags, page->tags->len - 1);
  }
  gtk_label_set_text (GTK_LABEL (page->title), run ? ts_run_item_get_name (run) : "");
  gtk_stack_set_visible_child_name (GTK_STACK (page->stack), total ? "cards" : "empty");
  on_mode (page);
  set_ranges (page);
}

static void
on_kind (TsPageHistograms *page)
{
  clear_cards (page);
  update (page);
}

static void
on_shown (TsPageHistograms *page)
{
  ts_histograms_set_run (page->histograms, ts_desk_get_query (page->desk),
                         ts_desk_get_shown_id (page->desk));
}

static void
on_committed (TsPageHistograms *page)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (page))) /* nobody looks: the next map reads it */
    ts_histograms_refresh (page->histograms);
}

static void
ts_page_histograms_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ts_page_histograms_parent_class)->map (widget);
  ts_histograms_refresh (TS_PAGE_HISTOGRAMS (widget)->histograms);
}

static void
ts_page_histograms_dispose (GObject *object)
{
  TsPageHistograms *page = TS_PAGE_HISTOGRAMS (object);

  if (page->histograms)
    g_signal_handlers_disconnect_by_data (page->histograms, page);
  g_clear_object (&page->histograms);
  g_clear_pointer (&page->stack, gtk_widget_unparent);
  G_OBJECT_CLASS (ts_page_histograms_parent_class)->dispose (object);
}

static void
ts_page_histograms_finalize (GObject *object)
{
  g_ptr_array_unref (TS_PAGE_HISTOGRAMS (object)->tags);
  G_OBJECT_CLASS (ts_page_histograms_parent_class)->finalize (object);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget, TsPageHistograms, child)

static void
ts_page_histograms_class_init (TsPageHistogramsClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ts_page_histograms_dispose;
  G_OBJECT_CLASS (klass)->finalize = ts_page_histograms_finalize;
  widget->map = ts_page_histograms_map;
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget,
                                               "/org/trainscope/Workbench/page-histograms.ui");
  BIND (stack);
  BIND (title);
  BIND (weights);
  BIND (gradients);
  BIND (ridges);
  BIND (bands);
  BIND (shared);
  BIND (cards);
}

static void
ts_page_histograms_init (TsPageHistograms *page)
{
  page->tags = g_ptr_array_new ();
  page->histograms = ts_histograms_new ();
  gtk_widget_init_template (GTK_WIDGET (page));
  g_signal_connect_swapped (page->histograms, "changed", G_CALLBACK (update), page);
  g_signal_connect_swapped (page->weights, "toggled", G_CALLBACK (on_kind), page);
  g_signal_connect_swapped (page->bands, "toggled", G_CALLBACK (on_mode), page);
  g_signal_connect_swapped (page->shared, "toggled", G_CALLBACK (set_ranges), page);
}

static GtkWidget *
create (TsDesk *desk)
{
  TsPageHistograms *page = g_object_new (TS_TYPE_PAGE_HISTOGRAMS, NULL);

  page->desk = desk;
  g_signal_connect_object (desk, "shown-changed", G_CALLBACK (on_shown), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (desk, "workspace-changed", G_CALLBACK (on_shown), page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (desk, "committed", G_CALLBACK (on_committed), page, G_CONNECT_SWAPPED);
  on_shown (page);
  return GTK_WIDGET (page);
}

const TsPageClass ts_page_histograms = {
    .name = "histograms",
    .title = "Histograms",
    .icon = "ts-histograms-symbolic",
    .group = 2,
    .place = 2,
    .create = create,
};
