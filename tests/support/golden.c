/* SPDX-License-Identifier: MIT */
#include "tests/support/golden.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "engine/graph/autograd.h"
#include "engine/graph/eager.h"

#define MAX_VALUES 12

struct GoldenRun {
  const GoldenCase *c;
  JsonObject *json; /* of the case */
  TsDtype dtype;
  gboolean rows;
  TsGraph *graph;
  guint n;
  const char *names[MAX_VALUES];
  char perm[MAX_VALUES][8]; /* "" : as it is */
  TsValue *x[MAX_VALUES];
  TsTensor *data[MAX_VALUES];
};

/* ---- tensors from the file */

static JsonObject *
golden_file (const char *file)
{
  static GHashTable *parsers;
  JsonParser *parser;

  if (!parsers)
    parsers = g_hash_table_new (g_str_hash, g_str_equal);
  if (!(parser = g_hash_table_lookup (parsers, file))) {
    g_autofree char *base = g_strconcat (file, ".json", NULL);
    g_autofree char *path =
        g_build_filename (g_getenv ("TS_SOURCE_ROOT"), "tests", "golden", base, NULL);
    g_autoptr (GError) error = NULL;
    parser = json_parser_new ();
    if (!json_parser_load_from_file (parser, path, &error))
      g_error ("%s", error->message);
    g_hash_table_insert (parsers, g_strdup (file), parser);
  }
  return json_node_get_object (json_parser_get_root (parser));
}

/* out axis i = in axis perm[i] */
static TsTensor *
permute (TsTensor *x, const char *perm)
{
  TsShape shape = x->shape;
  gint64 stride[TS_SHAPE_MAX], step = 1, index[TS_SHAPE_MAX] = {0};

  if (!*perm)
    return ts_tensor_ref (x);
  for (int i = (int) shape.rank - 1; i >= 0; i--) {
    stride[i] = step;
    step *= x->shape.dim[i];
  }
  g_assert_cmpuint (strlen (perm), ==, shape.rank);
  for (guint i = 0; i < shape.rank; i++)
    shape.dim[i] = x->shape.dim[perm[i] - '0'];
  TsTensor *y = ts_tensor_new (x->dtype, &shape);
  for (gint64 k = 0; k < ts_tensor_elems (y); k++) {
    gint64 from = 0;
    for (guint i = 0; i < shape.rank; i++)
      from += index[i] * stride[perm[i] - '0'];
    ts_tensor_set (y, k, ts_tensor_get (x, from));
    for (int i = (int) shape.rank - 1; i >= 0 && ++index[i] == shape.dim[i]; i--)
      index[i] = 0;
  }
  return y;
}

static TsTensor *
read_tensor (JsonObject *json, TsDtype dtype)
{
  JsonArray *dims = json_object_get_array_member (json, "shape");
  JsonArray *data = json_object_get_array_member (json, "data");
  TsShape shape = {.rank = json_array_get_length (dims)};

  for (guint i = 0; i < shape.rank; i++)
    shape.dim[i] = json_array_get_int_element (dims, i);
  TsTensor *t = ts_tensor_new (dtype, &shape);
  for (guint i = 0; i < json_array_get_length (data); i++)
    ts_tensor_set (t, i, json_array_get_double_element (data, i));
  return t;
}

/* "int(2,2)[0,2,2,1]", "bool[1,0]", "f[1,2]" */
static TsTensor *
read_literal (const char *word, TsDtype float_type)
{
  TsDtype dtype = *word == 'i' ? TS_I32 : *word == 'b' ? TS_BOOL : float_type;
  const char *open = strchr (word, '('), *body = strchr (word, '[');
  TsShape shape = {.rank = 0};
  double values[256];
  gint64 n = 0;

  for (char *at = (char *) body + 1; *at && *at != ']';) {
    values[n++] = g_ascii_strtod (at, &at);
    at += *at == ',';
  }
  if (open)
    for (char *at = (char *) open + 1; *at != ')';) {
      shape.dim[shape.rank++] = g_ascii_strtoll (at, &at, 10);
      at += *at == ',';
    }
  else
    shape = TS_SHAPE (n);
  TsTensor *t = ts_tensor_new (dtype, &shape);
  g_assert_cmpint (ts_tensor_elems (t), ==, n);
  for (gint64 i = 0; i < n; i++)
    ts_tensor_set (t, i, values[i]);
  return t;
}

/* ---- the graph of a case */

static void
add_input (GoldenRun *r, const char *text)
{
  gboolean lead = *text == '*';
  g_auto (GStrv) parts = g_strsplit (text + lead, ":", 2);
  g_autofree char *name = g_strdup_printf ("in%u", r->n);
  g_autoptr (TsTensor) raw = NULL;
  guint i = r->n++;
  gboolean wrong = *parts[0] == '!';

  if (wrong)
    memmove (parts[0], parts[0] + 1, strlen (parts[0]));
  if (strchr (parts[0], '[')) {
    raw = read_literal (parts[0], r->dtype);
  } else {
    JsonObject *inputs = json_object_get_object_member (r->json, "inputs");
    if (!json_object_has_member (inputs, parts[0]))
      g_error ("%s has no input '%s'", r->c->name, parts[0]);
    raw = read_tensor (json_object_get_object_member (inputs, parts[0]), r->dtype);
  }
  r->names[i] = wrong ? "" : g_intern_string (parts[0]);
  if (parts[1])
    g_strlcpy (r->perm[i], parts[1], sizeof r->perm[i]);
  r->data[i] = permute (raw, r->perm[i]);
  TsShape shape = r->data[i]->shape;
  if (lead && r->rows)
    shape.dim[0] = TS_ANY;
  r->x[i] = ts_graph_placeholder (r->graph, name, r->data[i]->dtype, &shape, NULL);
  g_assert_nonnull (r->x[i]);
}

TsValue *
golden_in (GoldenRun *r, guint i)
{
  g_assert (i < r->n);
  return r->x[i];
}

TsGraph *
golden_graph (GoldenRun *r)
{
  return r->graph;
}

TsNode *
golden_node (GoldenRun *r, const char *op, const char *text, TsValue *const *in, guint n)
{
  g_autoptr (GError) error = NULL;
  TsParams params;
  TsNode *node = NULL;

  if (!ts_op_lookup (op))
    g_error ("%s: no op is called '%s'", r->c->name, op);
  ts_params_init (&params, ts_op_lookup (op)->params);
  if (ts_params_parse_all (&params, text, &error))
    node = ts_graph_add (r->graph, op, NULL, in, n, &params, &error);
  if (!node)
    g_error ("%s: %s", r->c->name, error->message);
  return node;
}

TsValue *
golden_op (GoldenRun *r, const char *op, const char *params, TsValue *a, TsValue *b, TsValue *c)
{
  TsValue *in[] = {a, b, c};

  return golden_node (r, op, params, in, !a ? 0 : !b ? 1 : !c ? 2 : 3)->out[0];
}

static char *
compare (const GoldenRun *r, const char *what, const TsTensor *got, TsTensor *want,
         const char *perm, double absolute, double relative)
{
  g_autoptr (TsTensor) w = permute (want, perm);

  if (ts_tensor_elems (got) != ts_tensor_elems (w)) {
    g_autofree char *a = ts_shape_dup_text (&got->shape), *b = ts_shape_dup_text (&w->shape);
    return g_strdup_printf ("%s has shape %s, not %s", what, a, b);
  }
  for (gint64 i = 0; i < ts_tensor_elems (w); i++) {
    double a = ts_tensor_get (got, i), b = ts_tensor_get (w, i);
    if (!(fabs (a - b) <= absolute + relative * fabs (b)))
      return g_strdup_printf ("%s[%" G_GINT64_FORMAT "] is %.9g, not %.9g (%s%s)", what, i, a, b,
                              ts_dtype_name (r->dtype), r->rows ? ", with a batch" : "");
  }
  return NULL;
}

/* One run of a case: what is fetched and what the file says about it. */
typedef struct {
  guint n, n_outputs; /* outputs come first, then gradients */
  TsValue *fetches[MAX_VALUES * 2];
  TsTensor *want[MAX_VALUES * 2], *got[MAX_VALUES * 2];
  char *what[MAX_VALUES * 2];
  const char *perm[MAX_VALUES * 2];
  TsValue *fed[MAX_VALUES + 1], *loss;
  TsTensor *feeds[MAX_VALUES + 1];
  guint n_feeds;
  TsValue *wanted[MAX_VALUES]; /* inputs whose gradients the file knows */
  guint n_wanted, n_forward;   /* nodes before the backward pass */
} Trial;

static void
add_fetch (GoldenRun *r, Trial *t, TsValue *value, const char *what, const char *perm)
{
  JsonObject *outputs = json_object_get_object_member (r->json, "outputs");

  g_assert_nonnull (value);
  if (!json_object_has_member (outputs, what))
    g_error ("%s has no output '%s'", r->c->name, what);
  t->fetches[t->n] = value;
  t->what[t->n] = g_strdup (what);
  t->perm[t->n] = g_intern_string (perm);
  t->want[t->n++] = read_tensor (json_object_get_object_member (outputs, what), TS_F64);
}

/* loss = sum (y·cotangent) */
static void
add_loss (GoldenRun *r, Trial *t, TsValue *y, const char *what, const char *perm)
{
  JsonObject *outputs = json_object_get_object_member (r->json, "outputs");
  g_autoptr (TsTensor) raw = read_tensor (json_object_get_object_member (outputs, what), r->dtype);

  for (gint64 k = 0; k < ts_tensor_elems (raw); k++)
    ts_tensor_set (raw, k, (double) (float) sin (0.7 * (double) k + 9));
  TsValue *c = ts_graph_placeholder (r->graph, "cotangent", r->dtype, &y->shape, NULL);
  t->feeds[t->n_feeds] = permute (raw, perm);
  t->fed[t->n_feeds++] = c;
  t->loss = golden_op (r, "reduce_sum", NULL, golden_op (r, "mul", NULL, y, c, NULL), NULL, NULL);
}

static void
build_trial (GoldenRun *r, Trial *t)
{
  JsonObject *outputs = json_object_get_object_member (r->json, "outputs");
  g_auto (GStrv) in = g_strsplit (r->c->in, " ", -1);
  g_auto (GStrv) out = g_strsplit (r->c->out ? r->c->out : "y", " ", -1);
  TsValue *y[TS_NODE_OUTPUTS_MAX], *grads[MAX_VALUES] = {NULL};
  const char *perms[MAX_VALUES];
  g_autoptr (GError) error = NULL;
  guint n_y = 0;

  for (guint i = 0; in[i]; i++)
    add_input (r, in[i]);
  if (r->c->build) {
    y[n_y++] = r->c->build (r);
  } else {
    TsNode *node = golden_node (r, r->c->op, r->c->params, r->x, r->n);
    for (; n_y < node->n_out; n_y++)
      y[n_y] = node->out[n_y];
  }
  t->n_feeds = r->n;
  memcpy (t->fed, r->x, sizeof r->x);
  memcpy (t->feeds, r->data, sizeof r->data);
  for (guint i = 0; out[i] && i < n_y; i++) {
    g_auto (GStrv) parts = g_strsplit (out[i], ":", 2);
    if (strcmp (parts[0], "-") == 0)
      continue;
    add_fetch (r, t, y[i], parts[0], parts[1] ? parts[1] : "");
    if (i == 0 && ts_dtype_is_float (y[0]->dtype))
      add_loss (r, t, y[0], parts[0], t->perm[0]);
  }
  t->n_outputs = t->n;
  t->n_forward = ts_graph_get_n_nodes (r->graph);
  for (guint i = 0; t->loss && i < r->n; i++) {
    g_autofree char *name = g_strconcat ("d_", r->names[i], NULL);
    if (!json_object_has_member (outputs, name))
      continue;
    perms[t->n_wanted] = r->perm[i];
    t->what[t->n + t->n_wanted] = g_steal_pointer (&name);
    t->wanted[t->n_wanted++] = r->x[i];
  }
  if (t->n_wanted && !ts_graph_gradients (r->graph, t->loss, t->wanted, t->n_wanted, grads, &error))
    g_error ("%s: %s", r->c->name, error->message);
  for (guint i = 0; i < t->n_wanted; i++) {
    g_autofree char *name = t->what[t->n];
    add_fetch (r, t, grads[i], name, perms[i]);
  }
}

static void
trial_clear (GoldenRun *r, Trial *t)
{
  for (guint i = 0; i < t->n; i++) {
    ts_tensor_unref (t->want[i]);
    g_clear_pointer (&t->got[i], ts_tensor_unref);
    g_free (t->what[i]);
  }
  for (guint i = r->n; i < t->n_feeds; i++)
    ts_tensor_unref (t->feeds[i]);
}

/* The nodes of the forward pass once more, each as it is met; then the gradients along the tape. */
static char *
check_eager (GoldenRun *r, Trial *t)
{
  guint n_values = ts_graph_get_n_values (r->graph);
  g_autofree TsEagerValue **of = g_new0 (TsEagerValue *, n_values);
  g_autoptr (TsEager) e = ts_eager_new (1);
  TsEagerValue *xs[MAX_VALUES];
  TsTensor *grads[MAX_VALUES] = {NULL};
  g_autoptr (GError) error = NULL;
  char *problem = NULL;

  for (guint i = 0; i < t->n_feeds; i++)
    of[t->fed[i]->id] = t->fed[i]->kind == TS_VALUE_ROWS ? ts_eager_batch (e, t->feeds[i], &error)
                                                         : ts_eager_tensor (e, t->feeds[i]);
  for (guint id = 0; id < t->n_forward; id++) {
    const TsNode *node = ts_graph_get_node (r->graph, id);
    TsEagerValue *in[16], *out[TS_NODE_OUTPUTS_MAX];
    guint n;
    if (node->n_in == 0)
      continue;
    for (guint i = 0; i < node->n_in; i++)
      in[i] = of[node->in[i]->id];
    if (!ts_eager_apply_all (e, node->op->name, node->name, in, node->n_in, &node->params, out, &n,
                             &error))
      g_error ("%s, eager: %s", r->c->name, error->message);
    for (guint i = 0; i < n; i++)
      of[node->out[i]->id] = out[i];
  }
  for (guint i = 0; i < t->n_wanted; i++)
    xs[i] = of[t->wanted[i]->id];
  if (t->n_wanted && !ts_eager_gradients (e, of[t->loss->id], xs, t->n_wanted, grads, &error))
    g_error ("%s, eager: %s", r->c->name, error->message);
  for (guint i = 0; i < t->n; i++) {
    const TsTensor *got =
        i < t->n_outputs ? ts_eager_value_get (of[t->fetches[i]->id]) : grads[i - t->n_outputs];
    if (!problem && memcmp (got->data, t->got[i]->data, got->bytes) != 0)
      problem = g_strdup_printf ("eager %s differs from the graph's (%s%s)", t->what[i],
                                 ts_dtype_name (r->dtype), r->rows ? ", with a batch" : "");
  }
  for (guint i = 0; i < t->n_wanted; i++)
    ts_tensor_unref (grads[i]);
  return problem;
}

static char *
check_run (GoldenRun *r)
{
  double a = r->c->tolerance > 0 ? r->c->tolerance : r->dtype == TS_F32 ? 1e-5 : 1e-10;
  g_autoptr (GError) error = NULL;
  char *problem = NULL;
  Trial t = {0};

  build_trial (r, &t);
  g_autoptr (TsSession) s = ts_session_new (r->graph, 1, 1);
  ts_session_init_variables (s);
  if (!ts_session_run (s, t.fed, t.feeds, t.n_feeds, t.fetches, t.n, NULL, 0, TRUE, t.got, &error))
    g_error ("%s: %s", r->c->name, error->message);
  for (guint i = 0; i < t.n && !problem; i++) {
    gboolean output = i < t.n_outputs;
    double relative = r->dtype == TS_F32 ? (output ? 1e-5 : 1e-4) : 1e-9;
    problem = compare (r, t.what[i], t.got[i], t.want[i], t.perm[i], output ? a : 10 * a, relative);
  }
  if (!problem)
    problem = check_eager (r, &t);
  trial_clear (r, &t);
  return problem;
}

char *
golden_check (const GoldenCase *c)
{
  gboolean torch = strcmp (c->file, "torch") == 0;
  char *problem = NULL;

  for (guint k = 0; k < 4 && !problem; k++) {
    GoldenRun r = {.c = c, .dtype = k < 2 ? TS_F32 : TS_F64, .rows = k % 2};
    if ((r.rows && !strchr (c->in, '*')) || (r.dtype == TS_F64 && !torch))
      continue;
    JsonObject *file = golden_file (c->file);
    if (!json_object_has_member (file, c->name))
      return g_strdup_printf ("%s.json has no case '%s'", c->file, c->name);
    r.json = json_object_get_object_member (file, c->name);
    r.graph = ts_graph_new ();
    problem = check_run (&r);
    for (guint i = 0; i < r.n; i++)
      ts_tensor_unref (r.data[i]);
    ts_graph_unref (r.graph);
  }
  return problem;
}

static void
test_case (gconstpointer data)
{
  const GoldenCase *c = data;
  g_autofree char *problem = golden_check (c);

  if (problem) {
    g_test_message ("%s.json, %s: %s", c->file, c->name, problem);
    g_test_fail ();
  }
}

static GHashTable *claimed; /* "tf/name" */

static gboolean
exception_is (const GoldenException *e, const char *file, const char *name)
{
  gsize n = strlen (e->name);

  if (strcmp (e->file, file) != 0)
    return FALSE;
  return e->name[n - 1] == '*' ? strncmp (e->name, name, n - 1) == 0 : strcmp (e->name, name) == 0;
}

typedef struct {
  const GoldenException *exceptions;
  guint n;
} Exceptions;

static void
test_completeness (gconstpointer data)
{
  const Exceptions *all = data;
  static const char *const files[] = {"tf", "torch"};
  g_autofree guint *used = g_new0 (guint, all->n);

  for (guint k = 0; k < G_N_ELEMENTS (files); k++) {
    g_autoptr (GList) names = json_object_get_members (golden_file (files[k]));
    for (GList *l = names; l; l = l->next) {
      const char *name = l->data;
      g_autofree char *path = g_strconcat (files[k], "/", name, NULL);
      gboolean known = FALSE, has_test = g_hash_table_contains (claimed, path);
      for (guint i = 0; i < all->n; i++)
        if (exception_is (&all->exceptions[i], files[k], name)) {
          known = TRUE;
          used[i]++;
        }
      if (known == has_test) {
        g_test_message ("%s is %s", path, known ? "an exception and tested" : "not tested");
        g_test_fail ();
      }
    }
  }
  for (guint i = 0; i < all->n; i++)
    if (!used[i]) {
      g_test_message ("%s.json has no case %s", all->exceptions[i].file, all->exceptions[i].name);
      g_test_fail ();
    }
}

void
golden_add_completeness (const GoldenException *exceptions, guint n)
{
  static Exceptions all;

  all = (Exceptions){exceptions, n};
  g_test_add_data_func ("/golden/complete", &all, test_completeness);
}

void
golden_add_tests (const GoldenCase *cases, guint n)
{
  static GHashTable *used; /* path -> cases so far */

  if (!used) {
    used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    claimed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  }
  for (guint i = 0; i < n; i++) {
    g_autofree char *path = g_strdup_printf ("/golden/%s/%s/%s", cases[i].file, cases[i].name,
                                             cases[i].op ? cases[i].op : "several");
    guint uses = GPOINTER_TO_UINT (g_hash_table_lookup (used, path)) + 1;
    g_hash_table_insert (used, g_strdup (path), GUINT_TO_POINTER (uses));
    g_hash_table_add (claimed, g_strconcat (cases[i].file, "/", cases[i].name, NULL));
    if (uses > 1) { /* answered in several ways */
      char *numbered = g_strdup_printf ("%s-%u", path, uses);
      g_free (path);
      path = numbered;
    }
    g_test_add_data_func (path, &cases[i], test_case);
  }
}
