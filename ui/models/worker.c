/* SPDX-License-Identifier: MIT */
#include "ui/models/worker.h"

#include <pthread.h>

struct TsWorker {
  const char *name;
  GMainContext *context;
  pthread_t thread;
  pthread_mutex_t mutex; /* guards what follows */
  pthread_cond_t wake;
  GQueue todo, finished; /* of TsJob */
  GSource *source;       /* the one pending wake-up, or NULL */
  gboolean quit;
};

static gboolean
deliver (gpointer data)
{
  TsWorker *worker = data;
  GQueue jobs;
  TsJob *job;

  pthread_mutex_lock (&worker->mutex);
  jobs = worker->finished;
  g_queue_init (&worker->finished);
  g_clear_pointer (&worker->source, g_source_unref);
  pthread_mutex_unlock (&worker->mutex);
  /* @worker may be freed by a done: it is not looked at any more */
  while ((job = g_queue_pop_head (&jobs))) {
    if (job->done)
      job->done (job);
    job->free (job);
  }
  return G_SOURCE_REMOVE;
}

static void
finish (TsWorker *worker, TsJob *job)
{
  pthread_mutex_lock (&worker->mutex);
  g_queue_push_tail (&worker->finished, job);
  if (!worker->source) {
    worker->source = g_idle_source_new ();
    g_source_set_priority (worker->source, G_PRIORITY_DEFAULT);
    g_source_set_callback (worker->source, deliver, worker, NULL);
    g_source_attach (worker->source, worker->context);
  }
  pthread_mutex_unlock (&worker->mutex);
}

static TsJob *
next_job (TsWorker *worker)
{
  TsJob *job = NULL;

  pthread_mutex_lock (&worker->mutex);
  while (!worker->quit && !(job = g_queue_pop_head (&worker->todo)))
    pthread_cond_wait (&worker->wake, &worker->mutex);
  pthread_mutex_unlock (&worker->mutex);
  return job;
}

static void *
work (void *data)
{
  TsWorker *worker = data;
  TsJob *job;

  pthread_setname_np (pthread_self (), worker->name);
  while ((job = next_job (worker))) {
    job->run (job);
    finish (worker, job);
  }
  return NULL;
}

TsWorker *
ts_worker_new (const char *name)
{
  TsWorker *worker = g_new0 (TsWorker, 1);
  int failed;

  worker->name = name;
  worker->context = g_main_context_ref_thread_default ();
  pthread_mutex_init (&worker->mutex, NULL);
  pthread_cond_init (&worker->wake, NULL);
  failed = pthread_create (&worker->thread, NULL, work, worker);
  g_assert (failed == 0);
  return worker;
}

static void
drop (GQueue *jobs)
{
  TsJob *job;

  while ((job = g_queue_pop_head (jobs)))
    job->free (job);
}

void
ts_worker_free (TsWorker *worker)
{
  pthread_mutex_lock (&worker->mutex);
  worker->quit = TRUE;
  pthread_cond_signal (&worker->wake);
  pthread_mutex_unlock (&worker->mutex);
  pthread_join (worker->thread, NULL);
  if (worker->source) {
    g_source_destroy (worker->source);
    g_source_unref (worker->source);
  }
  drop (&worker->todo);
  drop (&worker->finished);
  pthread_cond_destroy (&worker->wake);
  pthread_mutex_destroy (&worker->mutex);
  g_main_context_unref (worker->context);
  g_free (worker);
}

void
ts_worker_push (TsWorker *worker, TsJob *job)
{
  pthread_mutex_lock (&worker->mutex);
  g_queue_push_tail (&worker->todo, job);
  pthread_cond_signal (&worker->wake);
  pthread_mutex_unlock (&worker->mutex);
}
