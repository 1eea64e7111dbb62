/* SPDX-License-Identifier: MIT */
#include "engine/ops/tally.h"

static double
of_class (const TsNode *node, const double *n)
{
  return ts_tally_share (n[TS_TALLY_HITS], n[TS_TALLY_TAKEN]);
}

static const TsTally tally = TS_TALLY_CLASSES (of_class);

const TsOpClass ts_op_precision = {
    .name = "precision",
    .formula = "y = rows of a class that are taken for it / rows taken for it",
    .doc = "How much of what is taken for a class belongs to it; no gradient.",
    .params = ts_tally_class_params,
    TS_TALLY_CLASS_MEMBERS,
};
