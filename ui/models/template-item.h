/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* A template as the Welcome page shows it.  Immutable but for its availability, whose change is
 * told by notify::available.  Main thread. */
#define TS_TYPE_TEMPLATE_ITEM (ts_template_item_get_type ())
G_DECLARE_FINAL_TYPE (TsTemplateItem, ts_template_item, TS, TEMPLATE_ITEM, GObject)

/* All strings are copied; @package: what to install when the data is missing, or NULL. */
TsTemplateItem *ts_template_item_new (const char *name, const char *title, const char *data_title,
                                      const char *package, guint64 n_parameters, const guint *sizes,
                                      guint n_sizes, gboolean available);

const char *ts_template_item_get_name (TsTemplateItem *item);
const char *ts_template_item_get_title (TsTemplateItem *item);
const char *ts_template_item_get_data (TsTemplateItem *item);
const char *ts_template_item_get_package (TsTemplateItem *item);
guint64 ts_template_item_get_n_parameters (TsTemplateItem *item);
/* Numbers in and out of each weight matrix in turn: 784, 512, 256, 10. */
const guint *ts_template_item_get_sizes (TsTemplateItem *item, guint *n);

gboolean ts_template_item_get_available (TsTemplateItem *item);
void ts_template_item_set_available (TsTemplateItem *item, gboolean available);

G_END_DECLS
