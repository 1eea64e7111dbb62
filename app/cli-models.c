/* SPDX-License-Identifier: MIT */
#include "app/cli.h"
#include "app/templates.h"
#include "data/sets/set.h"

extern const TsCommand ts_command_models;

static int
run_models (int argc, char **argv)
{
  g_auto (GStrv) operands = NULL;
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "as JSON", NULL},
      {NULL},
  };
  const char *const *names = ts_template_names ();
  g_autoptr (JsonBuilder) b = json_builder_new ();
  int status;

  if (!ts_cli_parse (&ts_command_models, argc, argv, entries, 0, 0, &operands, &status))
    return status;
  json_builder_begin_array (b);
  for (guint i = 0; names[i]; i++) {
    g_autoptr (TsSource) source = ts_template_lookup (names[i]);
    g_autoptr (TsDiags) diags = ts_diags_new (source);
    g_autoptr (TsModel) model = ts_model_new (source, diags);
    const TsSetClass *set = model && model->data.name ? ts_set_lookup (model->data.name) : NULL;
    gboolean available = set && set->available ();
    const char *title = model && model->title ? model->title : names[i];
    if (!json) {
      g_print ("%-10s %s, on %s%s%s%s\n", names[i], title, set ? set->title : "no data",
               available ? "" : " (missing: install ",
               available             ? ""
               : set && set->package ? set->package
                                     : "its data",
               available ? "" : ")");
      continue;
    }
    json_builder_begin_object (b);
    ts_cli_json_text (b, "name", names[i]);
    ts_cli_json_text (b, "title", title);
    json_builder_set_member_name (b, "available");
    json_builder_add_boolean_value (b, available);
    ts_cli_json_text (b, "package", set ? set->package : NULL);
    ts_cli_json_text (b, "data", set ? set->name : NULL);
    ts_cli_json_int (b, "parameters", model ? (gint64) model->n_parameters : 0);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
  if (json)
    ts_cli_json_print (b, TRUE);
  return TS_EXIT_DONE;
}

const TsCommand ts_command_models = {
    .name = "models",
    .usage = "[--json]",
    .summary = "the templates that ship",
    .run = run_models,
};
