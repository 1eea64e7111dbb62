/* SPDX-License-Identifier: MIT */
#include "engine/ops/op.h"

#include <math.h>
#include <string.h>

static const TsParamSpec params[] = {
    {"message", TS_PARAM_STRING, .text = "", .doc = "said when it happens"},
    {NULL},
};

static gboolean
check_infer (TsNode *node, TsValue *out, GError **error)
{
  if (!ts_infer_floats (node, error))
    return FALSE;
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

/* Elements before @call's range. */
static gint64
first_element (const TsCall *call)
{
  const TsShape *s = &call->node->out[0]->shape;
  gint64 extent, unit;

  if (call->node->out[0]->kind == TS_VALUE_ROWS)
    return call->begin * ts_shape_row_elems (s);
  ts_value_units (call->node->out[0], &extent, &unit);
  return call->begin * unit;
}

enum { IS_NAN, IS_INFINITE, IS_MINUS_INFINITE };

static void
check_forward (TsCall *call)
{
  gsize n = ts_call_elems (call), at = call->k->first_nonfinite[call->dtype](call->in[0], n);

  if (call->out[0] != call->in[0])
    memcpy (call->out[0], call->in[0], n * ts_dtype_size (call->dtype));
  if (at == n)
    return;
  double value = ts_dtype_get (call->dtype, call->in[0], (gint64) at);
  ts_call_fault (call, first_element (call) + (gint64) at,
                 isnan (value) ? IS_NAN
                 : value > 0   ? IS_INFINITE
                               : IS_MINUS_INFINITE,
                 0);
}

static void
check_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                TsValue **grad_in)
{
  if (want[0])
    grad_in[0] = grad_out[0];
}

static char *
check_fault_text (const TsNode *node, const TsFault *fault)
{
  static const char *const words[] = {"NaN", "infinite", "-infinite"};
  const char *message = ts_params_text (&node->params, "message");

  return g_strdup_printf ("element %" G_GINT64_FORMAT " of '%s' is %s%s%s", fault->position,
                          node->in[0]->node->name, words[fault->value], *message ? ": " : "",
                          message);
}

static const TsOpExample examples[] = {
    {.in = {"rows 7"}, .low = -4, .high = 4},
    {.in = {"f 5 6"}, .params = "message=here", .low = -4, .high = 4},
};

const TsOpClass ts_op_check_numerics = {
    .name = "check_numerics",
    .formula = "y = x",
    .category = "element-wise",
    .doc = "Passes everything on; the run stops when an element is NaN or infinite.",
    .in_names = "x",
    .min_in = 1,
    .max_in = 1,
    .params = params,
    .inplace = 0,
    .infer = check_infer,
    .forward = check_forward,
    .backward = check_backward,
    .fault_text = check_fault_text,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
