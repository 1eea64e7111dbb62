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

static guint
rest_of (guint bytes)
{
  guint payload = bytes + COLUMNS;

  if (payload <= LONGEST)
    return 0;
  guint rest = (payload - SHORT) % PER_PAGE;
  return rest < PER_PAGE - REST ? rest : 0; /* the last page is as good as full */
}

guint
ts_chunk_encode_full (GByteArray *out, TsWallKind wall, const TsPoint *points, int *codec)
{
  guint start = out->len, n = TS_CHUNK_POINTS, rest;

  *codec = ts_chunk_encode (out, wall, points, n);
  for (int i = 0; i < TRIES && (rest = rest_of (out->len - start)) > REST; i++) {
    guint bytes = out->len - start, wanted = bytes - rest + REST / 2;
    guint fewer = (guint) ((guint64) n * wanted / bytes);
    if (fewer < LEAST)
      break;
    n = fewer;
    g_byte_array_set_size (out, start);
    *codec = ts_chunk_encode (out, wall, points, n);
  }
  return n;
}
