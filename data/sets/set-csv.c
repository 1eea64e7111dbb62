/* SPDX-License-Identifier: MIT */
#include "data/sets/set.h"
#include "data/sets/table.h"

static const TsParamSpec specs[] = {
    {"file", TS_PARAM_STRING, .required = TRUE, .doc = "path of the file"},
    {"target", TS_PARAM_STRING, .text = "",
     .doc = "the column to predict, by name or by number from 1; empty: the last"},
    {"header", TS_PARAM_WORD, .text = "guess", .words = "guess|yes|no",
     .doc = "is the first row a row of names?  guess: yes when none of its cells is a number"},
    {"scale", TS_PARAM_WORD, .text = "standard", .words = "none|standard|unit",
     .doc =
         "none: as in the file; standard: mean 0 and deviation 1 over the training rows; unit: 0 "
         "to 1 over the training rows"},
    {NULL},
};

static gboolean
available (void)
{
  return TRUE;
}

static TsDataset *
load (const TsParams *params, GError **error)
{
  const char *path = ts_params_text (params, "file"), *word = ts_params_text (params, "header");
  TsCsvHeader header = g_str_equal (word, "yes")  ? TS_CSV_HEADER_YES
                       : g_str_equal (word, "no") ? TS_CSV_HEADER_NO
                                                  : TS_CSV_HEADER_GUESS;
  g_autoptr (TsCsv) csv = ts_csv_new_from_file (path, header, error);
  TsTableOptions options = {
      .target = ts_params_text (params, "target"),
      .scale = ts_table_scale_from_word (ts_params_text (params, "scale")),
  };

  if (!csv)
    return NULL;
  g_autofree char *title = g_filename_display_basename (path);
  return ts_table_to_dataset (csv, "csv", title, &options, error);
}

const TsSetClass ts_set_csv = {
    .name = "csv",
    .title = "CSV file",
    .doc = "a table of numbers with one column of classes",
    .specs = specs,
    .available = available,
    .load = load,
};
