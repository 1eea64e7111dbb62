/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/events/log-event.h"
#include "data/events/tensor.h"
#include "data/store/import.h"

G_BEGIN_DECLS

/* Values that are no scalars, as the bytes of an item (data/store/item.h).  Each appends to the empty @out and
 * returns FALSE when the value is not what it should be. */

/* A HistogramProto. */
gboolean ts_log_histogram (GByteArray *out, TsSlice proto);
/* A tensor of rows left, right, count. */
gboolean ts_log_histogram_tensor (GByteArray *out, const TsTensorProto *tensor);
/* The numbers of a tensor; FALSE also when they are of a type that an array has not, or a short message asks for
 * very many. */
gboolean ts_log_array (GByteArray *out, const TsTensorProto *tensor);
/* The strings of a tensor from number @skip on. */
gboolean ts_log_strings (GByteArray *out, const TsTensorProto *tensor, guint skip);

/* A Summary.Image: one image.  @meta (owned by the caller): {"width": …, "height": …, "format": …}, sizes from
 * the bytes where these say them. */
gboolean ts_log_image (GByteArray *out, TsSlice proto, char **meta);
/* A tensor of strings: width, height, images. */
gboolean ts_log_image_tensor (GByteArray *out, const TsTensorProto *tensor, char **meta);
/* A Summary.Audio. */
gboolean ts_log_audio (GByteArray *out, TsSlice proto, char **meta);

/* The hyperparameters of an HParamsPluginData into @run; their number. */
guint ts_log_hparams (TsImport *import, TsImportRun *run, TsSlice content);

G_END_DECLS
