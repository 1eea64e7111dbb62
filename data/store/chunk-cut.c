/* SPDX-License-Identifier: MIT */
#include "data/store/chunk.h"

#include "data/store/workspace.h"

/* How SQLite lays out a row that is longer than a page (its "Database File Format", 1.6): SHORT bytes
 * and what does not fill an overflow page stay in the leaf, where a long rest wastes most of a page.
 * So a full chunk ends where the rest is next to nothing. */

#define PER_PAGE (TS_WORKSPACE_PAGE_BYTES - 4)
#define SHORT    ((TS_WORKSPACE_PAGE_BYTES - 12) * 32 / 255 - 23)
#define LONGEST  (TS_WORKSPACE_PAGE_BYTES - 35) /* beyond this a row goes to overflow pages */
#define REST     160                            /* bytes that may stay in the leaf */
#define COLUMNS  70                             /* bytes of the row's other columns, about */
#define TRIES    3
#define LEAST    (TS_CHUNK_POINTS / 2)

/* How many of TS_CHUNK_POINTS points, @n of which took so many bytes, fill whole pages best, about. */
static guint
better (guint n, guint bytes)
{
  guint payload = bytes + COLUMNS;

  if (payload <= LONGEST)
    return TS_CHUNK_POINTS;
  guint rest = (payload - SHORT) % PER_PAGE;
  if (rest >= PER_PAGE - REST)
    rest = 0; /* the last page is as good as full */
  guint aim = bytes - rest + (rest <= REST ? rest : REST / 2);
  guint64 fewer = (guint64) n * aim / bytes, more = (guint64) n * (aim + PER_PAGE) / bytes;
  if (more <= TS_CHUNK_POINTS)
    return (guint) more;
  return fewer < LEAST ? n : (guint) fewer;
}

guint
ts_chunk_encode_full (GByteArray *out, TsWallKind wall, const TsPoint *points, guint *guess,
                      int *codec)
{
  guint start = out->len, n = *guess, next;

  *codec = ts_chunk_encode (out, wall, points, n);
  for (int i = 0; i < TRIES && (next = better (n, out->len - start)) != n; i++) {
    n = next;
    g_byte_array_set_size (out, start);
    *codec = ts_chunk_encode (out, wall, points, n);
  }
  if (out->len - start + COLUMNS > LONGEST)
    *guess = n;
  return n;
}
