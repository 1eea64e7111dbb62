/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/session.h"

G_BEGIN_DECLS

/* As ts_session_run, with @done by node id: what has run already and must not be run again for order's
 * sake.  The plan is not kept. */
gboolean ts_session_run_piece (TsSession *session, TsValue *const *feed_values,
                               TsTensor *const *feed_tensors, guint n_feeds,
                               TsValue *const *fetches, guint n_fetches, const gboolean *done,
                               gboolean training, TsTensor **out, GError **error);

G_END_DECLS
