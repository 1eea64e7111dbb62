/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "ui/models/template-item.h"

G_BEGIN_DECLS

/* A template as a button that starts it (win.train-template; E: win.prepare-template): picture,
 * title, data and size, or what is missing. */
GtkWidget *ts_template_card_new (TsTemplateItem *item);

G_END_DECLS
