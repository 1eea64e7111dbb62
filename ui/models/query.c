/* SPDX-License-Identifier: MIT */
#include "ui/models/query.h"

#include "ui/models/worker.h"

struct TsQuery {
  char *path;
  TsWorker *worker;
  TsReader *reader; /* the worker's */
};

typedef struct {
  TsJob job;
  TsQuery *query;
  TsAsk *ask;
} AskJob;

static void
run (TsJob *job)
{
  AskJob *self = (AskJob *) job;
  TsQuery *query = self->query;

  if (!query->reader)
    query->reader = ts_reader_open (query->path, &self->ask->error);
  if (query->reader)
    self->ask->run (self->ask, query->reader);
}

static void
done (TsJob *job)
{
  AskJob *self = (AskJob *) job;

  if (self->ask->done)
    self->ask->done (self->ask);
}

static void
free_job (TsJob *job)
{
  AskJob *self = (AskJob *) job;

  self->ask->free (self->ask);
  g_free (self);
}

TsQuery *
ts_query_new (const char *path)
{
  TsQuery *query = g_new0 (TsQuery, 1);

  query->path = g_strdup (path);
  query->worker = ts_worker_new ("ts-query");
  return query;
}

void
ts_query_free (TsQuery *query)
{
  ts_worker_free (query->worker);
  g_clear_pointer (&query->reader, ts_reader_close);
  g_free (query->path);
  g_free (query);
}

const char *
ts_query_get_path (TsQuery *query)
{
  return query->path;
}

void
ts_query_push (TsQuery *query, TsAsk *ask)
{
  AskJob *job = g_new0 (AskJob, 1);

  job->job = (TsJob){run, done, free_job};
  job->query = query;
  job->ask = ask;
  ts_worker_push (query->worker, &job->job);
}
