/* SPDX-License-Identifier: MIT */
#include "data/sets/set.h"
#include "data/sets/table.h"

static const TsParamSpec specs[] = {
    {"scale", TS_PARAM_WORD, .text = "unit", .words = "none|standard|unit",
     .doc = "none: 0 to 16; standard: each pixel mean 0 and deviation 1 over the training rows; "
            "unit: pixel / 16"},
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
  g_autoptr (GBytes) bytes = ts_set_dup_sample ("digits.csv");
  gsize n;
  const char *text = g_bytes_get_data (bytes, &n);
  g_autoptr (TsCsv) csv = ts_csv_new ("digits.csv", text, n, TS_CSV_HEADER_YES, error);
  TsTableScale scale = ts_table_scale_from_word (ts_params_text (params, "scale"));
  TsTableOptions options = {
      .scale = scale == TS_TABLE_UNIT ? TS_TABLE_FACTOR : scale,
      .factor = 1.0f / 16,
      .rank = 3,
      .shape = {8, 8, 1},
  };

  return csv ? ts_table_to_dataset (csv, "digits", "Digits", &options, error) : NULL;
}

const TsSetClass ts_set_digits = {
    .name = "digits",
    .title = "Digits",
    .doc = "1797 handwritten digits, 8x8 pixels of 0 to 16 (Alpaydin 1998)",
    .specs = specs,
    .available = available,
    .load = load,
};
