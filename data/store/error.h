/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The error domain of data/store/.  A message names the file, what went wrong and what to do. */
#define TS_STORE_ERROR (ts_store_error_quark ())

typedef enum {
  TS_STORE_ERROR_OPEN,            /* no such file, a folder, no permission */
  TS_STORE_ERROR_NOT_A_WORKSPACE, /* another kind of file */
  TS_STORE_ERROR_NEWER_VERSION,   /* written by a later Trainscope */
  TS_STORE_ERROR_LOCKED,          /* another process writes it */
  TS_STORE_ERROR_READ_ONLY,       /* the file or its folder cannot be written */
  TS_STORE_ERROR_DISK_FULL,
  TS_STORE_ERROR_IO,        /* the disk failed to read or write */
  TS_STORE_ERROR_CORRUPT,   /* the file breaks its own rules (docs/run-file.md) */
  TS_STORE_ERROR_NOT_FOUND, /* no such run, tag, graph */
  TS_STORE_ERROR_AMBIGUOUS, /* several runs fit */
  TS_STORE_ERROR_EXISTS,    /* the name is taken */
  TS_STORE_ERROR_NAME,      /* no name for a run */
  TS_STORE_ERROR_CLOSED,    /* the writer has been closed */
  TS_STORE_ERROR_SQL,       /* anything else SQLite says */
} TsStoreError;

/* Thread-safe. */
GQuark ts_store_error_quark (void);

G_END_DECLS
