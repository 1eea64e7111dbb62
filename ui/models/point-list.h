/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "ui/models/curve.h"

G_BEGIN_DECLS

/* The points of a slice as a GListModel of TsPointItem, each made when a list asks for it: however
 * many points there are, only those that are seen cost anything.  It does not change.  Main thread.
 */
#define TS_TYPE_POINT_LIST (ts_point_list_get_type ())
G_DECLARE_FINAL_TYPE (TsPointList, ts_point_list, TS, POINT_LIST, GObject)

/* Takes @slice. */
TsPointList *ts_point_list_new (TsCurveSlice *slice);

#define TS_TYPE_POINT_ITEM (ts_point_item_get_type ())
G_DECLARE_FINAL_TYPE (TsPointItem, ts_point_item, TS, POINT_ITEM, GObject)

void ts_point_item_get (TsPointItem *item, double *step, double *wall_s, double *y);

G_END_DECLS
