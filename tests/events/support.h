/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Appends a record as the format describes it; only its CRC is that of the code that writes files. */
void ts_test_put_record (GByteArray *out, gconstpointer data, gsize size);

G_END_DECLS
