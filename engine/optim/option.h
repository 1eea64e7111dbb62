/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/base/param.h"

G_BEGIN_DECLS

/* One of several named ways to do a thing, with parameters of its own: a schedule, a way to clip.  Tables
 * end with a NULL name. */
typedef struct {
  const char *name;
  const char *doc;
  const TsParamSpec *params; /* NULL: none */
} TsOptionClass;

/* What was chosen; a plain value. */
typedef struct {
  const TsOptionClass *kind; /* NULL: nothing */
  TsParams params;
} TsOption;

/* Chooses @name of @table with its defaults; "none" chooses nothing.  Errors: NAME, saying that there is no
 * such @what and which there are. */
gboolean ts_option_set (TsOption *option, const TsOptionClass *table, const char *what,
                        const char *name, GError **error);

G_END_DECLS
