/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/events/log-event.h"
#include "data/store/import.h"

G_BEGIN_DECLS

/* The tags of one run and what is known of them: their metadata comes with the first value only, in whichever
 * file. */

typedef struct TsIntakeTag TsIntakeTag;
struct TsIntakeTag {
  TsSlice bytes; /* of name */
  char *name;
  char *plugin, *content, *display_name, *description;
  gsize content_size;
  int data_class;
  gboolean has_metadata;
  TsImportAttempt *attempt; /* that of the series below */
  TsImportSeries *scalars;
  TsIntakeTag *next; /* the tag that followed it last time: most likely it does again */
};

typedef struct {
  GHashTable *by_bytes; /* TsSlice in TsIntakeTag → TsIntakeTag */
  TsIntakeTag *last;
} TsIntakeTags;

void ts_intake_tags_init (TsIntakeTags *tags);
void ts_intake_tags_clear (TsIntakeTags *tags);

/* The tag of that name, made when it is new. */
TsIntakeTag *ts_intake_tags_look_up (TsIntakeTags *tags, TsSlice bytes);

static inline TsIntakeTag *
ts_intake_tags_find (TsIntakeTags *tags, TsSlice bytes)
{
  TsIntakeTag *tag = tags->last ? tags->last->next : NULL;

  if (tag && ts_slice_equal (&tag->bytes, &bytes))
    return tags->last = tag;
  return ts_intake_tags_look_up (tags, bytes);
}

/* A tag that was read before: its metadata came then and does not come again.  @tags: TsIntakeTags. */
void ts_intake_tags_recall (const char *name, const char *meta, gpointer tags);

/* A SummaryMetadata.  The first one with a plugin stays. */
void ts_intake_tag_note_metadata (TsIntakeTag *tag, TsSlice bytes);
/* What the store keeps of a tag's metadata, NULL when there is nothing to keep. */
char *ts_intake_tag_dup_meta (const TsIntakeTag *tag);

static inline gboolean
ts_intake_tag_is (const TsIntakeTag *tag, const char *plugin)
{
  return g_strcmp0 (tag->plugin, plugin) == 0;
}

G_END_DECLS
