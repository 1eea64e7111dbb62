/* SPDX-License-Identifier: MIT */
#include "engine/base/json-depth.h"

#include <string.h>

gboolean
ts_json_is_shallow (const char *text, gssize size)
{
  const char *end = text + (size < 0 ? (gssize) strlen (text) : size);
  gboolean quoted = FALSE;
  guint depth = 0;

  for (const char *p = text; p < end; p++) {
    if (quoted && *p == '\\')
      p++;
    else if (*p == '"')
      quoted = !quoted;
    else if (!quoted && (*p == '[' || *p == '{') && ++depth > TS_JSON_DEPTH_MAX)
      return FALSE;
    else if (!quoted && (*p == ']' || *p == '}') && depth)
      depth--;
  }
  return TRUE;
}
