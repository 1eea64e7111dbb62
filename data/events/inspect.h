/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/events/record.h"

G_BEGIN_DECLS

/* What one event file holds, without storing any of it. */

typedef struct {
  char *tag;    /* valid UTF-8 */
  char *kind;   /* "scalar", "histogram", "image", "audio", "tensor", "metadata" */
  char *plugin; /* NULL: none */
  guint64 count;
  gint64 min_step, max_step;
} TsInspectTag;

typedef struct {
  gint64 size, end; /* bytes; after the last good record */
  TsTailKind tail;
  GArray *damage;  /* of TsDamage */
  guint64 records; /* good ones */
  char *version, *writer;
  double first_wall, last_wall; /* NaN: none */
  gint64 min_step, max_step;    /* over summaries; 0 when there is none */
  guint64 summaries, values, graphs, run_metadata, messages;
  GArray *starts;  /* of gint64: the steps of SessionLog.START */
  GPtrArray *tags; /* of TsInspectTag, in the order they first came */
  gboolean lfs_pointer;
} TsInspect;

/* Errors: TS_EVENTS_ERROR. */
TsInspect *ts_inspect_file (const char *path, GError **error);
void ts_inspect_free (TsInspect *inspect);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsInspect, ts_inspect_free)

G_END_DECLS
