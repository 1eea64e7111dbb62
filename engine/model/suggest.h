/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "Did you mean …?" */

/* Edits that turn @a into @b: characters inserted, deleted, replaced, or two neighbours swapped.
 * Bytes are compared, case is not; words beyond 64 bytes are infinitely far (G_MAXUINT). */
guint ts_suggest_distance (const char *a, const char *b);

/* The nearest of @candidates (NULL-ended, NULL entries not allowed) if it is near enough to be a
 * likely slip, at most a third of the word; else NULL.  Ties: the first.  Borrowed. */
const char *ts_suggest (const char *word, const char *const *candidates);

G_END_DECLS
