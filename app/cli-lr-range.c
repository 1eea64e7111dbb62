/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/cli.h"
#include "app/templates.h"
#include "engine/base/error.h"
#include "engine/train/range-test.h"

extern const TsCommand ts_command_lr_range;

static void
print_json (const GArray *points, double suggestion)
{
  g_autoptr (JsonBuilder) b = json_builder_new ();

  json_builder_begin_object (b);
  ts_cli_json_number (b, "suggestion", suggestion);
  json_builder_set_member_name (b, "points");
  json_builder_begin_array (b);
  for (guint i = 0; i < points->len; i++) {
    const TsRangePoint *p = &g_array_index (points, TsRangePoint, i);
    json_builder_begin_object (b);
    ts_cli_json_number (b, "lr", p->lr);
    ts_cli_json_number (b, "loss", p->loss);
    ts_cli_json_number (b, "smoothed", p->smoothed);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
  json_builder_end_object (b);
  ts_cli_json_print (b, TRUE);
}

static void
print_table (const GArray *points, double suggestion)
{
  g_print ("%12s %12s %12s\n", "lr", "loss", "smoothed");
  for (guint i = 0; i < points->len; i++) {
    const TsRangePoint *p = &g_array_index (points, TsRangePoint, i);
    g_print ("%12.4g %12.6g %12.6g\n", p->lr, p->loss, p->smoothed);
  }
  if (isfinite (suggestion))
    g_print ("the loss falls fastest at lr %.4g\n", suggestion);
  else
    g_print ("the loss never falls\n");
}

static int
usage_error (const char *what)
{
  return ts_cli_usage_error (&ts_command_lr_range, "%s", what);
}

/* Settings as "KEY=VALUE". */
static gboolean
apply_settings (TsTrainConfig *config, char *const *sets, GError **error)
{
  for (guint i = 0; sets && sets[i]; i++) {
    char *equals = strchr (sets[i], '=');
    if (!equals || equals == sets[i]) {
      g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME, "--set needs KEY=VALUE, not '%s'",
                   sets[i]);
      return FALSE;
    }
    g_autofree char *key = g_strndup (sets[i], (gsize) (equals - sets[i]));
    if (!ts_train_config_set (config, key, equals + 1, error))
      return FALSE;
  }
  return TRUE;
}

/* The points, or NULL with an error; problems of the model's text are in @diags. */
static GArray *
measure (TsSource *source, TsDiags *diags, char *const *sets, double from, double to, int steps,
         GError **error)
{
  g_autoptr (TsModel) model = ts_model_new (source, diags);
  TsTrainConfig config;

  if (!model || !ts_train_config_init (&config, model, diags)) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_FORMAT, "%s has errors",
                 ts_source_get_name (source));
    return NULL;
  }
  if (!apply_settings (&config, sets, error) || !ts_train_config_check (&config, error))
    return NULL;
  g_autoptr (TsDataset) data = ts_set_load (config.set, &config.set_params, error);
  return data ? ts_lr_range_test (model, data, &config, from, to, (guint) steps, error) : NULL;
}

static int
run_lr_range (int argc, char **argv)
{
  g_auto (GStrv) operands = NULL, sets = NULL;
  double from = 1e-7, to = 10;
  int status, steps = 100;
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
      {"from", 0, 0, G_OPTION_ARG_DOUBLE, &from, "the first rate [1e-7]", "LR"},
      {"to", 0, 0, G_OPTION_ARG_DOUBLE, &to, "the last rate [10]", "LR"},
      {"steps", 0, 0, G_OPTION_ARG_INT, &steps, "steps in between [100]", "N"},
      {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &sets, "any setting: batch=64", "KEY=VALUE"},
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "the points as JSON", NULL},
      {NULL},
  };
  g_autoptr (GError) error = NULL;

  if (!ts_cli_parse (&ts_command_lr_range, argc, argv, entries, 1, 1, &operands, &status))
    return status;
  if (!(from > 0 && from < to && isfinite (to)))
    return usage_error ("--from must be above 0 and below --to");
  if (steps < 2 || steps > 1000000)
    return usage_error ("--steps must be from 2 to 1000000");
  g_autoptr (TsSource) source = ts_template_find_model (operands[0], &error);
  if (!source)
    return ts_cli_fail (error);
  g_autoptr (TsDiags) diags = ts_diags_new (source);
  g_autoptr (GArray) points = measure (source, diags, sets, from, to, steps, &error);
  if (!points && ts_diags_get_n_errors (diags)) {
    g_autofree char *text = ts_diags_dup_text (diags);
    fputs (text, stderr);
    return TS_EXIT_FAILED;
  }
  if (!points)
    return ts_cli_fail (error);
  double suggestion = ts_lr_range_suggest (points);
  if (json)
    print_json (points, suggestion);
  else
    print_table (points, suggestion);
  return TS_EXIT_DONE;
}

const TsCommand ts_command_lr_range = {
    .name = "lr-range",
    .usage = "MODEL|TEMPLATE [--from LR] [--to LR] [--steps N] [--set KEY=VALUE]… [--json]",
    .summary = "the loss against a learning rate that grows from step to step",
    .run = run_lr_range,
};
