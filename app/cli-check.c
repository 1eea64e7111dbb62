/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "app/cli.h"
#include "app/templates.h"
#include "engine/model/lint.h"
#include "engine/train/fit.h"
#include "engine/train/lint-data.h"

static void
print_diags_json (TsDiags *diags, const TsModel *model, const GPtrArray *lines)
{
  g_autoptr (JsonBuilder) b = json_builder_new ();

  json_builder_begin_object (b);
  json_builder_set_member_name (b, "ok");
  json_builder_add_boolean_value (b, model != NULL && ts_diags_get_n_errors (diags) == 0);
  if (model)
    ts_cli_json_int (b, "parameters", (gint64) model->n_parameters);
  json_builder_set_member_name (b, "problems");
  json_builder_begin_array (b);
  for (guint i = 0; i < ts_diags_get_n (diags); i++) {
    const TsDiag *d = ts_diags_get (diags, i);
    guint line, column, length;
    ts_diags_locate (diags, d->span, &line, &column, &length);
    json_builder_begin_object (b);
    ts_cli_json_text (b, "level", ts_diag_level_name (d->level));
    ts_cli_json_int (b, "line", line);
    ts_cli_json_int (b, "column", column);
    ts_cli_json_int (b, "length", length);
    ts_cli_json_text (b, "message", d->message);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
  if (lines) {
    json_builder_set_member_name (b, "data");
    json_builder_begin_array (b);
    for (guint i = 0; i < lines->len; i++)
      json_builder_add_string_value (b, lines->pdata[i]);
    json_builder_end_array (b);
  }
  json_builder_end_object (b);
  ts_cli_json_print (b, TRUE);
}

/* Loads what the model trains on and says what cannot go, and what will hardly go well. */
static gboolean
check_data (const TsTrainConfig *config, const TsModel *model, TsDiags *diags, GPtrArray **lines,
            GError **error)
{
  g_autoptr (GError) problem = NULL;
  TsSpan span;

  if (!config->set) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "the model does not say which data it trains on");
    return FALSE;
  }
  g_autoptr (TsDataset) data = ts_set_load (config->set, &config->set_params, error);
  if (!data)
    return FALSE;
  ts_fit_lint (model, data, config, diags);
  if (ts_fit_check_data (model, data, config, &span, &problem))
    *lines = ts_lint_data (data, model);
  else
    ts_diags_error (diags, span, "%s", problem->message);
  return TRUE;
}

extern const TsCommand ts_command_check;

static int
run_check (int argc, char **argv)
{
  g_auto (GStrv) operands = NULL;
  gboolean json = FALSE, with_data = FALSE;
  const GOptionEntry entries[] = {
      {"data", 0, 0, G_OPTION_ARG_NONE, &with_data, "look at the data it trains on, too", NULL},
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "the problems as JSON", NULL},
      {NULL},
  };
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GError) error = NULL;
  TsTrainConfig config;
  int status;

  if (!ts_cli_parse (&ts_command_check, argc, argv, entries, 1, 1, &operands, &status))
    return status;
  g_autoptr (TsSource) source = ts_template_find_model (operands[0], &error);
  if (!source)
    return ts_cli_fail (error);
  g_autoptr (TsDiags) diags = ts_diags_new (source);
  g_autoptr (TsModel) model = ts_model_new (source, diags);
  if (model && ts_train_config_init (&config, model, diags)) {
    ts_model_lint (model, diags);
    if (config.set ? !ts_train_config_check (&config, &error)
                   : !ts_schedule_check (&config.schedule, &error))
      return ts_cli_fail (error);
    if (!with_data)
      ts_fit_lint (model, NULL, &config, diags);
    else if (!check_data (&config, model, diags, &lines, &error))
      return ts_cli_fail (error);
  }
  if (json) {
    print_diags_json (diags, model, lines);
  } else {
    g_autofree char *text = ts_diags_dup_text (diags);
    fputs (text, stderr);
    for (guint i = 0; lines && i < lines->len; i++)
      fprintf (stderr, "data: warning: %s\n", (char *) lines->pdata[i]);
    if (ts_diags_get_n_errors (diags) == 0)
      g_print ("%s: ok, %" G_GUINT64_FORMAT " parameters\n", ts_source_get_name (source),
               model->n_parameters);
  }
  return ts_diags_get_n_errors (diags) ? TS_EXIT_FAILED : TS_EXIT_DONE;
}

const TsCommand ts_command_check = {
    .name = "check",
    .usage = "MODEL|TEMPLATE [--data] [--json]",
    .summary = "all problems of a model file, with their places",
    .run = run_check,
};
