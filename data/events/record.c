/* SPDX-License-Identifier: MIT */
#include "data/events/record.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/events/error.h"
#include "data/store/crc32c.h"

#define HEAD         12         /* length and its CRC */
#define BUFFER_BYTES (1u << 20) /* read at once; more only for a record that is longer */

struct TsRecordReader {
  int fd;
  char *path;
  gint64 size; /* of the file */
  guint8 *buffer;
  gsize room;              /* of the buffer */
  TsRecordBuffer *lent;    /* whose memory it is; NULL: the reader's */
  gint64 at;               /* offset of buffer[0] */
  gsize filled;            /* bytes in it */
  gint64 offset;           /* of the next record */
  gint64 last, last_bytes; /* the record given last, with its frame */
  TsTailKind tail;
  GArray *damage;
  guint8 head[TS_RECORD_HEAD]; /* of the file, when it was read from its beginning */
  gsize head_size;
};

const char *
ts_damage_kind_text (TsDamageKind kind)
{
  static const char *const texts[] = {"a record failed its checksum", "bytes that are no records",
                                      "a record that is no event"};

  return texts[kind];
}

static inline guint32
mask (guint32 crc)
{
  return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

guint32
ts_record_masked_crc (gconstpointer data, gsize size)
{
  return mask (ts_crc32c (data, size));
}

static guint64
get_u64 (const guint8 *p)
{
  guint64 v;

  memcpy (&v, p, sizeof v);
  return GUINT64_FROM_LE (v);
}

static guint32
get_u32 (const guint8 *p)
{
  guint32 v;

  memcpy (&v, p, sizeof v);
  return GUINT32_FROM_LE (v);
}

/* Room for @wanted bytes in the buffer, of which nothing is kept. */
static void
take_buffer (TsRecordReader *reader, TsRecordBuffer *lent, gsize wanted)
{
  if (lent)
    *reader = (TsRecordReader){.lent = lent, .buffer = lent->data, .room = lent->size};
  if (reader->room >= wanted)
    return;
  g_free (reader->buffer);
  reader->buffer = g_malloc (wanted);
  reader->room = wanted;
}

TsRecordReader *
ts_record_reader_open (const char *path, gint64 offset, TsRecordBuffer *lent, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat st;
  int code = fd < 0 || fstat (fd, &st) != 0 ? errno : S_ISREG (st.st_mode) ? 0 : EISDIR;

  if (code) {
    g_set_error (error, TS_EVENTS_ERROR, TS_EVENTS_ERROR_OPEN, "cannot read %s: %s", path,
                 fd >= 0 && code == EISDIR ? "it is not a file" : g_strerror (code));
    if (fd >= 0)
      close (fd);
    return NULL;
  }
  TsRecordReader *reader = g_new0 (TsRecordReader, 1);
  take_buffer (reader, lent, (gsize) CLAMP (st.st_size - offset, 4096, BUFFER_BYTES));
  reader->fd = fd;
  reader->path = g_strdup (path);
  reader->size = st.st_size;
  reader->offset = reader->at = MIN (offset, st.st_size);
  reader->damage = g_array_new (FALSE, FALSE, sizeof (TsDamage));
  return reader;
}

void
ts_record_reader_close (TsRecordReader *reader)
{
  close (reader->fd);
  g_free (reader->path);
  if (reader->lent)
    *reader->lent = (TsRecordBuffer){reader->buffer, reader->room};
  else
    g_free (reader->buffer);
  g_array_unref (reader->damage);
  g_free (reader);
}

/* Reads on until the bytes from @offset on, @want of them or as many as the file has, lie in the buffer. */
static gssize
fill (TsRecordReader *reader, gint64 offset, gsize want, const guint8 **data, GError **error)
{
  /* back to where damage began, or beyond what has been read: nothing of the buffer serves */
  gboolean apart = offset < reader->at || offset > reader->at + (gint64) reader->filled;
  gsize before = apart ? reader->filled : (gsize) (offset - reader->at);

  memmove (reader->buffer, reader->buffer + before, reader->filled - before);
  reader->at = offset;
  reader->filled -= before;
  if (want > reader->room)
    reader->buffer = g_realloc (reader->buffer, reader->room = want);
  while (want > reader->filled) {
    gsize room = (gsize) MIN ((gint64) (reader->room - reader->filled),
                              reader->size - reader->at - (gint64) reader->filled);
    gssize n = pread (reader->fd, reader->buffer + reader->filled, room,
                      reader->at + (gint64) reader->filled);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      g_set_error (error, TS_EVENTS_ERROR, TS_EVENTS_ERROR_IO, "cannot read %s: %s", reader->path,
                   g_strerror (errno));
      return -1;
    }
    if (n == 0) { /* it has become shorter meanwhile */
      reader->size = reader->at + (gint64) reader->filled;
      want = reader->filled;
    }
    reader->filled += (gsize) n;
  }
  if (reader->at == 0 && reader->head_size < sizeof reader->head) {
    reader->head_size = MIN (reader->filled, sizeof reader->head);
    memcpy (reader->head, reader->buffer, reader->head_size);
  }
  *data = reader->buffer;
  return (gssize) want;
}

/* The bytes from @offset on, @want of them or as many as the file has: their number and place; -1: an error. */
static inline gssize
need (TsRecordReader *reader, gint64 offset, gsize want, const guint8 **data, GError **error)
{
  gsize before = (gsize) (offset - reader->at);

  want = (gsize) MIN ((gint64) want, reader->size - offset);
  if (offset < reader->at || before + want > reader->filled)
    return fill (reader, offset, want, data, error);
  *data = reader->buffer + before;
  return (gssize) want;
}

static void
add_damage (TsRecordReader *reader, TsDamageKind kind, gint64 offset, gint64 bytes)
{
  TsDamage damage = {kind, offset, bytes};

  g_array_append_val (reader->damage, damage);
}

void
ts_record_reader_add_damage (TsRecordReader *reader)
{
  add_damage (reader, TS_DAMAGE_CONTENT, reader->last, reader->last_bytes);
}

typedef enum { FRAME_GOOD, FRAME_NO_LENGTH, FRAME_BAD_BYTES, FRAME_CUT, FRAME_FAILED } Frame;

/* Looks at the record at @offset.  FRAME_CUT: the file ends before it does. */
static Frame
look (TsRecordReader *reader, gint64 offset, const guint8 **data, gsize *size, GError **error)
{
  const guint8 *head;
  gssize n = need (reader, offset, HEAD, &head, error);

  if (n < HEAD)
    return n < 0 ? FRAME_FAILED : FRAME_CUT;
  guint64 length = get_u64 (head);
  if (get_u32 (head + 8) != ts_record_masked_crc (head, 8) || length > TS_RECORD_BYTES_MAX)
    return FRAME_NO_LENGTH;
  if ((gint64) length + HEAD + 4 > reader->size - offset)
    return FRAME_CUT;
  n = need (reader, offset, (gsize) length + HEAD + 4, data, error);
  if (n < (gssize) length + HEAD + 4)
    return n < 0 ? FRAME_FAILED : FRAME_CUT;
  *data += HEAD;
  *size = (gsize) length;
  return get_u32 (*data + length) == ts_record_masked_crc (*data, length) ? FRAME_GOOD
                                                                          : FRAME_BAD_BYTES;
}

/* Only zeros from @offset to the end? */
static int
only_zeros (TsRecordReader *reader, gint64 offset, GError **error)
{
  const guint8 *data;
  gssize n;

  for (; offset < reader->size; offset += n) {
    n = need (reader, offset, 4096, &data, error);
    if (n < 0)
      return -1;
    for (gssize i = 0; i < n; i++)
      if (data[i])
        return 0;
  }
  return 1;
}

/* The first record behind the damage that begins at reader->offset. */
static Frame
resync (TsRecordReader *reader, GError **error)
{
  const guint8 *data;
  gsize size;

  for (gint64 at = reader->offset + 1; at + HEAD <= reader->size; at++) {
    Frame frame = look (reader, at, &data, &size, error);
    if (frame == FRAME_FAILED)
      return frame;
    if (frame != FRAME_GOOD)
      continue;
    add_damage (reader, TS_DAMAGE_LENGTH, reader->offset, at - reader->offset);
    reader->offset = at;
    return FRAME_GOOD;
  }
  return FRAME_CUT;
}

/* FRAME_GOOD: there is a record at reader->offset after all. */
static Frame
mend (TsRecordReader *reader, GError **error)
{
  int zeros = only_zeros (reader, reader->offset, error);
  Frame frame = zeros < 0 ? FRAME_FAILED : zeros ? FRAME_CUT : FRAME_NO_LENGTH;

  if (frame == FRAME_NO_LENGTH) {
    frame = resync (reader, error);
    if (frame == FRAME_CUT)
      reader->tail = TS_TAIL_UNKNOWN;
  } else if (frame == FRAME_CUT) {
    reader->tail = TS_TAIL_ZEROS;
  }
  return frame;
}

/* Most records are good and lie in the buffer whole: does one begin at @p, of the @there bytes that are there? */
#if defined(__x86_64__)
__attribute__ ((target ("sse4.2"))) static gboolean
is_good (const guint8 *p, gsize there, gsize *size)
{
  if (there < HEAD + 4 || get_u32 (p + 8) != mask (ts_crc32c_sse42 (0, p, 8)))
    return FALSE;
  guint64 length = get_u64 (p);
  if (length > there - HEAD - 4 || length > TS_RECORD_BYTES_MAX)
    return FALSE;
  *size = (gsize) length;
  return get_u32 (p + HEAD + length) == mask (ts_crc32c_sse42 (0, p + HEAD, (gsize) length));
}

static gboolean
next_in_buffer (TsRecordReader *reader, const guint8 **data, gsize *size)
{
  gint64 before = reader->offset - reader->at;

  if (!__builtin_cpu_supports ("sse4.2") || before < 0 || before >= (gint64) reader->filled ||
      !is_good (reader->buffer + before, reader->filled - (gsize) before, size))
    return FALSE;
  *data = reader->buffer + before + HEAD;
  return TRUE;
}
#else
static gboolean
next_in_buffer (TsRecordReader *reader, const guint8 **data, gsize *size)
{
  return FALSE;
}
#endif

int
ts_record_reader_next (TsRecordReader *reader, const guint8 **data, gsize *size, gint64 *offset,
                       GError **error)
{
  for (;;) {
    Frame frame = next_in_buffer (reader, data, size)
                      ? FRAME_GOOD
                      : look (reader, reader->offset, data, size, error);
    if (frame == FRAME_NO_LENGTH) {
      frame = mend (reader, error);
      if (frame == FRAME_GOOD)
        continue;
    } else if (frame == FRAME_CUT) {
      reader->tail = reader->offset < reader->size ? TS_TAIL_PARTIAL : TS_TAIL_NONE;
    }
    if (frame == FRAME_FAILED || frame == FRAME_CUT)
      return frame == FRAME_FAILED ? -1 : 0;
    reader->last = *offset = reader->offset;
    reader->last_bytes = (gint64) *size + HEAD + 4;
    reader->offset += reader->last_bytes;
    if (frame == FRAME_GOOD)
      return 1;
    add_damage (reader, TS_DAMAGE_BYTES, reader->last, reader->last_bytes);
  }
}

gint64
ts_record_reader_get_offset (const TsRecordReader *reader)
{
  return reader->offset;
}

gint64
ts_record_reader_get_size (const TsRecordReader *reader)
{
  return reader->size;
}

TsTailKind
ts_record_reader_get_tail (const TsRecordReader *reader)
{
  return reader->tail;
}

const GArray *
ts_record_reader_get_damage (const TsRecordReader *reader)
{
  return reader->damage;
}

gboolean
ts_record_reader_get_head_crc (const TsRecordReader *reader, gint64 size, guint32 *crc)
{
  if (size > (gint64) reader->head_size)
    return FALSE;
  *crc = ts_crc32c (reader->head, (gsize) size);
  return TRUE;
}
