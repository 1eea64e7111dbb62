/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Names and places of a workspace: FILE (SQLite), FILE-lock (while a writer is open), FILE.d/ (the
 * checkpoints). */

#define TS_WORKSPACE_APPLICATION_ID 0x54524e31 /* "TRN1" */
#define TS_WORKSPACE_VERSION        1          /* PRAGMA user_version */
#define TS_WORKSPACE_PAGE_BYTES     8192       /* PRAGMA page_size */

typedef enum {
  TS_SERIES_SCALAR = 0,
  TS_SERIES_HISTOGRAM = 1,
  TS_SERIES_IMAGE = 2,
  TS_SERIES_TEXT = 3,
  TS_SERIES_AUDIO = 4,
  TS_SERIES_TENSOR = 5,
} TsSeriesKind;

/* "scalar", "histogram", … */
const char *ts_series_kind_name (TsSeriesKind kind);

/* The absolute path of @path with links resolved; the file itself need not exist, its folder must.
 * Errors: TS_STORE_ERROR_OPEN naming what is missing, or what is a file where a folder should be.
 */
char *ts_workspace_find_path (const char *path, GError **error);

/* Where the checkpoints of workspace @path lie: the path with ".d" added. */
char *ts_workspace_dup_folder (const char *path);

G_END_DECLS
