/* SPDX-License-Identifier: MIT */
#include "data/events/watch.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/inotify.h>
#endif

struct TsWatch {
  int pipe[2];         /* to be woken by */
  int fd;              /* of inotify; -1: none */
  GHashTable *folders; /* path → watch descriptor */
};

TsWatch *
ts_watch_new (void)
{
  TsWatch *watch = g_new0 (TsWatch, 1);

  if (pipe (watch->pipe) != 0)
    watch->pipe[0] = watch->pipe[1] = -1;
  for (int i = 0; i < 2 && watch->pipe[i] >= 0; i++) {
    fcntl (watch->pipe[i], F_SETFD, FD_CLOEXEC);
    fcntl (watch->pipe[i], F_SETFL, O_NONBLOCK);
  }
  watch->fd = -1;
#ifdef __linux__
  watch->fd = inotify_init1 (IN_NONBLOCK | IN_CLOEXEC);
#endif
  watch->folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return watch;
}

void
ts_watch_free (TsWatch *watch)
{
  for (int i = 0; i < 2; i++)
    if (watch->pipe[i] >= 0)
      close (watch->pipe[i]);
  if (watch->fd >= 0)
    close (watch->fd);
  g_hash_table_unref (watch->folders);
  g_free (watch);
}

#ifdef __linux__
static void
forget_others (TsWatch *watch, GPtrArray *paths)
{
  g_autoptr (GHashTable) wanted = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer path, descriptor;

  for (guint i = 0; i < paths->len; i++)
    g_hash_table_add (wanted, paths->pdata[i]);
  g_hash_table_iter_init (&iter, watch->folders);
  while (g_hash_table_iter_next (&iter, &path, &descriptor))
    if (!g_hash_table_contains (wanted, path)) {
      inotify_rm_watch (watch->fd, GPOINTER_TO_INT (descriptor));
      g_hash_table_iter_remove (&iter);
    }
}
#endif

void
ts_watch_set_folders (TsWatch *watch, GPtrArray *paths)
{
#ifdef __linux__
  if (watch->fd < 0)
    return;
  forget_others (watch, paths);
  for (guint i = 0; i < paths->len; i++) {
    if (g_hash_table_contains (watch->folders, paths->pdata[i]))
      continue;
    int descriptor = inotify_add_watch (watch->fd, paths->pdata[i],
                                        IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM |
                                            IN_MOVED_TO | IN_DELETE | IN_ONLYDIR);
    if (descriptor >= 0)
      g_hash_table_insert (watch->folders, g_strdup (paths->pdata[i]),
                           GINT_TO_POINTER (descriptor));
  }
#endif
}

/* Takes what has come, so that the next wait waits. */
static gboolean
drain (int fd)
{
  char buffer[4096];
  gboolean any = FALSE;

  while (fd >= 0 && read (fd, buffer, sizeof buffer) > 0)
    any = TRUE;
  return any;
}

gboolean
ts_watch_wait (TsWatch *watch, int timeout_ms)
{
  struct pollfd fds[] = {{watch->pipe[0], POLLIN, 0}, {watch->fd, POLLIN, 0}};

  poll (fds, G_N_ELEMENTS (fds), timeout_ms);
  drain (watch->pipe[0]);
  return drain (watch->fd);
}

void
ts_watch_wake (TsWatch *watch)
{
  gssize n = write (watch->pipe[1], "", 1);

  (void) n; /* full: it is awake anyway */
}
