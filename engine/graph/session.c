/* SPDX-License-Identifier: MIT */
#include "engine/graph/session.h"

#include <string.h>

#include "engine/graph/session-private.h"
#include "engine/ops/initializer.h"

struct TsSession {
  TsGraph *graph;
  guint64 seed, step;
  TsWorkers *workers;
  const gboolean *done; /* of the run in pieces that is being planned */
  guint n_values;       /* of the graph, when the session was made */
  gboolean initialized;
  TsSayFunc say;
  gpointer say_data;
  TsProfile *profile;
  TsPlanMemory *memory; /* NULL: every program has its own */
  void **state;         /* by value id */
  char *arena;
  gsize arena_bytes;
  GHashTable *programs; /* key text -> TsProgram, for ts_session_run */
};

struct TsProgram {
  TsSession *session;
  TsPlan *plan;
};

static gsize
state_bytes (const TsValue *v)
{
  return (ts_value_row_bytes (v) + 127) & ~(gsize) 63;
}

gsize
ts_session_state_bytes (TsGraph *graph)
{
  guint n = ts_graph_get_n_values (graph);
  gsize sum = 0;

  for (guint i = 0; i < n; i++) {
    const TsValue *v = ts_graph_get_value (graph, i);
    if (v->kind == TS_VALUE_STATE)
      sum += state_bytes (v);
  }
  return sum;
}

static void
make_arena (TsSession *s)
{
  guint n = ts_graph_get_n_values (s->graph);
  gsize at = 0;

  s->state = g_new0 (void *, n + 1);
  s->arena_bytes = ts_session_state_bytes (s->graph);
  s->arena = ts_pages_alloc (s->arena_bytes);
  for (guint i = 0; i < n; i++) {
    const TsValue *v = ts_graph_get_value (s->graph, i);
    if (v->kind != TS_VALUE_STATE)
      continue;
    s->state[i] = s->arena + at;
    at += state_bytes (v);
  }
}

static gboolean
has_variables (const TsGraph *graph)
{
  for (guint i = 0; i < ts_graph_get_n_nodes (graph); i++)
    if (ts_node_is_variable (ts_graph_get_node (graph, i)))
      return TRUE;
  return FALSE;
}

TsSession *
ts_session_new (TsGraph *graph, guint64 seed, guint n_threads)
{
  TsSession *s = g_new0 (TsSession, 1);

  s->graph = ts_graph_ref (graph);
  s->seed = seed;
  s->workers = ts_workers_new (MAX (n_threads, 1));
  s->programs =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ts_program_free);
  s->n_values = ts_graph_get_n_values (graph);
  make_arena (s);
  if (!has_variables (graph)) /* constants alone need no word */
    ts_session_init_variables (s);
  return s;
}

void
ts_session_free (TsSession *s)
{
  g_hash_table_unref (s->programs);
  g_clear_pointer (&s->memory, ts_plan_memory_unref);
  ts_workers_free (s->workers);
  ts_pages_free (s->arena, s->arena_bytes);
  g_free (s->state);
  ts_graph_unref (s->graph);
  g_free (s);
}

TsGraph *
ts_session_get_graph (TsSession *s)
{
  return s->graph;
}

guint64
ts_session_get_seed (TsSession *s)
{
  return s->seed;
}

void
ts_session_set_printer (TsSession *s, TsSayFunc say, gpointer data)
{
  s->say = say;
  s->say_data = data;
  g_hash_table_remove_all (s->programs);
}

void
ts_session_use_memory (TsSession *s, TsPlanMemory *memory)
{
  g_clear_pointer (&s->memory, ts_plan_memory_unref);
  if (memory)
    s->memory = ts_plan_memory_ref (memory);
}

void
ts_session_set_profile (TsSession *s, TsProfile *profile)
{
  s->profile = profile;
  g_hash_table_remove_all (s->programs);
}

void
ts_session_set_step (TsSession *s, guint64 step)
{
  s->step = step;
}

/* Makes the derived copy anew, here and now. */
static void
derive (TsSession *s, const TsNode *copy)
{
  TsPartition part =
      copy->op->partition ? copy->op->partition (copy) : ts_partition_elementwise (copy);
  TsFault fault = {0};
  guint32 mode = ts_denormals_enter ();
  TsCall call = {.node = copy,
                 .k = ts_kernels_get (),
                 .dtype = copy->out[0]->dtype,
                 .batch = 1,
                 .begin = 0,
                 .end = MAX (part.extent, 1),
                 .in = {s->state[copy->in[0]->id]},
                 .out = {s->state[copy->out[0]->id]},
                 .fault = &fault};

  call.inputs = call.in;
  copy->op->forward (&call);
  ts_denormals_leave (mode);
}

static void
derive_from (TsSession *s, const TsValue *variable)
{
  guint n = ts_graph_get_n_nodes (s->graph);

  for (guint i = 0; i < n; i++) {
    const TsNode *node = ts_graph_get_node (s->graph, i);
    if (ts_node_is_derived (node) && (!variable || node->in[0] == variable))
      derive (s, node);
  }
}

static void
fill_constant (const TsNode *node, void *to)
{
  const TsValue *v = node->out[0];
  double value = ts_params_float (&node->params, "value");

  if (node->data) {
    memcpy (to, node->data, ts_value_row_bytes (v));
    return;
  }
  for (gint64 i = 0; i < ts_shape_elems (&v->shape); i++)
    ts_dtype_set (v->dtype, to, i, value);
}

void
ts_session_init_variables (TsSession *s)
{
  guint n = ts_graph_get_n_nodes (s->graph);

  for (guint i = 0; i < n; i++) {
    const TsNode *node = ts_graph_get_node (s->graph, i);
    if (ts_node_is_variable (node)) {
      const TsValue *v = node->out[0];
      ts_initializer_fill (ts_params_text (&node->params, "init"),
                           ts_params_float (&node->params, "scale"), v->dtype, &v->shape,
                           (TsRng){s->seed, node->stream}, s->state[v->id]);
    } else if (ts_node_is_constant (node)) {
      fill_constant (node, s->state[node->out[0]->id]);
    }
  }
  derive_from (s, NULL);
  s->initialized = TRUE;
}

const void *
ts_session_get_variable (TsSession *s, const TsValue *variable)
{
  return s->state[variable->id];
}

void
ts_session_set_variable (TsSession *s, const TsValue *variable, const void *data)
{
  g_return_if_fail (s->state[variable->id]);
  memcpy (s->state[variable->id], data, ts_value_row_bytes (variable));
  derive_from (s, variable);
}

gboolean
ts_session_is_initialized (TsSession *s, GError **error)
{
  if (!s->initialized)
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_UNINITIALIZED,
                 "the variables have no values yet; initialise them or load a checkpoint first");
  return s->initialized;
}

TsProgram *
ts_program_new (TsSession *s, TsValue *const *feeds, guint n_feeds, TsValue *const *fetches,
                guint n_fetches, TsNode *const *targets, guint n_targets, gint64 batch,
                gboolean training, GError **error)
{
  TsPlanSpec spec = {.graph = s->graph,
                     .fetches = fetches,
                     .n_fetches = n_fetches,
                     .targets = targets,
                     .n_targets = n_targets,
                     .feeds = feeds,
                     .n_feeds = n_feeds,
                     .batch = batch,
                     .training = training,
                     .n_threads = ts_workers_get_count (s->workers),
                     .say = s->say,
                     .say_data = s->say_data,
                     .profile = s->profile,
                     .done = s->done,
                     .memory = s->memory,
                     .state = s->state};

  if (!ts_session_is_initialized (s, error))
    return NULL;
  if (ts_graph_get_n_values (s->graph) != s->n_values) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_UNINITIALIZED,
                 "the graph has grown since this session was made; make a new one");
    return NULL;
  }
  TsPlan *plan = ts_plan_new (&spec, error);
  if (!plan)
    return NULL;
  TsProgram *p = g_new0 (TsProgram, 1);
  p->session = s;
  p->plan = plan;
  return p;
}

void
ts_program_free (TsProgram *p)
{
  ts_plan_free (p->plan);
  g_free (p);
}

TsPlan *
ts_program_get_plan (TsProgram *p)
{
  return p->plan;
}

static void
set_fault (const TsFault *fault, GError **error)
{
  const TsNode *node = fault->node;
  g_autofree char *text = node->op->fault_text
                              ? node->op->fault_text (node, fault)
                              : g_strdup_printf ("value %" G_GINT64_FORMAT " at %" G_GINT64_FORMAT,
                                                 fault->value, fault->position);
  g_autofree char *place =
      node->line ? g_strdup_printf ("%d:%d: ", node->line, node->column) : g_strdup ("");

  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_RANGE, "%s%s '%s': %s", place,
               node->op->name, node->name, text);
}

gboolean
ts_program_run (TsProgram *p, const TsFeedSource *sources, GError **error)
{
  TsFault fault;

  if (ts_plan_run (p->plan, p->session->workers, sources, p->session->seed, p->session->step,
                   &fault))
    return TRUE;
  set_fault (&fault, error);
  return FALSE;
}

const void *
ts_program_get_data (TsProgram *p, const TsValue *fetch)
{
  return ts_plan_get_data (p->plan, fetch);
}

double
ts_program_get_number (TsProgram *p, const TsValue *fetch, gint64 i)
{
  return ts_dtype_get (fetch->dtype, ts_plan_get_data (p->plan, fetch), i);
}

/* The batch that the feeds agree on; -1 and an error when they do not. */
static gint64
batch_of (TsValue *const *values, TsTensor *const *tensors, guint n, GError **error)
{
  gint64 batch = 0;
  const TsValue *first = NULL;

  for (guint i = 0; i < n; i++) {
    const TsValue *v = values[i];
    const TsTensor *t = tensors[i];
    gboolean types = t->dtype == v->dtype ||
                     (ts_dtype_is_float (v->dtype) && t->dtype != TS_BOOL) ||
                     (v->dtype == TS_I32 && (t->dtype == TS_U8 || t->dtype == TS_I64));
    if (!ts_shape_compatible (&t->shape, &v->shape)) {
      g_autofree char *got = ts_shape_dup_text (&t->shape), *want = ts_shape_dup_text (&v->shape);
      g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                   "Cannot feed value of shape %s for Tensor '%s', which has shape %s", got,
                   v->node->name, want);
      return -1;
    }
    if (!types) {
      g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                   "Cannot feed value of type %s for Tensor '%s', which has type %s",
                   ts_dtype_name (t->dtype), v->node->name, ts_dtype_name (v->dtype));
      return -1;
    }
    if (v->kind != TS_VALUE_ROWS)
      continue;
    if (first && t->shape.dim[0] != batch) {
      g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                   "the batch is %" G_GINT64_FORMAT " rows for '%s' but %" G_GINT64_FORMAT
                   " rows for '%s'",
                   batch, first->node->name, t->shape.dim[0], v->node->name);
      return -1;
    }
    first = v;
    batch = t->shape.dim[0];
  }
  return batch;
}

static TsProgram *
find_program (TsSession *s, TsValue *const *feeds, guint n_feeds, TsValue *const *fetches,
              guint n_fetches, TsNode *const *targets, guint n_targets, gint64 batch,
              gboolean training, GError **error)
{
  GString *key = g_string_new (NULL);

  g_string_append_printf (key, "%" G_GINT64_FORMAT "%s", batch, training ? "t" : "");
  for (guint i = 0; i < n_feeds; i++)
    g_string_append_printf (key, " <%u", feeds[i]->id);
  for (guint i = 0; i < n_fetches; i++)
    g_string_append_printf (key, " >%u", fetches[i]->id);
  for (guint i = 0; i < n_targets; i++)
    g_string_append_printf (key, " !%u", targets[i]->id);
  g_autofree char *text = g_string_free (key, FALSE);
  TsProgram *p = g_hash_table_lookup (s->programs, text);
  if (p)
    return p;
  p = ts_program_new (s, feeds, n_feeds, fetches, n_fetches, targets, n_targets, batch, training,
                      error);
  if (p)
    g_hash_table_insert (s->programs, g_steal_pointer (&text), p);
  return p;
}

static gboolean
run_program (TsProgram *p, TsTensor *const *feed_tensors, guint n_feeds, TsValue *const *fetches,
             guint n_fetches, gint64 batch, TsTensor **out, GError **error)
{
  g_autofree TsFeedSource *sources = g_new0 (TsFeedSource, n_feeds + 1);

  for (guint i = 0; i < n_feeds; i++)
    sources[i] = (TsFeedSource){feed_tensors[i]->dtype, feed_tensors[i]->data, NULL, 1};
  if (!ts_program_run (p, sources, error))
    return FALSE;
  for (guint i = 0; i < n_fetches; i++) {
    TsShape shape = fetches[i]->shape;
    if (fetches[i]->kind == TS_VALUE_ROWS)
      shape.dim[0] = batch;
    out[i] = ts_tensor_new_copy (fetches[i]->dtype, &shape, ts_plan_get_data (p->plan, fetches[i]));
  }
  return TRUE;
}

gboolean
ts_session_run_piece (TsSession *s, TsValue *const *feed_values, TsTensor *const *feed_tensors,
                      guint n_feeds, TsValue *const *fetches, guint n_fetches, const gboolean *done,
                      gboolean training, TsTensor **out, GError **error)
{
  gint64 batch = batch_of (feed_values, feed_tensors, n_feeds, error);

  if (batch < 0)
    return FALSE;
  s->done = done;
  TsProgram *p =
      ts_program_new (s, feed_values, n_feeds, fetches, n_fetches, NULL, 0, batch, training, error);
  s->done = NULL;
  gboolean ok = p && run_program (p, feed_tensors, n_feeds, fetches, n_fetches, batch, out, error);
  g_clear_pointer (&p, ts_program_free);
  return ok;
}

gboolean
ts_session_run (TsSession *s, TsValue *const *feed_values, TsTensor *const *feed_tensors,
                guint n_feeds, TsValue *const *fetches, guint n_fetches, TsNode *const *targets,
                guint n_targets, gboolean training, TsTensor **out, GError **error)
{
  gint64 batch = batch_of (feed_values, feed_tensors, n_feeds, error);
  if (batch < 0)
    return FALSE;
  TsProgram *p = find_program (s, feed_values, n_feeds, fetches, n_fetches, targets, n_targets,
                               batch, training, error);
  if (!p)
    return FALSE;
  return run_program (p, feed_tensors, n_feeds, fetches, n_fetches, batch, out, error);
}
