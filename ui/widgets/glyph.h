/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "ui/models/template-item.h"

G_BEGIN_DECLS

/* The picture of a template, drawn from what it is: the widths of its layers, or points of its
 * kind of data.  A GtkDrawingArea.  Keeps the item. */
GtkWidget *ts_glyph_new (TsTemplateItem *item);

G_END_DECLS
