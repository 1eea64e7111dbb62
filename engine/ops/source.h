/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* For ops without inputs: output 0 from the parameters "dtype" and "shape". */
gboolean ts_infer_source (TsNode *node, TsValue *out, GError **error);

/* "f32|f64|…" for a parameter table. */
#define TS_DTYPE_WORDS "f32|f64|i32|i64|u8|bool"

G_END_DECLS
