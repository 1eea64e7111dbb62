/* SPDX-License-Identifier: MIT */
#include "app/log-folder.h"

#include "data/events/follow.h"
#include "data/store/error.h"

/* The folder goes when both the window and the thread that opens it have let it go. */
struct TsLogFolder {
  gint refs; /* atomic */
  char *path, *workspace;
  TsLogFolderOpened opened;
  gpointer data;
  gboolean closed;  /* main thread: the window has let go */
  TsFollow *follow; /* set by the opening thread, then of the main thread */
  GError *error;
};

static void
unref (TsLogFolder *folder)
{
  if (!g_atomic_int_dec_and_test (&folder->refs))
    return;
  g_clear_error (&folder->error);
  g_free (folder->path);
  g_free (folder->workspace);
  g_free (folder);
}

static void
stop_in_thread (GTask *task, gpointer source, gpointer follow, GCancellable *cancellable)
{
  ts_follow_stop (follow, NULL);
}

static void
stop (TsLogFolder *folder)
{
  if (!folder->follow)
    return;
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);
  ts_follow_cancel (folder->follow);
  g_task_set_task_data (task, g_steal_pointer (&folder->follow), NULL);
  g_task_run_in_thread (task, stop_in_thread);
}

static void
open_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  TsLogFolder *folder = data;

  folder->follow = ts_follow_start (folder->path, NULL, NULL, NULL, &folder->error);
  if (g_error_matches (folder->error, TS_STORE_ERROR, TS_STORE_ERROR_LOCKED))
    g_clear_error (&folder->error); /* somebody keeps it up to date */
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer data)
{
  TsLogFolder *folder = data;

  if (folder->closed)
    stop (folder);
  else
    folder->opened (folder->error ? NULL : folder->workspace, folder->error, folder->data);
  unref (folder);
}

TsLogFolder *
ts_log_folder_open (const char *path, TsLogFolderOpened opened, gpointer data)
{
  TsLogFolder *folder = g_new0 (TsLogFolder, 1);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_opened, folder);

  folder->refs = 2;
  folder->path = g_canonicalize_filename (path, NULL);
  folder->workspace = ts_follow_dup_index_path (folder->path);
  folder->opened = opened;
  folder->data = data;
  g_task_set_task_data (task, folder, NULL);
  g_task_run_in_thread (task, open_in_thread);
  return folder;
}

void
ts_log_folder_close (TsLogFolder *folder)
{
  folder->closed = TRUE;
  stop (folder);
  unref (folder);
}
