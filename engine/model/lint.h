/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/model/model.h"

G_BEGIN_DECLS

/* Adds what ts_graph_lint finds to @diags as warnings at their places.  Before a trainer has added its
 * gradients to the model's graph. */
void ts_model_lint (const TsModel *model, TsDiags *diags);

G_END_DECLS
