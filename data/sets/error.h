/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The error domain of data/sets.  A message names the file, the place in it (line and column, or
 * byte counts) and the value that did not fit, and says what to do where that is known. */
#define TS_SETS_ERROR (ts_sets_error_quark ())

typedef enum {
  TS_SETS_ERROR_MISSING, /* a file is not there; the message names the package that brings it */
  TS_SETS_ERROR_IO,      /* a file is there but cannot be read */
  TS_SETS_ERROR_FORMAT,  /* the contents do not follow the format, or are damaged */
  TS_SETS_ERROR_PARAM,   /* a parameter does not fit the data */
  TS_SETS_ERROR_LIMIT,   /* a stated limit was exceeded */
} TsSetsError;

GQuark ts_sets_error_quark (void);

G_END_DECLS
