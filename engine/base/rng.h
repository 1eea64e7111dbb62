/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Philox4x32-10, a counter-based generator (Salmon, Moraes, Dror, Shaw: "Parallel random numbers:
 * as easy as 1, 2, 3", SC 2011).  Every word is a pure function of (seed, stream, index), so any
 * thread can make any slice of any stream and a stopped run resumes by its counters alone.
 *
 * key = (seed lo, seed hi); counter = (block lo, block hi, stream lo, stream hi); element i of a
 * stream is word i % 4 of block i / 4.  All functions are pure and thread-safe. */

typedef struct {
  guint64 seed;
  guint64 stream;
} TsRng;

/* The stream of a name: FNV-1a over its bytes, finished with a 64-bit mixer.  Adding a layer to a
 * model therefore changes no other layer's numbers.  @salt separates uses (a step, an epoch). */
guint64 ts_rng_stream (const char *name, guint64 salt);

/* Four words of block @block. */
void ts_rng_block (TsRng rng, guint64 block, guint32 words[4]);

guint32 ts_rng_word (TsRng rng, guint64 index);

/* Uniform in [0, 1): the low 23 bits of a word as the mantissa of a float in [1, 2), minus 1. */
float ts_rng_uniform (TsRng rng, guint64 index);

/* Standard normal by Box-Muller: words 2k and 2k+1 give elements 2k (sine) and 2k+1 (cosine); the
 * first uniform is at least 1e-7. */
float ts_rng_normal (TsRng rng, guint64 index);

/* An unbiased integer in [0, bound) (Lemire's rejection).  @cursor is the next word to draw from
 * and is advanced; bound >= 1. */
guint32 ts_rng_below (TsRng rng, guint64 *cursor, guint32 bound);

/* Fisher-Yates over @items[0..n): a permutation that depends on @rng alone. */
void ts_rng_shuffle (TsRng rng, gint32 *items, gsize n);

G_END_DECLS
