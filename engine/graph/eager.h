/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/session.h"

G_BEGIN_DECLS

/* Operations that run as they are written down.  Each is planned as the graph would plan it alone, by
 * the same kernels with the same sums, and remembered on a tape, from which gradients come.  Graph and
 * eager results are equal to the bit when names (for random ops), seed and step are.
 * Used from one thread. */
typedef struct TsEager TsEager;

TsEager *ts_eager_new (guint64 seed);
void ts_eager_free (TsEager *eager);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsEager, ts_eager_free)

/* A result: belongs to the tape and lives as long as it does. */
typedef struct TsEagerValue TsEagerValue;

/* Brings a tensor in (a reference is kept).  _batch: its first axis is the batch, which decides how sums
 * over it are ordered; all batches of one tape have the same size (SHAPE otherwise). */
TsEagerValue *ts_eager_tensor (TsEager *eager, TsTensor *tensor);
TsEagerValue *ts_eager_batch (TsEager *eager, TsTensor *tensor, GError **error);
TsEagerValue *ts_eager_scalar (TsEager *eager, double value);

/* Runs @op at once; its first output.  @params: "rate=0.25, shape=[2, -1]" or NULL.  @name as in
 * ts_graph_add.  Errors: those of ts_graph_add and of a run. */
TsEagerValue *ts_eager_apply (TsEager *eager, const char *op, const char *name,
                              TsEagerValue *const *in, guint n_in, const char *params,
                              GError **error);
/* The same with parsed parameters, and all outputs: out has room for TS_NODE_OUTPUTS_MAX. */
gboolean ts_eager_apply_all (TsEager *eager, const char *op, const char *name,
                             TsEagerValue *const *in, guint n_in, const TsParams *params,
                             TsEagerValue **out, guint *n_out, GError **error);

/* Its elements, at once.  Borrowed. */
const TsTensor *ts_eager_value_get (const TsEagerValue *value);

/* Dropout drops, batch norm uses the batch: TRUE at first.  A tape whose operations ran under different
 * settings of these two has no gradients. */
void ts_eager_set_training (TsEager *eager, gboolean training);
void ts_eager_set_step (TsEager *eager, guint64 step);

/* d @loss / d xs[i] along the tape: new tensors, NULL where the loss does not depend on an x.  The tape
 * stays and may be differentiated again.  Errors: those of ts_graph_gradients. */
gboolean ts_eager_gradients (TsEager *eager, TsEagerValue *loss, TsEagerValue *const *xs, guint n,
                             TsTensor **grads, GError **error);

G_END_DECLS
