/* SPDX-License-Identifier: MIT */
#include "engine/ops/labels.h"
#include "engine/ops/tally.h"

static double
of_class (const TsNode *node, const double *n)
{
  return ts_tally_share (n[TS_TALLY_HITS], n[TS_TALLY_TAKEN]);
}

static double
result (const TsNode *node, const double *state)
{
  return ts_tally_class_result (node, state, of_class);
}

static const TsTally tally = {
    .size = ts_tally_class_size,
    .count = ts_tally_class_count,
    .result = result,
};

static const TsOpExample examples[] = {
    {.in = {"rows 3", "labels 3"}, .low = -3, .high = 3},
    {.in = {"f 9 4", "int 9 4"}, .params = "class=2", .low = -3, .high = 3},
    {.in = {"rows 5", "labels 5"}, .params = "average=micro", .low = -3, .high = 3},
};

const TsOpClass ts_op_precision = {
    .name = "precision",
    .formula = "y = rows of a class that are taken for it / rows taken for it",
    .category = "metric",
    .doc = "How much of what is taken for a class belongs to it; no gradient.",
    .in_names = "scores, labels",
    .min_in = 2,
    .max_in = 2,
    .params = ts_tally_class_params,
    .inplace = -1,
    .tally = &tally,
    .infer = ts_tally_class_infer,
    .partition = ts_tally_partition,
    .forward = ts_tally_forward,
    .combine = ts_tally_combine,
    .fault_text = ts_label_fault_text,
    .examples = examples,
    .n_examples = G_N_ELEMENTS (examples),
};
