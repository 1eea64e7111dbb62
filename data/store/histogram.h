/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/item.h"

G_BEGIN_DECLS

/* A TsHistogram as the bytes of one item of codec TS_ITEM_HISTOGRAM (docs/run-file.md, "A histogram"). */

void ts_histogram_encode (GByteArray *out, const TsHistogram *histogram);

/* Errors: TS_STORE_ERROR_CORRUPT. */
gboolean ts_histogram_decode (const guint8 *data, gsize size, TsHistogram *histogram,
                              GError **error);

G_END_DECLS
