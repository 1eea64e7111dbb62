/* SPDX-License-Identifier: MIT */
#include "engine/tensor/shape.h"

static gint64
product (const TsShape *s, guint from)
{
  gint64 n = 1;

  for (guint i = from; i < s->rank; i++) {
    if (s->dim[i] == TS_ANY)
      return TS_ANY;
    n *= s->dim[i];
  }
  return n;
}

gint64
ts_shape_elems (const TsShape *shape)
{
  return product (shape, 0);
}

gint64
ts_shape_row_elems (const TsShape *shape)
{
  return product (shape, 1);
}

gboolean
ts_shape_equal (const TsShape *a, const TsShape *b)
{
  if (a->rank != b->rank)
    return FALSE;
  for (guint i = 0; i < a->rank; i++)
    if (a->dim[i] != b->dim[i])
      return FALSE;
  return TRUE;
}

gboolean
ts_shape_compatible (const TsShape *a, const TsShape *b)
{
  if (a->rank != b->rank)
    return FALSE;
  for (guint i = 0; i < a->rank; i++)
    if (a->dim[i] != b->dim[i] && a->dim[i] != TS_ANY && b->dim[i] != TS_ANY)
      return FALSE;
  return TRUE;
}

static void
append (GString *text, const TsShape *shape, guint from)
{
  for (guint i = from; i < shape->rank; i++) {
    if (i > from)
      g_string_append (text, ", ");
    if (shape->dim[i] == TS_ANY)
      g_string_append_c (text, '?');
    else
      g_string_append_printf (text, "%" G_GINT64_FORMAT, shape->dim[i]);
  }
}

char *
ts_shape_dup_text (const TsShape *shape)
{
  GString *text = g_string_new ("(");

  append (text, shape, 0);
  return g_string_free (g_string_append (text, shape->rank == 1 ? ",)" : ")"), FALSE);
}

char *
ts_shape_dup_row_text (const TsShape *shape)
{
  GString *text = g_string_new ("[");

  append (text, shape, shape->rank && shape->dim[0] == TS_ANY ? 1 : 0);
  return g_string_free (g_string_append_c (text, ']'), FALSE);
}
