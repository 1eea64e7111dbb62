/* SPDX-License-Identifier: MIT */
#include "engine/ops/random.h"

#include <string.h>

/* Srivastava et al., "Dropout", JMLR 2014, in the inverted form: scaled while training, untouched
 * otherwise.  The mask is not kept: its gradient draws the same numbers again, from the stream that
 * the forward node passes on. */

static const TsParamSpec params[] = {
    {"rate", TS_PARAM_FLOAT, .required = TRUE, .min = 0, .max = 1, .max_open = TRUE,
     .doc = "share of elements set to 0"},
    {"_stream", TS_PARAM_STRING,
     .doc = "name whose random numbers are used; empty: the node's own"},
    {NULL},
};

static gboolean
dropout_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_floats (node, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static void
dropout_forward (TsCall *call)
{
  const TsNode *node = call->node;
  const char *stream = ts_params_text (&node->params, "_stream");
  double rate = ts_params_float (&node->params, "rate");
  gsize n = ts_call_elems (call);
  guint64 first;

  if (!call->training || rate == 0) {
    if (call->out[0] != call->in[0])
      memcpy (call->out[0], call->in[0], n * ts_dtype_size (call->dtype));
    return;
  }
  TsRng rng = ts_call_draw (call, stream, &first);
  call->k->dropout[call->dtype](call->in[0], call->out[0], n, rng, first, 1 - rate);
}

static void
dropout_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                  TsValue **grad_in)
{
  TsParams p = node->params;

  if (!want[0])
    return;
  if (!ts_params_text (&p, "_stream"))
    ts_params_set_text (&p, "_stream", node->name, NULL);
  grad_in[0] = e->emit (e, "dropout", &grad_out[0], 1, &p)->out[0];
}

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .params = "rate=0.4", .low = -2, .high = 2},
    {.in = {"f 9 11"}, .params = "rate=0.25", .low = -2, .high = 2},
};

const TsOpClass ts_op_dropout = {
    .name = "dropout",
    .formula = "y = uniform < 1 - rate ? x / (1 - rate) : 0",
    .category = "regularisation",
    .doc =
        "While training sets a share of the elements to 0 and scales the others up; else passes x.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = 0,
    .infer = dropout_infer,
    .forward = dropout_forward,
    .backward = dropout_backward,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
