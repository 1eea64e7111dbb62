/* SPDX-License-Identifier: MIT */
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

static const TsTally tally = TS_TALLY_CLASSES (of_class);

const TsOpClass ts_op_f_beta = {
    .name = "f_beta",
    .formula = "y = (1 + beta²)·precision·recall / (beta²·precision + recall)",
    .doc =
        "Precision and recall in one, recall counting beta times as much (van Rijsbergen 1979); no "
        "gradient.",
    .params = params,
    TS_TALLY_CLASS_MEMBERS,
};
