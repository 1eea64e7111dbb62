/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/session.h"

G_BEGIN_DECLS

/* One step of a session in pieces, as TensorFlow's partial_run: what has been computed stays, every node
 * runs at most once, each feed is given once and each fetch taken once.  A debugger's paused run. */
typedef struct TsPartialRun TsPartialRun;

/* Announces all @feeds that will be given and all @fetches that will be taken.  Keeps a reference to
 * nothing: the session must outlive it.  Errors: UNINITIALIZED. */
TsPartialRun *ts_partial_run_new (TsSession *session, TsValue *const *feeds, guint n_feeds,
                                  TsValue *const *fetches, guint n_fetches, gboolean training,
                                  GError **error);
void ts_partial_run_free (TsPartialRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsPartialRun, ts_partial_run_free)

/* Gives some feeds and takes some fetches: out[i] is a new tensor for fetches[i].  Errors: NAME (a feed or
 * fetch that was not announced, or comes a second time), NOT_FED (a fetch needs a feed that has not been
 * given yet), and those of ts_session_run; after an error nothing of this piece has counted. */
gboolean ts_partial_run_step (TsPartialRun *run, TsValue *const *feeds, TsTensor *const *tensors,
                              guint n_feeds, TsValue *const *fetches, guint n_fetches,
                              TsTensor **out, GError **error);

G_END_DECLS
