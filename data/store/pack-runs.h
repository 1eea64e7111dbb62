/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/reader.h"

G_BEGIN_DECLS

/* A workspace, or some of its runs, as one file to send: everything sealed, unused space gone, a
 * rollback journal instead of a WAL, so that it opens anywhere, also in a folder that cannot be
 * written. */

typedef enum {
  TS_PACK_NONE, /* the rows of checkpoints without their bytes */
  TS_PACK_BEST, /* the best and the final one of each run are put inside */
  TS_PACK_ALL,
} TsPackCheckpoints;

/* @runs: ids; none: all that are not in the trash.  The file may be written meanwhile: what is packed is one
 * moment of it.  What stood at @to is replaced by the whole file, or stays.  Errors: the reader's, and those of
 * writing. */
gboolean ts_pack (TsReader *reader, const gint64 *runs, guint n_runs, TsPackCheckpoints checkpoints,
                  const char *to, GError **error);

G_END_DECLS
