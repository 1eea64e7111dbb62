/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A hyperparameter as a run keeps it.  The numbers are the file format's: never change them. */
typedef enum {
  TS_HPARAM_NULL = 0,
  TS_HPARAM_INT = 1,
  TS_HPARAM_REAL = 2,
  TS_HPARAM_TEXT = 3,
  TS_HPARAM_BOOL = 4,
} TsHparamKind;

/* A plain value; the texts belong to whoever made it. */
typedef struct {
  const char *key; /* dotted: "optimizer.lr" */
  TsHparamKind kind;
  gint64 i; /* INT, BOOL */
  double r; /* REAL */
  const char *t;
} TsHparam;

G_END_DECLS
