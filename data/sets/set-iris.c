/* SPDX-License-Identifier: MIT */
#include "data/sets/set.h"
#include "data/sets/table.h"

static const TsParamSpec specs[] = {
    {"scale", TS_PARAM_WORD, .text = "standard", .words = "none|standard|unit",
     .doc =
         "none: centimetres; standard: mean 0 and deviation 1 over the training rows; unit: 0 to "
         "1 over the training rows"},
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
  g_autoptr (GBytes) bytes = ts_set_dup_sample ("iris.csv");
  gsize n;
  const char *text = g_bytes_get_data (bytes, &n);
  g_autoptr (TsCsv) csv = ts_csv_new ("iris.csv", text, n, TS_CSV_HEADER_YES, error);
  TsTableOptions options = {.scale = ts_table_scale_from_word (ts_params_text (params, "scale"))};

  return csv ? ts_table_to_dataset (csv, "iris", "Iris", &options, error) : NULL;
}

const TsSetClass ts_set_iris = {
    .name = "iris",
    .title = "Iris",
    .doc = "150 flowers of three species, four lengths each (Fisher 1936)",
    .specs = specs,
    .available = available,
    .load = load,
};
