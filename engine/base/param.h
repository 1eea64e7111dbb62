/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Typed parameter tables.  Ops, layers, optimizers, data sets each own one `const TsParamSpec[]`
 * (ended by a NULL name); it drives the language's arguments, checking, printing, documentation
 * and the inspector; a name that starts with '_' is for the engine's own use and is shown nowhere.
 * A TsParams is a plain value: copy it by assignment, it owns no memory
 * (words and strings are interned). */

#define TS_PARAMS_MAX     16
#define TS_SHAPE_MAX      6
#define TS_PARAM_LIST_MAX 12 /* two numbers an axis: pads */

typedef enum {
  TS_PARAM_INT,
  TS_PARAM_FLOAT,
  TS_PARAM_BOOL,
  TS_PARAM_WORD,    /* one of a fixed list of words */
  TS_PARAM_STRING,  /* free text */
  TS_PARAM_SHAPE,   /* a list of at most TS_PARAM_LIST_MAX integers */
  TS_PARAM_NUMBERS, /* a list of at most TS_PARAM_LIST_MAX numbers */
} TsParamType;

typedef struct {
  const char *name;
  TsParamType type;
  gboolean required; /* no default: must be set */
  double number;     /* default of INT, FLOAT, BOOL */
  const char *text;  /* default of WORD, STRING */
  const char *words; /* WORD: the choices, "a|b|c" */
  double min, max;   /* INT, FLOAT, each of NUMBERS: inclusive range, when min < max */
  gboolean max_open; /* FLOAT: max itself is not allowed */
  const char *doc;   /* one sentence, with the unit */
} TsParamSpec;

typedef struct {
  const TsParamSpec *specs; /* borrowed, static */
  guint n;
  guint set; /* bit i: set by the caller, not a default */
  struct {
    gint64 i;
    double f;
    const char *s; /* interned */
    union {
      gint64 list[TS_PARAM_LIST_MAX];    /* SHAPE */
      double numbers[TS_PARAM_LIST_MAX]; /* NUMBERS */
    };
    guint n_list;
  } v[TS_PARAMS_MAX];
} TsParams;

/* Fills @params with the defaults of @specs (NULL: a table without entries). */
void ts_params_init (TsParams *params, const TsParamSpec *specs);

/* The index of @name, or -1. */
int ts_params_lookup (const TsParams *params, const char *name);

/* Every parameter of @params that @from has too, by its name, takes that value; both tables give
 * it one type. */
void ts_params_take (TsParams *params, const TsParams *from);

/* Setters check type, range and choices.  Errors: TS_ENGINE_ERROR_PARAM, naming the parameter, the
 * value and what is allowed.  An INT parameter takes whole numbers only; FLOAT takes both. */
gboolean ts_params_set_number (TsParams *params, const char *name, double value, GError **error);
gboolean ts_params_set_bool (TsParams *params, const char *name, gboolean value, GError **error);
gboolean ts_params_set_text (TsParams *params, const char *name, const char *value, GError **error);
gboolean ts_params_set_list (TsParams *params, const char *name, const gint64 *values, guint n,
                             GError **error);
gboolean ts_params_set_numbers (TsParams *params, const char *name, const double *values, guint n,
                                GError **error);
/* From the text of a command line: "3", "1e-3", "true", a word, "[1, 2]". */
gboolean ts_params_parse (TsParams *params, const char *name, const char *value, GError **error);
/* From several at once: "rate=0.25, shape=[2, -1]"; NULL or "" sets nothing. */
gboolean ts_params_parse_all (TsParams *params, const char *text, GError **error);

/* All required parameters are set?  The error names the first that is not. */
gboolean ts_params_check (const TsParams *params, const char *owner, GError **error);

/* Getters; an unknown name is a bug of the caller. */
gint64 ts_params_int (const TsParams *params, const char *name);
double ts_params_float (const TsParams *params, const char *name);
gboolean ts_params_bool (const TsParams *params, const char *name);
const char *ts_params_text (const TsParams *params, const char *name);
/* Of a NUMBERS parameter; @n: how many.  Borrowed. */
const double *ts_params_numbers (const TsParams *params, const char *name, guint *n);

/* The value of parameter @index as the language writes it ("3", "0.001", "true", "relu"). */
char *ts_params_dup_value (const TsParams *params, guint index);

/* The shortest decimal form that reads back as the same double; "NaN", "Infinity", "-Infinity". */
char *ts_number_dup_text (double value);

G_END_DECLS
