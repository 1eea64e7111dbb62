/* SPDX-License-Identifier: MIT */
#include "ui/models/recents.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "ui/models/worker.h"

struct _TsRecents {
  GObject parent;
  TsWorker *worker;
  GArray *list; /* of TsRecent */
};

G_DEFINE_FINAL_TYPE (TsRecents, ts_recents, G_TYPE_OBJECT)

static guint changed;

static void
clear_recent (gpointer data)
{
  g_free (((TsRecent *) data)->path);
}

static GArray *
new_list (void)
{
  GArray *list = g_array_new (FALSE, TRUE, sizeof (TsRecent));

  g_array_set_clear_func (list, clear_recent);
  return list;
}

static void
ts_recents_finalize (GObject *object)
{
  TsRecents *recents = TS_RECENTS (object);

  ts_worker_free (recents->worker);
  g_array_unref (recents->list);
  G_OBJECT_CLASS (ts_recents_parent_class)->finalize (object);
}

static void
ts_recents_class_init (TsRecentsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ts_recents_finalize;
  changed = g_signal_new ("changed", TS_TYPE_RECENTS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                          G_TYPE_NONE, 0);
}

static void
ts_recents_init (TsRecents *recents)
{
  recents->worker = ts_worker_new ("ts-recents");
  recents->list = new_list ();
}

typedef struct {
  TsJob job;
  TsRecents *recents; /* the job ends before it does */
  char *first;        /* to be put first, or NULL */
  GArray *list;
} RecentsJob;

static void
add_line (GArray *list, const char *line)
{
  GStatBuf info;

  if (list->len >= TS_RECENTS_MAX || !*line || g_stat (line, &info) != 0)
    return;
  for (guint i = 0; i < list->len; i++)
    if (strcmp (g_array_index (list, TsRecent, i).path, line) == 0)
      return;
  TsRecent recent = {g_strdup (line), (gint64) info.st_mtime * G_USEC_PER_SEC, info.st_size};
  g_array_append_val (list, recent);
}

static void
write_lines (const char *path, const char *first, char **lines)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;
  guint n = 1;

  g_string_append_printf (text, "%s\n", first);
  for (guint i = 0; lines && lines[i] && n < TS_RECENTS_MAX; i++)
    if (*lines[i] && strcmp (lines[i], first) != 0) {
      g_string_append_printf (text, "%s\n", lines[i]);
      n++;
    }
  g_mkdir_with_parents (folder, 0700);
  if (!g_file_set_contents (path, text->str, (gssize) text->len, &error))
    g_debug ("the list of recent workspaces: %s", error->message);
}

static void
run (TsJob *job)
{
  RecentsJob *self = (RecentsJob *) job;
  g_autofree char *path = g_build_filename (g_get_user_state_dir (), "trainscope", "recent", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  self->list = new_list ();
  if (g_file_get_contents (path, &text, NULL, NULL))
    lines = g_strsplit (text, "\n", -1);
  if (self->first) {
    add_line (self->list, self->first);
    write_lines (path, self->first, lines);
  }
  for (guint i = 0; lines && lines[i]; i++)
    add_line (self->list, lines[i]);
}

static void
done (TsJob *job)
{
  RecentsJob *self = (RecentsJob *) job;
  GArray *old = self->recents->list;

  self->recents->list = g_steal_pointer (&self->list);
  g_array_unref (old);
  g_signal_emit (self->recents, changed, 0);
}

static void
free_job (TsJob *job)
{
  RecentsJob *self = (RecentsJob *) job;

  g_clear_pointer (&self->list, g_array_unref);
  g_free (self->first);
  g_free (self);
}

static void
push (TsRecents *recents, const char *first)
{
  RecentsJob *job = g_new0 (RecentsJob, 1);

  job->job = (TsJob){run, done, free_job};
  job->recents = recents;
  job->first = g_strdup (first);
  ts_worker_push (recents->worker, &job->job);
}

TsRecents *
ts_recents_new (void)
{
  TsRecents *recents = g_object_new (TS_TYPE_RECENTS, NULL);

  push (recents, NULL);
  return recents;
}

void
ts_recents_add (TsRecents *recents, const char *path)
{
  push (recents, path);
}

void
ts_recents_refresh (TsRecents *recents)
{
  push (recents, NULL);
}

guint
ts_recents_get_n (TsRecents *recents)
{
  return recents->list->len;
}

const TsRecent *
ts_recents_get (TsRecents *recents, guint index)
{
  g_return_val_if_fail (index < recents->list->len, NULL);
  return &g_array_index (recents->list, TsRecent, index);
}
