/* SPDX-License-Identifier: MIT */
#include "data/events/follow.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <pthread.h>

#include "data/events/error.h"
#include "data/events/watch.h"
#include "data/store/error.h"
#include "data/store/writer.h"

#define POLL_MS   2000 /* when the system tells nothing */
#define SETTLE_MS 250  /* from the first change on: writers write often */

struct TsFollow {
  TsWriter *writer;
  TsImport *import;
  TsLogdir *logdir;
  TsWatch *watch;
  TsFollowFunc func;
  gpointer data;
  gint stop; /* atomic */
  pthread_t thread;
};

char *
ts_follow_dup_index_path (const char *logdir)
{
  g_autofree char *path = g_canonicalize_filename (logdir, NULL);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, path, -1);
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = g_strdup_printf ("%s-%.16s.trainscope", base, hash);

  return g_build_filename (g_get_user_cache_dir (), "trainscope", name, NULL);
}

/* An index can be made anew at any time. */
static TsWriter *
open_index (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  GError *why = NULL;

  if (g_mkdir_with_parents (folder, 0700) != 0) {
    g_set_error (error, TS_EVENTS_ERROR, TS_EVENTS_ERROR_OPEN, "cannot make %s: %s", folder,
                 g_strerror (errno));
    return NULL;
  }
  TsWriter *writer = ts_writer_open (path, &why);
  if (g_error_matches (why, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT) ||
      g_error_matches (why, TS_STORE_ERROR, TS_STORE_ERROR_NOT_A_WORKSPACE) ||
      g_error_matches (why, TS_STORE_ERROR, TS_STORE_ERROR_NEWER_VERSION)) {
    g_clear_error (&why);
    g_unlink (path);
    writer = ts_writer_open (path, &why);
  }
  if (why)
    g_propagate_error (error, why);
  return writer;
}

static void *
run_follow (void *data)
{
  TsFollow *follow = data;

  while (!__atomic_load_n (&follow->stop, __ATOMIC_ACQUIRE)) {
    g_auto (TsLogdirReport) report = {0};
    g_autoptr (GError) error = NULL;
    gboolean ok = ts_logdir_scan (follow->logdir, &report, &error);
    if (follow->func)
      follow->func (&report, ok ? NULL : error, follow->data);
    ts_watch_set_folders (follow->watch, ts_logdir_get_folders (follow->logdir));
    /* what came while it was read is seen at once: the watch was set before */
    if (ts_watch_wait (follow->watch, POLL_MS) &&
        !__atomic_load_n (&follow->stop, __ATOMIC_ACQUIRE))
      ts_watch_wait (follow->watch, SETTLE_MS);
  }
  return NULL;
}

static void
free_follow (TsFollow *follow)
{
  g_clear_pointer (&follow->logdir, ts_logdir_free);
  g_clear_pointer (&follow->import, ts_import_free);
  g_clear_pointer (&follow->watch, ts_watch_free);
  g_free (follow);
}

TsFollow *
ts_follow_start (const char *logdir, const char *workspace, TsFollowFunc func, gpointer data,
                 GError **error)
{
  g_autofree char *index = workspace ? NULL : ts_follow_dup_index_path (logdir);
  TsFollow *follow = g_new0 (TsFollow, 1);

  follow->func = func;
  follow->data = data;
  follow->watch = ts_watch_new ();
  follow->writer = index ? open_index (index, error) : ts_writer_open (workspace, error);
  follow->import = follow->writer ? ts_import_new (follow->writer, error) : NULL;
  follow->logdir = follow->import ? ts_logdir_new (follow->import, logdir, NULL, error) : NULL;
  if (follow->logdir && index)
    ts_logdir_set_forgetful (follow->logdir);
  if (follow->logdir && pthread_create (&follow->thread, NULL, run_follow, follow) == 0)
    return follow;
  if (follow->writer)
    ts_writer_close (follow->writer, NULL);
  free_follow (follow);
  return NULL;
}

void
ts_follow_cancel (TsFollow *follow)
{
  __atomic_store_n (&follow->stop, 1, __ATOMIC_RELEASE);
  ts_logdir_cancel (follow->logdir);
  ts_watch_wake (follow->watch);
}

gboolean
ts_follow_stop (TsFollow *follow, GError **error)
{
  ts_follow_cancel (follow);
  pthread_join (follow->thread, NULL);
  gboolean ok = ts_writer_close (follow->writer, error);
  free_follow (follow);
  return ok;
}
