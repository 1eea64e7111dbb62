/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/base/event.h"
#include "engine/tensor/tensor.h"

G_BEGIN_DECLS

/* Turns what a training computes into events for a sink.  Owned by the trainer thread.  A NULL
 * sink takes nothing and costs nothing; without @values scalars and histograms are left out
 * while the rest (states, checkpoints, notes) still goes to the sink.  After the first failure
 * of the sink nothing more is pushed and ts_recorder_check gives the error. */
typedef struct TsRecorder TsRecorder;

TsRecorder *ts_recorder_new (TsSink *sink, gboolean values);
void ts_recorder_free (TsRecorder *recorder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsRecorder, ts_recorder_free)

/* Collects scalars for one step; ts_recorder_flush sends them as one event.  @tag is interned. */
void ts_recorder_add (TsRecorder *recorder, const char *tag, double value);
void ts_recorder_flush (TsRecorder *recorder, gint64 step);

/* The distribution of @n elements at @data. */
void ts_recorder_histogram (TsRecorder *recorder, const char *tag, gint64 step, TsDtype dtype,
                            const void *data, gsize n);

void ts_recorder_note (TsRecorder *recorder, gint64 step, TsSeverity severity, const char *format,
                       ...) G_GNUC_PRINTF (4, 5);

/* Takes an event made by the caller. */
void ts_recorder_push (TsRecorder *recorder, TsEvent *event);

/* FALSE once the sink has failed; @error is a copy. */
gboolean ts_recorder_check (TsRecorder *recorder, GError **error);

/* The histogram of event.h over @n elements, in two passes; non-finite values are counted apart. */
void ts_histogram_fill (TsHistogram *histogram, TsDtype dtype, const void *data, gsize n);

G_END_DECLS
