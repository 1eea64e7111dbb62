/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* BLEU over a whole corpus (Papineni et al. 2002): the geometric mean of how many runs of one to four tokens of
 * the hypotheses stand in their references too, each as often as in the one that has it most, and a penalty for
 * hypotheses that are too short.  From any thread; a struct by one at a time.  Zero-initialise. */

#define TS_BLEU_ORDER 4

typedef struct {
  const gint32 *tokens; /* borrowed during a call */
  gsize n;
} TsTokens;

typedef struct {
  guint64 found[TS_BLEU_ORDER], all[TS_BLEU_ORDER]; /* runs of 1, 2, 3, 4 tokens */
  guint64 length, reference; /* of the hypotheses; of the references closest to them in length */
} TsBleu;

/* One hypothesis and its references, at least one. */
void ts_bleu_update (TsBleu *bleu, TsTokens hypothesis, const TsTokens *references,
                     gsize n_references);

/* 0 to 1; 0 when runs of some length are never found.  @smooth: one more is taken as found, and as there, of runs
 * of two and more (Lin and Och 2004), which tells short texts apart; where no hypothesis is long
 * enough for any, one is missed, not none (as nltk has it).  NaN before anything has come. */
double ts_bleu_result (const TsBleu *bleu, gboolean smooth);

G_END_DECLS
