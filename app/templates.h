/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/model/model.h"

G_BEGIN_DECLS

/* The models that ship (the .model files of data/templates), built into the program. */

/* Their names, sorted, NULL-ended; static. */
const char *const *ts_template_names (void);

/* The text of one as a source called "NAME.model"; NULL when there is none of that name. */
TsSource *ts_template_lookup (const char *name);

/* @what is a template's name, or a path to a model file.  Errors: those of reading; NAME when it is
 * neither, with the nearest template. */
TsSource *ts_template_find_model (const char *what, GError **error);

G_END_DECLS
