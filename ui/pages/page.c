/* SPDX-License-Identifier: MIT */
#include "ui/pages/page.h"

#include <string.h>

static gint
by_place (gconstpointer a, gconstpointer b)
{
  const TsPageClass *p = *(const TsPageClass *const *) a, *q = *(const TsPageClass *const *) b;

  return p->group != q->group   ? (p->group < q->group ? -1 : 1)
         : p->place != q->place ? (p->place < q->place ? -1 : 1)
                                : strcmp (p->name, q->name);
}

GPtrArray *
ts_page_list (void)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; ts_page_table[i]; i++)
    g_ptr_array_add (list, (gpointer) ts_page_table[i]);
  g_ptr_array_sort (list, by_place);
  return list;
}

const TsPageClass *
ts_page_lookup (const char *name)
{
  for (guint i = 0; ts_page_table[i]; i++)
    if (strcmp (ts_page_table[i]->name, name) == 0)
      return ts_page_table[i];
  return NULL;
}

gboolean
ts_page_any_has_sidebar (void)
{
  for (guint i = 0; ts_page_table[i]; i++)
    if (ts_page_table[i]->sidebar)
      return TRUE;
  return FALSE;
}
