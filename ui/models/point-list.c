/* SPDX-License-Identifier: MIT */
#include "ui/models/point-list.h"

struct _TsPointItem {
  GObject parent;
  double step, wall_s, y;
};

G_DEFINE_FINAL_TYPE (TsPointItem, ts_point_item, G_TYPE_OBJECT)

static void
ts_point_item_class_init (TsPointItemClass *klass)
{
}

static void
ts_point_item_init (TsPointItem *item)
{
}

void
ts_point_item_get (TsPointItem *item, double *step, double *wall_s, double *y)
{
  *step = item->step;
  *wall_s = item->wall_s;
  *y = item->y;
}

struct _TsPointList {
  GObject parent;
  TsCurveSlice slice;
};

static GType
list_get_item_type (GListModel *model)
{
  return TS_TYPE_POINT_ITEM;
}

static guint
list_get_n_items (GListModel *model)
{
  return (guint) MIN (TS_POINT_LIST (model)->slice.n, G_MAXUINT - 1);
}

static gpointer
list_get_item (GListModel *model, guint position)
{
  const TsCurveSlice *slice = &TS_POINT_LIST (model)->slice;
  TsPointItem *item;

  if (position >= list_get_n_items (model))
    return NULL;
  item = g_object_new (TS_TYPE_POINT_ITEM, NULL);
  item->step = slice->step[position];
  item->wall_s = slice->wall_s[position];
  item->y = slice->y[position];
  return item;
}

static void
init_model (GListModelInterface *iface)
{
  iface->get_item_type = list_get_item_type;
  iface->get_n_items = list_get_n_items;
  iface->get_item = list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TsPointList, ts_point_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, init_model))

static void
ts_point_list_finalize (GObject *object)
{
  ts_curve_slice_clear (&TS_POINT_LIST (object)->slice);
  G_OBJECT_CLASS (ts_point_list_parent_class)->finalize (object);
}

static void
ts_point_list_class_init (TsPointListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ts_point_list_finalize;
}

static void
ts_point_list_init (TsPointList *list)
{
}

TsPointList *
ts_point_list_new (TsCurveSlice *slice)
{
  TsPointList *list = g_object_new (TS_TYPE_POINT_LIST, NULL);

  list->slice = *slice;
  *slice = (TsCurveSlice){0};
  return list;
}
