/* SPDX-License-Identifier: MIT */
#include "engine/optim/option.h"

#include <string.h>

#include "engine/base/error.h"

gboolean
ts_option_set (TsOption *option, const TsOptionClass *table, const char *what, const char *name,
               GError **error)
{
  g_autoptr (GString) known = g_string_new ("none");

  for (const TsOptionClass *k = table; k->name; k++) {
    if (strcmp (k->name, name) == 0) {
      option->kind = k;
      ts_params_init (&option->params, k->params);
      return TRUE;
    }
    g_string_append_printf (known, ", %s", k->name);
  }
  if (strcmp (name, "none") == 0) {
    *option = (TsOption){0};
    return TRUE;
  }
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME, "unknown %s '%s'\nknown: %s", what,
               name, known->str);
  return FALSE;
}
