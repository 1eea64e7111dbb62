/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What an encoded image says about itself in its first bytes.  @format: "png", "jpeg", "gif";
 * NULL and 0 when it is none of these or is cut off before its size. */
const char *ts_image_size (const guint8 *data, gsize size, guint *width, guint *height);

G_END_DECLS
