/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/ops/labels.h"

G_BEGIN_DECLS

/* Metrics of a whole set of rows, which no mean over batches gives: precision, RMSE, AUC.  Output 0 is the
 * metric of the batch (f64, a scalar), output 1 the counts or sums it follows from (f64[size]): whoever goes
 * through a set batch by batch merges these and asks for the result at the end.  No gradient. */
struct TsTally {
  gsize (*size) (const TsNode *node);
  /* Adds the rows of @call to @state, which began with zeros. */
  void (*count) (TsCall *call, double *state);
  /* NULL: the sum, element by element. */
  void (*merge) (const TsNode *node, double *into, const double *from);
  /* NaN while there are no rows. */
  double (*result) (const TsNode *node, const double *state);
  /* Metrics of classes: from the three counts of one (below). */
  double (*of_class) (const TsNode *node, const double *counts);
};

/* What all of them say of themselves; `tally` is the file's own. */
#define TS_TALLY_MEMBERS                                                                           \
  .category = "metric", .inplace = -1, .tally = &tally, .partition = ts_tally_partition,           \
  .forward = ts_tally_forward, .combine = ts_tally_combine

/* For the members of the class. */
void ts_tally_infer (TsNode *node, TsValue *out);
TsPartition ts_tally_partition (const TsNode *node);
void ts_tally_forward (TsCall *call);
void ts_tally_combine (TsCall *call);

void ts_tally_merge (const TsNode *node, double *into, const double *from);

/* Class scores against class numbers: per class how many rows are of it, are taken for it, and both. */
enum { TS_TALLY_ARE, TS_TALLY_TAKEN, TS_TALLY_HITS, TS_TALLY_PER_CLASS };
#define TS_TALLY_CLASS_PARAMS                                                                      \
  {"class",   TS_PARAM_INT,   .number = -1,                                                        \
   .min = -1, .max = 1 << 20, .doc = "of this class alone; -1: of all"},                           \
  {                                                                                                \
    "average", TS_PARAM_WORD,                                                                      \
        .text = "macro", .words = "macro|micro",                                                   \
        .doc = "the mean over the classes, or from the counts of all classes together"             \
  }
extern const TsParamSpec ts_tally_class_params[];
gboolean ts_tally_class_infer (TsNode *node, TsValue *out, GError **error);
gsize ts_tally_class_size (const TsNode *node);
void ts_tally_class_count (TsCall *call, double *state);
/* By the parameters: of one class, the mean over the classes that are there as labels or predictions, or of all
 * counts together.  NaN when a score is: its row is of no class. */
double ts_tally_class_result (const TsNode *node, const double *state);
extern const TsOpExample ts_tally_class_examples[3];
#define TS_TALLY_CLASSES(of)                                                                       \
  {                                                                                                \
    .size = ts_tally_class_size, .count = ts_tally_class_count, .result = ts_tally_class_result,   \
    .of_class = of                                                                                 \
  }
#define TS_TALLY_CLASS_MEMBERS                                                                     \
  TS_TALLY_MEMBERS, .in_names = "scores, labels", .min_in = 2, .max_in = 2,                        \
                    .infer = ts_tally_class_infer, .fault_text = ts_label_fault_text,              \
                    .examples = ts_tally_class_examples,                                           \
                    .n_examples = G_N_ELEMENTS (ts_tally_class_examples)

/* Numbers against targets of one shape. */
gboolean ts_tally_pair_infer (TsNode *node, TsValue *out, GError **error);
extern const TsOpExample ts_tally_pair_examples[2];
#define TS_TALLY_PAIR_MEMBERS                                                                      \
  TS_TALLY_MEMBERS, .in_names = "prediction, target", .min_in = 2, .max_in = 2,                    \
                    .infer = ts_tally_pair_infer, .examples = ts_tally_pair_examples,              \
                    .n_examples = G_N_ELEMENTS (ts_tally_pair_examples)
/* Elements in this call. */
gsize ts_tally_elems (const TsCall *call);

/* part / all, 0 when there is none. */
double ts_tally_share (double part, double all);

G_END_DECLS
