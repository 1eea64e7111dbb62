/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The SPMD pool: N threads run one function together, the caller is number 0.  Threads start once
 * and sleep between runs; every one of them flushes denormals.  A pool belongs to one caller at a
 * time. */
typedef struct TsWorkers TsWorkers;

typedef void (*TsWorkerFunc) (guint id, gpointer data);

/* @n_threads >= 1, the caller included. */
TsWorkers *ts_workers_new (guint n_threads);
void ts_workers_free (TsWorkers *workers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsWorkers, ts_workers_free)

guint ts_workers_get_count (const TsWorkers *workers);

/* Runs func (id, data) on all threads; returns when all have returned.  Allocates nothing. */
void ts_workers_run (TsWorkers *workers, TsWorkerFunc func, gpointer data);

/* To be called by every thread inside a run.  The last to arrive runs @tail (may be NULL) while the
 * others wait; what it wrote is seen by all afterwards. */
void ts_workers_barrier (TsWorkers *workers, void (*tail) (gpointer data), gpointer data);

G_END_DECLS
