/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "app/cli.h"
#include "app/templates.h"
#include "engine/train/config.h"

static void
print_diags_json (TsDiags *diags, const TsModel *model)
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
  json_builder_end_object (b);
  ts_cli_json_print (b, TRUE);
}

extern const TsCommand ts_command_check;

static int
run_check (int argc, char **argv)
{
  g_auto (GStrv) operands = NULL;
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "the problems as JSON", NULL},
      {NULL},
  };
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
  if (model)
    ts_train_config_init (&config, model, diags);
  if (json) {
    print_diags_json (diags, model);
  } else {
    g_autofree char *text = ts_diags_dup_text (diags);
    fputs (text, stderr);
    if (ts_diags_get_n_errors (diags) == 0)
      g_print ("%s: ok, %" G_GUINT64_FORMAT " parameters\n", ts_source_get_name (source),
               model->n_parameters);
  }
  return ts_diags_get_n_errors (diags) ? TS_EXIT_FAILED : TS_EXIT_DONE;
}

const TsCommand ts_command_check = {
    .name = "check",
    .usage = "MODEL|TEMPLATE [--json]",
    .summary = "all problems of a model file, with their places",
    .run = run_check,
};
