/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "data/events/image-size.h"
#include "data/events/log-event.h"
#include "data/events/log-encode.h"
#include "data/events/log-items.h"
#include "data/events/plugin-json.h"
#include "data/events/projector-config.h"
#include "data/events/tensor.h"
#include "data/events/wire-write.h"
#include "data/store/array.h"
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

/* A tensor of that type and shape whose elements stand in field @list, or raw when @list is 4. */
static gboolean
make_array (GByteArray *out, TsProtoType type, gint64 n, guint list, gconstpointer data, gsize size)
{
  g_autoptr (GByteArray) proto = g_byte_array_new ();
  g_autoptr (GByteArray) dim = g_byte_array_new ();
  g_autoptr (GByteArray) shape = g_byte_array_new ();
  TsTensorProto t;

  ts_wire_put_int (dim, 1, n);
  ts_wire_put_message (shape, 2, dim);
  ts_wire_put_int (proto, 1, type);
  ts_wire_put_message (proto, 2, shape);
  ts_wire_put_bytes (proto, list, data, size);
  g_assert_true (ts_tensor_proto_parse (&t, proto->data, proto->len));
  g_byte_array_set_size (out, 0);
  return ts_log_array (out, &t);
}

static void
expect_array (const GByteArray *out, TsArrayType type, const char *text)
{
  g_autoptr (GString) digits = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  TsArray array;

  g_assert_true (ts_array_decode (out->data, out->len, &array, &error));
  g_assert_no_error (error);
  g_assert_cmpint (array.type, ==, type);
  for (guint64 i = 0; i < array.elems; i++) {
    if (i)
      g_string_append_c (digits, ' ');
    ts_array_append_text (&array, i, digits);
  }
  g_assert_cmpstr (digits->str, ==, text);
  for (guint n = 0; n < out->len; n++) { /* cut anywhere it is refused */
    g_autofree guint8 *cut = g_memdup2 (out->data, MAX (n, 1));
    g_assert_false (ts_array_decode (cut, n, &array, NULL));
  }
}

/* Exact in every type: raw, packed, in a list that is shorter than the shape, and torch's halves. */
static void
test_arrays (void)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  const float f[] = {0.1f, -2, INFINITY};
  const gint64 whole[] = {G_MAXINT64, -9007199254740993};

  g_assert_true (make_array (out, TS_PROTO_FLOAT, 3, 4, f, sizeof f));
  expect_array (out, TS_ARRAY_F32, "0.10000000149011612 -2 \"Infinity\"");
  g_assert_true (make_array (out, TS_PROTO_INT64, 2, 4, whole, sizeof whole));
  expect_array (out, TS_ARRAY_I64, "9223372036854775807 -9007199254740993");
  g_assert_true (
      make_array (out, TS_PROTO_UINT64, 2, 17, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x07", 11));
  expect_array (out, TS_ARRAY_U64, "18446744073709551615 7");
  g_assert_true (
      make_array (out, TS_PROTO_INT8, 3, 7, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x05", 11));
  expect_array (out, TS_ARRAY_I8, "-1 5 5"); /* the last one fills the rest */
  g_assert_true (make_array (out, TS_PROTO_BOOL, 2, 11, "\x02\0", 2));
  expect_array (out, TS_ARRAY_BOOL, "1 0");
  g_assert_true (make_array (out, TS_PROTO_HALF, 2, 13, "\x80\x80\x80\xfc\x03\x80\x78", 7));
  expect_array (out, TS_ARRAY_F32, "1 1"); /* the bits of a float, and those of a half */
  g_assert_false (make_array (out, TS_PROTO_FLOAT, 2, 4, f, sizeof f)); /* more than the shape */
  g_assert_false (make_array (out, TS_PROTO_FLOAT, 4, 4, f, sizeof f)); /* less */
  g_assert_false (
      make_array (out, TS_PROTO_INT32, 1 << 30, 7, "\x01", 1)); /* a few bytes that ask for 4 GB */
  g_assert_false (make_array (out, 8, 1, 4, f, 8));             /* complex */
}

static void
test_layout (void)
{
  g_autoptr (GByteArray) margins = g_byte_array_new ();
  g_autoptr (GByteArray) series = g_byte_array_new ();
  g_autoptr (GByteArray) chart = g_byte_array_new ();
  g_autoptr (GByteArray) category = g_byte_array_new ();
  g_autoptr (GByteArray) layout = g_byte_array_new ();

  ts_wire_put_text (series, 1, "v");
  ts_wire_put_text (series, 2, "l\xff");
  ts_wire_put_text (series, 3, "u\"");
  ts_wire_put_message (margins, 1, series);
  ts_wire_put_text (chart, 1, "c");
  ts_wire_put_message (chart, 3, margins);
  ts_wire_put_int (category, 3, 1);
  ts_wire_put_message (category, 2, chart);
  ts_wire_put_text (category, 1, "title");
  ts_wire_put_int (layout, 1, 0);
  ts_wire_put_message (layout, 2, category);
  g_autofree char *text =
      ts_plugin_dup_text ("layout", ts_plugin_layout ((TsSlice){layout->data, layout->len}));
  g_assert_cmpstr (
      text, ==,
      "{\"layout\":[{\"title\":\"title\",\"closed\":true,\"charts\":[{\"title\":\"c\","
      "\"margins\":[{\"value\":\"v\",\"lower\":\"l\xef\xbf\xbd\",\"upper\":\"u\\\"\"}]}]}]}");
  g_assert_null (ts_plugin_layout ((TsSlice){layout->data, layout->len - 2}));
}

/* Protocol buffers' text form in all its spellings. */
static void
test_projector_config (void)
{
  static const char text[] =
      "# one\nmodel_checkpoint_path: \"x\"\nembeddings < tensor_name: 'a' \"\\tb\"\n"
      "tensor_shape: [2, 3]; sprite: { image_path: \"s\", single_image_dim: 28"
      " single_image_dim: 14 } metadata_path: \"m\" >\nembeddings { tensor_path: \"p\" }";
  guint line = 0;
  g_autoptr (GPtrArray) entries = ts_projector_config_parse (text, sizeof text - 1, &line);

  g_assert_nonnull (entries);
  g_assert_cmpint (entries->len, ==, 2);
  const TsProjectorEntry *a = entries->pdata[0], *b = entries->pdata[1];
  g_assert_cmpstr (a->tensor_name, ==, "a\tb");
  g_assert_cmpstr (a->sprite_path, ==, "s");
  g_assert_cmpint (a->sprite_width, ==, 28);
  g_assert_cmpint (a->sprite_height, ==, 14);
  g_assert_cmpstr (a->metadata_path, ==, "m");
  g_assert_null (a->tensor_path);
  g_assert_cmpstr (b->tensor_path, ==, "p");
  static const char *const bad[] = {"\n\nembeddings {", "\n\nx: \"never\n\"", "\n\nx 1", "\n\n}",
                                    "\n\n: 1"};
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_assert_null (ts_projector_config_parse (bad[i], strlen (bad[i]), &line));
    g_assert_cmpint (line, ==, 3);
  }
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
  g_test_add_func ("/values/arrays", test_arrays);
  g_test_add_func ("/values/layout", test_layout);
  g_test_add_func ("/values/projector-config", test_projector_config);
  return g_test_run ();
}
