/* SPDX-License-Identifier: MIT */
#include "engine/ops/random.h"

TsRng
ts_call_draw (const TsCall *call, const char *stream, guint64 *first)
{
  const TsValue *y = call->node->out[0];
  gint64 unit = 1, extent;

  if (y->kind == TS_VALUE_ROWS)
    unit = ts_shape_row_elems (&y->shape);
  else
    ts_value_units (y, &extent, &unit);
  *first = (guint64) (call->begin * unit);
  return ts_call_rng (call, stream ? ts_rng_stream (stream, 0) : call->node->stream);
}
