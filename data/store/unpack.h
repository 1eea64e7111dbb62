/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/writer.h"

G_BEGIN_DECLS

/* Checkpoints that ts_pack put inside become files beside the workspace again, as those of a training are: what
 * resumes reads files.  @run_uuid: of one run; NULL: of all.  @n: how many there were; @damaged: and
 * how many stay inside because their bytes are not what was packed (both may be NULL).  A file lies there whole
 * before the workspace knows of it.  Errors: the store's; G_FILE_ERROR naming the file. */
gboolean ts_unpack (TsWriter *writer, const char *run_uuid, guint *n, guint *damaged,
                    GError **error);

G_END_DECLS
