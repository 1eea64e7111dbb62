/* SPDX-License-Identifier: MIT */
#include "engine/model/suggest.h"

#include <string.h>

#define LONGEST 64

static guint
replace_cost (char a, char b)
{
  return g_ascii_tolower (a) != g_ascii_tolower (b);
}

guint
ts_suggest_distance (const char *a, const char *b)
{
  gsize n = strlen (a), m = strlen (b);
  guint rows[3][LONGEST + 1]; /* the last three rows of the table */

  if (n > LONGEST || m > LONGEST)
    return G_MAXUINT;
  for (gsize j = 0; j <= m; j++)
    rows[0][j] = (guint) j;
  for (gsize i = 1; i <= n; i++) {
    guint *now = rows[i % 3], *above = rows[(i - 1) % 3];
    now[0] = (guint) i;
    for (gsize j = 1; j <= m; j++) {
      guint best = above[j - 1] + replace_cost (a[i - 1], b[j - 1]);
      best = MIN (best, above[j] + 1);
      best = MIN (best, now[j - 1] + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        best = MIN (best, rows[(i - 2) % 3][j - 2] + 1);
      now[j] = best;
    }
  }
  return rows[n % 3][m];
}

const char *
ts_suggest (const char *word, const char *const *candidates)
{
  const char *nearest = NULL;
  gsize length = strlen (word);
  guint best = (guint) MAX (1, (length + 1) / 3) + 1;

  if (length < 2)
    return NULL;
  for (guint i = 0; candidates[i]; i++) {
    guint distance = ts_suggest_distance (word, candidates[i]);
    if (distance < best && distance < strlen (candidates[i]) && strcmp (word, candidates[i]) != 0) {
      best = distance;
      nearest = candidates[i];
    }
  }
  return nearest;
}
