/* SPDX-License-Identifier: MIT */
#include "engine/graph/partial.h"

#include <string.h>

#include "engine/graph/session-private.h"

typedef enum { UNKNOWN, ANNOUNCED, DONE } Turn;

struct TsPartialRun {
  TsSession *session;
  gboolean training;
  guint8 *feed, *fetch; /* of Turn, by value id */
  gboolean *done;       /* by node id: has run */
  TsTensor **known;     /* by value id: fed or computed so far; owned */
  guint n_values;
};

TsPartialRun *
ts_partial_run_new (TsSession *session, TsValue *const *feeds, guint n_feeds,
                    TsValue *const *fetches, guint n_fetches, gboolean training, GError **error)
{
  TsPartialRun *r = g_new0 (TsPartialRun, 1);

  r->session = session;
  r->training = training;
  r->n_values = ts_graph_get_n_values (ts_session_get_graph (session));
  r->feed = g_new0 (guint8, r->n_values + 1);
  r->fetch = g_new0 (guint8, r->n_values + 1);
  r->known = g_new0 (TsTensor *, r->n_values + 1);
  r->done = g_new0 (gboolean, ts_graph_get_n_nodes (ts_session_get_graph (session)) + 1);
  for (guint i = 0; i < n_feeds; i++)
    r->feed[feeds[i]->id] = ANNOUNCED;
  for (guint i = 0; i < n_fetches; i++)
    r->fetch[fetches[i]->id] = ANNOUNCED;
  if (ts_session_is_initialized (session, error))
    return r;
  ts_partial_run_free (r);
  return NULL;
}

void
ts_partial_run_free (TsPartialRun *r)
{
  for (guint i = 0; i < r->n_values; i++)
    g_clear_pointer (&r->known[i], ts_tensor_unref);
  g_free (r->feed);
  g_free (r->fetch);
  g_free (r->known);
  g_free (r->done);
  g_free (r);
}

static gboolean
its_turn (const guint8 *turns, const TsValue *v, const char *what, const char *done, GError **error)
{
  if (turns[v->id] == ANNOUNCED)
    return TRUE;
  if (turns[v->id] == DONE)
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME,
                 "The tensor '%s' has already been %s in this partial run", v->node->name, done);
  else
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME,
                 "The tensor '%s' was not specified in partial_run_setup: announce it as a %s",
                 v->node->name, what);
  return FALSE;
}

/* What this piece will compute: everything that the fetches need and nobody knows yet.  FALSE: a feed
 * that is announced but not given is in the way. */
static gboolean
find_needed (TsPartialRun *r, const gboolean *given, TsValue *const *fetches, guint n,
             gboolean *needed, GError **error)
{
  TsGraph *g = ts_session_get_graph (r->session);

  for (guint i = 0; i < n; i++)
    needed[fetches[i]->node->id] |= !given[fetches[i]->id] && !r->known[fetches[i]->id];
  for (guint id = ts_graph_get_n_nodes (g); id-- > 0;) {
    TsNode *node = ts_graph_get_node (g, id);
    if (!needed[id])
      continue;
    for (guint i = 0; i < node->n_out; i++)
      if (r->feed[node->out[i]->id] == ANNOUNCED && !given[node->out[i]->id]) {
        g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NOT_FED,
                     "You must feed a value for '%s' before what depends on it is fetched",
                     node->name);
        return FALSE;
      }
    for (guint i = 0; i < node->n_in; i++)
      if (!given[node->in[i]->id] && !r->known[node->in[i]->id] &&
          node->in[i]->kind != TS_VALUE_STATE)
        needed[node->in[i]->node->id] = TRUE;
    for (guint i = 0; i < node->n_after; i++)
      needed[node->after[i]->id] |= !r->done[node->after[i]->id];
  }
  return TRUE;
}

gboolean
ts_partial_run_step (TsPartialRun *r, TsValue *const *feeds, TsTensor *const *tensors,
                     guint n_feeds, TsValue *const *fetches, guint n_fetches, TsTensor **out,
                     GError **error)
{
  TsGraph *g = ts_session_get_graph (r->session);
  g_autofree gboolean *given = g_new0 (gboolean, r->n_values + 1);
  g_autofree gboolean *needed = g_new0 (gboolean, ts_graph_get_n_nodes (g) + 1);
  g_autoptr (GPtrArray) fed = g_ptr_array_new (), with = g_ptr_array_new ();
  g_autoptr (GPtrArray) wanted = g_ptr_array_new ();

  for (guint i = 0; i < n_feeds; i++) {
    if (!its_turn (r->feed, feeds[i], "feed", "fed", error))
      return FALSE;
    given[feeds[i]->id] = TRUE;
    g_ptr_array_add (fed, feeds[i]);
    g_ptr_array_add (with, tensors[i]);
  }
  for (guint i = 0; i < n_fetches; i++)
    if (!its_turn (r->fetch, fetches[i], "fetch", "fetched", error))
      return FALSE;
  if (!find_needed (r, given, fetches, n_fetches, needed, error))
    return FALSE;
  for (guint i = 0; i < r->n_values; i++)
    if (r->known[i] && !given[i]) {
      g_ptr_array_add (fed, ts_graph_get_value (g, i));
      g_ptr_array_add (with, r->known[i]);
    }
  for (guint i = 0; i < r->n_values; i++) {
    TsValue *v = ts_graph_get_value (g, i);
    if (needed[v->node->id] && !given[i] && v->kind != TS_VALUE_STATE)
      g_ptr_array_add (wanted, v);
  }
  g_autofree TsTensor **got = g_new0 (TsTensor *, wanted->len + 1);
  if (!ts_session_run_piece (r->session, (TsValue **) fed->pdata, (TsTensor **) with->pdata,
                             fed->len, (TsValue **) wanted->pdata, wanted->len, r->done,
                             r->training, got, error))
    return FALSE;
  for (guint i = 0; i < ts_graph_get_n_nodes (g); i++)
    r->done[i] |= needed[i];
  for (guint i = 0; i < wanted->len; i++)
    r->known[((TsValue *) wanted->pdata[i])->id] = got[i];
  for (guint i = 0; i < n_feeds; i++) {
    r->feed[feeds[i]->id] = DONE;
    if (!r->known[feeds[i]->id])
      r->known[feeds[i]->id] = ts_tensor_ref (tensors[i]);
  }
  for (guint i = 0; i < n_fetches; i++) {
    const TsValue *v = fetches[i];
    r->fetch[v->id] = DONE;
    out[i] = r->known[v->id] ? ts_tensor_ref (r->known[v->id])
                             : ts_tensor_new_copy (v->dtype, &v->shape,
                                                   ts_session_get_variable (r->session, v));
  }
  return TRUE;
}
