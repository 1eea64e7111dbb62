/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A thread that does one job after another and hands the results to the main thread.  The window
 * keeps everything that may wait (SQL, files, loading data) in workers like this one.
 *
 * A job is a struct that begins with a TsJob.  It belongs to the worker from the push on: run is
 * called on the worker's thread, then done (may be NULL) and free on the thread that made the
 * worker, from its main context.  Finished jobs wake that context once, however many they are. */
typedef struct TsJob TsJob;
struct TsJob {
  void (*run) (TsJob *job);
  void (*done) (TsJob *job);
  void (*free) (TsJob *job);
};

typedef struct TsWorker TsWorker;

/* @name: of the thread, static. */
TsWorker *ts_worker_new (const char *name);

/* Waits for the job that runs now; those that have not begun are freed without running, finished
 * ones without their done. */
void ts_worker_free (TsWorker *worker);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsWorker, ts_worker_free)

void ts_worker_push (TsWorker *worker, TsJob *job);

G_END_DECLS
