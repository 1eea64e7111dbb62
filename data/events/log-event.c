/* SPDX-License-Identifier: MIT */
#include "data/events/log-event.h"

static TsSlice
slice_of (const TsField *f)
{
  return (TsSlice){f->data, f->size};
}

gboolean
ts_log_event_parse (TsLogEvent *e, const guint8 *data, gsize size)
{
  TsWire wire = ts_wire (data, size);
  TsField f;

  *e = (TsLogEvent){0};
  while (ts_wire_next (&wire, &f)) {
    if (f.number == 1 && f.type == TS_WIRE_FIXED64) {
      e->wall = (gint64) f.value;
    } else if (f.number == 2 && f.type == TS_WIRE_VARINT) {
      e->step = (gint64) f.value;
    } else if (f.number >= TS_LOG_FILE_VERSION && f.number <= TS_LOG_META_GRAPH &&
               f.type == TS_WIRE_BYTES) {
      e->what = (TsLogWhat) f.number;
      e->body = slice_of (&f);
    }
  }
  return ts_wire_is_good (&wire);
}

static gboolean
parse_value (TsLogValue *v, TsWire wire)
{
  TsField f;
  TsSlice node = {0};

  *v = (TsLogValue){0};
  while (ts_wire_next (&wire, &f))
    switch (f.number << 3 | f.type) {
    case 1 << 3 | TS_WIRE_BYTES:
      v->tag = slice_of (&f);
      break;
    case 7 << 3 | TS_WIRE_BYTES:
      node = slice_of (&f);
      break;
    case 9 << 3 | TS_WIRE_BYTES:
      v->metadata = slice_of (&f);
      break;
    case TS_CARRIER_SIMPLE << 3 | TS_WIRE_FIXED32:
      v->carrier = TS_CARRIER_SIMPLE;
      v->simple = (guint32) f.value;
      break;
    case TS_CARRIER_OLD_HISTOGRAM << 3 | TS_WIRE_BYTES:
    case TS_CARRIER_IMAGE << 3 | TS_WIRE_BYTES:
    case TS_CARRIER_HISTOGRAM << 3 | TS_WIRE_BYTES:
    case TS_CARRIER_AUDIO << 3 | TS_WIRE_BYTES:
    case TS_CARRIER_TENSOR << 3 | TS_WIRE_BYTES:
      v->carrier = (TsLogCarrier) f.number;
      v->body = slice_of (&f);
      break;
    }
  if (v->tag.size == 0)
    v->tag = node;
  return ts_wire_is_good (&wire);
}

/* A length below 2^14 in one or two bytes. */
static inline gboolean
take_length (const guint8 **p, const guint8 *end, gsize *length)
{
  const guint8 *q = *p;

  if (q + 2 > end)
    return FALSE;
  if (q[0] < 0x80) {
    *length = q[0];
    *p = q + 1;
  } else if (q[1] < 0x80) {
    *length = (gsize) (q[0] & 0x7f) | (gsize) q[1] << 7;
    *p = q + 2;
  } else {
    return FALSE;
  }
  return *length <= (gsize) (end - *p);
}

/* 09 wall, 10 step, 2a Summary {0a Value {0a tag, 15 float}}: each ends where what holds it ends. */
gboolean
ts_log_scalar_parse (TsLogEvent *e, TsLogValue *v, const guint8 *data, gsize size)
{
  const guint8 *p = data, *end = data + size;
  gsize length;

  if (size < 18 || *p != 0x09)
    return FALSE;
  memcpy (&e->wall, p + 1, 8);
  e->wall = (gint64) GUINT64_FROM_LE ((guint64) e->wall);
  p += 9;
  e->step = 0;
  if (*p == 0x10) {
    TsWire wire = {p + 1, end};
    guint64 step;
    if (!ts_wire_varint (&wire, &step))
      return FALSE;
    e->step = (gint64) step;
    p = wire.p;
  }
  for (int i = 0; i < 2; i++) {
    if (p >= end || *p++ != (i ? 0x0a : 0x2a) || !take_length (&p, end, &length) ||
        p + length != end)
      return FALSE;
  }
  if (p >= end || *p++ != 0x0a || !take_length (&p, end, &length) ||
      (gsize) (end - p) != length + 5 || p[length] != 0x15)
    return FALSE;
  e->what = TS_LOG_SUMMARY;
  *v = (TsLogValue){.tag = {p, length}, .carrier = TS_CARRIER_SIMPLE};
  memcpy (&v->simple, p + length + 1, 4);
  v->simple = GUINT32_FROM_LE (v->simple);
  return length > 0;
}

gboolean
ts_log_value_next (TsWire *summary, TsLogValue *value)
{
  TsField f;

  while (ts_wire_next (summary, &f))
    if (f.number == 1 && f.type == TS_WIRE_BYTES)
      return parse_value (value, ts_field_wire (&f)) || ts_wire_fail (summary);
  return FALSE;
}

gboolean
ts_log_metadata_parse (TsLogMetadata *m, TsSlice bytes)
{
  TsWire wire = ts_wire (bytes.data, bytes.size), plugin;
  TsField f, g;

  *m = (TsLogMetadata){0};
  while (ts_wire_next (&wire, &f)) {
    if (f.number == 1 && f.type == TS_WIRE_BYTES) {
      plugin = ts_field_wire (&f);
      while (ts_wire_next (&plugin, &g)) {
        if (g.number == 1 && g.type == TS_WIRE_BYTES)
          m->plugin = slice_of (&g);
        else if (g.number == 2 && g.type == TS_WIRE_BYTES)
          m->content = slice_of (&g);
      }
      if (!ts_wire_is_good (&plugin))
        return FALSE;
    } else if (f.number == 2 && f.type == TS_WIRE_BYTES) {
      m->display_name = slice_of (&f);
    } else if (f.number == 3 && f.type == TS_WIRE_BYTES) {
      m->description = slice_of (&f);
    } else if (f.number == 4 && f.type == TS_WIRE_VARINT) {
      m->data_class = (int) MIN (f.value, 100);
    }
  }
  return ts_wire_is_good (&wire);
}

int
ts_log_session_status (TsSlice session)
{
  TsWire wire = ts_wire (session.data, session.size);
  TsField f;
  int status = 0;

  while (ts_wire_next (&wire, &f))
    if (f.number == 1 && f.type == TS_WIRE_VARINT)
      status = (int) MIN (f.value, 100);
  return status;
}

char *
ts_slice_dup (TsSlice slice)
{
  return g_strndup (slice.data ? (const char *) slice.data : "", slice.size);
}

char *
ts_slice_dup_text (TsSlice slice)
{
  g_autofree char *text = ts_slice_dup (slice);

  return slice.size ? g_utf8_make_valid (text, -1) : NULL;
}

gboolean
ts_slice_is (TsSlice slice, const char *text)
{
  return slice.size == strlen (text) &&
         (slice.size == 0 || memcmp (slice.data, text, slice.size) == 0);
}
