/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/reader.h"

G_BEGIN_DECLS

/* Values of a Summary, written as TensorBoard's own writers do (TensorFlow 2: tensors whose
 * plugin stands in the metadata of a tag's first value).  Each appends one Value to the Summary
 * @out. */

/* What goes with a tag's first value. */
typedef struct {
  const char *tag;
  const char *plugin, *display_name, *description; /* may be NULL */
  gconstpointer content;
  gsize content_size;
  int data_class; /* 1 scalar 2 tensor 3 blob sequence */
  gboolean first; /* write it */
} TsLogTag;

/* @narrow: as DT_FLOAT, rounded where the bits are those of a number that needs more; else DT_DOUBLE. */
void ts_log_put_scalar (GByteArray *out, const TsLogTag *tag, guint64 bits, gboolean narrow);
/* FALSE: the item is damaged, or there is no such form. */
gboolean ts_log_put_item (GByteArray *out, const TsLogTag *tag, TsSeriesKind kind,
                          const TsStoredItem *item);
/* The hyperparameters as the hparams plugin has them: its tag is "_hparams_/session_start_info". */
void ts_log_put_hparams (GByteArray *out, const TsHparam *hparams, guint n, double start_seconds);

/* The trainer's graph (engine/graph/graph-dump.h) as a GraphDef; NULL when the JSON is not that. */
GByteArray *ts_log_graph_def (const char *json);

G_END_DECLS
