/* SPDX-License-Identifier: MIT */
#include "ui/plot/column.h"

void
ts_columns_init (TsColumns *columns, int n)
{
  *columns = (TsColumns){.column = g_new0 (TsColumn, MAX (n, 1)), .n = n};
}

void
ts_columns_clear (TsColumns *columns)
{
  g_clear_pointer (&columns->column, g_free);
  columns->n = 0;
}

gboolean
ts_columns_range (const TsColumns *columns, double *min, double *max)
{
  gboolean any = FALSE;

  for (int i = 0; i < columns->n; i++) {
    const TsColumn *c = &columns->column[i];
    if (!c->count)
      continue;
    *min = any ? MIN (*min, c->min) : c->min;
    *max = any ? MAX (*max, c->max) : c->max;
    any = TRUE;
  }
  return any;
}
