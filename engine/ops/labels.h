/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/op.h"

G_BEGIN_DECLS

/* For ops that hold class scores against class numbers: input 0 is float[…, classes], input 1
 * int32[…] of the same leading shape.  Errors are worded for the model language. */
gboolean ts_infer_scores_labels (TsNode *node, GError **error);

/* Lines (of `classes` entries each) that a rows or whole call covers. */
gint64 ts_call_lines (const TsCall *call, gsize *classes);

/* "label 12 in row 3 is outside [0, 10)". */
char *ts_label_fault_text (const TsNode *node, const TsFault *fault);

G_END_DECLS
