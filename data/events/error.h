/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  TS_EVENTS_ERROR_OPEN,    /* no such file or folder, no permission */
  TS_EVENTS_ERROR_IO,      /* the disk failed to read */
  TS_EVENTS_ERROR_NOTHING, /* there is no event file */
} TsEventsError;

#define TS_EVENTS_ERROR (ts_events_error_quark ())
GQuark ts_events_error_quark (void);

G_END_DECLS
