/* SPDX-License-Identifier: MIT */
#include "engine/ops/labels.h"
#include "engine/ops/tally.h"

static const TsParamSpec params[] = {
    TS_TALLY_CLASS_PARAMS,
    {"beta", TS_PARAM_FLOAT, .number = 1, .min = 1e-3, .max = 1e3,
     .doc = "how much more recall counts than precision"},
    {NULL},
};

static double
of_class (const TsNode *node, const double *n)
{
  double b = node->params.v[2].f * node->params.v[2].f;

  return ts_tally_share ((1 + b) * n[TS_TALLY_HITS], b * n[TS_TALLY_ARE] + n[TS_TALLY_TAKEN]);
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

const TsOpClass ts_op_f_beta = {
    .name = "f_beta",
    .formula = "y = (1 + beta²)·precision·recall / (beta²·precision + recall)",
    .category = "metric",
    .doc = "Precision and recall in one, recall counting beta times as much (van Rijsbergen 1979); "
           "no gradient.",
    .in_names = "scores, labels",
    .min_in = 2,
    .max_in = 2,
    .params = params,
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
