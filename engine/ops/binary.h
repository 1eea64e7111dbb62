/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* Two floats of one type and one shape give a third.  SHAPE names both shapes. */
gboolean ts_infer_binary (TsNode *node, TsValue *out, GError **error);

G_END_DECLS
