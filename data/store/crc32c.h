/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* CRC-32C (Castagnoli, reflected polynomial 0x82f63b78, as in iSCSI and TensorBoard's files).  Uses
 * the processor's instruction where it has one.  Thread-safe. */
guint32 ts_crc32c (gconstpointer data, gsize size);

/* Continues: ts_crc32c_extend (ts_crc32c (a), b) is the CRC of a followed by b. */
guint32 ts_crc32c_extend (guint32 crc, gconstpointer data, gsize size);

/* The same by table alone; for tests. */
guint32 ts_crc32c_extend_table (guint32 crc, gconstpointer data, gsize size);

G_END_DECLS
