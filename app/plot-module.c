/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "app/cli.h"
#include "app/plot-module.h"
#include "data/store/error.h"
#include "ui/plot/export.h"

#define READ_POINTS 65536
#define NAMED_TAGS  8 /* of those that exist, when none fits */

typedef struct {
  char **tags, **runs; /* as given; NULL: none */
  char *output, *size, *x;
  double smoothing;
  gboolean log_y;
  TsXKind x_kind;
  TsExportOptions picture;
} Options;

/* One tag, and those runs that have it. */
typedef struct {
  char *tag;
  GArray *series; /* of TsChartSeries, whose numbers it owns */
} Plot;

static void
plot_free (Plot *plot)
{
  for (guint i = 0; i < plot->series->len; i++) {
    TsChartSeries *s = &g_array_index (plot->series, TsChartSeries, i);
    g_free ((double *) s->x);
    g_free ((double *) s->y);
  }
  g_array_unref (plot->series);
  g_free (plot->tag);
  g_free (plot);
}

/* --- Reading --- */

static void
add_point (TsXKind kind, const TsStoredPoint *p, gint64 first_us, GArray *x, GArray *y)
{
  double at = (double) p->step, value = ts_unbits (p->bits);

  if (kind == TS_X_RELATIVE)
    at = (double) (p->wall_us - first_us) / G_USEC_PER_SEC;
  else if (kind == TS_X_WALL)
    at = (double) p->wall_us / G_USEC_PER_SEC;
  g_array_append_val (x, at);
  g_array_append_val (y, value);
}

/* All that no later attempt has overtaken. */
static gboolean
read_series (TsReader *reader, gint64 series_id, TsXKind kind, TsChartSeries *series,
             GError **error)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));
  g_autoptr (GArray) x = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) y = g_array_new (FALSE, FALSE, sizeof (double));
  gint64 next = 0, first_us = 0;

  do {
    g_array_set_size (points, 0);
    if (!ts_reader_read_points (reader, series_id, next, READ_POINTS, points, error))
      return FALSE;
    for (guint i = 0; i < points->len; i++) {
      const TsStoredPoint *p = &g_array_index (points, TsStoredPoint, i);
      next = p->seq + 1;
      if (p->hidden)
        continue;
      if (!x->len)
        first_us = p->wall_us;
      add_point (kind, p, first_us, x, y);
    }
  } while (points->len == READ_POINTS);
  series->n = x->len;
  series->x = (double *) (void *) g_array_free (g_steal_pointer (&x), FALSE);
  series->y = (double *) (void *) g_array_free (g_steal_pointer (&y), FALSE);
  return TRUE;
}

static gboolean
fits (char **globs, const char *tag)
{
  g_autofree char *valid = g_utf8_make_valid (tag, -1);

  for (guint i = 0; globs[i]; i++)
    if (g_pattern_match_simple (globs[i], valid))
      return TRUE;
  return FALSE;
}

static Plot *
plot_of (GPtrArray *plots, const char *tag)
{
  for (guint i = 0; i < plots->len; i++) {
    Plot *plot = plots->pdata[i];
    if (strcmp (plot->tag, tag) == 0)
      return plot;
  }
  Plot *plot = g_new0 (Plot, 1);
  plot->tag = g_strdup (tag);
  plot->series = g_array_new (FALSE, TRUE, sizeof (TsChartSeries));
  g_ptr_array_add (plots, plot);
  return plot;
}

/* The scalars of one run that fit; @seen collects the names of all scalars. */
static gboolean
read_run (TsReader *reader, const TsRun *run, guint color, const Options *o, GPtrArray *plots,
          GHashTable *seen, GError **error)
{
  g_autoptr (GPtrArray) tags = ts_reader_list_tags (reader, run->run_id, error);

  if (!tags)
    return FALSE;
  for (guint i = 0; i < tags->len; i++) {
    const TsTagInfo *info = tags->pdata[i];
    if (info->kind != TS_SERIES_SCALAR)
      continue;
    g_hash_table_add (seen, g_strdup (info->tag));
    if (!fits (o->tags, info->tag))
      continue;
    TsChartSeries series = {.name = run->name, .color = color};
    if (!read_series (reader, info->series_id, o->x_kind, &series, error))
      return FALSE;
    g_array_append_val (plot_of (plots, info->tag)->series, series);
  }
  return TRUE;
}

static gboolean
is_wanted (GPtrArray *chosen, const TsRun *run)
{
  if (!chosen)
    return run->trashed_us == 0;
  for (guint i = 0; i < chosen->len; i++)
    if (((const TsRun *) chosen->pdata[i])->run_id == run->run_id)
      return TRUE;
  return FALSE;
}

/* A run's colour is its place among all runs of the workspace, those in the trash too: it stays. */
static gboolean
read_runs (TsReader *reader, GPtrArray *runs, const Options *o, GPtrArray *plots, GHashTable *seen,
           GError **error)
{
  g_autoptr (GPtrArray) chosen = NULL;

  if (o->runs) {
    chosen = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_run_free);
    for (guint i = 0; o->runs[i]; i++) {
      TsRun *run = ts_reader_find_run (reader, o->runs[i], error);
      if (!run)
        return FALSE;
      g_ptr_array_add (chosen, run);
    }
  }
  for (guint i = 0; i < runs->len; i++)
    if (is_wanted (chosen, runs->pdata[i]) &&
        !read_run (reader, runs->pdata[i], i, o, plots, seen, error))
      return FALSE;
  return TRUE;
}

static void
set_no_tag_error (const Options *o, GHashTable *seen, GError **error)
{
  g_autofree char *asked = g_strjoinv ("', '", o->tags);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (seen), (GCompareFunc) strcmp);
  guint n = 0;

  g_string_printf (text, "no scalar fits --tag '%s'; ", asked);
  if (!names)
    g_string_append (text, "these runs have none at all");
  else
    g_string_append (text, "there are: ");
  for (GList *l = names; l && n < NAMED_TAGS; l = l->next, n++) {
    g_autofree char *valid = g_utf8_make_valid (l->data, -1);
    g_string_append_printf (text, "%s%s", n ? ", " : "", valid);
  }
  if (g_hash_table_size (seen) > n)
    g_string_append_printf (text, " and %u more", g_hash_table_size (seen) - n);
  g_set_error_literal (error, TS_STORE_ERROR, TS_STORE_ERROR_NOT_FOUND, text->str);
}

/* Is there a single point? */
static gboolean
has_points (GPtrArray *plots)
{
  for (guint i = 0; i < plots->len; i++) {
    const Plot *plot = plots->pdata[i];
    for (guint k = 0; k < plot->series->len; k++)
      if (g_array_index (plot->series, TsChartSeries, k).n)
        return TRUE;
  }
  return FALSE;
}

/* --- Drawing --- */

static TsChart
chart_of (const Plot *plot, const Options *o)
{
  gsize longest = 0;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  for (guint i = 0; i < plot->series->len; i++)
    longest = MAX (longest, strlen (g_array_index (plot->series, TsChartSeries, i).name));
  return (TsChart){
      .title = plot->tag,
      .series = (const TsChartSeries *) (const void *) plot->series->data,
      .n_series = plot->series->len,
      .options = {.smoothing = o->smoothing,
                  .log_y = o->log_y,
                  .x_kind = o->x_kind,
                  .end_labels = TRUE,
                  .label_width = (double) CLAMP (longest * 7 + 48, 88, 220),
                  .threads = (int) MIN (g_get_num_processors (), 8),
                  .utc_offset_s = (int) (g_date_time_get_utc_offset (now) / G_TIME_SPAN_SECOND)},
  };
}

/* In memory first: a picture is written whole or not at all. */
static gboolean
write_picture (GPtrArray *plots, const Options *o, GError **error)
{
  g_autofree TsChart *charts = g_new (TsChart, plots->len);

  for (guint i = 0; i < plots->len; i++)
    charts[i] = chart_of (plots->pdata[i], o);
  g_autoptr (GBytes) bytes = ts_export_charts (charts, plots->len, &o->picture, error);
  if (!bytes)
    return FALSE;
  return g_file_set_contents_full (o->output, g_bytes_get_data (bytes, NULL),
                                   (gssize) g_bytes_get_size (bytes),
                                   G_FILE_SET_CONTENTS_CONSISTENT, 0666, error);
}

/* --- The command --- */

static gboolean
parse_size (const char *text, int *width, int *height)
{
  char rest;

  return sscanf (text, "%5dx%5d%c", width, height, &rest) == 2 && *width >= TS_EXPORT_SIZE_MIN &&
         *width <= TS_EXPORT_SIZE_MAX && *height >= TS_EXPORT_SIZE_MIN &&
         *height <= TS_EXPORT_SIZE_MAX;
}

/* TS_EXIT_DONE, or what is wrong with the options has been said. */
static int
check_options (const TsCommand *command, Options *o)
{
  static const char *const kinds[] = {"step", "relative", "wall"};

  if (!o->tags)
    return ts_cli_usage_error (command, "say which scalars with --tag, for example --tag '*/loss'");
  if (!o->output)
    return ts_cli_usage_error (command, "say where to with -o, for example -o loss.png");
  if (!ts_export_format_of (o->output, &o->picture.format))
    return ts_cli_usage_error (command, "'%s' should end in .png, .svg or .pdf", o->output);
  if (o->size && !parse_size (o->size, &o->picture.width, &o->picture.height))
    return ts_cli_usage_error (command, "--size '%s' should be WIDTHxHEIGHT, each from %d to %d",
                               o->size, TS_EXPORT_SIZE_MIN, TS_EXPORT_SIZE_MAX);
  if (!(o->smoothing >= 0 && o->smoothing < 1))
    return ts_cli_usage_error (command, "--smoothing should be from 0 to less than 1, not %g",
                               o->smoothing);
  if (!o->x)
    return TS_EXIT_DONE;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (o->x, kinds[i]) == 0) {
      o->x_kind = (TsXKind) i;
      return TS_EXIT_DONE;
    }
  return ts_cli_usage_error (command, "--x should be step, relative or wall, not '%s'", o->x);
}

static int
plot_workspace (const char *path, const Options *o)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) plots = g_ptr_array_new_with_free_func ((GDestroyNotify) plot_free);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (TsReader) reader = ts_reader_open (path, &error);
  g_autoptr (GPtrArray) runs = reader ? ts_reader_list_runs (reader, TRUE, &error) : NULL;

  if (!runs || !read_runs (reader, runs, o, plots, seen, &error))
    return ts_cli_fail (error);
  if (!plots->len) {
    set_no_tag_error (o, seen, &error);
    return ts_cli_fail (error);
  }
  if (!has_points (plots)) {
    g_set_error (&error, G_IO_ERROR, G_IO_ERROR_FAILED,
                 "nothing to draw: the scalars that fit have no points yet");
    return ts_cli_fail (error);
  }
  if (!write_picture (plots, o, &error))
    return ts_cli_fail (error);
  g_printerr ("%s: %u chart%s\n", o->output, plots->len, plots->len == 1 ? "" : "s");
  return TS_EXIT_DONE;
}

int
ts_plot_main (const TsCommand *command, int argc, char **argv)
{
  Options o = {.smoothing = .6};
  g_auto (GStrv) operands = NULL;
  int status;
  const GOptionEntry entries[] = {
      {"tag", 't', 0, G_OPTION_ARG_STRING_ARRAY, &o.tags, "which scalars, one chart each; * and ?",
       "GLOB"},
      {"run", 'r', 0, G_OPTION_ARG_STRING_ARRAY, &o.runs, "only these runs", "RUN"},
      {"output", 'o', 0, G_OPTION_ARG_FILENAME, &o.output, "the picture to write",
       "x.png|.svg|.pdf"},
      {"size", 0, 0, G_OPTION_ARG_STRING, &o.size, "of the whole picture, pixels or points", "WxH"},
      {"smoothing", 0, 0, G_OPTION_ARG_DOUBLE, &o.smoothing, "0 (none) to less than 1; 0.6", "S"},
      {"log-y", 0, 0, G_OPTION_ARG_NONE, &o.log_y, "logarithmic values", NULL},
      {"dark", 0, 0, G_OPTION_ARG_NONE, &o.picture.dark, "light on dark", NULL},
      {"x", 0, 0, G_OPTION_ARG_STRING, &o.x, "step, relative or wall", "KIND"},
      {NULL},
  };

  if (ts_cli_parse (command, argc, argv, entries, 1, 1, &operands, &status)) {
    status = check_options (command, &o);
    if (status == TS_EXIT_DONE)
      status = plot_workspace (operands[0], &o);
  }
  g_strfreev (o.tags);
  g_strfreev (o.runs);
  g_free (o.output);
  g_free (o.size);
  g_free (o.x);
  return status;
}
