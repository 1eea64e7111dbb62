/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/indices.h"

G_BEGIN_DECLS

/* cumsum and cumprod: axis, exclusive, reverse. */
extern const TsParamSpec ts_scan_params[];

/* Like the input: floats, i32 or i64. */
gboolean ts_scan_infer (TsNode *node, TsValue *out, GError **error);
void ts_scan_forward (TsCall *call, gboolean product);
/* Inputs x and dy of a product. */
void ts_scan_product_grad (TsCall *call);

G_END_DECLS
