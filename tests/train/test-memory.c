/* SPDX-License-Identifier: MIT */
/* What a training step of the CNN template is planned to take: at most 60 % of what all its activations,
 * gradients and scratch would take side by side. */
#include "engine/graph/session.h"
#include "engine/model/model.h"
#include "engine/optim/optimizer.h"

static void
test_cnn (void)
{
  g_autofree char *path =
      g_build_filename (g_getenv ("TS_SOURCE_ROOT"), "data", "templates", "cnn.model", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (TsSource) source = ts_source_new_from_file (path, &error);
  g_assert_no_error (error);
  g_autoptr (TsDiags) diags = ts_diags_new (source);
  g_autoptr (TsModel) model = ts_model_new (source, diags);
  TsMinimize m;

  ts_minimize_by_name (model->graph, model->losses[0].value, "adam", NULL, &m, &error);
  g_assert_no_error (error);
  TsValue *feeds[] = {model->inputs[0].value, model->inputs[1].value};
  TsValue *fetches[] = {model->losses[0].value, m.norm};
  for (guint threads = 1; threads <= 4; threads++) {
    g_autoptr (TsSession) s = ts_session_new (model->graph, 1, threads);
    TsPlanStats stats;
    ts_session_init_variables (s);
    g_autoptr (TsProgram) p =
        ts_program_new (s, feeds, 2, fetches, 2, &m.step, 1, 64, TRUE, &error);
    g_assert_no_error (error);
    ts_plan_get_stats (ts_program_get_plan (p), &stats);
    gsize planned = stats.arena_bytes + threads * stats.scratch_bytes;
    g_test_message ("%u threads: %.1f of %.1f MB", threads, (double) planned / 1e6,
                    (double) stats.sum_bytes / 1e6);
    g_assert_cmpuint (10 * planned, <=, 6 * stats.sum_bytes);
  }
  ts_minimize_clear (&m);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/train/memory/cnn", test_cnn);
  return g_test_run ();
}
