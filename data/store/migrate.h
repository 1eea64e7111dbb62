/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/sql-private.h"

G_BEGIN_DECLS

/* Versions of the tables.  The texts of schemas/sql/ are part of the library (data/store/embed.py);
 * nothing is read from the source tree at run time. */

extern const char ts_schema_0001[];   /* schemas/sql/0001-initial.sql */
extern const char ts_schema_golden[]; /* schemas/schema.golden */

/* Migration i takes version i to i + 1. */
typedef struct {
  const char *const *texts;
  int n;
} TsMigrations;

extern const TsMigrations ts_migrations;

/* Makes the workspace @path: built aside, made durable, then renamed into place, so that no crash
 * leaves half of one.  @path is absolute and absent or empty; the caller holds its lock. */
gboolean ts_migrate_create (const char *path, GError **error);

/* Brings an open connection from its version to the newest, each step in a transaction of its own,
 * after a copy beside the file ("FILE.v1.bak").  Errors: NEWER_VERSION, or the statement's own. */
gboolean ts_migrate_up (TsSql *sql, const TsMigrations *migrations, GError **error);

/* Is this a workspace, and of which version?  Errors: NOT_A_WORKSPACE. */
gboolean ts_migrate_gate (TsSql *sql, gint64 *version, GError **error);

/* Are the tables those this program made?  Errors: CORRUPT. */
gboolean ts_migrate_check (TsSql *sql, GError **error);

/* The text of sqlite_schema as schema.golden has it.  NULL on failure. */
char *ts_migrate_dup_schema (TsSql *sql, GError **error);

G_END_DECLS
