/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "app/cli.h"
#include "app/run-json.h"

#define LAST_MOST 8 /* values in a line */

/* Where tags have a '/', those without (lr, grad_norm) are no results. */
static void
print_last (const TsRun *run)
{
  gboolean only_results = FALSE;
  guint n = 0;

  for (guint i = 0; i < run->last->len; i++)
    only_results |= strchr (g_array_index (run->last, TsLastValue, i).tag, '/') != NULL;
  for (guint i = 0; i < run->last->len; i++) {
    const TsLastValue *v = &g_array_index (run->last, TsLastValue, i);
    if ((only_results && !strchr (v->tag, '/')) || n++ >= LAST_MOST)
      continue;
    g_autofree char *value = ts_cli_dup_number (ts_unbits (v->bits));
    g_print (" %s=%s", v->tag, value);
  }
  if (n > LAST_MOST)
    g_print (" … and %u more", n - LAST_MOST);
}

static void
print_table (GPtrArray *runs)
{
  gsize width = 4;

  for (guint i = 0; i < runs->len; i++)
    width = MAX (width, (gsize) g_utf8_strlen (((TsRun *) runs->pdata[i])->name, -1));
  g_print ("%-*s  %-11s  %-16s  %9s  %s\n", (int) width, "run", "state", "created", "points",
           "last values");
  for (guint i = 0; i < runs->len; i++) {
    const TsRun *run = runs->pdata[i];
    g_autoptr (GDateTime) created =
        g_date_time_new_from_unix_local (run->created_us / G_USEC_PER_SEC);
    g_autofree char *when = g_date_time_format (created, "%Y-%m-%d %H:%M");
    int pad = (int) width - (int) g_utf8_strlen (run->name, -1);
    g_print ("%s%*s  %-11s  %-16s  %9" G_GINT64_FORMAT " ", run->name, MAX (pad, 0), "",
             run->trashed_us ? "in trash" : ts_run_state_name (run->state), when, run->n_points);
    print_last (run);
    g_print ("\n");
  }
}

extern const TsCommand ts_command_runs;

static int
run_runs (int argc, char **argv)
{
  g_auto (GStrv) operands = NULL;
  gboolean json = FALSE, trash = FALSE;
  const GOptionEntry entries[] = {
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "an array of runs as JSON", NULL},
      {"trash", 0, 0, G_OPTION_ARG_NONE, &trash, "those in the trash, too: their state is 'in trash'", NULL},
      {NULL},
  };
  g_autoptr (GError) error = NULL;
  int status;

  if (!ts_cli_parse (&ts_command_runs, argc, argv, entries, 0, 1, &operands, &status))
    return status;
  g_autoptr (TsReader) reader =
      ts_reader_open (operands[0] ? operands[0] : "runs.trainscope", &error);
  g_autoptr (GPtrArray) runs = reader ? ts_reader_list_runs (reader, trash, &error) : NULL;
  if (!runs)
    return ts_cli_fail (error);
  if (json) {
    g_autoptr (JsonBuilder) b = json_builder_new ();
    json_builder_begin_array (b);
    for (guint i = 0; i < runs->len; i++)
      ts_run_json_summary (b, runs->pdata[i]);
    json_builder_end_array (b);
    ts_cli_json_print (b, TRUE);
  } else if (runs->len == 0) {
    g_autoptr (GPtrArray) trashed = ts_reader_list_runs (reader, TRUE, NULL);
    if (trashed && trashed->len)
      g_print ("no runs but those in the trash; --trash lists them\n");
    else
      g_print ("no runs yet; 'trainscope train mlp' makes one\n");
  } else {
    print_table (runs);
  }
  return TS_EXIT_DONE;
}

const TsCommand ts_command_runs = {
    .name = "runs",
    .usage = "[WORKSPACE] [--trash] [--json]",
    .summary = "list the runs of a workspace",
    .run = run_runs,
};
