/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The framing of event files (TFRecord): u64 length, its masked CRC-32C, the bytes, theirs; one record after
 * the other, without a header.  A reader goes through one file once, from an offset to what is its end at that
 * time; who follows a file opens it again at ts_record_reader_get_offset.
 *
 * Nothing in the file is believed: a record whose bytes do not have their CRC is passed over; where a length
 * is damaged, reading goes on at the next place at which a length and its bytes both have their CRC. */

#define TS_RECORD_BYTES_MAX ((guint64) 0x7fffffff) /* a longer one is taken for damage */

typedef struct TsRecordReader TsRecordReader;

typedef enum {
  TS_DAMAGE_BYTES,   /* one record whose bytes lack their CRC */
  TS_DAMAGE_LENGTH,  /* bytes between records that are none */
  TS_DAMAGE_CONTENT, /* a record that is no event (found by who decodes it) */
} TsDamageKind;

/* "one record failed its checksum", … */
const char *ts_damage_kind_text (TsDamageKind kind);

typedef struct {
  TsDamageKind kind;
  gint64 offset, bytes;
} TsDamage;

/* What lies behind the last record. */
typedef enum {
  TS_TAIL_NONE,    /* nothing */
  TS_TAIL_PARTIAL, /* the beginning of a record: it is still being written, or was cut off */
  TS_TAIL_ZEROS,   /* zeros: room that was made and not yet filled */
  TS_TAIL_UNKNOWN, /* bytes in which no record was found */
} TsTailKind;

/* Memory that readers use one after another; all zeros at first, and @data is to be freed at last. */
typedef struct {
  guint8 *data;
  gsize size;
} TsRecordBuffer;

/* @offset: that of a record, as ts_record_reader_get_offset gave it, or 0.  @lent: the reader's until it is
 * closed; may be NULL.  Errors: TS_EVENTS_ERROR_OPEN. */
TsRecordReader *ts_record_reader_open (const char *path, gint64 offset, TsRecordBuffer *lent,
                                       GError **error);
void ts_record_reader_close (TsRecordReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsRecordReader, ts_record_reader_close)

/* The bytes of the next good record, valid until the next call; @offset: where it begins.  1: there is one;
 * 0: the end; -1: TS_EVENTS_ERROR_IO. */
int ts_record_reader_next (TsRecordReader *reader, const guint8 **data, gsize *size, gint64 *offset,
                           GError **error);

/* After the last good record: where to go on when the file has grown. */
gint64 ts_record_reader_get_offset (const TsRecordReader *reader);
gint64
ts_record_reader_get_size (const TsRecordReader *reader); /* of the file when it was opened */
TsTailKind ts_record_reader_get_tail (const TsRecordReader *reader);

/* CRC-32C of the file's first @size bytes.  FALSE: it is not known, @size is more than TS_RECORD_HEAD or than has
 * been read, or reading did not begin at 0. */
#define TS_RECORD_HEAD 1024
gboolean ts_record_reader_get_head_crc (const TsRecordReader *reader, gint64 size, guint32 *crc);

/* What was passed over so far: a GArray of TsDamage, borrowed. */
const GArray *ts_record_reader_get_damage (const TsRecordReader *reader);
/* The record that ts_record_reader_next gave last is no event. */
void ts_record_reader_add_damage (TsRecordReader *reader);

/* ((crc >> 15) | (crc << 17)) + 0xa282ead8 of the CRC-32C: CRCs of data that holds CRCs are weak. */
guint32 ts_record_masked_crc (gconstpointer data, gsize size);

G_END_DECLS
