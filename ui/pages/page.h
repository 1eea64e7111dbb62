/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "ui/models/desk.h"

G_BEGIN_DECLS

/* A page of the window.  One page, one file: page-<name>.c defines `const TsPageClass
 * ts_page_<name>`, has its template in page-<name>.ui, and is named in ui/meson.build; rail, keys
 * and menus follow by themselves. */
typedef struct {
  const char *name;  /* "train": of the action target */
  const char *title; /* in the rail */
  const char *icon;
  guint group; /* the rail draws a line between groups, from 1; 0: not in the rail */
  guint place; /* order within the group */
  /* The page has a boolean property "show-sidebar", which F9 and the header's button switch. */
  gboolean sidebar;
  /* Actions of the window that the page brings along, NULL-ended, or NULL: they exist always, and
   * are enabled while the page is shown. */
  const char *const *actions;
  /* @desk outlives the page. */
  GtkWidget *(*create) (TsDesk *desk);
} TsPageClass;

/* All pages by name, NULL-ended (generated). */
extern const TsPageClass *const ts_page_table[];

/* In the order of the rail, those outside it first; the caller frees the array. */
GPtrArray *ts_page_list (void);
const TsPageClass *ts_page_lookup (const char *name);
gboolean ts_page_any_has_sidebar (void);

G_END_DECLS
