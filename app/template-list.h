/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "ui/models/worker.h"

G_BEGIN_DECLS

/* Reads the templates that ship, on @worker, into @store (of TsTemplateItem, smallest first);
 * called again it only looks anew which have their data.  A template whose text this program cannot
 * build is left out.  Main thread. */
void ts_template_list_load (TsWorker *worker, GListStore *store);

G_END_DECLS
