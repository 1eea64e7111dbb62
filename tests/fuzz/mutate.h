/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What the fuzzers share.  TS_FUZZ_RUNS says how many mutations each test tries (else @fallback), TS_FUZZ_SEED
 * from where; the same numbers give the same mutations. */

typedef struct {
  guint64 state;
} TsMutator;

void ts_mutator_init (TsMutator *mutator);
guint64 ts_mutator_runs (guint64 fallback);
/* 0 … n - 1; 0 for 0. */
guint ts_mutator_below (TsMutator *mutator, guint n);
/* One to four changes: bits, bytes at the edge of a type, pieces that go, come twice or move, an end that comes
 * early, a piece of @other (may be NULL) at the end. */
void ts_mutator_change (TsMutator *mutator, GByteArray *bytes, GBytes *other);
/* The same without a change of length. */
void ts_mutator_scratch (TsMutator *mutator, guint8 *bytes, gsize size);

G_END_DECLS
