/* SPDX-License-Identifier: MIT */
#include "engine/base/param.h"

#include <math.h>
#include <string.h>

#include "engine/base/error.h"

void
ts_params_init (TsParams *params, const TsParamSpec *specs)
{
  memset (params, 0, sizeof *params);
  params->specs = specs;
  for (const TsParamSpec *s = specs; s && s->name; s++) {
    g_assert (params->n < TS_PARAMS_MAX);
    guint i = params->n++;
    params->v[i].f = s->number;
    params->v[i].i = (gint64) s->number;
    params->v[i].s = g_intern_string (s->text);
  }
}

int
ts_params_lookup (const TsParams *params, const char *name)
{
  for (guint i = 0; i < params->n; i++)
    if (strcmp (params->specs[i].name, name) == 0)
      return (int) i;
  return -1;
}

void
ts_params_take (TsParams *params, const TsParams *from)
{
  for (guint i = 0; i < params->n; i++) {
    int k = ts_params_lookup (from, params->specs[i].name);
    if (k < 0)
      continue;
    params->v[i] = from->v[k];
    params->set |= (from->set >> k & 1) << i;
  }
}

static int
find (const TsParams *params, const char *name, GError **error)
{
  int i = ts_params_lookup (params, name);

  if (i < 0)
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM, "no parameter is called '%s'",
                 name);
  return i;
}

static gboolean
mismatch (const TsParamSpec *spec, const char *got, GError **error)
{
  static const char *const kinds[] = {
      "a whole number",          "a number",         "true or false", "a word", "a text in quotes",
      "a list of whole numbers", "a list of numbers"};

  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM, "%s must be %s%s%s, not %s",
               spec->name, kinds[spec->type], spec->words ? " of " : "",
               spec->words ? spec->words : "", *got ? got : "nothing");
  return FALSE;
}

/* As people write it: whole numbers without an exponent. */
static char *
dup_plain (double value)
{
  if (value == floor (value) && fabs (value) < 1e15)
    return g_strdup_printf ("%.0f", value);
  return ts_number_dup_text (value);
}

static gboolean
check_range (const TsParamSpec *s, double value, GError **error)
{
  if (!(s->min < s->max) || (value >= s->min && (s->max_open ? value < s->max : value <= s->max)))
    return TRUE;
  g_autofree char *lo = dup_plain (s->min), *hi = dup_plain (s->max), *text = dup_plain (value);
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM, "%s %s is not in [%s, %s%c", s->name,
               text, lo, hi, s->max_open ? ')' : ']');
  return FALSE;
}

gboolean
ts_params_set_number (TsParams *params, const char *name, double value, GError **error)
{
  int i = find (params, name, error);
  if (i < 0)
    return FALSE;

  const TsParamSpec *s = &params->specs[i];
  g_autofree char *text = dup_plain (value);

  if (s->type != TS_PARAM_INT && s->type != TS_PARAM_FLOAT)
    return mismatch (s, text, error);
  if (s->type == TS_PARAM_INT && (value != floor (value) || fabs (value) > 9007199254740992.0))
    return mismatch (s, text, error);
  if (!check_range (s, value, error))
    return FALSE;
  params->v[i].f = value;
  params->v[i].i = (gint64) (s->type == TS_PARAM_INT ? value : 0);
  params->set |= 1u << i;
  return TRUE;
}

gboolean
ts_params_set_bool (TsParams *params, const char *name, gboolean value, GError **error)
{
  int i = find (params, name, error);
  if (i < 0)
    return FALSE;
  if (params->specs[i].type != TS_PARAM_BOOL)
    return mismatch (&params->specs[i], value ? "true" : "false", error);
  params->v[i].i = value != FALSE;
  params->v[i].f = params->v[i].i;
  params->set |= 1u << i;
  return TRUE;
}

static gboolean
word_in (const char *words, const char *word)
{
  gsize n = strlen (word);

  for (const char *p = words; p && *p; p = strchr (p, '|') ? strchr (p, '|') + 1 : NULL)
    if (strncmp (p, word, n) == 0 && (p[n] == '|' || p[n] == 0))
      return TRUE;
  return FALSE;
}

gboolean
ts_params_set_text (TsParams *params, const char *name, const char *value, GError **error)
{
  int i = find (params, name, error);
  if (i < 0)
    return FALSE;

  const TsParamSpec *s = &params->specs[i];
  g_autofree char *quoted = g_strdup_printf ("'%s'", value);

  if (s->type != TS_PARAM_WORD && s->type != TS_PARAM_STRING)
    return mismatch (s, quoted, error);
  if (s->type == TS_PARAM_WORD && s->words && !word_in (s->words, value))
    return mismatch (s, quoted, error);
  params->v[i].s = g_intern_string (value);
  params->set |= 1u << i;
  return TRUE;
}

/* The place of the list parameter @name, or -1. */
static int
find_list (const TsParams *params, const char *name, TsParamType type, guint n, GError **error)
{
  int i = find (params, name, error);

  if (i < 0)
    return -1;
  if (params->specs[i].type != type) {
    mismatch (&params->specs[i], "a list", error);
    return -1;
  }
  if (n > TS_PARAM_LIST_MAX) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "%s has %u entries; at most %d are allowed", name, n, TS_PARAM_LIST_MAX);
    return -1;
  }
  return i;
}

gboolean
ts_params_set_list (TsParams *params, const char *name, const gint64 *values, guint n,
                    GError **error)
{
  int i = find_list (params, name, TS_PARAM_SHAPE, n, error);

  if (i < 0)
    return FALSE;
  for (guint k = 0; k < n; k++)
    params->v[i].list[k] = values[k];
  params->v[i].n_list = n;
  params->set |= 1u << i;
  return TRUE;
}

gboolean
ts_params_set_numbers (TsParams *params, const char *name, const double *values, guint n,
                       GError **error)
{
  int i = find_list (params, name, TS_PARAM_NUMBERS, n, error);

  if (i < 0)
    return FALSE;
  for (guint k = 0; k < n; k++)
    if (!check_range (&params->specs[i], values[k], error))
      return FALSE;
  for (guint k = 0; k < n; k++)
    params->v[i].numbers[k] = values[k];
  params->v[i].n_list = n;
  params->set |= 1u << i;
  return TRUE;
}

/* "[1, 2]" or "[]" */
static gboolean
parse_list (TsParams *params, const TsParamSpec *s, const char *value, GError **error)
{
  gint64 list[TS_PARAM_LIST_MAX + 1];
  double numbers[TS_PARAM_LIST_MAX + 1];
  guint n = 0;
  char *at = (char *) value, *end;

  if (*at++ != '[')
    return mismatch (s, value, error);
  for (; n <= TS_PARAM_LIST_MAX; n++) {
    if (s->type == TS_PARAM_SHAPE)
      list[n] = g_ascii_strtoll (at, &end, 10);
    else
      numbers[n] = g_ascii_strtod (at, &end);
    if (end == at)
      break;
    for (at = end; *at == ' ' || *at == ',';)
      at++;
  }
  if (strcmp (at, "]") != 0 && n <= TS_PARAM_LIST_MAX)
    return mismatch (s, value, error);
  return s->type == TS_PARAM_SHAPE ? ts_params_set_list (params, s->name, list, n, error)
                                   : ts_params_set_numbers (params, s->name, numbers, n, error);
}

gboolean
ts_params_parse (TsParams *params, const char *name, const char *value, GError **error)
{
  int i = find (params, name, error);
  if (i < 0)
    return FALSE;

  const TsParamSpec *s = &params->specs[i];
  char *end = NULL;

  switch (s->type) {
  case TS_PARAM_INT:
  case TS_PARAM_FLOAT: {
    double number = g_ascii_strtod (value, &end);
    if (end == value || *end)
      return mismatch (s, value, error);
    return ts_params_set_number (params, name, number, error);
  }
  case TS_PARAM_BOOL:
    if (strcmp (value, "true") != 0 && strcmp (value, "false") != 0)
      return mismatch (s, value, error);
    return ts_params_set_bool (params, name, value[0] == 't', error);
  case TS_PARAM_WORD:
  case TS_PARAM_STRING:
    return ts_params_set_text (params, name, value, error);
  case TS_PARAM_SHAPE:
  case TS_PARAM_NUMBERS:
    return parse_list (params, s, value, error);
  }
  g_return_val_if_reached (FALSE);
}

gboolean
ts_params_parse_all (TsParams *params, const char *text, GError **error)
{
  int depth = 0;

  for (const char *at = text, *item = text; at; at++) {
    depth += (*at == '[') - (*at == ']');
    if (*at && (*at != ',' || depth > 0))
      continue;
    g_autofree char *copy = g_strstrip (g_strndup (item, (gsize) (at - item)));
    char *value = strchr (copy, '=');
    if (value) {
      *value++ = '\0';
      if (!ts_params_parse (params, g_strstrip (copy), g_strstrip (value), error))
        return FALSE;
    } else if (*copy) {
      g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                   "'%s' is no parameter; write NAME=VALUE", copy);
      return FALSE;
    }
    if (!*at)
      break;
    item = at + 1;
  }
  return TRUE;
}

gboolean
ts_params_check (const TsParams *params, const char *owner, GError **error)
{
  for (guint i = 0; i < params->n; i++)
    if (params->specs[i].required && !(params->set >> i & 1)) {
      g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM, "%s needs '%s'", owner,
                   params->specs[i].name);
      return FALSE;
    }
  return TRUE;
}

static guint
must_find (const TsParams *params, const char *name)
{
  int i = ts_params_lookup (params, name);

  if (i < 0)
    g_error ("no parameter is called '%s'", name);
  return (guint) i;
}

gint64
ts_params_int (const TsParams *params, const char *name)
{
  return params->v[must_find (params, name)].i;
}

double
ts_params_float (const TsParams *params, const char *name)
{
  return params->v[must_find (params, name)].f;
}

gboolean
ts_params_bool (const TsParams *params, const char *name)
{
  return params->v[must_find (params, name)].i != 0;
}

const char *
ts_params_text (const TsParams *params, const char *name)
{
  return params->v[must_find (params, name)].s;
}

const double *
ts_params_numbers (const TsParams *params, const char *name, guint *n)
{
  guint i = must_find (params, name);

  g_return_val_if_fail (params->specs[i].type == TS_PARAM_NUMBERS, NULL);
  *n = params->v[i].n_list;
  return params->v[i].numbers;
}

char *
ts_params_dup_value (const TsParams *params, guint index)
{
  g_return_val_if_fail (index < params->n, NULL);

  switch (params->specs[index].type) {
  case TS_PARAM_INT:
    return g_strdup_printf ("%" G_GINT64_FORMAT, params->v[index].i);
  case TS_PARAM_FLOAT:
    return ts_number_dup_text (params->v[index].f);
  case TS_PARAM_BOOL:
    return g_strdup (params->v[index].i ? "true" : "false");
  case TS_PARAM_WORD:
    return g_strdup (params->v[index].s);
  case TS_PARAM_STRING:
    return g_strdup_printf ("\"%s\"", params->v[index].s ? params->v[index].s : "");
  case TS_PARAM_SHAPE:
  case TS_PARAM_NUMBERS:
    break;
  }
  GString *s = g_string_new ("[");
  for (guint k = 0; k < params->v[index].n_list; k++) {
    g_autofree char *number = params->specs[index].type == TS_PARAM_NUMBERS
                                  ? dup_plain (params->v[index].numbers[k])
                                  : g_strdup_printf ("%" G_GINT64_FORMAT, params->v[index].list[k]);
    g_string_append_printf (s, "%s%s", k ? ", " : "", number);
  }
  return g_string_free (g_string_append_c (s, ']'), FALSE);
}

/* "50" for what %g gives as "5e+01". */
static void
write_out (char *text, gsize size, double value)
{
  char plain[G_ASCII_DTOSTR_BUF_SIZE];

  if (!strchr (text, 'e') || fabs (value) >= 1e15 || value != floor (value))
    return;
  g_ascii_formatd (plain, sizeof plain, "%.0f", value);
  g_strlcpy (text, plain, size);
}

char *
ts_number_dup_text (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    return g_strdup ("NaN");
  if (isinf (value))
    return g_strdup (value > 0 ? "Infinity" : "-Infinity");
  for (int digits = 1; digits <= 17; digits++) {
    char format[8];
    g_snprintf (format, sizeof format, "%%.%dg", digits);
    g_ascii_formatd (text, sizeof text, format, value);
    if (g_ascii_strtod (text, NULL) == value)
      break;
  }
  write_out (text, sizeof text, value);
  return g_strdup (text);
}
