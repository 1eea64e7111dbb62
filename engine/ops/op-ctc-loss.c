/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "engine/ops/op.h"

/* Graves et al., "Connectionist temporal classification", 2006.  The states of a label sequence of U
 * entries are blank, l1, blank, …, lU, blank.  With alpha the log-probability of having reached a state
 * at a time, and beta that of finishing from it, exp (alpha + beta - log P) is how much of the paths
 * is in that state then; softmax less these shares is the gradient.  It costs one backward sweep and is
 * taken with the loss, in double. */

static const TsParamSpec params[] = {
    {"blank", TS_PARAM_INT, .min = 0, .max = G_MAXINT32, .doc = "class that means no label"},
    {NULL},
};

typedef struct {
  gint64 times, classes, longest; /* of a row: [times, classes], labels [longest] */
  gint32 blank;
} Sizes;

static Sizes
sizes_of (const TsNode *node)
{
  const TsShape *x = &node->in[0]->shape, *t = &node->in[1]->shape;

  return (Sizes){x->dim[1], x->dim[2], t->dim[1], (gint32) node->params.v[0].i};
}

static gboolean
ctc_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *x = node->in[0], *t = node->in[1], *n = node->n_in > 2 ? node->in[2] : NULL;

  if (!ts_dtype_is_float (x->dtype) || t->dtype != TS_I32 || (n && n->dtype != TS_I32)) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                 "ctc_loss needs float logits and integer labels and lengths, not %s, %s%s%s",
                 ts_dtype_name (x->dtype), ts_dtype_name (t->dtype), n ? ", " : "",
                 n ? ts_dtype_name (n->dtype) : "");
    return FALSE;
  }
  if (x->shape.rank != 3 || t->shape.rank != 2 || t->shape.dim[0] != x->shape.dim[0] ||
      (n && (n->shape.rank != 1 || n->shape.dim[0] != x->shape.dim[0]))) {
    g_autofree char *tx = ts_shape_dup_row_text (&x->shape),
                    *tt = ts_shape_dup_row_text (&t->shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "ctc_loss: logits %s and labels %s%s: expected [times, classes], [places]%s", tx,
                 tt, n ? " and lengths" : "", n ? " and one length a row" : "");
    return FALSE;
  }
  if (node->params.v[0].i >= x->shape.dim[2]) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "ctc_loss: the blank %" G_GINT64_FORMAT " is none of %" G_GINT64_FORMAT " classes",
                 node->params.v[0].i, x->shape.dim[2]);
    return FALSE;
  }
  ts_infer_like (node, out, 0, x);
  ts_infer_like (node, out, 1, x);
  out[0].shape = TS_SHAPE (x->shape.dim[0]);
  return TRUE;
}

static TsPartition
ctc_partition (const TsNode *node)
{
  if (node->in[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  return ts_partition_whole (node);
}

static gsize
ctc_workspace (const TsNode *node)
{
  Sizes s = sizes_of (node);

  return (gsize) (2 * s.times * s.classes + 2 * s.times * (2 * s.longest + 1)) * sizeof (double);
}

/* log (exp (a) + exp (b)) */
static double
log_add (double a, double b)
{
  if (a == -INFINITY || b == -INFINITY)
    return a == -INFINITY ? b : a;
  return (a > b ? a : b) + log1p (exp (-fabs (a - b)));
}

/* One row: labels of `n` entries over `times` times. */
typedef struct {
  const gint32 *label;
  gint64 n, times, classes;
  gint32 blank;
  double *p, *log_p;    /* [times, classes] */
  double *alpha, *beta; /* [times, 2n + 1] */
} Row;

static gint32
class_of (const Row *r, gint64 state)
{
  return state % 2 ? r->label[state / 2] : r->blank;
}

/* Whether a path may go from state - 2 to @state: the blank between different labels is optional. */
static gboolean
may_skip (const Row *r, gint64 state)
{
  return state >= 2 && state % 2 && r->label[state / 2] != r->label[state / 2 - 1];
}

static void
sweep_forward (const Row *r)
{
  gint64 states = 2 * r->n + 1;

  for (gint64 t = 0; t < r->times; t++) {
    const double *before = r->alpha + (t - 1) * states, *log_p = r->log_p + t * r->classes;
    double *now = r->alpha + t * states;
    for (gint64 s = 0; s < states; s++) {
      double reach = t == 0 ? (s < 2 ? 0 : -INFINITY) : before[s];
      if (t > 0 && s > 0)
        reach = log_add (reach, before[s - 1]);
      if (t > 0 && may_skip (r, s))
        reach = log_add (reach, before[s - 2]);
      now[s] = reach + log_p[class_of (r, s)];
    }
  }
}

static void
sweep_backward (const Row *r)
{
  gint64 states = 2 * r->n + 1;

  for (gint64 t = r->times; t-- > 0;) {
    const double *after = r->beta + (t + 1) * states, *log_p = r->log_p + (t + 1) * r->classes;
    double *now = r->beta + t * states;
    for (gint64 s = 0; s < states; s++) {
      if (t == r->times - 1) {
        now[s] = s >= states - 2 ? 0 : -INFINITY;
        continue;
      }
      double rest = after[s] + log_p[class_of (r, s)];
      if (s + 1 < states)
        rest = log_add (rest, after[s + 1] + log_p[class_of (r, s + 1)]);
      if (s + 2 < states && may_skip (r, s + 2))
        rest = log_add (rest, after[s + 2] + log_p[class_of (r, s + 2)]);
      now[s] = rest;
    }
  }
}

/* The loss; p becomes the gradient. */
static double
row_loss (const Row *r)
{
  gint64 states = 2 * r->n + 1;

  if (r->times == 0)
    return r->n ? INFINITY : 0;
  sweep_forward (r);
  const double *last = r->alpha + (r->times - 1) * states;
  double log_total = states > 1 ? log_add (last[states - 1], last[states - 2]) : last[0];
  if (log_total == -INFINITY) { /* no path is short enough: there is no way downhill */
    for (gint64 i = 0; i < r->times * r->classes; i++)
      r->p[i] = 0;
    return INFINITY;
  }
  sweep_backward (r);
  for (gint64 t = 0; t < r->times; t++)
    for (gint64 s = 0; s < states; s++)
      r->p[t * r->classes + class_of (r, s)] -=
          exp (r->alpha[t * states + s] + r->beta[t * states + s] - log_total);
  return -log_total;
}

/* Labels up to the first negative one; a fault and 0 when one is no class. */
static gint64
count_labels (TsCall *call, const Sizes *s, const gint32 *label, gint64 row)
{
  gint64 n = 0;

  for (; n < s->longest && label[n] >= 0; n++)
    if (label[n] >= s->classes || label[n] == s->blank) {
      ts_call_fault (call, row, label[n], s->classes);
      return 0;
    }
  return n;
}

/* The limit of a length's fault is negative: that of a label never is. */
static gint64
check_length (TsCall *call, const Sizes *s, gint64 length, gint64 row)
{
  if (length >= 0 && length <= s->times)
    return length;
  ts_call_fault (call, row, length, -s->times - 1);
  return 0;
}

static void
ctc_forward (TsCall *call)
{
  const TsNode *node = call->node;
  Sizes s = sizes_of (node);
  gsize size = ts_dtype_size (call->dtype), cells = (gsize) (s.times * s.classes);
  gint64 rows =
      node->in[0]->kind == TS_VALUE_ROWS ? call->end - call->begin : node->in[0]->shape.dim[0];
  const gint32 *labels = call->in[1], *lengths = node->n_in > 2 ? call->in[2] : NULL;

  for (gint64 i = 0; i < rows; i++) {
    Row r = {.label = labels + i * s.longest, .classes = s.classes, .blank = s.blank};
    r.log_p = call->workspace;
    r.p = r.log_p + cells;
    r.alpha = r.p + cells;
    r.beta = r.alpha + s.times * (2 * s.longest + 1);
    r.n = count_labels (call, &s, r.label, call->begin + i);
    r.times = lengths ? check_length (call, &s, lengths[i], call->begin + i) : s.times;
    call->k->convert[TS_F64](call->dtype, (const char *) call->in[0] + (gsize) i * cells * size,
                             r.log_p, cells, 1);
    for (gint64 t = 0; t < s.times; t++) {
      double *line = r.log_p + t * s.classes, *p = r.p + t * s.classes;
      double all = call->k->softmax[TS_F64](line, p, (gsize) s.classes);
      for (gint64 c = 0; c < s.classes; c++) {
        line[c] -= all;
        p[c] = t < r.times ? p[c] : 0;
      }
    }
    call->k->fill[call->dtype](row_loss (&r), (char *) call->out[0] + (gsize) i * size, 1);
    call->k->convert[call->dtype](TS_F64, r.p, (char *) call->out[1] + (gsize) i * cells * size,
                                  cells, 1);
  }
}

static char *
ctc_fault_text (const TsNode *node, const TsFault *f)
{
  if (f->limit < 0)
    return g_strdup_printf ("length %" G_GINT64_FORMAT " of row %" G_GINT64_FORMAT
                            " is outside [0, %" G_GINT64_FORMAT "]",
                            f->value, f->position, -f->limit - 1);
  return g_strdup_printf ("label %" G_GINT64_FORMAT " in row %" G_GINT64_FORMAT
                          " is outside [0, %" G_GINT64_FORMAT ") or the blank",
                          f->value, f->position, f->limit);
}

static void
ctc_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
              TsValue **grad_in)
{
  TsValue *in[] = {node->out[1], grad_out[0]};

  if (want[0] && grad_out[0])
    grad_in[0] = e->emit (e, "ctc_loss_grad", in, 2, NULL)->out[0];
}

static gboolean
grad_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static void
grad_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  gsize n = (gsize) ts_shape_row_elems (&x->shape), size = ts_dtype_size (call->dtype);
  gint64 rows = x->kind == TS_VALUE_ROWS ? call->end - call->begin : x->shape.dim[0];

  for (gint64 r = 0; r < rows; r++) {
    double dl;
    call->k->convert[TS_F64](call->dtype, (const char *) call->in[1] + (gsize) r * size, &dl, 1, 1);
    call->k->scale[call->dtype]((const char *) call->in[0] + (gsize) r * n * size, dl,
                                (char *) call->out[0] + (gsize) r * n * size, n);
  }
}

static const TsOpClass ctc_loss_grad = {
    .name = "ctc_loss_grad",
    .formula = "dlogits = (gradient kept by ctc_loss)·dloss",
    .category = "loss",
    .doc = "Gradient of ctc_loss.",
    .in_names = "gradient, dloss",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_INTERNAL,
    .inplace = 0,
    .infer = grad_infer,
    .partition = ctc_partition,
    .forward = grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 5 4", "labels 2 3"}, .params = "blank=3", .low = -2, .high = 2},
    {.in = {"f 2 6 4", "int 2 1 3", "int 2 7"}, .params = "blank=3", .low = -2, .high = 2},
};

const TsOpClass ts_op_ctc_loss = {
    .name = "ctc_loss",
    .formula = "loss = -log (sum over all paths that read as the labels of the product of softmax)",
    .category = "loss",
    .doc = "Connectionist temporal classification of each row's logits [times, classes] by labels "
           "that "
           "end at the first negative one; lengths say how many times count.  A row without any "
           "path has loss infinity and gradient 0.  The second output is the gradient.",
    .in_names = "logits, labels, lengths?",
    .min_in = 2,
    .max_in = 3,
    .params = params,
    .flags = TS_OP_LOGITS,
    .less_is_better = TRUE,
    .inplace = -1,
    .no_gradient = 1 << 1,
    .infer = ctc_infer,
    .partition = ctc_partition,
    .workspace = ctc_workspace,
    .forward = ctc_forward,
    .backward = ctc_backward,
    .fault_text = ctc_fault_text,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&ctc_loss_grad, NULL},
};
