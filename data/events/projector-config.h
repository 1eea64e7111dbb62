/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* projector_config.pbtxt: a ProjectorConfig (tensorboard/plugins/projector/projector_config.proto) in protocol
 * buffers' text form. */

typedef struct {
  char *tensor_name;
  char *tensor_path, *metadata_path, *sprite_path; /* NULL: none */
  guint sprite_width, sprite_height;               /* of one image of the sprite; 0: unknown */
} TsProjectorEntry;

void ts_projector_entry_free (TsProjectorEntry *entry);

/* A GPtrArray of TsProjectorEntry, which owns them, in the order of the file.  Fields it does not know are
 * passed over.  NULL: it is not of this form; @line says where. */
GPtrArray *ts_projector_config_parse (const char *text, gsize size, guint *line);

G_END_DECLS
