/* SPDX-License-Identifier: MIT */
#include "app/file-check.h"

#include "data/store/check.h"

typedef struct {
  char *path;
  TsFileDamaged damaged;
  gpointer data;
} FileCheck;

static void
free_check (gpointer data)
{
  FileCheck *check = data;

  g_free (check->path);
  g_free (check);
}

static gboolean
goes_on (gpointer cancellable)
{
  return !g_cancellable_is_cancelled (cancellable);
}

/* A file that cannot be opened at all is told by those who show it. */
static void
check_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const FileCheck *check = data;
  g_autoptr (TsReader) reader = ts_reader_open (check->path, NULL);
  g_auto (TsCheck) found = {0};

  if (reader && ts_reader_check (reader, TRUE, goes_on, cancellable, &found, NULL) &&
      found.problems->len)
    g_task_return_pointer (task, g_strdup (found.problems->pdata[0]), g_free);
  else
    g_task_return_pointer (task, NULL, NULL);
}

static void
on_checked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  const FileCheck *check = g_task_get_task_data (G_TASK (result));
  g_autofree char *problem = g_task_propagate_pointer (G_TASK (result), NULL);

  if (problem)
    check->damaged (check->path, problem, check->data);
}

GCancellable *
ts_file_check_start (const char *path, TsFileDamaged damaged, gpointer user_data)
{
  GCancellable *cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, on_checked, NULL);
  FileCheck *check = g_new0 (FileCheck, 1);

  *check = (FileCheck){g_strdup (path), damaged, user_data};
  g_task_set_task_data (task, check, free_check);
  g_task_run_in_thread (task, check_in_thread);
  return cancellable;
}
