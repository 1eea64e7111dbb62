/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/sets/csv.h"
#include "data/sets/dataset.h"

G_BEGIN_DECLS

/* Turns a table of text cells into a data set: one column is the target, all others are features
 * and must be numbers.
 *
 * Target: words become classes in sorted order; whole numbers become classes in order of value.
 * Split: ts_dataset_split_fifths.  Features become TS_F32, except that whole numbers from 0 to 255
 * stay TS_U8 where the scaling is one factor for all. */

typedef enum {
  TS_TABLE_RAW,      /* as in the file */
  TS_TABLE_STANDARD, /* (x - mean) / standard deviation, both over the training rows */
  TS_TABLE_UNIT,     /* (x - min) / (max - min), both over the training rows */
  TS_TABLE_FACTOR,   /* x * factor */
} TsTableScale;

typedef struct {
  const char *target; /* a column's name or its number from 1; NULL or "": the last */
  TsTableScale scale;
  float factor; /* TS_TABLE_FACTOR only */
  guint rank;   /* of a row; 0: one axis of all features */
  gint64 shape[TS_SHAPE_MAX];
} TsTableOptions;

/* The words "none|standard|unit" of a `scale` parameter. */
TsTableScale ts_table_scale_from_word (const char *word);

/* Sealed.  Errors: TS_SETS_ERROR_FORMAT with file:line, column and the text of the cell (an empty
 * cell, a word or NaN among the features, a target that is neither word nor whole number);
 * TS_SETS_ERROR_PARAM for a target column that does not exist; TS_SETS_ERROR_LIMIT for more than
 * TS_TABLE_MAX_CLASSES different targets. */
#define TS_TABLE_MAX_CLASSES 10000
TsDataset *ts_table_to_dataset (const TsCsv *csv, const char *name, const char *title,
                                const TsTableOptions *options, GError **error);

G_END_DECLS
