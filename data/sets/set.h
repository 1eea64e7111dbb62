/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/sets/dataset.h"
#include "engine/base/param.h"

G_BEGIN_DECLS

/* The contract of a data set.  One set, one file: set-<name>.c defines `const TsSetClass
 * ts_set_<name>` and is named in data/sets/meson.build; nothing else is to be changed.
 * The program never fetches anything: a set is shipped, generated, or brought by a package. */

typedef struct {
  const char *name;         /* as the language and the disk know it: "fashion_mnist" */
  const char *title;        /* for people: "Fashion-MNIST" */
  const char *doc;          /* one sentence */
  const char *package;      /* the Debian package that brings the files; NULL: nothing is needed */
  const TsParamSpec *specs; /* ended by a NULL name */

  /* Could load succeed with the default parameters?  Looks at file names only. */
  gboolean (*available) (void);

  /* A sealed set (transfer full).  @params were made from @specs and checked.  May run in any
   * thread; reads files.  Errors: TS_SETS_ERROR. */
  TsDataset *(*load) (const TsParams *params, GError **error);
} TsSetClass;

/* All sets, sorted by name, NULL-ended (generated). */
extern const TsSetClass *const ts_set_table[];

/* The class of @name, or NULL. */
const TsSetClass *ts_set_lookup (const char *name);

/* Checks that the required parameters are there, then loads. */
TsDataset *ts_set_load (const TsSetClass *klass, const TsParams *params, GError **error);

/* The bytes of one of the files of data/sets/samples, which are built into the program.
 * @name: "iris.csv".  Never NULL for a file that ships. */
GBytes *ts_set_dup_sample (const char *name);

G_END_DECLS
