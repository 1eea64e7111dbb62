/* SPDX-License-Identifier: MIT */
#include "engine/train/config.h"

#include <stddef.h>
#include <string.h>

#include "engine/base/error.h"
#include "engine/model/suggest.h"
#include "engine/train/fit.h"

static gboolean
parse_count (const char *key, const char *text, gint64 low, gint64 high, gint64 *value,
             GError **error)
{
  gint64 v;

  if (g_ascii_string_to_signed (text, 10, low, high, &v, NULL)) {
    *value = v;
    return TRUE;
  }
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
               "%s must be a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
               ", not '%s'",
               key, low, high, text);
  return FALSE;
}

static gboolean
set_data (TsTrainConfig *c, const char *name, GError **error)
{
  const TsSetClass *set = ts_set_lookup (name);

  if (!set) {
    g_autoptr (GString) known = g_string_new (NULL);
    for (guint i = 0; ts_set_table[i]; i++)
      g_string_append_printf (known, "%s%s", i ? ", " : "", ts_set_table[i]->name);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME, "unknown data set '%s'\nknown: %s",
                 name, known->str);
    return FALSE;
  }
  c->set = set;
  ts_params_init (&c->set_params, set->specs);
  return TRUE;
}

static gboolean
set_optimizer (TsTrainConfig *c, const char *name, GError **error)
{
  const TsOptimizerClass *optimizer = ts_optimizer_lookup (name);

  if (!optimizer) {
    g_autoptr (GString) known = g_string_new (NULL);
    for (guint i = 0; ts_optim_table[i]; i++)
      g_string_append_printf (known, "%s%s", i ? ", " : "", ts_optim_table[i]->name);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME, "unknown optimizer '%s'\nknown: %s",
                 name, known->str);
    return FALSE;
  }
  c->optimizer = optimizer;
  ts_params_init (&c->optimizer_params, optimizer->params);
  return TRUE;
}

/* A GError whose lines after the first are notes, at a place. */
static void
report (TsDiags *diags, TsSpan span, const GError *error)
{
  g_auto (GStrv) lines = g_strsplit (error->message, "\n", -1);

  ts_diags_error (diags, span, "%s", lines[0]);
  for (guint i = 1; lines[i]; i++)
    ts_diags_note (diags, "%s", lines[i]);
}

static void
report_unknown_key (TsDiags *diags, TsSpan span, const char *owner, const char *key,
                    const TsParams *p)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  ts_diags_error (diags, span, "%s has no argument '%s'", owner, key);
  for (guint i = 0; i < p->n; i++)
    g_ptr_array_add (names, (gpointer) p->specs[i].name);
  g_ptr_array_add (names, NULL);
  const char *near = ts_suggest (key, (const char *const *) names->pdata);
  if (near)
    ts_diags_note (diags, "did you mean '%s'?", near);
}

static void
read_call (TsParams *params, const TsModelCall *call, TsDiags *diags)
{
  for (guint i = 0; i < call->n; i++) {
    const char *key = call->args[i].key;
    g_autoptr (GError) error = NULL;
    if (!key && i < params->n)
      key = params->specs[i].name;
    if (!key || ts_params_lookup (params, key) < 0)
      report_unknown_key (diags, call->args[i].key_span, call->name, key ? key : call->args[i].text,
                          params);
    else if (!ts_params_parse (params, key, call->args[i].text, &error))
      report (diags, call->args[i].span, error);
  }
}

/* The settings that choose one of several ways, with parameters. */
typedef struct {
  const char *key;
  const TsOptionClass *table;
  gsize config, model; /* where they lie */
} OptionSetting;

static const OptionSetting option_settings[] = {
    {"schedule", ts_schedules, offsetof (TsTrainConfig, schedule), offsetof (TsModel, schedule)},
    {"clip", ts_clips, offsetof (TsTrainConfig, clip), offsetof (TsModel, clip)},
    {"stop", ts_stops, offsetof (TsTrainConfig, stop), offsetof (TsModel, stop)},
    {"reduce", ts_reductions, offsetof (TsTrainConfig, reduce), offsetof (TsModel, reduce)},
};

static TsOption *
option_of (const TsTrainConfig *c, const OptionSetting *s)
{
  return G_STRUCT_MEMBER_P (c, s->config);
}

static void
read_options (TsTrainConfig *c, const TsModel *model, TsDiags *diags)
{
  for (guint i = 0; i < G_N_ELEMENTS (option_settings); i++) {
    const OptionSetting *s = &option_settings[i];
    const TsModelCall *call = G_STRUCT_MEMBER_P (model, s->model);
    g_autoptr (GError) error = NULL;
    if (!call->name)
      continue;
    if (!ts_option_set (option_of (c, s), s->table, s->key, call->name, &error))
      report (diags, call->span, error);
    else
      read_call (&option_of (c, s)->params, call, diags);
  }
}

int
ts_train_config_find_monitored (const TsModel *m, const TsOption *option, GError **error)
{
  const char *text = ts_params_text (&option->params, "monitor");
  const char *name = g_str_has_prefix (text, "val.") ? text + 4 : "";
  g_autoptr (GString) known = g_string_new ("val.loss");

  if (strcmp (name, "loss") == 0 || (m->n_losses && strcmp (name, m->losses[0].name) == 0))
    return -1;
  for (guint i = 0; i < m->n_metrics; i++) {
    if (strcmp (name, m->metrics[i].name) == 0)
      return (int) i;
    g_string_append_printf (known, ", val.%s", m->metrics[i].name);
  }
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME, "%s cannot watch '%s'; there are %s",
               option->kind->name, text, known->str);
  return -2;
}

static void
check_monitored (const TsModel *m, const TsModelCall *call, const TsOption *option, TsDiags *diags)
{
  g_autoptr (GError) error = NULL;
  TsSpan span = call->span;

  if (!call->name || !option->kind || ts_params_lookup (&option->params, "monitor") < 0 ||
      ts_train_config_find_monitored (m, option, &error) >= -1)
    return;
  for (guint i = 0; i < call->n; i++)
    if (call->args[i].key ? strcmp (call->args[i].key, "monitor") == 0 : i == 0)
      span = call->args[i].span;
  report (diags, span, error);
}

gboolean
ts_train_config_init (TsTrainConfig *c, const TsModel *model, TsDiags *diags)
{
  guint before = ts_diags_get_n_errors (diags);
  g_autoptr (GError) error = NULL;

  memset (c, 0, sizeof *c);
  c->batch = model->batch ? model->batch : 32;
  c->epochs = model->epochs;
  c->steps = model->steps;
  c->seed = model->seed >= 0 ? model->seed : 1;
  c->accumulate = MAX (model->accumulate, 1);
  c->ema = model->ema;
  c->terminate_on_nan = model->terminate_on_nan;
  c->record = TRUE;
  c->histogram_every = 100;
  if (!c->epochs && !c->steps)
    c->epochs = 10;
  if (model->data.name && !set_data (c, model->data.name, &error)) {
    report (diags, model->data.span, error);
    g_clear_error (&error);
  } else if (model->data.name) {
    read_call (&c->set_params, &model->data, diags);
  }
  if (!set_optimizer (c, model->optimizer.name ? model->optimizer.name : "adam", &error))
    report (diags, model->optimizer.span, error);
  else if (model->optimizer.name)
    read_call (&c->optimizer_params, &model->optimizer, diags);
  read_options (c, model, diags);
  check_monitored (model, &model->stop, &c->stop, diags);
  check_monitored (model, &model->reduce, &c->reduce, diags);
  ts_fit_check_model (model, diags);
  return ts_diags_get_n_errors (diags) == before;
}

static gboolean
set_param (TsParams *params, const char *owner, const char *key, const char *value, GError **error)
{
  if (ts_params_lookup (params, key) < 0) {
    g_autoptr (GString) known = g_string_new (NULL);
    for (guint i = 0; i < params->n; i++)
      g_string_append_printf (known, "%s%s", i ? ", " : "", params->specs[i].name);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME,
                 "%s has no parameter '%s'; it has %s", owner, key,
                 known->len ? known->str : "none");
    return FALSE;
  }
  return ts_params_parse (params, key, value, error);
}

/* schedule, schedule.KEY and their like; FALSE without @error: not one of them. */
static gboolean
set_option (TsTrainConfig *c, const char *key, const char *value, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (option_settings); i++) {
    const OptionSetting *s = &option_settings[i];
    TsOption *option = option_of (c, s);
    gsize n = strlen (s->key);
    if (strcmp (key, s->key) == 0)
      return ts_option_set (option, s->table, s->key, value, error);
    if (strncmp (key, s->key, n) != 0 || key[n] != '.')
      continue;
    if (option->kind)
      return set_param (&option->params, option->kind->name, key + n + 1, value, error);
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM, "%s: there is no %s to set it of",
                 key, s->key);
    return FALSE;
  }
  return FALSE;
}

static gboolean
set_share (const char *key, const char *text, double *value, GError **error)
{
  char *end;
  double v = g_ascii_strtod (text, &end);

  if (end != text && !*end && v >= 0 && v < 1) {
    *value = v;
    return TRUE;
  }
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
               "%s must be a number from 0 to below 1, not '%s'", key, text);
  return FALSE;
}

static gboolean
set_truth (const char *key, const char *text, gboolean *value, GError **error)
{
  if (strcmp (text, "true") == 0 || strcmp (text, "false") == 0) {
    *value = text[0] == 't';
    return TRUE;
  }
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM, "%s must be true or false, not '%s'",
               key, text);
  return FALSE;
}

gboolean
ts_train_config_set (TsTrainConfig *c, const char *key, const char *value, GError **error)
{
  GError *problem = NULL;
  gint64 n;

  if (strcmp (key, "batch") == 0)
    return parse_count (key, value, 1, 1 << 20, &c->batch, error);
  if (strcmp (key, "epochs") == 0)
    return parse_count (key, value, 0, G_MAXINT32, &c->epochs, error);
  if (strcmp (key, "steps") == 0)
    return parse_count (key, value, 0, G_MAXINT64 / 2, &c->steps, error);
  if (strcmp (key, "seed") == 0)
    return parse_count (key, value, 0, G_MAXINT64, &c->seed, error);
  if (strcmp (key, "threads") == 0 || strcmp (key, "histogram_every") == 0) {
    if (!parse_count (key, value, 0, key[0] == 't' ? 256 : G_MAXINT32, &n, error))
      return FALSE;
    *(key[0] == 't' ? &c->threads : &c->histogram_every) = (guint) n;
    return TRUE;
  }
  if (strcmp (key, "data") == 0)
    return set_data (c, value, error);
  if (strcmp (key, "optimizer") == 0)
    return set_optimizer (c, value, error);
  if (g_str_has_prefix (key, "data.") && c->set)
    return set_param (&c->set_params, c->set->name, key + 5, value, error);
  if (g_str_has_prefix (key, "optimizer."))
    return set_param (&c->optimizer_params, c->optimizer->name, key + 10, value, error);
  if (strcmp (key, "accumulate") == 0)
    return parse_count (key, value, 1, 1 << 20, &c->accumulate, error);
  if (strcmp (key, "ema") == 0)
    return set_share (key, value, &c->ema, error);
  if (strcmp (key, "terminate_on_nan") == 0)
    return set_truth (key, value, &c->terminate_on_nan, error);
  if (set_option (c, key, value, &problem))
    return TRUE;
  if (problem) {
    g_propagate_error (error, problem);
    return FALSE;
  }
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME,
               "no setting is called '%s'; there are batch, epochs, steps, seed, threads, "
               "histogram_every, data, data.KEY, optimizer, optimizer.KEY, accumulate, ema, "
               "terminate_on_nan, schedule, clip, stop, reduce and their KEYs",
               key);
  return FALSE;
}

gboolean
ts_train_config_check (const TsTrainConfig *c, GError **error)
{
  if (!c->set) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "the model names no data set; add 'data NAME' to its train section or choose one "
                 "with --data");
    return FALSE;
  }
  if (!c->epochs && !c->steps) {
    g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_PARAM,
                 "neither epochs nor steps say when the training ends");
    return FALSE;
  }
  return ts_params_check (&c->set_params, c->set->name, error) &&
         ts_schedule_check (&c->schedule, error);
}

static TsHparam *
add (GArray *list, const char *key, TsHparamKind kind)
{
  TsHparam h = {.key = g_intern_string (key), .kind = kind};

  g_array_append_val (list, h);
  return &g_array_index (list, TsHparam, list->len - 1);
}

static void
add_params (GArray *list, const char *prefix, const TsParams *p)
{
  for (guint i = 0; i < p->n; i++) {
    g_autofree char *key = g_strdup_printf ("%s.%s", prefix, p->specs[i].name), *text = NULL;
    switch (p->specs[i].type) {
    case TS_PARAM_INT:
      add (list, key, TS_HPARAM_INT)->i = p->v[i].i;
      break;
    case TS_PARAM_FLOAT:
      add (list, key, TS_HPARAM_REAL)->r = p->v[i].f;
      break;
    case TS_PARAM_BOOL:
      add (list, key, TS_HPARAM_BOOL)->i = p->v[i].i;
      break;
    case TS_PARAM_WORD:
    case TS_PARAM_STRING:
      add (list, key, TS_HPARAM_TEXT)->t = p->v[i].s ? p->v[i].s : "";
      break;
    case TS_PARAM_SHAPE:
    case TS_PARAM_NUMBERS:
      text = ts_params_dup_value (p, i);
      add (list, key, TS_HPARAM_TEXT)->t = g_intern_string (text);
      break;
    }
  }
}

static int
by_key (gconstpointer a, gconstpointer b)
{
  return strcmp (((const TsHparam *) a)->key, ((const TsHparam *) b)->key);
}

GArray *
ts_train_config_dup_hparams (const TsTrainConfig *c)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (TsHparam));

  add (list, "batch", TS_HPARAM_INT)->i = c->batch;
  add (list, "epochs", TS_HPARAM_INT)->i = c->epochs;
  add (list, "steps", TS_HPARAM_INT)->i = c->steps;
  add (list, "seed", TS_HPARAM_INT)->i = c->seed;
  add (list, "histogram_every", TS_HPARAM_INT)->i = c->histogram_every;
  add (list, "data", TS_HPARAM_TEXT)->t = c->set ? c->set->name : "";
  add (list, "optimizer", TS_HPARAM_TEXT)->t = c->optimizer->name;
  add_params (list, "data", &c->set_params);
  add_params (list, "optimizer", &c->optimizer_params);
  add (list, "accumulate", TS_HPARAM_INT)->i = c->accumulate;
  add (list, "ema", TS_HPARAM_REAL)->r = c->ema;
  add (list, "terminate_on_nan", TS_HPARAM_BOOL)->i = c->terminate_on_nan;
  for (guint i = 0; i < G_N_ELEMENTS (option_settings); i++) {
    const OptionSetting *s = &option_settings[i];
    const TsOption *option = option_of (c, s);
    add (list, s->key, TS_HPARAM_TEXT)->t = option->kind ? option->kind->name : "none";
    add_params (list, s->key, &option->params);
  }
  g_array_sort (list, by_key);
  return list;
}
