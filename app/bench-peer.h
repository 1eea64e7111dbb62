/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* PyTorch in a process of its own (bench/peer_torch.py, built into the program), which trains when it
 * is told to and sleeps otherwise, so that both sides can take turns. */
typedef struct TsPeer TsPeer;

/* NULL when this machine has no python3 with torch. */
TsPeer *ts_peer_new (const char *model, guint threads);
void ts_peer_free (TsPeer *peer);

typedef struct {
  double wall, cpu; /* samples per second of wall-clock time, and of the peer's own CPU time */
  double megabytes; /* its peak memory so far */
} TsPeerRate;

/* Over @seconds; NaN when it has died. */
TsPeerRate ts_peer_run (TsPeer *peer, double seconds);

G_END_DECLS
