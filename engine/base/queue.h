/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A bounded first-in first-out queue of pointers between threads, on pthread mutexes and condition
 * variables (ThreadSanitizer cannot see GLib's locks).  Any number of producers and consumers.
 * Items are owned by the queue between push and pop. */
typedef struct TsQueue TsQueue;

/* @free_item (may be NULL) frees what is left when the last reference goes. */
TsQueue *ts_queue_new (guint capacity, GDestroyNotify free_item);
TsQueue *ts_queue_ref (TsQueue *queue);
void ts_queue_unref (TsQueue *queue);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsQueue, ts_queue_unref)

/* Takes @item.  Waits while the queue is full.  FALSE (and @item is freed) once it is closed. */
gboolean ts_queue_push (TsQueue *queue, gpointer item);

/* As push, but never waits: FALSE (the caller keeps @item) when full or closed. */
gboolean ts_queue_try_push (TsQueue *queue, gpointer item);

/* Transfers the oldest item, waiting at most @timeout_us (-1: for ever, 0: not at all).  NULL on
 * timeout, or when the queue is closed and empty. */
gpointer ts_queue_pop (TsQueue *queue, gint64 timeout_us);

/* No further push succeeds; waiting threads wake; what is queued can still be popped. */
void ts_queue_close (TsQueue *queue);

guint ts_queue_length (TsQueue *queue);
guint ts_queue_capacity (TsQueue *queue);

G_END_DECLS
