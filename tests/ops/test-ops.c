/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "tests/support/opcheck.h"

typedef struct {
  const TsOpClass *op;
  guint example;
} Job;

static void
test_example (gconstpointer data)
{
  const Job *job = data;
  g_autofree char *problem = ts_opcheck_run (job->op, &job->op->examples[job->example]);

  if (problem) {
    g_test_message ("%s, example %u: %s", job->op->name, job->example, problem);
    g_test_fail ();
  }
}

static void
check_documented (const TsOpClass *op, gpointer data)
{
  GHashTable *names = data;

  g_assert_true (g_hash_table_add (names, (gpointer) op->name));
  g_assert_true (op->formula && *op->formula);
  g_assert_true (op->category && *op->category);
  g_assert_true (op->in_names && (*op->in_names || op->max_in == 0));
  g_assert_true (op->doc && g_str_has_suffix (op->doc, "."));
  g_assert_true (op->infer && (op->forward || (op->flags & (TS_OP_SOURCE | TS_OP_VIEW))));
  if (!(op->flags & (TS_OP_SOURCE | TS_OP_INTERNAL))) /* integers only is no excuse */
    g_assert_cmpuint (op->n_examples, >=, 1);
  for (guint i = 0; i < op->n_examples; i++)
    g_assert_true (op->examples[i].in[0] || op->max_in == 0);
  for (const TsParamSpec *p = op->params; p && p->name; p++)
    g_assert_true (p->doc && *p->doc);
  g_assert_true (ts_op_lookup (op->name) == op);
}

/* Every op says what it is, what it computes and how to try it; names are unique. */
static void
test_table (void)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  ts_op_foreach (check_documented, names);
  g_assert_cmpuint (g_hash_table_size (names), >=, 30);
  g_assert_null (ts_op_lookup ("dens"));
}

static void
add_examples (const TsOpClass *op, gpointer data)
{
  for (guint i = 0; i < op->n_examples; i++) {
    Job *job = g_new (Job, 1);
    g_autofree char *path = g_strdup_printf ("/ops/%s/%u", op->name, i);
    *job = (Job){op, i};
    g_test_add_data_func_full (path, job, test_example, g_free);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/table", test_table);
  ts_op_foreach (add_examples, NULL);
  return g_test_run ();
}
