/* SPDX-License-Identifier: MIT */
#include "data/events/record-writer.h"

#include <errno.h>
#include <stdio.h>

#include "data/events/error.h"
#include "data/events/log-event.h"
#include "data/events/record.h"
#include "data/events/wire-write.h"

struct TsRecordWriter {
  FILE *file;
  char *path;
  GByteArray *event;
};

static void
set_error (const char *path, int code, GError **error)
{
  g_set_error (error, TS_EVENTS_ERROR, TS_EVENTS_ERROR_IO, "cannot write %s: %s", path,
               g_strerror (code));
}

static void
put_record (TsRecordWriter *w)
{
  guint64 length = GUINT64_TO_LE ((guint64) w->event->len);
  guint32 crc = GUINT32_TO_LE (ts_record_masked_crc (&length, 8));

  fwrite (&length, 8, 1, w->file);
  fwrite (&crc, 4, 1, w->file);
  fwrite (w->event->data, 1, w->event->len, w->file);
  crc = GUINT32_TO_LE (ts_record_masked_crc (w->event->data, w->event->len));
  fwrite (&crc, 4, 1, w->file);
}

void
ts_record_writer_add (TsRecordWriter *w, gint64 wall, gint64 step, guint what, const guint8 *body,
                      gsize size)
{
  g_byte_array_set_size (w->event, 0);
  ts_wire_put_fixed64 (w->event, 1, (guint64) wall);
  if (step)
    ts_wire_put_int (w->event, 2, step);
  ts_wire_put_bytes (w->event, what, body, size);
  put_record (w);
}

TsRecordWriter *
ts_record_writer_new (const char *path, gint64 wall, GError **error)
{
  static const char version[] = "brain.Event:2";
  FILE *file = fopen (path, "wbxe");

  if (!file) {
    set_error (path, errno, error);
    return NULL;
  }
  TsRecordWriter *w = g_new0 (TsRecordWriter, 1);
  w->file = file;
  w->path = g_strdup (path);
  w->event = g_byte_array_new ();
  setvbuf (file, NULL, _IOFBF, 1 << 18);
  ts_record_writer_add (w, wall, 0, TS_LOG_FILE_VERSION, (const guint8 *) version,
                        sizeof version - 1);
  return w;
}

gboolean
ts_record_writer_close (TsRecordWriter *w, GError **error)
{
  gboolean ok = !ferror (w->file);
  int code = ok ? 0 : EIO;

  if (fclose (w->file) != 0) {
    ok = FALSE;
    code = errno;
  }
  if (!ok)
    set_error (w->path, code, error);
  g_byte_array_unref (w->event);
  g_free (w->path);
  g_free (w);
  return ok;
}
