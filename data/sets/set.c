/* SPDX-License-Identifier: MIT */
#include "data/sets/set.h"

#include <gio/gio.h>

#include "ts-samples.h"

const TsSetClass *
ts_set_lookup (const char *name)
{
  for (guint i = 0; ts_set_table[i]; i++)
    if (g_str_equal (ts_set_table[i]->name, name))
      return ts_set_table[i];
  return NULL;
}

TsDataset *
ts_set_load (const TsSetClass *klass, const TsParams *params, GError **error)
{
  g_return_val_if_fail (params->specs == klass->specs, NULL);
  if (!ts_params_check (params, klass->name, error))
    return NULL;
  return klass->load (params, error);
}

GBytes *
ts_set_dup_sample (const char *name)
{
  g_autofree char *path = g_strconcat ("/trainscope/samples/", name, NULL);

  return g_resource_lookup_data (ts_samples_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE,
                                 NULL);
}
