/* SPDX-License-Identifier: MIT */
#include "engine/base/queue.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

struct TsQueue {
  atomic_int refs;
  pthread_mutex_t lock;
  pthread_cond_t readable, writable;
  GDestroyNotify free_item;
  guint capacity, head, length;
  gboolean closed;
  gpointer items[];
};

TsQueue *
ts_queue_new (guint capacity, GDestroyNotify free_item)
{
  g_return_val_if_fail (capacity > 0, NULL);
  TsQueue *q = g_malloc0 (sizeof *q + capacity * sizeof (gpointer));
  pthread_condattr_t attr;

  atomic_init (&q->refs, 1);
  q->capacity = capacity;
  q->free_item = free_item;
  pthread_condattr_init (&attr);
  pthread_condattr_setclock (&attr, CLOCK_MONOTONIC);
  pthread_mutex_init (&q->lock, NULL);
  pthread_cond_init (&q->readable, &attr);
  pthread_cond_init (&q->writable, &attr);
  pthread_condattr_destroy (&attr);
  return q;
}

TsQueue *
ts_queue_ref (TsQueue *q)
{
  atomic_fetch_add (&q->refs, 1);
  return q;
}

void
ts_queue_unref (TsQueue *q)
{
  if (atomic_fetch_sub (&q->refs, 1) != 1)
    return;
  for (guint i = 0; i < q->length && q->free_item; i++)
    q->free_item (q->items[(q->head + i) % q->capacity]);
  pthread_cond_destroy (&q->readable);
  pthread_cond_destroy (&q->writable);
  pthread_mutex_destroy (&q->lock);
  g_free (q);
}

static gboolean
push_locked (TsQueue *q, gpointer item)
{
  if (q->closed || q->length == q->capacity)
    return FALSE;
  q->items[(q->head + q->length++) % q->capacity] = item;
  pthread_cond_signal (&q->readable);
  return TRUE;
}

gboolean
ts_queue_push (TsQueue *q, gpointer item)
{
  pthread_mutex_lock (&q->lock);
  while (!q->closed && q->length == q->capacity)
    pthread_cond_wait (&q->writable, &q->lock);
  gboolean ok = push_locked (q, item);
  pthread_mutex_unlock (&q->lock);
  if (!ok && q->free_item)
    q->free_item (item);
  return ok;
}

gboolean
ts_queue_try_push (TsQueue *q, gpointer item)
{
  pthread_mutex_lock (&q->lock);
  gboolean ok = push_locked (q, item);
  pthread_mutex_unlock (&q->lock);
  return ok;
}

gpointer
ts_queue_pop (TsQueue *q, gint64 timeout_us)
{
  gpointer item = NULL;
  struct timespec until;

  clock_gettime (CLOCK_MONOTONIC, &until);
  if (timeout_us > 0) {
    gint64 ns = until.tv_nsec + timeout_us % G_USEC_PER_SEC * 1000;
    until.tv_sec += timeout_us / G_USEC_PER_SEC + ns / 1000000000;
    until.tv_nsec = ns % 1000000000;
  }
  pthread_mutex_lock (&q->lock);
  while (q->length == 0 && !q->closed && timeout_us != 0) {
    if (timeout_us < 0)
      pthread_cond_wait (&q->readable, &q->lock);
    else if (pthread_cond_timedwait (&q->readable, &q->lock, &until) == ETIMEDOUT)
      break;
  }
  if (q->length) {
    item = q->items[q->head];
    q->head = (q->head + 1) % q->capacity;
    q->length--;
    pthread_cond_signal (&q->writable);
  }
  pthread_mutex_unlock (&q->lock);
  return item;
}

void
ts_queue_close (TsQueue *q)
{
  pthread_mutex_lock (&q->lock);
  q->closed = TRUE;
  pthread_cond_broadcast (&q->readable);
  pthread_cond_broadcast (&q->writable);
  pthread_mutex_unlock (&q->lock);
}

guint
ts_queue_length (TsQueue *q)
{
  pthread_mutex_lock (&q->lock);
  guint n = q->length;
  pthread_mutex_unlock (&q->lock);
  return n;
}

guint
ts_queue_capacity (TsQueue *q)
{
  return q->capacity;
}
