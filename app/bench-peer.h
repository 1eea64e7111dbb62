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

/* Samples per second over @seconds; NaN when it has died. */
double ts_peer_run (TsPeer *peer, double seconds);

G_END_DECLS
