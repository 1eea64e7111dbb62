/* SPDX-License-Identifier: MIT */
#include "engine/ops/labels.h"
#include "engine/ops/op.h"

static const TsParamSpec params[] = {
    {"label_smoothing", TS_PARAM_FLOAT, .min = 0, .max = 1,
     .doc = "share of the target that is spread evenly over all classes"},
    {"ignore_index", TS_PARAM_INT, .min = G_MININT32, .max = G_MAXINT32,
     .doc = "lines with this label have loss 0 and weight 0; not set: every line counts"},
    {NULL},
};

static gboolean
xent_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *x = node->in[0], *w = node->n_in > 2 ? node->in[2] : NULL;

  if (!ts_infer_scores_labels (node, error))
    return FALSE;
  gint64 classes = x->shape.dim[x->shape.rank - 1];
  if (w && (w->dtype != x->dtype || w->shape.rank != 1 || w->shape.dim[0] != classes)) {
    g_autofree char *text = ts_shape_dup_row_text (&w->shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "softmax_xent: the class weights are %s %s; they must be one %s for each of "
                 "%" G_GINT64_FORMAT " classes",
                 ts_dtype_name (w->dtype), text, ts_dtype_name (x->dtype), classes);
    return FALSE;
  }
  for (guint i = 0; i < 3; i++) {
    ts_infer_like (node, out, i, x);
    if (i != 1)
      out[i].shape = node->in[1]->shape;
  }
  return TRUE;
}

static TsPartition
xent_partition (const TsNode *node)
{
  if (node->in[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  return ts_partition_whole (node);
}

typedef struct {
  double smoothing;
  gboolean ignores;
  gint64 ignored;
  const void *weights; /* by class, or NULL */
} Terms;

static Terms
terms_of (const TsCall *call, guint weights_input)
{
  const TsParams *p = &call->node->params;

  return (Terms){.smoothing = p->v[0].f,
                 .ignores = (p->set >> 1 & 1) != 0,
                 .ignored = p->v[1].i,
                 .weights = call->node->n_in > weights_input ? call->in[weights_input] : NULL};
}

static double
element (TsDtype dtype, const void *x, gint64 i)
{
  return dtype == TS_F32 ? (double) ((const float *) x)[i] : ((const double *) x)[i];
}

static void
xent_forward (TsCall *call)
{
  gsize n, size = ts_dtype_size (call->dtype);
  gint64 lines = ts_call_lines (call, &n);
  const gint32 *label = call->in[1];
  Terms t = terms_of (call, 2);

  for (gint64 i = 0; i < lines; i++) {
    const char *x = (const char *) call->in[0] + i * n * size;
    double loss = call->k->softmax[call->dtype](x, (char *) call->out[1] + i * n * size, n);
    double weight = 1;
    if (t.ignores && label[i] == t.ignored) {
      loss = weight = 0;
    } else if (label[i] < 0 || label[i] >= (gint64) n) {
      ts_call_fault (call, call->begin + i, label[i], (gint64) n);
      loss = 0;
    } else if (t.smoothing == 0 && !t.weights) {
      loss -= element (call->dtype, x, label[i]);
    } else {
      loss =
          call->k->smooth_xent[call->dtype](x, loss, (gsize) label[i], t.smoothing, t.weights, n);
      weight = t.weights ? element (call->dtype, t.weights, label[i]) : 1;
    }
    call->k->fill[call->dtype](loss, (char *) call->out[0] + i * size, 1);
    call->k->fill[call->dtype](weight, (char *) call->out[2] + i * size, 1);
  }
}

static void
xent_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
               TsValue **grad_in)
{
  if (want[0] && grad_out[0]) {
    TsValue *in[] = {node->out[1], node->in[1], grad_out[0], node->n_in > 2 ? node->in[2] : NULL};
    grad_in[0] =
        e->emit (e, "softmax_xent_grad", in, node->n_in > 2 ? 4 : 3, &node->params)->out[0];
  }
}

static double
xent_flops (const TsNode *node, gint64 batch)
{
  const TsShape *x = &node->in[0]->shape;

  return 5.0 * (x->dim[0] == TS_ANY ? (double) batch * ts_shape_row_elems (x)
                                    : (double) ts_shape_elems (x));
}

static gboolean
xent_grad_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static void
xent_grad_forward (TsCall *call)
{
  gsize n, size = ts_dtype_size (call->dtype);
  gint64 lines = ts_call_lines (call, &n);
  const gint32 *label = call->in[1];
  Terms t = terms_of (call, 3);

  for (gint64 i = 0; i < lines; i++) {
    const char *p = (const char *) call->in[0] + i * n * size;
    char *dx = (char *) call->out[0] + i * n * size;
    gboolean valid =
        label[i] >= 0 && label[i] < (gint64) n && !(t.ignores && label[i] == t.ignored);
    double dl = element (call->dtype, call->in[2], i);
    if (!valid) {
      call->k->fill[call->dtype](0, dx, n);
    } else if (t.smoothing > 0 || t.weights) {
      call->k->smooth_xent_grad[call->dtype](p, (gsize) label[i], t.smoothing, t.weights, dl, dx,
                                             n);
    } else {
      double hit = element (call->dtype, p, label[i]);
      call->k->scale[call->dtype](p, dl, dx, n);
      call->k->fill[call->dtype]((hit - 1) * dl, dx + (gsize) label[i] * size, 1);
    }
  }
}

static const TsOpClass softmax_xent_grad = {
    .name = "softmax_xent_grad",
    .formula = "dlogits = (softmax (logits)·(sum of targets) - targets)·dloss",
    .category = "loss",
    .doc = "Gradient of softmax_xent; a line with a bad label has none.",
    .in_names = "probabilities, labels, dloss, class_weights?",
    .min_in = 3,
    .max_in = 4,
    .params = params,
    .flags = TS_OP_INTERNAL,
    .inplace = 0,
    .infer = xent_grad_infer,
    .partition = xent_partition,
    .forward = xent_grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"rows 7", "labels 7"}, .low = -3, .high = 3},
    {.in = {"f 4 5", "int 4 5"}, .low = -3, .high = 3},
    {.in = {"rows 5", "labels 5"},
     .params = "label_smoothing=0.1, ignore_index=4",
     .low = -3,
     .high = 3},
    {.in = {"f 4 5", "int 4 5"}, .params = "ignore_index=1", .low = -3, .high = 3},
};

const TsOpClass ts_op_softmax_xent = {
    .name = "softmax_xent",
    .formula = "loss = sum over classes of target·weight·(log (sum of exp (logits)) - logits)",
    .category = "loss",
    .doc =
        "Cross-entropy of each line of logits with its class number; the further outputs are the "
        "probabilities and the weight that the line's class has.",
    .in_names = "logits, labels, class_weights?",
    .min_in = 2,
    .max_in = 3,
    .params = params,
    .flags = TS_OP_LOGITS,
    .less_is_better = TRUE,
    .inplace = -1,
    .no_gradient = 1 << 1,
    .infer = xent_infer,
    .partition = xent_partition,
    .forward = xent_forward,
    .backward = xent_backward,
    .flops = xent_flops,
    .fault_text = ts_label_fault_text,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&softmax_xent_grad, NULL},
};
