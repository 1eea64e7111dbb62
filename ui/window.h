/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "ui/models/desk.h"

G_BEGIN_DECLS

/* The window: header with workspace, pulse and transport; rail; notice; pages.  It knows the pages
 * by their table only.
 *
 * Its own actions: page(s), welcome, next-pane, sidebar, dark, shortcuts, about, copy(s), and
 * rename-run.  The application adds those that train, open and close (ui/shortcuts.c lists all). */
#define TS_TYPE_WINDOW (ts_window_get_type ())
G_DECLARE_FINAL_TYPE (TsWindow, ts_window, TS, WINDOW, AdwApplicationWindow)

/* Keeps @desk. */
TsWindow *ts_window_new (GtkApplication *app, TsDesk *desk);

TsDesk *ts_window_get_desk (TsWindow *window);

/* Shows page @name ("train"); the rail is hidden on pages outside it. */
void ts_window_show_page (TsWindow *window, const char *name);
const char *ts_window_get_page (TsWindow *window);
/* The widget of a page, made when it is first asked for; borrowed. */
GtkWidget *ts_window_get_page_widget (TsWindow *window, const char *name);

/* Which transport buttons there are: what cannot be done is absent. */
typedef struct {
  gboolean start, pause, step, stop;
  const char *start_title; /* "Start", "Continue", "Train again" */
} TsTransport;
void ts_window_set_transport (TsWindow *window, const TsTransport *transport);

/* Colours, icons, fonts of code; once, at startup. */
void ts_window_load_style (void);

G_END_DECLS
