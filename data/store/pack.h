/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/bytes-private.h"

G_BEGIN_DECLS

/* Columns of numbers inside blobs (docs/run-file.md, "Columns"): what chunks and levels of detail are
 * made of.  Putting appends to @out; n >= 1.  Getting takes exactly what was put, reads nothing past
 * the cursor's end, whatever the bytes, and on FALSE has filled an unknown part of @v. */

/* Unsigned numbers in blocks, each as wide as its largest. */
void ts_pack_put_list (GByteArray *out, const guint64 *v, guint n);
gboolean ts_pack_get_list (TsCursor *c, guint64 *v, guint n);
/* The bytes it takes. */
gsize ts_pack_measure_list (const guint64 *v, guint n);

/* Signed or unsigned numbers that follow each other: the first, then differences modulo 2^64. */
void ts_pack_put_integers (GByteArray *out, const guint64 *v, guint n);
gboolean ts_pack_get_integers (TsCursor *c, guint64 *v, guint n);
/* The bytes it takes, but for the few of its first numbers. */
gsize ts_pack_measure_integers (const guint64 *v, guint n);

/* How a column of binary64 values is written; the smallest is taken. */
typedef enum {
  TS_PACK_WIDE = 0,     /* 64 bits each */
  TS_PACK_NARROW = 1,   /* binary32, when all widen back */
  TS_PACK_CONSTANT = 2, /* one value */
  TS_PACK_SCALED = 3,   /* whole numbers times a power of two, above their least */
  TS_PACK_RISING = 4,   /* the same, by their differences */
  TS_PACK_XOR = 5,      /* the bits in which each differs from the one before */
} TsPackForm;

/* Bits of binary64 values, exact for every one. */
TsPackForm ts_pack_put_values (GByteArray *out, const guint64 *bits, guint n);
gboolean ts_pack_get_values (TsCursor *c, guint64 *bits, guint n);

/* pack-xor.c: the bytes it would take, or more than @most without knowing how many; and doing so. */
gsize ts_pack_measure_xor (const guint64 *bits, guint n, gsize most);
void ts_pack_put_xor (GByteArray *out, const guint64 *bits, guint n);
gboolean ts_pack_get_xor (TsCursor *c, guint64 *bits, guint n);

G_END_DECLS
