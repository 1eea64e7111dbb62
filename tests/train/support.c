/* SPDX-License-Identifier: MIT */
#include "tests/train/support.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* ---- a sink that keeps everything in memory */

static gboolean
memory_push (TsSink *sink, TsEvent *event, GError **error)
{
  Memory *m = (Memory *) sink;

  g_ptr_array_add (m->events, event);
  if (m->fail_at && (gint) m->events->len >= m->fail_at) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC, "the sink is full");
    return FALSE;
  }
  return TRUE;
}

Memory *
memory_new (void)
{
  Memory *m = g_new0 (Memory, 1);

  m->sink.push = memory_push;
  m->events = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_event_unref);
  return m;
}

void
memory_free (Memory *m)
{
  g_ptr_array_unref (m->events);
  g_free (m);
}

/* Every recorded number but the step rate, as text: "train/loss 12 bits". */
char *
memory_text (const Memory *m, gint64 after, gint64 up_to)
{
  GString *s = g_string_new (NULL);

  for (guint i = 0; i < m->events->len; i++) {
    const TsEvent *e = m->events->pdata[i];
    if (e->step <= after || e->step > up_to)
      continue;
    if (e->kind == TS_EVENT_HISTOGRAM)
      g_string_append_printf (s, "%s %" G_GINT64_FORMAT " %a %a %a\n", e->u.histogram.tag, e->step,
                              e->u.histogram.data->sum, e->u.histogram.data->sum_squares,
                              e->u.histogram.data->bucket[7]);
    for (guint k = 0; e->kind == TS_EVENT_SCALARS && k < e->u.scalars.n; k++)
      if (strcmp (e->u.scalars.items[k].tag, "steps_per_s") != 0)
        g_string_append_printf (s, "%s %" G_GINT64_FORMAT " %a\n", e->u.scalars.items[k].tag,
                                e->step, e->u.scalars.items[k].value);
  }
  return g_string_free (s, FALSE);
}

/* ---- trainings */

const char net_text[] = "model net\n"
                        "input x float[20]\n"
                        "input t int\n"
                        "y = x -> dense(96, relu) -> dropout(0.2) -> dense(48, tanh) -> dense(5)\n"
                        "loss xent = softmax_xent(y, t)\n"
                        "metric accuracy = accuracy(y, t)\n"
                        "train {\n"
                        "  data synthetic(rows=2000, features=20, classes=5)\n"
                        "  optimizer adam(lr=2e-3)\n"
                        "  batch 48\n"
                        "  epochs 8\n"
                        "}\n";

char *folder;

gboolean (*custom_step) (TsTrainStep *step, gpointer data, GError **error);

TsTrainer *
make (const char *text, const char *const *settings, const char *resume, Memory *memory,
      GError **error)
{
  g_autoptr (TsSource) source = ts_source_new ("net.model", text, strlen (text), NULL);
  g_autoptr (TsDiags) diags = ts_diags_new (source);
  g_autoptr (TsModel) model = ts_model_new (source, diags);
  TsTrainConfig config;

  if (!model || !ts_train_config_init (&config, model, diags)) {
    g_autofree char *problems = ts_diags_dup_text (diags);
    g_error ("%s", problems);
  }
  for (guint i = 0; settings && settings[i]; i += 2) {
    if (strcmp (settings[i], "record") == 0)
      config.record = FALSE;
    else if (!ts_train_config_set (&config, settings[i], settings[i + 1], error))
      return NULL;
  }
  g_autoptr (TsDataset) data = ts_set_load (config.set, &config.set_params, error);
  if (!data)
    return NULL;
  TsTrainerOptions options = {.resume_path = resume, .train_step = custom_step};
  TsTrainer *t = ts_trainer_new (model, data, &config, &options, error);
  if (t)
    ts_trainer_attach (t, memory ? &memory->sink : NULL, folder);
  return t;
}

char *
sha_text (const TsTrainResult *r)
{
  GString *s = g_string_new (NULL);

  for (guint i = 0; i < 32; i++)
    g_string_append_printf (s, "%02x", r->sha256[i]);
  return g_string_free (s, FALSE);
}

void
wait_for_step (TsTrainer *t, gint64 step)
{
  TsPulse p;

  do {
    g_usleep (200);
    ts_trainer_get_pulse (t, &p);
  } while (p.step < step);
  g_assert_cmpint (p.step, ==, step);
}

void
expect_refusal (const char *text, const char *const *settings, const char *want)
{
  g_autoptr (GError) error = NULL;
  TsTrainer *t = make (text, settings, NULL, NULL, &error);

  g_assert_null (t);
  g_assert_nonnull (error);
  if (!strstr (error->message, want))
    g_error ("'%s' does not say '%s'", error->message, want);
}
