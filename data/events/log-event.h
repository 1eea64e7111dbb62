/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/events/wire.h"

G_BEGIN_DECLS

/* What a record of an event file holds: an Event, whose Summary has Values (tensorflow/core/util/event.proto,
 * tensorflow/core/framework/summary.proto).  Everything is borrowed from the record. */

typedef struct {
  const guint8 *data; /* NULL: absent */
  gsize size;
} TsSlice;

typedef enum {
  TS_LOG_NOTHING = 0,
  TS_LOG_FILE_VERSION = 3,
  TS_LOG_GRAPH = 4,
  TS_LOG_SUMMARY = 5,
  TS_LOG_MESSAGE = 6,
  TS_LOG_SESSION = 7,
  TS_LOG_RUN_METADATA = 8,
  TS_LOG_META_GRAPH = 9,
} TsLogWhat; /* the field's number */

typedef struct {
  gint64 wall; /* the bits of a double of seconds since the epoch */
  gint64 step;
  TsLogWhat what;
  TsSlice body;
} TsLogEvent;

/* FALSE: it is no Event. */
gboolean ts_log_event_parse (TsLogEvent *event, const guint8 *data, gsize size);

/* ---- The Values of a Summary */

typedef enum {
  TS_CARRIER_NONE = 0,
  TS_CARRIER_SIMPLE = 2,
  TS_CARRIER_OLD_HISTOGRAM = 3,
  TS_CARRIER_IMAGE = 4,
  TS_CARRIER_HISTOGRAM = 5,
  TS_CARRIER_AUDIO = 6,
  TS_CARRIER_TENSOR = 8,
} TsLogCarrier; /* the field's number */

typedef struct {
  TsSlice tag; /* node_name where there is no tag; both may be absent */
  TsSlice metadata;
  TsLogCarrier carrier;
  guint32 simple; /* the bits of a float */
  TsSlice body;
} TsLogValue;

/* The most common record of all, an Event with one Value that is a tag and a simple_value, as
 * all writers lay it out.  FALSE: it is something else, or laid out otherwise; then the
 * functions here tell what. */
gboolean ts_log_scalar_parse (TsLogEvent *event, TsLogValue *value, const guint8 *data, gsize size);

/* The next Value of a Summary; FALSE at the end and where it is malformed (ts_wire_is_good tells). */
gboolean ts_log_value_next (TsWire *summary, TsLogValue *value);

/* A SummaryMetadata. */
typedef struct {
  TsSlice plugin, content, display_name, description;
  int data_class; /* 0 unknown 1 scalar 2 tensor 3 blob sequence */
} TsLogMetadata;

gboolean ts_log_metadata_parse (TsLogMetadata *metadata, TsSlice bytes);

/* A SessionLog's status; 1 is START. */
int ts_log_session_status (TsSlice session);

/* A copy that ends with a zero; bytes behind a zero inside are lost. */
char *ts_slice_dup (TsSlice slice);
/* The same as valid UTF-8; NULL when it is empty. */
char *ts_slice_dup_text (TsSlice slice);
gboolean ts_slice_is (TsSlice slice, const char *text);

static inline gboolean
ts_slice_equal (const TsSlice *a, const TsSlice *b)
{
  return a->size == b->size && memcmp (a->data, b->data, a->size) == 0;
}

G_END_DECLS
