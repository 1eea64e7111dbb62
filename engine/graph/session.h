/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/graph.h"
#include "engine/graph/plan.h"
#include "engine/tensor/tensor.h"

G_BEGIN_DECLS

/* A session holds the values of a graph's variables and runs parts of the graph.  The graph may not
 * grow while a session lives.  Used from one thread at a time; its workers are its own. */
typedef struct TsSession TsSession;

/* What the variables of @graph take, optimizer slots and derived copies too. */
gsize ts_session_state_bytes (TsGraph *graph);

/* @n_threads: workers, the caller included; results do not depend on it.  Without variables in @graph it can
 * run at once; else they must get values first. */
TsSession *ts_session_new (TsGraph *graph, guint64 seed, guint n_threads);
void ts_session_free (TsSession *session);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsSession, ts_session_free)

TsGraph *ts_session_get_graph (TsSession *session);
guint64 ts_session_get_seed (TsSession *session);

/* Gives every variable its initial value from (seed, its name) and makes the derived copies. */
void ts_session_init_variables (TsSession *session);

/* Have the variables values?  Errors: UNINITIALIZED. */
gboolean ts_session_is_initialized (TsSession *session, GError **error);

/* The current contents of a variable (dense, of its dtype), valid as long as the session; changed by
 * runs.  NULL for other values. */
const void *ts_session_get_variable (TsSession *session, const TsValue *variable);

/* Copies @data (of the variable's dtype and shape) in and renews what is derived from it. */
void ts_session_set_variable (TsSession *session, const TsValue *variable, const void *data);

/* The step number that random ops salt their streams with. */
void ts_session_set_step (TsSession *session, guint64 step);

/* Where lines of print go in programs made from now on; NULL: stderr.  Called while a run goes on, from one
 * of its threads. */
void ts_session_set_printer (TsSession *session, TsSayFunc say, gpointer data);

/* Programs made from now on share @memory (made for as many threads as the session has) for what lives
 * during a run: what one has fetched is valid until another of them is run or made.  NULL (at first): each
 * has its own. */
void ts_session_use_memory (TsSession *session, TsPlanMemory *memory);

/* Programs made from now on note what their calls take; NULL: no more.  Borrowed; it must know as many
 * threads as the session has. */
void ts_session_set_profile (TsSession *session, TsProfile *profile);

/* One run by tensors: feeds[i] gives @feed_tensors[i] to @feed_values[i] (any value may be fed);
 * out[i] is a new tensor for fetches[i].  Plans are kept, so the second run of one kind plans
 * nothing.  Errors: NOT_FED, UNINITIALIZED, SHAPE, DTYPE, RANGE. */
gboolean ts_session_run (TsSession *session, TsValue *const *feed_values,
                         TsTensor *const *feed_tensors, guint n_feeds, TsValue *const *fetches,
                         guint n_fetches, TsNode *const *targets, guint n_targets,
                         gboolean training, TsTensor **out, GError **error);

/* The same thing prepared once for a batch size and run many times without allocating. */
typedef struct TsProgram TsProgram;

/* Errors: NOT_FED, UNINITIALIZED.  Freed by the caller before the session. */
TsProgram *ts_program_new (TsSession *session, TsValue *const *feeds, guint n_feeds,
                           TsValue *const *fetches, guint n_fetches, TsNode *const *targets,
                           guint n_targets, gint64 batch, gboolean training, GError **error);
void ts_program_free (TsProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsProgram, ts_program_free)

/* Errors: RANGE, naming the node, the place in the model text, the position and the value. */
gboolean ts_program_run (TsProgram *program, const TsFeedSource *sources, GError **error);

/* Contents of a fetched value, valid until the next run. */
const void *ts_program_get_data (TsProgram *program, const TsValue *fetch);
/* Element @i of it as a double. */
double ts_program_get_number (TsProgram *program, const TsValue *fetch, gint64 i);

TsPlan *ts_program_get_plan (TsProgram *program);

G_END_DECLS
