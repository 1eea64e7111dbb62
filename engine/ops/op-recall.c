/* SPDX-License-Identifier: MIT */
#include "engine/ops/tally.h"

static double
of_class (const TsNode *node, const double *n)
{
  return ts_tally_share (n[TS_TALLY_HITS], n[TS_TALLY_ARE]);
}

static const TsTally tally = TS_TALLY_CLASSES (of_class);

const TsOpClass ts_op_recall = {
    .name = "recall",
    .formula = "y = rows of a class that are taken for it / rows of the class",
    .doc = "How much of a class is found; no gradient.",
    .params = ts_tally_class_params,
    TS_TALLY_CLASS_MEMBERS,
};
