/* SPDX-License-Identifier: MIT */
#include "ui/widgets/card-grid.h"

#define GAP_PX      12
#define CARD_MIN_PX 380

struct _TsCardGrid {
  GtkWidget parent;
  guint columns; /* 0: by the width */
};

G_DEFINE_FINAL_TYPE (TsCardGrid, ts_card_grid, GTK_TYPE_WIDGET)

guint
ts_card_grid_count_columns (TsCardGrid *grid, int width)
{
  return grid->columns ? grid->columns : (guint) MAX ((width + GAP_PX) / (CARD_MIN_PX + GAP_PX), 1);
}

static void
measure_cards (TsCardGrid *grid, GtkOrientation orientation, int for_size, guint *n, int *minimum,
               int *natural)
{
  *n = 0;
  *minimum = *natural = 0;
  for (GtkWidget *w = gtk_widget_get_first_child (GTK_WIDGET (grid)); w;
       w = gtk_widget_get_next_sibling (w)) {
    int least, wanted;
    if (!gtk_widget_should_layout (w))
      continue;
    gtk_widget_measure (w, orientation, for_size, &least, &wanted, NULL, NULL);
    *minimum = MAX (*minimum, least);
    *natural = MAX (*natural, wanted);
    (*n)++;
  }
}

static int
get_card_width (guint columns, int width)
{
  return MAX ((width - (int) (columns - 1) * GAP_PX) / (int) columns, 1);
}

static void
ts_card_grid_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
  TsCardGrid *grid = TS_CARD_GRID (widget);
  guint n, columns = grid->columns ? grid->columns : 1;

  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    measure_cards (grid, orientation, -1, &n, minimum, natural);
    *minimum = *minimum * (int) columns + (int) (columns - 1) * GAP_PX;
    *natural = MAX (*natural, *minimum);
    return;
  }
  if (for_size >= 0)
    columns = ts_card_grid_count_columns (grid, for_size);
  measure_cards (grid, orientation, for_size < 0 ? -1 : get_card_width (columns, for_size), &n,
                 minimum, natural);
  int rows = (int) ((n + columns - 1) / columns);
  *minimum = *natural = rows ? rows * *natural + (rows - 1) * GAP_PX : 0;
}

static void
ts_card_grid_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsCardGrid *grid = TS_CARD_GRID (widget);
  guint n, at = 0, columns = ts_card_grid_count_columns (grid, width);
  int card_width = get_card_width (columns, width), least, card_height;

  measure_cards (grid, GTK_ORIENTATION_VERTICAL, card_width, &n, &least, &card_height);
  for (GtkWidget *w = gtk_widget_get_first_child (widget); w; w = gtk_widget_get_next_sibling (w)) {
    if (!gtk_widget_should_layout (w))
      continue;
    int column = (int) (at % columns), row = (int) (at / columns);
    /* the last column takes the pixels that are left */
    int x = column * (card_width + GAP_PX);
    int w_px = column + 1 == (int) columns ? MAX (width - x, card_width) : card_width;
    gtk_widget_size_allocate (
        w, &(GtkAllocation){x, row * (card_height + GAP_PX), w_px, card_height}, -1);
    at++;
  }
}

static GtkSizeRequestMode
ts_card_grid_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
ts_card_grid_dispose (GObject *object)
{
  GtkWidget *card;

  while ((card = gtk_widget_get_first_child (GTK_WIDGET (object))))
    gtk_widget_unparent (card);
  G_OBJECT_CLASS (ts_card_grid_parent_class)->dispose (object);
}

static void
ts_card_grid_class_init (TsCardGridClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ts_card_grid_dispose;
  widget->measure = ts_card_grid_measure;
  widget->size_allocate = ts_card_grid_size_allocate;
  widget->get_request_mode = ts_card_grid_get_request_mode;
}

static void
ts_card_grid_init (TsCardGrid *grid)
{
}

GtkWidget *
ts_card_grid_new (void)
{
  return g_object_new (TS_TYPE_CARD_GRID, NULL);
}

void
ts_card_grid_insert (TsCardGrid *grid, GtkWidget *card, GtkWidget *after)
{
  gtk_widget_insert_after (card, GTK_WIDGET (grid), after);
}

void
ts_card_grid_remove (TsCardGrid *grid, GtkWidget *card)
{
  g_return_if_fail (gtk_widget_get_parent (card) == GTK_WIDGET (grid));
  gtk_widget_unparent (card);
}

void
ts_card_grid_set_columns (TsCardGrid *grid, guint columns)
{
  if (grid->columns == columns)
    return;
  grid->columns = columns;
  gtk_widget_queue_resize (GTK_WIDGET (grid));
}
