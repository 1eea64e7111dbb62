/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Every command of the window: its action, its words and its keys.  The keys are installed, the
 * list of shortcuts shown, and tooltips written from this one table. */
typedef struct {
  const char *action; /* detailed: "win.page::train" */
  const char *title;  /* "Start or pause" */
  const char *group;
  const char *keys[3];
  /* Single letters and the space bar, which reach the window only when no text or button took them.
   */
  gboolean plain;
  /* Listed here, installed by the widget that has the focus then. */
  gboolean local;
} TsShortcut;

/* Puts the commands that open the pages, "win.page::NAME" on Ctrl+1, Ctrl+2, …, before all others.
 * NULL-ended; titles static.  @sidebar: a page has one.  Once, before anything keeps the table. */
void ts_shortcuts_set_pages (const char *const *names, const char *const *titles, gboolean sidebar);

/* NULL action at the end.  Borrowed, static; the pages come in the order of the rail. */
const TsShortcut *ts_shortcuts_get (void);
const TsShortcut *ts_shortcut_lookup (const char *action);

/* Installs the keys. */
void ts_shortcuts_install (GtkApplicationWindow *window);

/* "Pause (Space)": @title, or the shortcut's own when it is NULL, with the first key. */
char *ts_shortcut_dup_tooltip (const char *action, const char *title);

/* Gives @widget tooltip and accessible name. */
void ts_shortcut_describe (GtkWidget *widget, const char *action, const char *title);

/* A window that lists them all. */
GtkWindow *ts_shortcuts_window_new (GtkWindow *parent);

G_END_DECLS
