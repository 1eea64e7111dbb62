/* SPDX-License-Identifier: MIT */
#include "tests/support/golden.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "engine/graph/autograd.h"

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

static TsNode *
apply (GoldenRun *r, const char *op, const char *text, TsValue *const *in, guint n)
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

  return apply (r, op, params, in, !a ? 0 : !b ? 1 : !c ? 2 : 3)->out[0];
}

static char *
compare (const GoldenRun *r, const char *what, const TsTensor *got, TsTensor *want, const char *perm,
         double absolute, double relative)
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

/* d loss / d inputs with loss = sum (y·cotangent), and everything that the file knows */
static char *
check_run (GoldenRun *r)
{
  JsonObject *outputs = json_object_get_object_member (r->json, "outputs");
  g_auto (GStrv) in = g_strsplit (r->c->in, " ", -1), out = g_strsplit (r->c->out ? r->c->out : "y", " ", -1);
  TsValue *y[TS_NODE_OUTPUTS_MAX], *grads[MAX_VALUES] = {NULL}, *fetches[MAX_VALUES * 2];
  TsTensor *got[MAX_VALUES * 2] = {NULL}, *want[MAX_VALUES * 2] = {NULL}, *feeds[MAX_VALUES + 1];
  char *perms[MAX_VALUES * 2], *what[MAX_VALUES * 2], *problem = NULL;
  guint n_y = 0, n = 0, n_feeds;
  g_autoptr (GError) error = NULL;
  TsValue *fed[MAX_VALUES + 1];
  double a = r->c->tolerance > 0 ? r->c->tolerance : r->dtype == TS_F32 ? 1e-5 : 1e-10;

  for (guint i = 0; in[i]; i++)
    add_input (r, in[i]);
  if (r->c->build) {
    y[n_y++] = r->c->build (r);
  } else {
    TsNode *node = apply (r, r->c->op, r->c->params, r->x, r->n);
    for (; n_y < node->n_out; n_y++)
      y[n_y] = node->out[n_y];
  }
  n_feeds = r->n;
  memcpy (fed, r->x, sizeof r->x);
  memcpy (feeds, r->data, sizeof r->data);
  for (guint i = 0; out[i] && i < n_y; i++) {
    g_auto (GStrv) parts = g_strsplit (out[i], ":", 2);
    if (strcmp (parts[0], "-") == 0)
      continue;
    g_assert_true (json_object_has_member (outputs, parts[0]));
    fetches[n] = y[i];
    perms[n] = g_strdup (parts[1] ? parts[1] : "");
    what[n] = g_strdup (parts[0]);
    want[n++] = read_tensor (json_object_get_object_member (outputs, parts[0]), TS_F64);
    if (i > 0 || !ts_dtype_is_float (y[0]->dtype))
      continue;
    g_autoptr (TsTensor) raw = read_tensor (json_object_get_object_member (outputs, parts[0]), r->dtype);
    for (gint64 k = 0; k < ts_tensor_elems (raw); k++)
      ts_tensor_set (raw, k, (double) (float) sin (0.7 * (double) k + 9));
    feeds[n_feeds] = permute (raw, perms[n - 1]);
    fed[n_feeds++] = ts_graph_placeholder (r->graph, "cotangent", r->dtype, &y[0]->shape, NULL);
  }
  TsValue *loss = NULL;
  if (n_feeds > r->n) {
    TsValue *product = golden_op (r, "mul", NULL, y[0], fed[r->n], NULL);
    loss = golden_op (r, "reduce_sum", NULL, product, NULL, NULL);
  }
  TsValue *wanted[MAX_VALUES];
  guint n_wanted = 0, index[MAX_VALUES];
  for (guint i = 0; i < r->n; i++) {
    g_autofree char *name = g_strconcat ("d_", r->names[i], NULL);
    if (!loss || !json_object_has_member (outputs, name))
      continue;
    index[n_wanted] = i;
    wanted[n_wanted++] = r->x[i];
  }
  if (n_wanted && !ts_graph_gradients (r->graph, loss, wanted, n_wanted, grads, &error))
    g_error ("%s: %s", r->c->name, error->message);
  guint n_outputs = n;
  for (guint i = 0; i < n_wanted; i++) {
    what[n] = g_strconcat ("d_", r->names[index[i]], NULL);
    perms[n] = g_strdup (r->perm[index[i]]);
    g_assert_nonnull (grads[i]);
    fetches[n] = grads[i];
    want[n] = read_tensor (json_object_get_object_member (outputs, what[n]), TS_F64);
    n++;
  }
  g_autoptr (TsSession) s = ts_session_new (r->graph, 1, 1);
  ts_session_init_variables (s);
  if (!ts_session_run (s, fed, feeds, n_feeds, fetches, n, NULL, 0, TRUE, got, &error))
    g_error ("%s: %s", r->c->name, error->message);
  for (guint i = 0; i < n; i++) {
    double rel = r->dtype == TS_F32 ? (i < n_outputs ? 1e-5 : 1e-4) : 1e-9;
    if (!problem)
      problem = compare (r, what[i], got[i], want[i], perms[i], i < n_outputs ? a : 10 * a, rel);
    ts_tensor_unref (got[i]);
    ts_tensor_unref (want[i]);
    g_free (what[i]);
    g_free (perms[i]);
  }
  if (n_feeds > r->n)
    ts_tensor_unref (feeds[r->n]);
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

void
golden_add_tests (const GoldenCase *cases, guint n)
{
  static GHashTable *used; /* path -> cases so far */

  if (!used)
    used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < n; i++) {
    g_autofree char *path = g_strdup_printf ("/golden/%s/%s", cases[i].file, cases[i].name);
    guint uses = GPOINTER_TO_UINT (g_hash_table_lookup (used, path)) + 1;
    g_hash_table_insert (used, g_strdup (path), GUINT_TO_POINTER (uses));
    if (uses > 1) { /* a case that several ops answer */
      char *numbered = g_strdup_printf ("%s-%u", path, uses);
      g_free (path);
      path = numbered;
    }
    g_test_add_data_func (path, &cases[i], test_case);
  }
}
