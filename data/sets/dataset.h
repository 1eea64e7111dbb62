/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "engine/base/param.h"
#include "engine/tensor/dtype.h"

G_BEGIN_DECLS

/* Rows of numbers with a class each, wholly in memory, cut into three splits.
 *
 * Reference-counted.  Whoever loads a set fills the fields right after _new and then calls _seal;
 * from there on nothing changes and any number of threads may read.  Images stay bytes in memory:
 * the value of element e is e * scale when dtype is TS_U8 and e itself when it is TS_F32 (scale is
 * then 1). */

typedef enum { TS_SPLIT_TRAIN, TS_SPLIT_VAL, TS_SPLIT_TEST } TsSplit;
#define TS_N_SPLITS 3

/* "train", "val", "test": the first part of a tag. */
const char *ts_split_name (TsSplit split);

typedef struct {
  gint32 *rows; /* owned: row indices in their natural order, never shuffled */
  gsize n;
} TsRows;

typedef struct TsDataset TsDataset;
struct TsDataset {
  gint refs;   /* private */
  char *sha;   /* private: see ts_dataset_get_sha256 */
  char *name;  /* owned: "fashion_mnist" */
  char *title; /* owned: "Fashion-MNIST" */

  gsize n_rows;
  guint rank;                 /* of one row, 1 … TS_SHAPE_MAX */
  gint64 shape[TS_SHAPE_MAX]; /* of one row: {28, 28, 1} */
  TsDtype dtype;              /* TS_U8 or TS_F32 */
  float scale;                /* what a byte is multiplied with; 1 for TS_F32 */
  gpointer features;          /* owned, g_malloc: n_rows x elements, row after row */
  gint32 *labels;             /* owned: n_rows, each in [0, n_classes) */
  guint n_classes;
  char **class_names;   /* owned, NULL-ended, n_classes of them; may be NULL */
  char **feature_names; /* owned, NULL-ended, one per element; may be NULL */

  TsRows split[TS_N_SPLITS]; /* by TsSplit; disjoint */
  char *split_text;          /* owned: one line for people that says which rows are where */
};

/* An empty set with copies of the two names.  scale is 1, dtype TS_F32. */
TsDataset *ts_dataset_new (const char *name, const char *title);
TsDataset *ts_dataset_ref (TsDataset *set);
void ts_dataset_unref (TsDataset *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsDataset, ts_dataset_unref)

/* Elements of one row: the product of the shape. */
gsize ts_dataset_elements (const TsDataset *set);

/* Makes @split the @n rows first, first + 1, … */
void ts_dataset_take_range (TsDataset *set, TsSplit split, gsize first, gsize n);

/* The split of every set that brings none of its own: rows 5, 10, 15, … (counted from 1) are the
 * test rows, every fifth of the rest is for validation, the others train.  Sets split_text too.
 * Needs n_rows only. */
void ts_dataset_split_fifths (TsDataset *set);

/* The last step of loading: checks that every label and row index is in range, that the splits do
 * not overlap and that there is something to train on.  @error: TS_SETS_ERROR_FORMAT with the row
 * and the label, or TS_SETS_ERROR_PARAM when the training split is empty. */
gboolean ts_dataset_seal (TsDataset *set, GError **error);

/* 64 hex digits over element type, scale, shape, features, labels and splits: two sets with the
 * same hash train alike.  Borrowed; computed at the first call (about 5 ns a byte), which any
 * thread may make. */
const char *ts_dataset_get_sha256 (TsDataset *set);

/* Copies rows into a batch: @out gets n x elements floats, scaled; @labels n integers.  Either may
 * be NULL.  Allocates nothing. */
void ts_dataset_gather (const TsDataset *set, const gint32 *rows, gsize n, float *out,
                        gint32 *labels);

/* 50000 as "50,000", for split_text and messages. */
char *ts_count_dup_text (gsize n);

G_END_DECLS
