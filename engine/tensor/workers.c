/* SPDX-License-Identifier: MIT */
#include "engine/tensor/workers.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "engine/tensor/kernel.h"

/* Waiting spins this often before it sleeps: enough for the gap between two phases of a step, too
 * little to burn the slice that another thread needs. */
#define SPINS 2000

struct TsWorkers {
  guint n;
  pthread_t *threads;
  TsWorkerFunc func;
  gpointer data;
  atomic_bool quit;
  _Alignas(64) atomic_int start;   /* generation of runs */
  _Alignas(64) atomic_int arrived; /* at the barrier */
  _Alignas(64) atomic_int passed;  /* generation of barriers */
};

typedef struct {
  TsWorkers *workers;
  guint id;
} Start;

static inline void
pause_cpu (void)
{
#if defined(__x86_64__)
  __builtin_ia32_pause ();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static void
wait_change (atomic_int *word, int old)
{
  for (int i = 0; i < SPINS; i++) {
    if (atomic_load_explicit (word, memory_order_acquire) != old)
      return;
    pause_cpu ();
  }
  while (atomic_load_explicit (word, memory_order_acquire) == old) {
#ifdef __linux__
    syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, old, NULL, NULL, 0);
#else
    sched_yield ();
#endif
  }
}

static void
wake_all (atomic_int *word)
{
#ifdef __linux__
  syscall (SYS_futex, word, FUTEX_WAKE_PRIVATE, G_MAXINT, NULL, NULL, 0);
#endif
}

static void *
worker_main (void *arg)
{
  Start start = *(Start *) arg;
  TsWorkers *w = start.workers;
  int seen = 0;

  g_free (arg);
  ts_denormals_enter ();
  for (;;) {
    wait_change (&w->start, seen);
    seen = atomic_load_explicit (&w->start, memory_order_acquire);
    if (atomic_load (&w->quit))
      return NULL;
    w->func (start.id, w->data);
    ts_workers_barrier (w, NULL, NULL);
  }
}

TsWorkers *
ts_workers_new (guint n_threads)
{
  g_return_val_if_fail (n_threads >= 1, NULL);
  gpointer mem = g_aligned_alloc0 (1, sizeof (TsWorkers), 64);
  TsWorkers *w = mem;

  ts_kernels_get (); /* chosen while there is one thread */
  w->n = n_threads;
  w->threads = g_new0 (pthread_t, n_threads);
  for (guint i = 1; i < n_threads; i++) {
    Start *start = g_new (Start, 1);
    *start = (Start){w, i};
    if (pthread_create (&w->threads[i], NULL, worker_main, start) != 0)
      g_error ("cannot start worker thread %u of %u", i, n_threads);
  }
  return w;
}

void
ts_workers_free (TsWorkers *w)
{
  atomic_store (&w->quit, true);
  atomic_fetch_add (&w->start, 1);
  wake_all (&w->start);
  for (guint i = 1; i < w->n; i++)
    pthread_join (w->threads[i], NULL);
  g_free (w->threads);
  g_aligned_free (w);
}

guint
ts_workers_get_count (const TsWorkers *w)
{
  return w->n;
}

void
ts_workers_run (TsWorkers *w, TsWorkerFunc func, gpointer data)
{
  guint32 former = ts_denormals_enter ();

  w->func = func;
  w->data = data;
  if (w->n > 1) {
    atomic_fetch_add_explicit (&w->start, 1, memory_order_release);
    wake_all (&w->start);
  }
  func (0, data);
  ts_workers_barrier (w, NULL, NULL);
  ts_denormals_leave (former);
}

void
ts_workers_barrier (TsWorkers *w, void (*tail) (gpointer data), gpointer data)
{
  int generation = atomic_load_explicit (&w->passed, memory_order_acquire);

  if (atomic_fetch_add (&w->arrived, 1) == (int) w->n - 1) {
    if (tail)
      tail (data);
    atomic_store (&w->arrived, 0);
    atomic_fetch_add (&w->passed, 1);
    if (w->n > 1)
      wake_all (&w->passed);
  } else {
    wait_change (&w->passed, generation);
  }
}
