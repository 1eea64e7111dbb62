/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* An event file that is being written. */
typedef struct TsRecordWriter TsRecordWriter;

/* A new file; one that is there is an error.  Its first event, the file's version, has the time @wall (the bits
 * of a double of seconds).  Errors of all: TS_EVENTS_ERROR. */
TsRecordWriter *ts_record_writer_new (const char *path, gint64 wall, GError **error);
/* An Event with that body: a field of Event by its number (TsLogWhat). */
void ts_record_writer_add (TsRecordWriter *writer, gint64 wall, gint64 step, guint what,
                           const guint8 *body, gsize size);
/* FALSE: some of it could not be written. */
gboolean ts_record_writer_close (TsRecordWriter *writer, GError **error);

G_END_DECLS
