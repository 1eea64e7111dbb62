/* SPDX-License-Identifier: MIT */
#include "engine/model/model.h"

#include <string.h>

#include "engine/model/checker-private.h"
#include "engine/model/parser.h"

static void
symbol_free (gpointer data)
{
  g_free (data);
}

static const char *
stem (const char *file_name)
{
  g_autofree char *base = g_path_get_basename (file_name);
  char *dot = strrchr (base, '.');

  if (dot && dot != base)
    *dot = 0;
  return g_intern_string (base);
}

TsModel *
ts_model_new (TsSource *source, TsDiags *diags)
{
  g_autoptr (TsAst) ast = ts_parse (source, diags);
  g_autoptr (TsModel) model = g_new0 (TsModel, 1);
  TsChecker checker = {model, diags};

  model->refs = 1;
  model->source = ts_source_ref (source);
  model->name = stem (ts_source_get_name (source));
  model->graph = ts_graph_new ();
  model->seed = -1;
  /* a statement that could not be read would only make its followers complain */
  if (ts_diags_get_n_errors (diags) > 0)
    return NULL;
  checker.symbols = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, symbol_free);
  checker.layers = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_layer_free);
  ts_check_file (&checker, ast);
  g_hash_table_unref (checker.symbols);
  g_ptr_array_unref (checker.layers);
  ts_diags_sort (diags);
  return ts_diags_get_n_errors (diags) > 0 ? NULL : g_steal_pointer (&model);
}

TsModel *
ts_model_ref (TsModel *model)
{
  __atomic_add_fetch (&model->refs, 1, __ATOMIC_RELAXED);
  return model;
}

void
ts_model_unref (TsModel *model)
{
  if (__atomic_sub_fetch (&model->refs, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  ts_graph_unref (model->graph);
  ts_source_unref (model->source);
  g_free (model->inputs);
  g_free (model->losses);
  g_free (model->metrics);
  g_free (model->outputs);
  g_free (model);
}

const TsModelValue *
ts_model_lookup_input (const TsModel *model, const char *name)
{
  for (guint i = 0; i < model->n_inputs; i++)
    if (strcmp (model->inputs[i].name, name) == 0)
      return &model->inputs[i];
  return NULL;
}
