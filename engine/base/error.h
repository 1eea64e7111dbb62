/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The error domain of engine/.  A message names the thing (op, node, parameter, file) and the
 * values that did not fit; the code says which kind of trouble it is. */
#define TS_ENGINE_ERROR (ts_engine_error_quark ())

typedef enum {
  TS_ENGINE_ERROR_SHAPE,         /* shapes do not fit each other */
  TS_ENGINE_ERROR_DTYPE,         /* element types do not fit */
  TS_ENGINE_ERROR_PARAM,         /* a parameter is unknown, missing or out of its range */
  TS_ENGINE_ERROR_NAME,          /* a name is unknown, taken or malformed */
  TS_ENGINE_ERROR_NOT_FED,       /* a placeholder has no value */
  TS_ENGINE_ERROR_UNINITIALIZED, /* a variable was read before it was given a value */
  TS_ENGINE_ERROR_NO_GRADIENT,   /* no path from the loss to any variable */
  TS_ENGINE_ERROR_RANGE,         /* a label or index is out of range, or a division by zero */
  TS_ENGINE_ERROR_NUMERIC,       /* NaN or infinity where the run may not go on */
  TS_ENGINE_ERROR_FORMAT,        /* a file or text does not follow its format */
  TS_ENGINE_ERROR_LIMIT,         /* a stated limit was exceeded */
  TS_ENGINE_ERROR_CANCELLED,     /* the caller asked to stop */
} TsEngineError;

GQuark ts_engine_error_quark (void);

G_END_DECLS
