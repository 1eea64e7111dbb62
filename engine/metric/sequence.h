/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sequences of tokens, held against those they should be.  From any thread; a struct by one at a time. */

/* The least number of tokens to be inserted, deleted or replaced to make one of the other (Levenshtein 1966).
 * Time n·m, memory the shorter. */
gsize ts_edit_distance (const gint32 *a, gsize n, const gint32 *b, gsize m);

/* Over any number of pairs: tokens that are words give the word error rate, characters the character error rate.
 * Zero-initialise. */
typedef struct {
  guint64 distance, length; /* summed; length: of the references */
  guint64 pairs, exact;     /* exact: of them, those without any difference */
} TsErrorRate;

void ts_error_rate_update (TsErrorRate *rate, const gint32 *predicted, gsize n,
                           const gint32 *reference, gsize m);
/* Differences for each token of the references, more than 1 when much was inserted.  NaN while there is none. */
double ts_error_rate_result (const TsErrorRate *rate);
/* The share of pairs that are equal.  NaN while there is none. */
double ts_error_rate_exact (const TsErrorRate *rate);

G_END_DECLS
