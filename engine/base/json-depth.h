/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* JSON that came with somebody's file is read by a parser that calls itself for each '[' and '{'. */
#define TS_JSON_DEPTH_MAX 64

/* Do brackets of @text (@size bytes; -1: up to the zero) nest at most that deep?  It need not be JSON. */
gboolean ts_json_is_shallow (const char *text, gssize size);

G_END_DECLS
