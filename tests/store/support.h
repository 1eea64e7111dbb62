/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/reader.h"
#include "data/store/writer.h"
#include <sqlite3.h>

G_BEGIN_DECLS

/* What the store's tests share: temporary folders, random points, whole series. */

/* A new folder under the system's temporary one; removed with all in it by ts_test_remove. */
char *ts_test_folder (void);
void ts_test_remove (const char *folder);
char *ts_test_path (const char *folder, const char *name);

/* A writer that commits every few milliseconds and does not wait long for a failed disk. */
TsWriter *ts_test_writer (const char *path);

/* These fail the test on any error. */
TsRunRef ts_test_begin (TsWriter *writer, const TsRunInfo *info);
TsReader *ts_test_reader (const char *path);
void ts_test_flush (TsWriter *writer);
void ts_test_close (TsWriter *writer);

/* xorshift64*: never 0 for a seed other than 0. */
guint64 ts_test_random (guint64 *state);

/* Any of: NaN with payload, ±Inf, ±0.0, denormals, floats, doubles. */
guint64 ts_test_bits (guint64 *state);

void ts_test_push (TsSink *sink, const char *tag, gint64 step, guint64 bits);
/* With odd steps 30 buckets, else none; min is -0.0, the sum of squares infinite. */
void ts_test_push_histogram (TsSink *sink, const char *tag, gint64 step);
void ts_test_end (TsSink *sink, gint64 step, TsRunState state);

/* All points of a scalar tag; fails the test on any error. */
GArray *ts_test_points (TsReader *reader, gint64 run_id, const char *tag);

/* Pragma or query with one number as answer, by a plain connection; 0 for none. */
gint64 ts_test_number (const char *path, const char *sql);
void ts_test_sql (const char *path, const char *sql);

G_END_DECLS
