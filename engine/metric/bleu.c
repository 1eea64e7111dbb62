/* SPDX-License-Identifier: MIT */
#include "engine/metric/bleu.h"

#include <math.h>
#include <string.h>

typedef struct {
  const gint32 *tokens;
  guint order;
} Run;

static guint
run_hash (gconstpointer key)
{
  const Run *run = key;
  guint64 h = 14695981039346656037ull; /* FNV-1a, a token at a time */

  for (guint i = 0; i < run->order; i++)
    h = (h ^ (guint32) run->tokens[i]) * 1099511628211ull;
  return (guint) (h ^ h >> 32);
}

static gboolean
run_equal (gconstpointer a, gconstpointer b)
{
  const Run *p = a, *q = b;

  return memcmp (p->tokens, q->tokens, p->order * sizeof *p->tokens) == 0;
}

/* How often each run of @order tokens stands there: Run → number. */
static GHashTable *
count_runs (TsTokens t, guint order)
{
  GHashTable *counts = g_hash_table_new_full (run_hash, run_equal, g_free, NULL);

  for (gsize i = 0; i + order <= t.n; i++) {
    const Run run = {t.tokens + i, order};
    guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, &run));
    g_hash_table_replace (counts, g_memdup2 (&run, sizeof run), GUINT_TO_POINTER (n + 1));
  }
  return counts;
}

/* Raises what is in @most to what is in @more. */
static void
raise_counts (GHashTable *most, GHashTable *more)
{
  GHashTableIter iter;
  gpointer run, n;

  g_hash_table_iter_init (&iter, more);
  while (g_hash_table_iter_next (&iter, &run, &n))
    if (GPOINTER_TO_UINT (n) > GPOINTER_TO_UINT (g_hash_table_lookup (most, run)))
      g_hash_table_replace (most, g_memdup2 (run, sizeof (Run)), n);
}

static guint64
count_found (TsTokens hypothesis, const TsTokens *references, gsize n_references, guint order)
{
  g_autoptr (GHashTable) most = g_hash_table_new_full (run_hash, run_equal, g_free, NULL);
  g_autoptr (GHashTable) own = count_runs (hypothesis, order);
  GHashTableIter iter;
  gpointer run, n;
  guint64 found = 0;

  for (gsize r = 0; r < n_references; r++) {
    g_autoptr (GHashTable) counts = count_runs (references[r], order);
    raise_counts (most, counts);
  }
  g_hash_table_iter_init (&iter, own);
  while (g_hash_table_iter_next (&iter, &run, &n)) {
    guint there = GPOINTER_TO_UINT (g_hash_table_lookup (most, run));
    found += MIN (GPOINTER_TO_UINT (n), there);
  }
  return found;
}

/* Of two that are equally close the shorter one. */
static gsize
closest_length (gsize length, const TsTokens *references, gsize n_references)
{
  gsize best = references[0].n;

  for (gsize r = 1; r < n_references; r++) {
    gsize n = references[r].n, far = n > length ? n - length : length - n;
    gsize best_far = best > length ? best - length : length - best;
    if (far < best_far || (far == best_far && n < best))
      best = n;
  }
  return best;
}

void
ts_bleu_update (TsBleu *bleu, TsTokens hypothesis, const TsTokens *references, gsize n_references)
{
  g_return_if_fail (n_references > 0);

  for (guint order = 1; order <= TS_BLEU_ORDER; order++) {
    bleu->found[order - 1] += count_found (hypothesis, references, n_references, order);
    bleu->all[order - 1] += hypothesis.n >= order ? hypothesis.n - order + 1 : 0;
  }
  bleu->length += hypothesis.n;
  bleu->reference += closest_length (hypothesis.n, references, n_references);
}

double
ts_bleu_result (const TsBleu *bleu, gboolean smooth)
{
  double sum = 0;

  if (bleu->length + bleu->reference == 0)
    return (double) NAN;
  for (guint k = 0; k < TS_BLEU_ORDER; k++) {
    guint64 more = smooth && k > 0;
    if (bleu->found[k] + more == 0)
      return 0;
    sum += log ((double) (bleu->found[k] + more) / (double) (MAX (bleu->all[k], 1) + more));
  }
  double brevity =
      bleu->length < bleu->reference ? 1 - (double) bleu->reference / (double) bleu->length : 0;
  return exp (brevity + sum / TS_BLEU_ORDER);
}
