/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/node.h"

G_BEGIN_DECLS

/* What each call of an op took.  A session with a profile notes every call; without one it costs a test
 * of a pointer. */
typedef struct TsProfile TsProfile;

/* @n_threads: of the session that it will be given to. */
TsProfile *ts_profile_new (guint n_threads);
void ts_profile_free (TsProfile *profile);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsProfile, ts_profile_free)

/* One call: @start_ns, @end_ns on the monotonic clock; @flops and @bytes of this call's share of the
 * work (bytes: of the operands, read and written once).  From thread @thread only. */
typedef struct {
  const TsNode *node;
  guint thread;
  gint64 start_ns, end_ns;
  double flops, bytes;
} TsProfileCall;

void ts_profile_add (TsProfile *profile, const TsProfileCall *call);

/* All calls of one node together. */
typedef struct {
  const TsNode *node;
  guint64 calls;
  double seconds; /* of all threads */
  double flops, bytes;
} TsProfileEntry;

/* The longest first.  The caller frees the array.  Not while a run goes on. */
GArray *ts_profile_dup_entries (TsProfile *profile);

/* All calls noted so far, all threads; at most this many are kept singly. */
guint64 ts_profile_count (TsProfile *profile);

/* As JSON for chrome://tracing and Perfetto ("traceEvents"); times in µs from the first call. */
char *ts_profile_dup_trace (TsProfile *profile);

void ts_profile_clear (TsProfile *profile);

gint64 ts_profile_now (void); /* ns, monotonic */

G_END_DECLS
