/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ops/op.h"

/* TensorFlow's Print: an identity that says what passes.  It counts its own lines in a variable, its
 * second input, so that a resumed training goes on where it was.  It must see the value whole: what is
 * printed may not depend on how the rows are shared out. */

#define LINE_MAX_BYTES 4096

static const TsParamSpec params[] = {
    {"message", TS_PARAM_STRING, .text = "", .doc = "what is said before the numbers"},
    {"first_n", TS_PARAM_INT, .number = -1, .min = -1, .max = 1e15,
     .doc = "print so many times only; -1: always"},
    {"summarize", TS_PARAM_INT, .number = 3, .min = -1, .max = 1e15,
     .doc = "how many elements are shown; -1: as many as fit into a line"},
    {NULL},
};

static gboolean
print_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *count = node->in[1];

  if (count->kind != TS_VALUE_STATE || count->dtype != TS_F64 || count->shape.rank != 0) {
    g_autofree char *text = ts_shape_dup_text (&count->shape);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
                 "print: its counter '%s' must be an f64 variable of shape (), not %s %s",
                 count->node->name, ts_dtype_name (count->dtype), text);
    return FALSE;
  }
  ts_infer_like (node, out, 0, node->in[0]);
  return TRUE;
}

static void
append_number (char *line, gsize *at, TsDtype dtype, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (dtype == TS_BOOL)
    g_strlcpy (text, value != 0 ? "true" : "false", sizeof text);
  else
    g_ascii_formatd (text, sizeof text, dtype == TS_F64 ? "%.12g" : "%.6g", value);
  *at += g_strlcpy (line + *at, text, LINE_MAX_BYTES - *at);
}

static void
print_line (const TsCall *call, gint64 elems)
{
  const TsNode *node = call->node;
  const char *message = node->params.v[0].s;
  gint64 show = node->params.v[2].i < 0 ? elems : MIN (node->params.v[2].i, elems), i = 0;
  char line[LINE_MAX_BYTES];
  gsize at;

  g_strlcpy (line, message ? message : "", LINE_MAX_BYTES / 2);
  at = strlen (line);
  line[at++] = '[';
  for (; i < show && at < LINE_MAX_BYTES - 64; i++) {
    if (i > 0)
      line[at++] = ' ';
    append_number (line, &at, node->in[0]->dtype,
                   ts_dtype_get (node->in[0]->dtype, call->in[0], i));
  }
  g_strlcpy (line + at, i < elems ? "...]" : "]", LINE_MAX_BYTES - at);
  call->say (call->say_data, node, line);
}

static void
print_forward (TsCall *call)
{
  const TsValue *x = call->node->in[0];
  double *count = (double *) call->in[1];
  gint64 first_n = call->node->params.v[1].i;
  gint64 elems = x->kind == TS_VALUE_ROWS ? call->batch * ts_shape_row_elems (&x->shape)
                                          : ts_shape_elems (&x->shape);

  if (first_n < 0 || *count < (double) first_n)
    print_line (call, elems);
  *count += 1;
  memcpy (call->out[0], call->in[0], (gsize) elems * ts_dtype_size (x->dtype));
}

static void
print_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                TsValue **grad_in)
{
  if (want[0])
    grad_in[0] = grad_out[0];
}

const TsOpClass ts_op_print = {
    .name = "print",
    .formula = "y = x, and says \"message[x0 x1 x2...]\"",
    .category = "debug",
    .doc = "Passes a value on and prints its first elements.",
    .in_names = "x, counter",
    .min_in = 2,
    .max_in = 2,
    .params = params,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL | TS_OP_SAYS,
    .inplace = -1,
    .updates = 2,
    .infer = print_infer,
    .partition = ts_partition_whole,
    .forward = print_forward,
    .backward = print_backward,
};
