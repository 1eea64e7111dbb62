/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/application.h"

G_BEGIN_DECLS

/* What the window's tests share.  Everything runs in the main thread; a wait turns the main loop
 * until its condition holds, and fails the test when that takes longer than any machine needs. */

/* A new empty folder below the test's temporary one (transfer full). */
char *ts_test_new_folder (void);

/* The application with its window on workspace @path (NULL: none named). */
TsApplication *ts_test_open (const char *path);
/* Closes the window as a user does, and waits until the application has let everything go. */
void ts_test_close (TsApplication *app);

typedef gboolean (*TsTestCondition) (gpointer data);
#define ts_test_wait(condition, data) ts_test_wait_for (#condition, condition, data)
void ts_test_wait_for (const char *what, TsTestCondition condition, gpointer data);
/* Turns the loop until nothing is pending. */
void ts_test_settle (void);

TsDesk *ts_test_desk (TsApplication *app);
const TsFigures *ts_test_figures (TsApplication *app);
/* "win.page::runs", as a key or button would; fails when the action is missing or disabled. */
void ts_test_do (TsApplication *app, const char *detailed);

/* The first widget below @root of type @type for which @match says yes (NULL: any); or NULL. */
GtkWidget *ts_test_find (GtkWidget *root, GType type,
                         gboolean (*match) (GtkWidget *widget, gpointer data), gpointer data);

/* Draws the window as it is now into a PNG file. */
void ts_test_shoot (TsApplication *app, const char *path);

G_END_DECLS
