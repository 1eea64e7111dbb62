/* SPDX-License-Identifier: MIT */
#include "tests/support/opcheck.h"

#include <math.h>
#include <string.h>

#include "engine/graph/autograd.h"
#include "engine/graph/session.h"

#define BATCH  37 /* several slots, the last one short; several runs at 3 threads */
#define INPUTS 8

typedef struct {
  const TsOpClass *op;
  const TsOpExample *example;
  TsDtype dtype;
  gboolean as_variables; /* inputs without batch are variables instead of placeholders */
  TsGraph *graph;
  guint n;
  TsValue *x[INPUTS];
  TsTensor *data[INPUTS];
  TsNode *node;
  TsValue *cotangent[TS_NODE_OUTPUTS_MAX], *loss,
      *grad[INPUTS]; /* one for each output with gradient */
  TsTensor *c[TS_NODE_OUTPUTS_MAX];
} Case;

static TsTensor *
sample (const Case *t, const TsValue *v, gint64 below, guint which)
{
  TsShape shape = v->shape;
  if (v->kind == TS_VALUE_ROWS)
    shape.dim[0] = BATCH;
  TsTensor *x = ts_tensor_new (v->dtype, &shape);
  TsRng rng = {11, ts_rng_stream (t->op->name, which)};

  for (gint64 i = 0; i < ts_tensor_elems (x); i++) {
    double u = (double) ts_rng_uniform (rng, (guint64) i);
    double value = t->example->low + u * (t->example->high - t->example->low);
    double off = value - t->example->avoid;
    if (below)
      value = floor (u * (double) below);
    else if (fabs (off) < t->example->gap)
      value = t->example->avoid + (off < 0 ? -1 : 1) * (t->example->gap + fabs (off));
    ts_tensor_set (x, i, value);
  }
  return x;
}

/* "rows 7 3", "f 5 6", "labels 10", "int 4 10", "flags 5", "bool 3 5" */
static void
add_input (Case *t, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  gboolean integer = words[0][0] == 'l' || words[0][0] == 'i';
  gboolean flags = strcmp (words[0], "flags") == 0, boolean = flags || words[0][0] == 'b';
  gboolean rows = words[0][0] == 'r' || words[0][0] == 'l' || flags;
  guint n = g_strv_length (words) - 1 - (integer ? 1 : 0);
  TsShape shape = {.rank = 0};
  g_autofree char *name = g_strdup_printf ("in%u", t->n);
  TsDtype dtype = integer ? TS_I32 : boolean ? TS_BOOL : t->dtype;

  if (rows)
    shape.dim[shape.rank++] = TS_ANY;
  for (guint i = 0; i < n; i++)
    shape.dim[shape.rank++] = atoi (words[1 + i]);
  TsValue *v = t->as_variables && !rows && !integer && !boolean
                   ? ts_graph_variable (t->graph, name, dtype, &shape, "zeros", 0, TRUE, NULL)
                   : ts_graph_placeholder (t->graph, name, dtype, &shape, NULL);
  g_assert (v);
  t->x[t->n] = v;
  t->data[t->n] = sample (t, v, integer ? atoi (words[1 + n]) : boolean ? 2 : 0, t->n);
  t->n++;
}

static void
set_params (TsParams *p, const TsOpClass *op, const char *text)
{
  g_autoptr (GError) error = NULL;

  ts_params_init (p, op->params);
  if (!ts_params_parse_all (p, text, &error))
    g_error ("%s: %s", op->name, error->message);
}

static gboolean
has_float_input (const Case *t)
{
  for (guint i = 0; i < t->n; i++)
    if (ts_dtype_is_float (t->x[i]->dtype))
      return TRUE;
  return FALSE;
}

/* Adds sum (output @i of @node · cotangent) to the loss. */
static void
add_output (Case *t, const TsNode *node, guint i)
{
  static const TsOpExample wide = {.low = -1, .high = 1};
  TsValue *y = node->out[i];

  if (y->dtype != t->dtype || (t->op->no_gradient >> i & 1))
    return; /* a count, an index, something to look at */
  if (!t->cotangent[i]) {
    g_autofree char *name = g_strdup_printf ("cotangent%u", i);
    Case away = *t;
    away.example = &wide;
    t->cotangent[i] = ts_graph_placeholder (t->graph, name, t->dtype, &y->shape, NULL);
    t->c[i] = sample (&away, t->cotangent[i], 0, 99 + i);
  }
  TsValue *both[] = {y, t->cotangent[i]};
  TsValue *product = ts_graph_add (t->graph, "mul", NULL, both, 2, NULL, NULL)->out[0];
  TsValue *sum = ts_graph_add (t->graph, "reduce_sum", NULL, &product, 1, NULL, NULL)->out[0];
  TsValue *sums[] = {t->loss, sum};
  t->loss = t->loss ? ts_graph_add (t->graph, "add", NULL, sums, 2, NULL, NULL)->out[0] : sum;
}

static Case *
case_new (const TsOpClass *op, const TsOpExample *example, TsDtype dtype, gboolean as_variables,
          guint uses)
{
  Case *t = g_new0 (Case, 1);
  TsParams params;
  g_autoptr (GError) error = NULL;

  t->op = op;
  t->example = example;
  t->dtype = dtype;
  t->as_variables = as_variables;
  t->graph = ts_graph_new ();
  for (guint i = 0; i < INPUTS && example->in[i]; i++)
    add_input (t, example->in[i]);
  set_params (&params, op, example->params);
  for (guint use = 0; use < uses; use++) {
    TsNode *node = ts_graph_add (t->graph, op->name, "op", t->x, t->n, &params, &error);
    if (!node)
      g_error ("%s: its own example is refused: %s", op->name, error->message);
    if (use == 0)
      t->node = node;
    for (guint i = 0; op->backward && has_float_input (t) && i < node->n_out; i++)
      add_output (t, node, i);
  }
  if (t->loss && !ts_graph_gradients (t->graph, t->loss, t->x, t->n, t->grad, &error))
    g_error ("%s: %s", op->name, error->message);
  return t;
}

static void
case_free (Case *t)
{
  for (guint i = 0; i < t->n; i++)
    ts_tensor_unref (t->data[i]);
  for (guint i = 0; i < TS_NODE_OUTPUTS_MAX; i++)
    g_clear_pointer (&t->c[i], ts_tensor_unref);
  ts_graph_unref (t->graph);
  g_free (t);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Case, case_free)

static gboolean
try_run (Case *t, TsSession *s, TsValue *const *fetches, guint n, gboolean training, TsTensor **out,
         GError **error)
{
  TsValue *feeds[INPUTS + TS_NODE_OUTPUTS_MAX];
  TsTensor *tensors[INPUTS + TS_NODE_OUTPUTS_MAX];
  guint n_feeds = 0;

  for (guint i = 0; i < t->n; i++) {
    if (t->x[i]->kind == TS_VALUE_STATE) {
      ts_session_set_variable (s, t->x[i], t->data[i]->data);
      continue;
    }
    feeds[n_feeds] = t->x[i];
    tensors[n_feeds++] = t->data[i];
  }
  for (guint i = 0; i < TS_NODE_OUTPUTS_MAX; i++)
    if (t->cotangent[i]) {
      feeds[n_feeds] = t->cotangent[i];
      tensors[n_feeds++] = t->c[i];
    }
  return ts_session_run (s, feeds, tensors, n_feeds, fetches, n, NULL, 0, training, out, error);
}

static void
run (Case *t, TsSession *s, TsValue *const *fetches, guint n, gboolean training, TsTensor **out)
{
  g_autoptr (GError) error = NULL;

  if (!try_run (t, s, fetches, n, training, out, &error))
    g_error ("%s: %s", t->op->name, error->message);
}

static TsSession *
session (Case *t, guint threads)
{
  TsSession *s = ts_session_new (t->graph, 3, threads);

  ts_session_init_variables (s);
  return s;
}

static double
loss_at (Case *t, TsSession *s)
{
  TsTensor *out = NULL;

  run (t, s, &t->loss, 1, TRUE, &out);
  double loss = ts_tensor_get (out, 0);
  ts_tensor_unref (out);
  return loss;
}

static char *
check_gradients (const TsOpClass *op, const TsOpExample *example, gboolean as_variables)
{
  g_autoptr (Case) t = case_new (op, example, TS_F64, as_variables, 1);
  g_autoptr (TsSession) s = session (t, 1);
  double tolerance = example->tolerance > 0 ? example->tolerance : 1e-6;

  for (guint i = 0; i < t->n; i++) {
    if (!t->grad[i])
      continue;
    TsTensor *fetched = NULL;
    run (t, s, &t->grad[i], 1, TRUE, &fetched);
    g_autoptr (TsTensor) g = fetched;
    if (!ts_shape_compatible (&g->shape, &t->x[i]->shape))
      return g_strdup_printf ("gradient %u has another shape than the input", i);
    for (gint64 k = 0; k < ts_tensor_elems (g); k++) {
      double x = ts_tensor_get (t->data[i], k), h = 1e-6 * MAX (1, fabs (x));
      ts_tensor_set (t->data[i], k, x + h);
      double up = loss_at (t, s);
      ts_tensor_set (t->data[i], k, x - h);
      double down = loss_at (t, s);
      ts_tensor_set (t->data[i], k, x);
      double want = (up - down) / (2 * h), got = ts_tensor_get (g, k);
      if (!(fabs (want - got) <= tolerance * MAX (1, MAX (fabs (want), fabs (got)))))
        return g_strdup_printf ("d loss / d input %u [%" G_GINT64_FORMAT "] is %.9g by differences "
                                "but %.9g by the op",
                                i, k, want, got);
    }
  }
  return NULL;
}

/* An input used twice gets the sum: here exactly twice the gradient, for both uses are alike. */
static char *
check_accumulation (const TsOpClass *op, const TsOpExample *example)
{
  g_autoptr (Case) once = case_new (op, example, TS_F64, FALSE, 1);
  g_autoptr (Case) twice = case_new (op, example, TS_F64, FALSE, 2);
  g_autoptr (TsSession) s1 = session (once, 1), s2 = session (twice, 1);

  if (strcmp (op->category, "regularisation") == 0)
    return NULL; /* each use draws its own mask */
  for (guint i = 0; i < once->n; i++) {
    TsTensor *a = NULL, *b = NULL;
    if (!once->grad[i])
      continue;
    run (once, s1, &once->grad[i], 1, TRUE, &a);
    run (twice, s2, &twice->grad[i], 1, TRUE, &b);
    double worst = 0;
    for (gint64 k = 0; k < ts_tensor_elems (a); k++)
      worst = MAX (worst, fabs (2 * ts_tensor_get (a, k) - ts_tensor_get (b, k)));
    ts_tensor_unref (a);
    ts_tensor_unref (b);
    if (!(worst < 1e-12))
      return g_strdup_printf ("two uses do not add up for input %u: off by %g", i, worst);
  }
  return NULL;
}

/* Bits: again, at 3 threads, and with every value of the graph fetched. */
static char *
check_bits (const TsOpClass *op, const TsOpExample *example, TsDtype dtype)
{
  g_autoptr (Case) t = case_new (op, example, dtype, FALSE, 1);
  TsValue *fetches[TS_NODE_OUTPUTS_MAX + INPUTS], **all;
  TsTensor *want[TS_NODE_OUTPUTS_MAX + INPUTS] = {NULL},
                                       *got[TS_NODE_OUTPUTS_MAX + INPUTS] = {NULL};
  guint n = 0, n_all = 0;
  char *problem = NULL;

  for (guint i = 0; i < t->node->n_out; i++)
    fetches[n++] = t->node->out[i];
  for (guint i = 0; i < t->n; i++)
    if (t->grad[i])
      fetches[n++] = t->grad[i];
  for (guint attempt = 0; attempt < 4 && !problem; attempt++) {
    g_autoptr (TsSession) s = session (t, attempt == 2 ? 3 : 1);
    if (attempt == 3) {
      all = g_new (TsValue *, ts_graph_get_n_values (t->graph));
      for (guint i = 0; i < ts_graph_get_n_values (t->graph); i++)
        all[n_all++] = ts_graph_get_value (t->graph, i);
      TsTensor **everything = g_new0 (TsTensor *, n_all);
      run (t, s, all, n_all, TRUE, everything);
      for (guint i = 0; i < n; i++)
        got[i] = ts_tensor_ref (everything[fetches[i]->id]);
      for (guint i = 0; i < n_all; i++)
        ts_tensor_unref (everything[i]);
      g_free (everything);
      g_free (all);
    } else {
      run (t, s, fetches, n, TRUE, attempt ? got : want);
    }
    for (guint i = 0; attempt && i < n; i++) {
      if (!problem && memcmp (want[i]->data, got[i]->data, want[i]->bytes) != 0)
        problem = g_strdup_printf ("the bits of fetch %u changed: %s (%s)", i,
                                   attempt == 1   ? "second run"
                                   : attempt == 2 ? "3 threads"
                                                  : "everything fetched",
                                   ts_dtype_name (dtype));
      ts_tensor_unref (got[i]);
    }
  }
  for (guint i = 0; i < n; i++)
    ts_tensor_unref (want[i]);
  return problem;
}

static char *
check_nan (const TsOpClass *op, const TsOpExample *example)
{
  g_autoptr (Case) t = case_new (op, example, TS_F32, FALSE, 1);
  g_autoptr (TsSession) s = session (t, 1);
  gboolean nan = FALSE;
  TsTensor *y = NULL;

  if (strcmp (op->category, "metric") == 0 || (op->flags & TS_OP_UNREAD))
    return NULL; /* counts (and says what a NaN counts as), or does not look */
  guint first = 0;
  while (first < t->n && !ts_dtype_is_float (t->x[first]->dtype))
    first++;
  if (first == t->n || !ts_dtype_is_float (t->node->out[0]->dtype))
    return NULL; /* integers only, or it tells what it found by a boolean */
  for (gint64 i = 0; i < ts_tensor_elems (t->data[first]); i++) /* all: an op may choose */
    ts_tensor_set (t->data[first], i, NAN);
  if (!try_run (t, s, &t->node->out[0], 1, FALSE, &y, NULL))
    return op->fault_text ? NULL : g_strdup ("a NaN is a fault, but the op has no words for it");
  for (gint64 i = 0; i < ts_tensor_elems (y); i++)
    nan |= isnan (ts_tensor_get (y, i));
  ts_tensor_unref (y);
  return nan ? NULL : g_strdup ("NaN in the first float input does not reach the output");
}

/* Broadcasts with (2, 3, 1237)? */
static gboolean
stretches (const TsShape *s)
{
  static const gint64 odd[] = {1237, 3, 2};

  for (guint i = 0; i < MIN (s->rank, 3); i++)
    if (s->dim[s->rank - 1 - i] != 1 && s->dim[s->rank - 1 - i] != odd[i])
      return FALSE;
  return TRUE;
}

static char *
check_refusals (const TsOpClass *op, const TsOpExample *example)
{
  g_autoptr (Case) t = case_new (op, example, TS_F32, FALSE, 1);
  TsValue *in[INPUTS + 2];
  TsParams params = t->node->params;

  for (guint i = 0; i < INPUTS + 2; i++)
    in[i] = t->x[0];
  for (guint wrong = 0; wrong < 2; wrong++) {
    guint n = wrong ? op->max_in + 1 : op->min_in - 1;
    g_autoptr (GError) error = NULL;
    if (n > INPUTS + 1)
      continue;
    if (ts_graph_add (t->graph, op->name, NULL, in, n, &params, &error) ||
        !strstr (error->message, op->name))
      return g_strdup_printf ("%u inputs are accepted", n);
  }
  if (t->n < 2 || (op->flags & TS_OP_INDICES) ||
      ((op->flags & TS_OP_BROADCAST) && stretches (&t->x[0]->shape)))
    return NULL;
  g_autoptr (GError) error = NULL;
  TsValue *odd =
      ts_graph_placeholder (t->graph, "odd", t->x[1]->dtype, &TS_SHAPE (2, 3, 1237), NULL);
  memcpy (in, t->x, t->n * sizeof (TsValue *));
  in[1] = odd;
  if (ts_graph_add (t->graph, op->name, NULL, in, t->n, &params, &error))
    return g_strdup ("a second input of shape (2, 3, 1237) is accepted");
  if (!strstr (error->message, op->name) || !strstr (error->message, "1237"))
    return g_strdup_printf ("the refusal names neither op nor shape: %s", error->message);
  return NULL;
}

char *
ts_opcheck_run (const TsOpClass *op, const TsOpExample *example)
{
  char *problem = NULL;

  if (op->backward) {
    problem = check_gradients (op, example, FALSE);
    if (!problem)
      problem = check_gradients (op, example, TRUE);
    if (!problem)
      problem = check_accumulation (op, example);
  }
  if (!problem)
    problem = check_bits (op, example, TS_F32);
  if (!problem)
    problem = check_bits (op, example, TS_F64);
  if (!problem)
    problem = check_nan (op, example);
  if (!problem)
    problem = check_refusals (op, example);
  return problem;
}
