/* SPDX-License-Identifier: MIT */
#include "app/cli.h"
#include "data/sets/set.h"

extern const TsCommand ts_command_datasets;

static int
run_datasets (int argc, char **argv)
{
  g_auto (GStrv) operands = NULL;
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "as JSON", NULL},
      {NULL},
  };
  g_autoptr (JsonBuilder) b = json_builder_new ();
  int status;

  if (!ts_cli_parse (&ts_command_datasets, argc, argv, entries, 0, 0, &operands, &status))
    return status;
  json_builder_begin_array (b);
  for (guint i = 0; ts_set_table[i]; i++) {
    const TsSetClass *set = ts_set_table[i];
    gboolean available = set->available ();
    if (!json) {
      g_print ("%-14s %s  %s\n", set->name, available ? "ready  " : "missing", set->doc);
      if (!available && set->package)
        g_print ("%-14s          install the package %s\n", "", set->package);
      continue;
    }
    json_builder_begin_object (b);
    ts_cli_json_text (b, "name", set->name);
    ts_cli_json_text (b, "title", set->title);
    json_builder_set_member_name (b, "available");
    json_builder_add_boolean_value (b, available);
    ts_cli_json_text (b, "package", set->package);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
  if (json)
    ts_cli_json_print (b, TRUE);
  return TS_EXIT_DONE;
}

const TsCommand ts_command_datasets = {
    .name = "datasets",
    .usage = "[--json]",
    .summary = "the data sets, and what is missing for them",
    .run = run_datasets,
};
