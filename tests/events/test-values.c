/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "data/events/image-size.h"
#include "data/events/log-event.h"
#include "data/events/log-encode.h"
#include "data/events/log-items.h"
#include "data/events/tensor.h"
#include "data/events/wire-write.h"
#include "data/store/item.h"

/* The wire format, tensors, and what a value becomes. */

static void
test_wire (void)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  TsField f;

  ts_wire_put_int (out, 1, -1);
  ts_wire_put_double (out, 2, 0.5);
  ts_wire_put_text (out, 15, "word");
  ts_wire_put_fixed32 (out, 536870911, 7);
  TsWire wire = ts_wire (out->data, out->len);
  g_assert_true (ts_wire_next (&wire, &f));
  g_assert_cmpint ((gint64) f.value, ==, -1);
  g_assert_true (ts_wire_next (&wire, &f));
  g_assert_cmpfloat (ts_field_double (&f), ==, 0.5);
  g_assert_true (ts_wire_next (&wire, &f));
  g_assert_cmpmem (f.data, f.size, "word", 4);
  g_assert_true (ts_wire_next (&wire, &f));
  g_assert_cmpint (f.number, ==, 536870911);
  g_assert_false (ts_wire_next (&wire, &f));
  g_assert_true (ts_wire_is_good (&wire));
  for (guint n = 1; n < out->len; n++) { /* cut inside a field it is malformed, never read beyond */
    g_autofree guint8 *copy = g_memdup2 (out->data, n);
    TsWire cut = ts_wire (copy, n);
    while (ts_wire_next (&cut, &f))
      ;
    g_assert_cmpint (ts_wire_is_good (&cut), ==, n == 11 || n == 20 || n == 26);
  }
}

/* Malformed keys: field 0, groups, a varint that does not end, a length beyond the end. */
static void
test_bad_wire (void)
{
  static const char *const bad[] = {"\x02\x01x", "\x0b",
                                    "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
                                    "\x0a\x05"
                                    "abc",
                                    "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"};

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    TsWire wire = ts_wire (bad[i], strlen (bad[i]));
    TsField f;
    while (ts_wire_next (&wire, &f))
      ;
    g_assert_false (ts_wire_is_good (&wire));
  }
}

/* The short way says what the long way says, or nothing: of every record cut anywhere and with
 * any byte changed. */
static void
expect_same (const guint8 *data, gsize size)
{
  TsLogEvent fast, slow;
  TsLogValue a, b;

  if (!ts_log_scalar_parse (&fast, &a, data, size))
    return;
  g_assert_true (ts_log_event_parse (&slow, data, size));
  g_assert_cmpint (slow.what, ==, TS_LOG_SUMMARY);
  g_assert_cmpint (fast.wall, ==, slow.wall);
  g_assert_cmpint (fast.step, ==, slow.step);
  TsWire summary = ts_wire (slow.body.data, slow.body.size);
  g_assert_true (ts_log_value_next (&summary, &b));
  g_assert_cmpint (b.carrier, ==, TS_CARRIER_SIMPLE);
  g_assert_cmpmem (a.tag.data, a.tag.size, b.tag.data, b.tag.size);
  g_assert_cmphex (a.simple, ==, b.simple);
  g_assert_null (b.metadata.data);
  g_assert_false (ts_log_value_next (&summary, &b));
}

static void
test_scalar (void)
{
  static const gint64 steps[] = {0, 1, 127, 128, 1 << 20, G_MAXINT64, -1};
  g_autofree char *long_tag = g_strnfill (200, 't');
  TsLogEvent event;
  TsLogValue value;

  for (guint i = 0; i < 2 * G_N_ELEMENTS (steps); i++) {
    g_autoptr (GByteArray) record = g_byte_array_new ();
    g_autoptr (GByteArray) summary = g_byte_array_new ();
    g_autoptr (GByteArray) body = g_byte_array_new ();
    ts_wire_put_text (body, 1, i % 2 ? long_tag : "loss");
    ts_wire_put_fixed32 (body, 2, 0x7fc12345);
    ts_wire_put_message (summary, 1, body);
    ts_wire_put_double (record, 1, 1.7e9 + 0.25);
    if (steps[i / 2])
      ts_wire_put_int (record, 2, steps[i / 2]);
    ts_wire_put_message (record, 5, summary);
    g_assert_true (ts_log_scalar_parse (&event, &value, record->data, record->len));
    for (guint n = 0; n < record->len; n++) {
      g_autofree guint8 *copy = g_memdup2 (record->data, MAX (n, 1));
      g_assert_false (ts_log_scalar_parse (&event, &value, copy, n));
      for (guint bit = 0; bit < 8; bit++) {
        record->data[n] ^= (guint8) (1u << bit);
        expect_same (record->data, record->len);
        record->data[n] ^= (guint8) (1u << bit);
      }
    }
  }
}

static gint64
numbers (int type, const char *list, gsize size, guint field, gint64 elems, double *out)
{
  g_autoptr (GByteArray) proto = g_byte_array_new ();
  g_autoptr (GByteArray) shape = g_byte_array_new ();
  g_autoptr (GByteArray) dim = g_byte_array_new ();
  TsTensorProto t;

  ts_wire_put_int (proto, 1, type);
  ts_wire_put_int (dim, 1, elems);
  ts_wire_put_message (shape, 2, dim);
  ts_wire_put_message (proto, 2, shape);
  ts_wire_put_bytes (proto, field, list, size);
  g_assert_true (ts_tensor_proto_parse (&t, proto->data, proto->len));
  return ts_tensor_proto_numbers (&t, out, 4);
}

static void
test_tensors (void)
{
  double v[4];

  g_assert_cmpint (numbers (TS_PROTO_INT32, "\x01\x02", 2, 7, 2, v), ==, 2);
  g_assert_cmpfloat (v[1], ==, 2);
  /* one element stands for all, the last for the missing ones, none is zero */
  g_assert_cmpint (numbers (TS_PROTO_INT64, "\x05", 1, 10, 3, v), ==, 3);
  g_assert_cmpfloat (v[0] + v[2], ==, 10);
  g_assert_cmpint (numbers (TS_PROTO_INT64, "\x05\x06", 2, 10, 4, v), ==, 4);
  g_assert_cmpfloat (v[3], ==, 6);
  g_assert_cmpint (numbers (TS_PROTO_FLOAT, "", 0, 5, 2, v), ==, 2);
  g_assert_cmpfloat (v[0], ==, 0);
  /* raw bytes; too few of them */
  g_assert_cmpint (numbers (TS_PROTO_INT16, "\xff\xff\x01\x00", 4, 4, 2, v), ==, 2);
  g_assert_cmpfloat (v[0], ==, -1);
  g_assert_cmpint (numbers (TS_PROTO_INT16, "\xff\xff\x01\x00", 4, 4, 3, v), ==, -1);
  g_assert_cmpint (numbers (TS_PROTO_UINT8, "\xfe\x01", 2, 4, 2, v), ==, 2);
  g_assert_cmpfloat (v[0], ==, 254);
  /* halves: the greatest, the smallest denormal, minus infinity, NaN; what torch writes for 1.0 */
  g_assert_cmpint (numbers (TS_PROTO_HALF, "\xff\x7b\x01\x00\x00\xfc\x01\x7c", 8, 4, 4, v), ==, 4);
  g_assert_cmpfloat (v[0], ==, 65504);
  g_assert_cmpfloat (v[1], ==, ldexp (1, -24));
  g_assert_true (isinf (v[2]) && v[2] < 0 && isnan (v[3]));
  g_assert_cmpint (numbers (TS_PROTO_HALF, "\x80\x80\x80\xfc\x03", 5, 13, 1, v), ==, 1);
  g_assert_cmpfloat (v[0], ==, 1);
  g_assert_cmpint (numbers (TS_PROTO_BFLOAT16, "\xc0\x3f", 2, 4, 1, v), ==, 1);
  g_assert_cmpfloat (v[0], ==, 1.5);
  g_assert_cmpint (numbers (8, "\x00", 1, 9, 1, v), ==, -1);    /* complex */
  g_assert_cmpint (numbers (1000, "\x00", 1, 9, 1, v), ==, -1); /* none of the list */
}

static void
test_bad_shapes (void)
{
  static const gint64 dims[][3] = {{-1, 1, 1}, {G_MAXINT64, 1, 1}, {1 << 20, 1 << 20, 1}};
  TsTensorProto t;

  for (guint i = 0; i < G_N_ELEMENTS (dims); i++) {
    g_autoptr (GByteArray) proto = g_byte_array_new ();
    g_autoptr (GByteArray) shape = g_byte_array_new ();
    g_autoptr (GByteArray) dim = g_byte_array_new ();
    for (guint k = 0; k < 3; k++) {
      ts_wire_put_int (dim, 1, dims[i][k]);
      ts_wire_put_message (shape, 2, dim);
    }
    ts_wire_put_message (proto, 2, shape);
    g_assert_false (ts_tensor_proto_parse (&t, proto->data, proto->len));
  }
}

static void
test_image_size (void)
{
  static const guint8 png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x02\0\0\0\x03";
  static const guint8 gif[] = "GIF89a\x05\0\x07\x01rest";
  static const guint8 jpeg[] =
      "\xff\xd8\xff\xe0\0\x04xx\xff\xc4\0\x03x\xff\xc0\0\x11\x08\0\x10\x01\0rest";
  guint w, h;

  g_assert_cmpstr (ts_image_size (png, sizeof png - 1, &w, &h), ==, "png");
  g_assert_cmpint (w * 1000 + h, ==, 258003);
  g_assert_cmpstr (ts_image_size (gif, sizeof gif - 1, &w, &h), ==, "gif");
  g_assert_cmpint (w * 1000 + h, ==, 5263);
  g_assert_cmpstr (ts_image_size (jpeg, sizeof jpeg - 1, &w, &h), ==, "jpeg");
  g_assert_cmpint (w * 1000 + h, ==, 256016);
  for (guint n = 0; n < sizeof jpeg - 6; n++) {
    g_autofree guint8 *cut = g_memdup2 (jpeg, MAX (n, 1));
    ts_image_size (cut, n, &w, &h);
  }
  g_assert_null (ts_image_size (png, 20, &w, &h));
  g_assert_cmpint (w + h, ==, 0);
}

static const char tensor_of_strings[] = "\x08\x07\x12\x04\x12\x02\x08\x03\x42\x02"
                                        "28\x42\x02"
                                        "14\x42\x03png";

/* A string tensor with its size in front is images; too few strings are none. */
static void
test_images (void)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autofree char *meta = NULL;
  TsTensorProto t;

  g_assert_true (ts_tensor_proto_parse (&t, tensor_of_strings, sizeof tensor_of_strings - 1));
  g_assert_true (ts_log_image_tensor (out, &t, &meta));
  g_assert_cmpstr (meta, ==, "{\"width\": 28, \"height\": 14, \"format\": null}");
  g_assert_cmpint (out->len, ==, 4 + 4 + 8 + 8 + 3);
  t.dim[0] = 1;
  t.elems = 1;
  g_assert_false (ts_log_strings (out, &t, 2));
}

/* A HistogramProto: fewer counts than limits, moments that are none. */
static void
test_histogram (void)
{
  g_autoptr (GByteArray) proto = g_byte_array_new ();
  g_autoptr (GByteArray) out = g_byte_array_new ();
  const double limits[] = {1, 2, INFINITY}, counts[] = {3, 4};
  g_autofree double *rows = NULL;
  TsBuckets b;

  ts_wire_put_double (proto, 1, NAN);
  ts_wire_put_bytes (proto, 6, limits, sizeof limits);
  ts_wire_put_double (proto, 7, counts[0]); /* not packed */
  ts_wire_put_double (proto, 7, counts[1]);
  g_assert_true (ts_log_histogram (out, (TsSlice){proto->data, proto->len}));
  g_assert_true (ts_buckets_decode (out->data, out->len, &b, &rows, NULL));
  g_assert_cmpint (b.n, ==, 2);
  g_assert_true (isnan (b.min));
  g_assert_cmpfloat (b.rows[4], ==, 2);
  g_assert_cmpfloat (b.rows[5], ==, 4);
  g_byte_array_set_size (out, 0);
  g_assert_false (ts_log_histogram (out, (TsSlice){proto->data, proto->len - 3}));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/values/wire", test_wire);
  g_test_add_func ("/values/bad-wire", test_bad_wire);
  g_test_add_func ("/values/scalar", test_scalar);
  g_test_add_func ("/values/tensors", test_tensors);
  g_test_add_func ("/values/bad-shapes", test_bad_shapes);
  g_test_add_func ("/values/image-size", test_image_size);
  g_test_add_func ("/values/images", test_images);
  g_test_add_func ("/values/histogram", test_histogram);
  return g_test_run ();
}
