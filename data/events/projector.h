/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/events/projector-config.h"
#include "data/store/import.h"

G_BEGIN_DECLS

/* The files beside event files that hold embeddings, as torch.utils.tensorboard writes them: points and labels
 * as tables of tab-separated values, a sprite of images. */

#define TS_PROJECTOR_CONFIG "projector_config.pbtxt"

/* Adds what @entry names to @attempt: an array of points × dimensions under its tensor's name, a text of rows ×
 * columns under "NAME/labels" (with more than one column the first row names them), an image under "NAME/sprite".  Paths are taken from @folder on and must not lead out of @root.  @seconds: the
 * time of the samples.  What cannot be read is told in @problems (of char *), and the rest is added. */
void ts_projector_add (TsImport *import, TsImportAttempt *attempt, const TsProjectorEntry *entry,
                       const char *folder, const char *root, double seconds, GPtrArray *problems);

G_END_DECLS
