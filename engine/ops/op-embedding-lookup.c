/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ops/op.h"

/* Lines of a table by their numbers.  The gradient adds into the lines in the order of the batch, cut by
 * lines of the table: no two threads meet, and the order is always the same. */

static gboolean
embedding_infer (TsNode *node, TsValue *out, GError **error)
{
  const TsValue *ids = node->in[0], *table = node->in[1];

  if (ids->dtype != TS_I32 || !ts_dtype_is_float (table->dtype)) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_DTYPE,
                 "embedding_lookup needs integers and a table of floats, not %s and %s",
                 ts_dtype_name (ids->dtype), ts_dtype_name (table->dtype));
    return FALSE;
  }
  if (table->shape.rank != 2 || table->kind == TS_VALUE_ROWS || ids->shape.rank >= TS_SHAPE_MAX) {
    g_autofree char *ti = ts_shape_dup_text (&ids->shape), *tt = ts_shape_dup_text (&table->shape);
    g_set_error (
        error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_SHAPE,
        "embedding_lookup: the table is %s and the numbers are %s; the table must be [entries, "
        "width]",
        tt, ti);
    return FALSE;
  }
  ts_infer_like (node, out, 0, ids);
  out[0].dtype = table->dtype;
  out[0].shape.dim[out[0].shape.rank++] = table->shape.dim[1];
  return TRUE;
}

static TsPartition
embedding_partition (const TsNode *node)
{
  if (node->in[0]->kind == TS_VALUE_ROWS)
    return (TsPartition){.kind = TS_PART_ROWS};
  return ts_partition_whole (node);
}

static gint64
count_ids (const TsCall *call, gint64 rows)
{
  const TsValue *ids = call->node->in[0];

  return ids->kind == TS_VALUE_ROWS ? rows * ts_shape_row_elems (&ids->shape)
                                    : ts_shape_elems (&ids->shape);
}

static void
embedding_forward (TsCall *call)
{
  const TsShape *table = &call->node->in[1]->shape;
  const gint32 *ids = call->in[0];
  gsize line = (gsize) table->dim[1] * ts_dtype_size (call->dtype);
  gint64 n = count_ids (call, call->end - call->begin), before = count_ids (call, call->begin);

  if (call->node->in[0]->kind != TS_VALUE_ROWS)
    before = 0;
  for (gint64 i = 0; i < n; i++) {
    char *y = (char *) call->out[0] + (gsize) i * line;
    if (ids[i] >= 0 && ids[i] < table->dim[0]) {
      memcpy (y, (const char *) call->in[1] + (gsize) ids[i] * line, line);
      continue;
    }
    memset (y, 0, line);
    ts_call_fault (call, before + i, ids[i], table->dim[0]);
  }
}

static char *
embedding_fault (const TsNode *node, const TsFault *f)
{
  return g_strdup_printf ("number %" G_GINT64_FORMAT " at position %" G_GINT64_FORMAT
                          " is outside the table of %" G_GINT64_FORMAT " entries",
                          f->value, f->position, f->limit);
}

static void
embedding_backward (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                    TsValue **grad_in)
{
  TsValue *in[] = {node->in[0], grad_out[0], node->in[1]};

  if (want[1])
    grad_in[1] = e->emit (e, "embedding_grad", in, 3, NULL)->out[0];
}

static gboolean
grad_infer (TsNode *node, TsValue *out, GError **error)
{
  ts_infer_like (node, out, 0, node->in[2]);
  return TRUE;
}

static TsPartition
grad_partition (const TsNode *node)
{
  const TsShape *table = &node->out[0]->shape;

  return (TsPartition){
      .kind = TS_PART_BLOCKS, .extent = table->dim[0], .unit_elems = table->dim[1], .cut_out = 1};
}

static void
grad_forward (TsCall *call)
{
  const gint32 *ids = call->in[0];
  gint64 width = call->node->out[0]->shape.dim[1], n = count_ids (call, call->batch);
  gsize line = (gsize) width * ts_dtype_size (call->dtype);

  memset (call->out[0], 0, (gsize) (call->end - call->begin) * line);
  for (gint64 i = 0; i < n; i++) {
    if (ids[i] < call->begin || ids[i] >= call->end)
      continue;
    char *sum = (char *) call->out[0] + (gsize) (ids[i] - call->begin) * line;
    call->k->add[call->dtype](sum, (const char *) call->in[1] + (gsize) i * line, sum,
                              (gsize) width);
  }
}

static const TsOpClass embedding_grad = {
    .name = "embedding_grad",
    .formula = "dtable[j] = sum of dy[i] where ids[i] = j, in order",
    .category = "array",
    .doc = "Gradient of embedding with respect to its table.",
    .in_names = "ids, dy, table",
    .min_in = 3,
    .max_in = 3,
    .flags = TS_OP_INTERNAL,
    .inplace = -1,
    .infer = grad_infer,
    .partition = grad_partition,
    .forward = grad_forward,
};

static const TsOpExample examples[] = {
    {.in = {"labels 5", "f 5 3"}, .low = -1, .high = 1},
    {.in = {"int 4 2 6", "f 6 3"}, .low = -1, .high = 1},
};

const TsOpClass ts_op_embedding_lookup = {
    .name = "embedding_lookup",
    .formula = "y[…, :] = table[ids[…], :]",
    .category = "array",
    .doc = "Lines of a table by their numbers; one that does not exist is an error.",
    .in_names = "ids, table",
    .min_in = 2,
    .max_in = 2,
    .inplace = -1,
    .infer = embedding_infer,
    .partition = embedding_partition,
    .forward = embedding_forward,
    .backward = embedding_backward,
    .fault_text = embedding_fault,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
    .parts = (const TsOpClass *const[]){&embedding_grad, NULL},
};
