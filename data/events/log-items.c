/* SPDX-License-Identifier: MIT */
#include "data/events/log-items.h"

#include <math.h>

#include "data/events/image-size.h"
#include "data/store/item.h"

/* --- Histograms --- */

#define BUCKETS_MAX (1u << 20)

/* A repeated double: one, or packed many. */
static gboolean
add_doubles (GArray *to, const TsField *f)
{
  if (f->type == TS_WIRE_FIXED64) {
    double v = ts_field_double (f);
    g_array_append_val (to, v);
    return TRUE;
  }
  if (f->type != TS_WIRE_BYTES || f->size % 8 || f->size / 8 > BUCKETS_MAX)
    return FALSE;
  g_array_append_vals (to, f->data, (guint) (f->size / 8)); /* little-endian, like the machine */
  return TRUE;
}

gboolean
ts_log_histogram (GByteArray *out, TsSlice proto)
{
  TsWire wire = ts_wire (proto.data, proto.size);
  TsField f;
  double moments[6] = {0}; /* by field number: min, max, num, sum, sum of squares */
  g_autoptr (GArray) limits = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (double));

  while (ts_wire_next (&wire, &f)) {
    if (f.number >= 1 && f.number <= 5 && f.type == TS_WIRE_FIXED64)
      moments[f.number] = ts_field_double (&f);
    else if ((f.number == 6 || f.number == 7) && !add_doubles (f.number == 6 ? limits : counts, &f))
      return FALSE;
  }
  if (!ts_wire_is_good (&wire))
    return FALSE;
  guint n = MIN (limits->len, counts->len);
  g_autofree double *rows = g_new (double, 3 * (gsize) n);
  for (guint i = 0; i < n; i++) {
    double right = g_array_index (limits, double, i);
    rows[3 * i] = i ? g_array_index (limits, double, i - 1) : MIN (moments[1], right);
    rows[3 * i + 1] = right;
    rows[3 * i + 2] = g_array_index (counts, double, i);
  }
  TsBuckets b = {TS_BUCKETS_LIMITS, moments[1], moments[2], moments[4],
                 moments[5],        moments[3], n,          rows};
  ts_buckets_encode (out, &b);
  return TRUE;
}

gboolean
ts_log_histogram_tensor (GByteArray *out, const TsTensorProto *t)
{
  if (t->rank != 2 || t->dim[1] != 3 || t->elems > 3 * BUCKETS_MAX)
    return FALSE;
  g_autofree double *rows = g_new0 (double, t->elems + 1);
  if (ts_tensor_proto_numbers (t, rows, t->elems) < 0)
    return FALSE;
  TsBuckets b = {TS_BUCKETS_EDGES, NAN, NAN, NAN, NAN, 0, (guint) t->dim[0], rows};
  for (guint i = 0; i < b.n; i++)
    b.count += rows[3 * i + 2];
  if (b.n) {
    b.min = rows[0];
    b.max = rows[3 * (b.n - 1) + 1];
  }
  ts_buckets_encode (out, &b);
  return TRUE;
}

/* --- Strings, images, sounds --- */

typedef struct {
  GByteArray *out;
  guint skip, n;
  TsSlice first;  /* after what is skipped */
  double size[2]; /* of what is skipped, as numbers */
} Strings;

static void
take_string (const guint8 *bytes, gsize size, gpointer data)
{
  Strings *s = data;

  if (s->n < s->skip) {
    g_autofree char *text = g_strndup ((const char *) bytes, MIN (size, 20));
    if (s->n < 2)
      s->size[s->n] = g_ascii_strtod (text, NULL);
  } else {
    if (s->n == s->skip)
      s->first = (TsSlice){bytes, size};
    ts_strings_add (s->out, bytes, size);
  }
  s->n++;
}

static gboolean
put_strings (Strings *s, const TsTensorProto *t)
{
  gint64 left = (gint64) t->elems - s->skip;

  /* each needs a byte at least, so a shape cannot make more of them than the message could hold */
  if (t->type != TS_PROTO_STRING || left < 0 ||
      t->elems > (guint64) (t->message.end - t->message.p) + 1)
    return FALSE;
  if (s->skip)
    ts_strings_begin (s->out, 1, &left);
  else
    ts_strings_begin (s->out, t->rank, t->dim);
  ts_tensor_proto_strings (t, t->elems, take_string, s);
  return s->n == t->elems;
}

gboolean
ts_log_strings (GByteArray *out, const TsTensorProto *t, guint skip)
{
  Strings s = {.out = out, .skip = skip};

  return put_strings (&s, t);
}

static char *
image_meta (TsSlice image, guint width, guint height)
{
  guint w, h;
  const char *format = ts_image_size (image.data, image.size, &w, &h);

  return g_strdup_printf ("{\"width\": %u, \"height\": %u, \"format\": %s%s%s}", format ? w : width,
                          format ? h : height, format ? "\"" : "", format ? format : "null",
                          format ? "\"" : "");
}

gboolean
ts_log_image_tensor (GByteArray *out, const TsTensorProto *t, char **meta)
{
  Strings s = {.out = out, .skip = 2};

  if (!put_strings (&s, t))
    return FALSE;
  *meta =
      image_meta (s.first, (guint) CLAMP (s.size[0], 0, 1e9), (guint) CLAMP (s.size[1], 0, 1e9));
  return TRUE;
}

/* The bytes of field @number and the varints of the fields before it. */
static gboolean
parse_media (TsSlice proto, guint number, TsSlice *bytes, guint64 *numbers, TsSlice *type)
{
  TsWire wire = ts_wire (proto.data, proto.size);
  TsField f;

  while (ts_wire_next (&wire, &f)) {
    if (f.number == number && f.type == TS_WIRE_BYTES)
      *bytes = (TsSlice){f.data, f.size};
    else if (f.number == number + 1 && f.type == TS_WIRE_BYTES && type)
      *type = (TsSlice){f.data, f.size};
    else if (f.number < number && f.type != TS_WIRE_BYTES)
      numbers[f.number] = f.value;
  }
  return ts_wire_is_good (&wire);
}

static void
put_one (GByteArray *out, TsSlice bytes)
{
  gint64 one = 1;

  ts_strings_begin (out, 1, &one);
  ts_strings_add (out, bytes.data, bytes.size);
}

gboolean
ts_log_image (GByteArray *out, TsSlice proto, char **meta)
{
  guint64 numbers[4] = {0}; /* height, width, colour space */
  TsSlice bytes = {0};

  if (!parse_media (proto, 4, &bytes, numbers, NULL))
    return FALSE;
  put_one (out, bytes);
  *meta = image_meta (bytes, (guint) MIN (numbers[2], G_MAXINT32),
                      (guint) MIN (numbers[1], G_MAXINT32));
  return TRUE;
}

gboolean
ts_log_audio (GByteArray *out, TsSlice proto, char **meta)
{
  guint64 numbers[4] = {0}; /* sample rate (a float's bits), channels, frames */
  TsSlice bytes = {0}, type = {0};
  guint32 bits;
  float rate;

  if (!parse_media (proto, 4, &bytes, numbers, &type))
    return FALSE;
  put_one (out, bytes);
  bits = (guint32) numbers[1];
  memcpy (&rate, &bits, sizeof rate);
  *meta = g_strdup_printf ("{\"rate\": %g, \"channels\": %" G_GUINT64_FORMAT
                           ", \"frames\": %" G_GUINT64_FORMAT "}",
                           isfinite (rate) ? (double) rate : 0.0, numbers[2], numbers[3]);
  return TRUE;
}

/* --- Hyperparameters --- */

/* google.protobuf.Value */
static void
read_value (TsHparam *h, TsSlice bytes, char **text)
{
  TsWire wire = ts_wire (bytes.data, bytes.size);
  TsField f;

  while (ts_wire_next (&wire, &f)) {
    if (f.number == 2 && f.type == TS_WIRE_FIXED64) {
      h->kind = TS_HPARAM_REAL;
      h->r = ts_field_double (&f);
    } else if (f.number == 3 && f.type == TS_WIRE_BYTES) {
      g_autofree char *copy = ts_slice_dup ((TsSlice){f.data, f.size});
      g_free (*text);
      *text = g_utf8_make_valid (copy, -1);
      h->kind = TS_HPARAM_TEXT;
      h->t = *text;
    } else if (f.number == 4 && f.type == TS_WIRE_VARINT) {
      h->kind = TS_HPARAM_BOOL;
      h->i = f.value != 0;
    }
  }
}

/* One entry of map<string, Value>. */
static guint
read_entry (TsImport *import, TsImportRun *run, TsWire wire)
{
  TsField f;
  TsSlice key = {0}, value = {0};
  TsHparam h = {.kind = TS_HPARAM_NULL};
  g_autofree char *text = NULL;

  while (ts_wire_next (&wire, &f)) {
    if (f.number == 1 && f.type == TS_WIRE_BYTES)
      key = (TsSlice){f.data, f.size};
    else if (f.number == 2 && f.type == TS_WIRE_BYTES)
      value = (TsSlice){f.data, f.size};
  }
  if (!ts_wire_is_good (&wire) || !key.size)
    return 0;
  g_autofree char *copy = ts_slice_dup (key), *name = g_utf8_make_valid (copy, -1);
  read_value (&h, value, &text);
  h.key = name;
  ts_import_set_hparam (import, run, &h);
  return 1;
}

guint
ts_log_hparams (TsImport *import, TsImportRun *run, TsSlice content)
{
  TsWire wire = ts_wire (content.data, content.size);
  TsField f, g;
  guint n = 0;

  while (ts_wire_next (&wire, &f)) {
    if (f.number != 3 || f.type != TS_WIRE_BYTES)
      continue;
    TsWire start = ts_field_wire (&f);
    while (ts_wire_next (&start, &g))
      if (g.number == 1 && g.type == TS_WIRE_BYTES)
        n += read_entry (import, run, ts_field_wire (&g));
  }
  return n;
}
