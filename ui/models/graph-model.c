/* SPDX-License-Identifier: MIT */
#include "ui/models/graph-model.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "data/store/json-read.h"

/* One node of the JSON and what becomes of it. */
typedef struct {
  const char *name, *op, *kind;
  JsonObject *object;
  GArray *inputs;   /* of Input */
  gboolean forward; /* neither gradient nor update */
  gboolean wanted;  /* shown as a node */
  gboolean reached; /* depends on a placeholder */
  int index;        /* among the shown ones; -1: not shown */
} Raw;

typedef struct {
  int node;
  guint output;
  gboolean control;
} Input;

typedef struct {
  GArray *raws; /* of Raw */
  GHashTable *by_name;
  TsGraphModel *model;
  GHashTable *scopes; /* full name -> index + 1 */
  gboolean all;
} Work;

static Raw *
raw_at (const Work *w, guint i)
{
  return &g_array_index (w->raws, Raw, i);
}

static gboolean
is_kind (const Raw *raw, const char *kind)
{
  return strcmp (raw->kind, kind) == 0;
}

static void
add_input (Work *w, Raw *raw, const char *text, gboolean control)
{
  const char *colon = control || !text ? NULL : strrchr (text, ':');
  if (!text)
    return;
  g_autofree char *name = colon ? g_strndup (text, (gsize) (colon - text)) : g_strdup (text);
  gpointer found;

  if (!g_hash_table_lookup_extended (w->by_name, name, NULL, &found))
    return;
  Input input = {GPOINTER_TO_INT (found), colon ? (guint) atoi (colon + 1) : 0, control};
  g_array_append_val (raw->inputs, input);
}

static gboolean
read_nodes (Work *w, JsonArray *nodes)
{
  for (guint i = 0; i < json_array_get_length (nodes); i++) {
    JsonNode *n = json_array_get_element (nodes, i);
    if (!JSON_NODE_HOLDS_OBJECT (n))
      return FALSE;
    JsonObject *o = json_node_get_object (n);
    Raw raw = {.name = ts_json_text (o, "name", NULL),
               .op = ts_json_text (o, "op", ""),
               .kind = ts_json_text (o, "kind", "op"),
               .object = o,
               .inputs = g_array_new (FALSE, FALSE, sizeof (Input)),
               .index = -1};
    g_array_append_val (w->raws, raw);
    if (!raw.name || !raw.op || !raw.kind)
      return FALSE;
    JsonArray *inputs = ts_json_array (o, "inputs"), *control = ts_json_array (o, "control");
    Raw *kept = raw_at (w, i);
    for (guint k = 0; inputs && k < json_array_get_length (inputs); k++)
      add_input (w, kept, ts_json_array_text (inputs, k), FALSE);
    for (guint k = 0; control && k < json_array_get_length (control); k++)
      add_input (w, kept, ts_json_array_text (control, k), TRUE);
    g_hash_table_insert (w->by_name, (gpointer) raw.name, GINT_TO_POINTER ((int) i));
  }
  return TRUE;
}

/* The forward pass: what depends on an input and on no gradient. */
static void
choose (Work *w)
{
  for (guint i = 0; i < w->raws->len; i++) {
    Raw *r = raw_at (w, i);
    JsonArray *outputs = ts_json_array (r->object, "outputs");
    gboolean ok = is_kind (r, "op") && outputs && json_array_get_length (outputs) > 0 &&
                  !g_str_has_prefix (r->name, "gradients/");
    gboolean backward = FALSE;
    r->reached = is_kind (r, "placeholder");
    for (guint k = 0; k < r->inputs->len; k++) {
      const Raw *in = raw_at (w, (guint) g_array_index (r->inputs, Input, k).node);
      r->reached |= in->reached;
      backward |= is_kind (in, "op") && !in->forward;
    }
    r->forward = ok && r->reached && !backward;
    if (w->all)
      r->wanted = is_kind (r, "op") || is_kind (r, "placeholder");
    else
      r->wanted = is_kind (r, "placeholder") || r->forward;
  }
}

static char *
shape_text (JsonObject *o, guint output, double *elems)
{
  JsonArray *outputs = ts_json_array (o, "outputs");
  JsonNode *node = outputs && output < json_array_get_length (outputs)
                       ? json_array_get_element (outputs, output)
                       : NULL;
  g_autoptr (GString) s = g_string_new (NULL);

  *elems = 1;
  if (!node || !JSON_NODE_HOLDS_OBJECT (node))
    return g_strdup ("");
  JsonArray *shape = ts_json_array (json_node_get_object (node), "shape");
  for (guint i = 0; shape && i < json_array_get_length (shape); i++) {
    JsonNode *d = json_array_get_element (shape, i);
    if (!JSON_NODE_HOLDS_VALUE (d)) /* null: the batch, which goes without saying */
      continue;
    *elems *= (double) json_node_get_int (d);
    g_string_append_printf (s, "%s%" G_GINT64_FORMAT, s->len ? "×" : "", json_node_get_int (d));
  }
  return g_strdup (s->len ? s->str : "1");
}

static int
scope_of (Work *w, const char *name)
{
  const char *slash = strrchr (name, '/');
  TsGraphScope scope = {0};

  if (!slash)
    return 0;
  g_autofree char *full = g_strndup (name, (gsize) (slash - name));
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (w->scopes, full));
  if (found)
    return (int) found - 1;
  scope.parent = scope_of (w, full);
  const char *last = strrchr (full, '/');
  scope.label = g_strdup (last ? last + 1 : full);
  scope.name = g_strdup (full);
  g_array_append_val (w->model->scopes, scope);
  g_hash_table_insert (w->scopes, g_steal_pointer (&full),
                       GUINT_TO_POINTER (w->model->scopes->len));
  return (int) w->model->scopes->len - 1;
}

static void
append_params (GString *s, JsonObject *o)
{
  JsonNode *node = json_object_get_member (o, "params");
  g_autoptr (GList) keys = NULL;

  if (!node || !JSON_NODE_HOLDS_OBJECT (node))
    return;
  keys = json_object_get_members (json_node_get_object (node));
  for (GList *k = keys; k; k = k->next) {
    const char *key = k->data;
    const char *value = ts_json_text (json_node_get_object (node), key, "");
    if (key[0] != '_' && value && *value)
      g_string_append_printf (s, "%s: %s\n", key, value);
  }
}

/* Its variables: "kernel: 784×512", and how many numbers they are. */
static guint64
append_variables (const Work *w, GString *s, const Raw *raw)
{
  guint64 sum = 0;

  for (guint k = 0; k < raw->inputs->len; k++) {
    const Raw *in = raw_at (w, (guint) g_array_index (raw->inputs, Input, k).node);
    double elems;
    if (!is_kind (in, "variable"))
      continue;
    g_autofree char *shape = shape_text (in->object, 0, &elems);
    const char *slash = strrchr (in->name, '/');
    g_string_append_printf (s, "%s: %s\n", slash ? slash + 1 : in->name, shape);
    sum += (guint64) elems;
  }
  return raw->forward ? sum : 0; /* once, where they are used */
}

static void
make_node (Work *w, Raw *raw)
{
  g_autoptr (GString) details = g_string_new (NULL);
  const char *slash = strrchr (raw->name, '/');
  double elems;
  TsGraphNode n = {.name = g_strdup (raw->name),
                   .label = g_strdup (slash ? slash + 1 : raw->name),
                   .op = g_strdup (raw->op),
                   .shape = shape_text (raw->object, 0, &elems),
                   .kind = is_kind (raw, "placeholder") ? TS_GRAPH_INPUT : TS_GRAPH_OP,
                   .line = (int) ts_json_int (raw->object, "line", 0),
                   .scope = scope_of (w, raw->name)};

  n.n_parameters = append_variables (w, details, raw);
  append_params (details, raw->object);
  n.details = g_strdup (details->str);
  raw->index = (int) w->model->nodes->len;
  g_array_append_val (w->model->nodes, n);
  for (int s = n.scope;; s = g_array_index (w->model->scopes, TsGraphScope, s).parent) {
    TsGraphScope *scope = &g_array_index (w->model->scopes, TsGraphScope, s);
    scope->n_nodes++;
    scope->n_parameters += n.n_parameters;
    if (s == 0)
      break;
  }
}

static void
make_edges (Work *w, const Raw *raw)
{
  for (guint k = 0; raw->index >= 0 && k < raw->inputs->len; k++) {
    Input in = g_array_index (raw->inputs, Input, k);
    const Raw *from = raw_at (w, (guint) in.node);
    if (from->index < 0)
      continue;
    TsGraphEdge e = {from->index, raw->index, NULL, 1, in.control};
    e.shape = in.control ? g_strdup ("") : shape_text (from->object, in.output, &e.elems);
    g_array_append_val (w->model->edges, e);
  }
}

/* A scope around a single op says nothing: the op takes its name. */
static void
fold_single (Work *w)
{
  for (guint i = 0; i < w->model->nodes->len; i++) {
    TsGraphNode *n = &g_array_index (w->model->nodes, TsGraphNode, i);
    while (n->scope) {
      const TsGraphScope *s = ts_graph_model_scope (w->model, (guint) n->scope);
      if (s->n_nodes != 1)
        break;
      g_free (n->label);
      n->label = g_strdup (s->label);
      n->scope = s->parent;
    }
  }
}

static void
node_clear (gpointer data)
{
  TsGraphNode *n = data;

  g_free (n->name);
  g_free (n->label);
  g_free (n->op);
  g_free (n->shape);
  g_free (n->details);
}

static void
edge_clear (gpointer data)
{
  g_free (((TsGraphEdge *) data)->shape);
}

static void
scope_clear (gpointer data)
{
  g_free (((TsGraphScope *) data)->name);
  g_free (((TsGraphScope *) data)->label);
}

/* Scopes that nothing is left in go; a parent comes before its children. */
static void
drop_empty (Work *w)
{
  GArray *scopes = w->model->scopes, *kept = g_array_new (FALSE, TRUE, sizeof (TsGraphScope));
  g_autofree gboolean *full = g_new0 (gboolean, scopes->len);
  g_autofree int *now = g_new0 (int, scopes->len);

  full[0] = TRUE;
  for (guint i = 0; i < w->model->nodes->len; i++)
    for (int s = g_array_index (w->model->nodes, TsGraphNode, i).scope; !full[s];
         s = g_array_index (scopes, TsGraphScope, s).parent)
      full[s] = TRUE;
  g_array_set_clear_func (kept, scope_clear);
  for (guint s = 0; s < scopes->len; s++) {
    TsGraphScope *scope = &g_array_index (scopes, TsGraphScope, s);
    if (!full[s])
      continue;
    now[s] = (int) kept->len;
    TsGraphScope copy = *scope;
    copy.parent = now[scope->parent];
    scope->name = scope->label = NULL;
    g_array_append_val (kept, copy);
  }
  for (guint i = 0; i < w->model->nodes->len; i++) {
    TsGraphNode *n = &g_array_index (w->model->nodes, TsGraphNode, i);
    n->scope = now[n->scope];
  }
  g_array_unref (scopes);
  w->model->scopes = kept;
}

static TsGraphModel *
model_new (void)
{
  TsGraphModel *m = g_new0 (TsGraphModel, 1);
  TsGraphScope root = {.name = g_strdup (""), .label = g_strdup ("")};

  m->nodes = g_array_new (FALSE, TRUE, sizeof (TsGraphNode));
  m->edges = g_array_new (FALSE, TRUE, sizeof (TsGraphEdge));
  m->scopes = g_array_new (FALSE, TRUE, sizeof (TsGraphScope));
  g_array_set_clear_func (m->nodes, node_clear);
  g_array_set_clear_func (m->edges, edge_clear);
  g_array_set_clear_func (m->scopes, scope_clear);
  g_array_append_val (m->scopes, root);
  return m;
}

void
ts_graph_model_free (TsGraphModel *m)
{
  g_array_unref (m->nodes);
  g_array_unref (m->edges);
  g_array_unref (m->scopes);
  g_free (m);
}

TsGraphModel *
ts_graph_model_new (const char *json, gboolean all, GError **error)
{
  g_autoptr (JsonNode) root = ts_json_read (json);
  JsonArray *nodes = root ? ts_json_array (json_node_get_object (root), "nodes") : NULL;
  Work w = {.all = all};
  gboolean ok;

  w.raws = g_array_new (FALSE, TRUE, sizeof (Raw));
  w.by_name = g_hash_table_new (g_str_hash, g_str_equal);
  w.scopes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  w.model = model_new ();
  ok = nodes && read_nodes (&w, nodes);
  if (ok) {
    choose (&w);
    for (guint i = 0; i < w.raws->len; i++)
      if (raw_at (&w, i)->wanted)
        make_node (&w, raw_at (&w, i));
    for (guint i = 0; i < w.raws->len; i++)
      make_edges (&w, raw_at (&w, i));
    fold_single (&w);
    drop_empty (&w);
  } else {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                 "the run's graph cannot be read: it is not a list of nodes");
    g_clear_pointer (&w.model, ts_graph_model_free);
  }
  for (guint i = 0; i < w.raws->len; i++)
    g_array_unref (raw_at (&w, i)->inputs);
  g_array_unref (w.raws);
  g_hash_table_unref (w.by_name);
  g_hash_table_unref (w.scopes);
  return w.model;
}
