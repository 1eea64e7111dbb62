/* SPDX-License-Identifier: MIT */
/* A training with a step of one's own: the built-in step, but skipped when its gradient is too large.
 * The gradients are computed first; the update runs only when their norm is below a limit. */
#include <engine/train/trainer.h>
#include <string.h>

static const char text[] = "model spirals\n"
                           "input x float[4]\n"
                           "input t int\n"
                           "y = x -> dense(8, tanh) -> dense(8, tanh) -> dense(2)\n"
                           "loss xent = softmax_xent(y, t)\n"
                           "metric accuracy = accuracy(y, t)\n"
                           "train {\n"
                           "  data spirals(features=sin)\n"
                           "  optimizer adam(lr=0.03)\n"
                           "  batch 32\n"
                           "  epochs 60\n"
                           "}\n";

typedef struct {
  TsProgram *gradients;
  guint skipped;
} State;

static gboolean
careful_step (TsTrainStep *step, gpointer data, GError **error)
{
  State *state = data;
  TsValue *fetches[] = {step->loss_value, step->minimize->norm};

  if (step->batch != 32)
    return ts_train_step_run (step, error); /* the short end of an epoch */
  if (!state->gradients &&
      !(state->gradients = ts_program_new (step->session, step->feeds, step->n_feeds, fetches, 2,
                                           NULL, 0, step->batch, TRUE, error)))
    return FALSE;
  if (!ts_program_run (state->gradients, step->sources, error))
    return FALSE;
  step->loss = ts_program_get_number (state->gradients, fetches[0], 0);
  step->norm = ts_program_get_number (state->gradients, fetches[1], 0);
  if (step->norm < 1)
    return ts_train_step_run (step, error);
  state->skipped++;
  return TRUE;
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsSource) source = ts_source_new ("spirals.model", text, strlen (text), &error);
  g_autoptr (TsDiags) diags = ts_diags_new (source);
  g_autoptr (TsModel) model = ts_model_new (source, diags);
  TsTrainConfig config;
  State state = {NULL, 0};
  TsTrainerOptions options = {.train_step = careful_step, .train_step_data = &state};

  if (!model || !ts_train_config_init (&config, model, diags)) {
    g_autofree char *problems = ts_diags_dup_text (diags);
    g_printerr ("%s", problems);
    return 1;
  }
  g_autoptr (TsDataset) data = ts_set_load (config.set, &config.set_params, &error);
  TsTrainer *trainer = data ? ts_trainer_new (model, data, &config, &options, &error) : NULL;
  if (!trainer) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  ts_trainer_start (trainer, FALSE);
  const TsTrainResult *r = ts_trainer_wait (trainer);
  for (guint i = 0; i < r->n_results; i++)
    g_print ("%-14s %.4f\n", r->results[i].tag, r->results[i].value);
  g_print ("%u of %d steps skipped\n", state.skipped, (int) r->steps);
  g_clear_pointer (&state.gradients, ts_program_free); /* before the session */
  ts_trainer_free (trainer);
  return 0;
}
