/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/sets/dataset.h"
#include "engine/model/model.h"

G_BEGIN_DECLS

/* What of a data set will hardly go well with a model: inputs far from 1, labels that the model has no
 * score for, rows that validation or test share with training (by their contents), classes that training
 * never sees.  Reads every row once.  Returns lines for people, owned by the caller. */
GPtrArray *ts_lint_data (TsDataset *data, const TsModel *model);

G_END_DECLS
