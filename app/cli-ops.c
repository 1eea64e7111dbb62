/* SPDX-License-Identifier: MIT */
#include "app/cli.h"

#include <string.h>

#include "engine/base/error.h"
#include "engine/model/suggest.h"
#include "engine/nn/layer.h"
#include "engine/ops/op.h"

extern const TsCommand ts_command_ops;

static gboolean
is_internal (const TsOpClass *op)
{
  return (op->flags & TS_OP_INTERNAL) != 0;
}

static void
collect (const TsOpClass *op, gpointer data)
{
  g_ptr_array_add (data, (gpointer) op);
}

static int
by_name (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(const TsOpClass *const *) a)->name, (*(const TsOpClass *const *) b)->name);
}

/* All classes in the order of their names. */
static GPtrArray *
all_ops (void)
{
  GPtrArray *ops = g_ptr_array_new ();

  ts_op_foreach (collect, ops);
  g_ptr_array_sort (ops, by_name);
  return ops;
}

static const char *
type_name (TsParamType type)
{
  static const char *const names[] = {"int", "float", "bool", "word", "string", "list", "numbers"};

  return names[type];
}

/* "rows 5 5 2, f 3 3 2 4; stride=2" */
static char *
example_text (const TsOpExample *x)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (x->in) && x->in[i]; i++)
    g_string_append_printf (text, "%s%s", i ? ", " : "", x->in[i]);
  if (x->params)
    g_string_append_printf (text, "; %s", x->params);
  return g_string_free (text, FALSE);
}

/* The default of parameter @i, or NULL: it must be given. */
static char *
default_text (const TsParamSpec *specs, guint i)
{
  TsParams params;

  if (specs[i].required)
    return NULL;
  ts_params_init (&params, specs);
  return ts_params_dup_value (&params, i);
}

static void
add_params (JsonBuilder *b, const TsOpClass *op)
{
  json_builder_set_member_name (b, "parameters");
  json_builder_begin_array (b);
  for (guint i = 0; op->params && op->params[i].name; i++) {
    const TsParamSpec *p = &op->params[i];
    g_autofree char *value = default_text (op->params, i);
    if (*p->name == '_')
      continue;
    json_builder_begin_object (b);
    ts_cli_json_text (b, "name", p->name);
    ts_cli_json_text (b, "type", type_name (p->type));
    ts_cli_json_text (b, "default", value);
    if (p->type == TS_PARAM_WORD)
      ts_cli_json_text (b, "words", p->words);
    ts_cli_json_text (b, "doc", p->doc);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
}

static void
add_op (JsonBuilder *b, const TsOpClass *op)
{
  json_builder_begin_object (b);
  ts_cli_json_text (b, "name", op->name);
  ts_cli_json_text (b, "category", op->category);
  ts_cli_json_text (b, "formula", op->formula);
  ts_cli_json_text (b, "doc", op->doc);
  ts_cli_json_text (b, "inputs", op->in_names);
  add_params (b, op);
  json_builder_set_member_name (b, "gradient");
  json_builder_add_boolean_value (b, op->backward != NULL);
  json_builder_set_member_name (b, "internal");
  json_builder_add_boolean_value (b, is_internal (op));
  json_builder_set_member_name (b, "examples");
  json_builder_begin_array (b);
  for (guint i = 0; i < op->n_examples; i++) {
    g_autofree char *text = example_text (&op->examples[i]);
    ts_cli_json_text (b, NULL, text);
  }
  json_builder_end_array (b);
  json_builder_end_object (b);
}

static void
print_params (const TsParamSpec *specs)
{
  for (guint i = 0; specs && specs[i].name; i++) {
    const TsParamSpec *p = &specs[i];
    g_autofree char *value = default_text (specs, i);
    g_autofree char *choice =
        p->type == TS_PARAM_WORD ? g_strdup_printf (" (%s)", p->words) : g_strdup ("");
    if (*p->name != '_')
      g_print ("parameter %s%s%s, %s%s: %s\n", p->name, value ? "=" : "", value ? value : "",
               value ? type_name (p->type) : "must be given", choice, p->doc);
  }
}

/* What a model writes: the layer of that name, which brings its own variables. */
static void
print_layer (const TsLayerClass *layer)
{
  g_print ("%s(%s): layer\n\n%s\n\n", layer->name, layer->in_names, layer->doc);
  print_params (layer->params);
}

static void
print_op (const TsOpClass *op)
{
  g_print ("%s: %s%s\n  %s\n\n%s\n\n", op->name, op->category,
           is_internal (op) ? ", made by layers, backward passes and optimizers" : "", op->formula,
           op->doc);
  g_print ("inputs: %s\n", *op->in_names ? op->in_names : "none");
  print_params (op->params);
  g_print ("gradient: %s\n", op->backward ? "yes" : "no");
  for (guint i = 0; i < op->n_examples; i++) {
    g_autofree char *text = example_text (&op->examples[i]);
    g_print ("example: %s\n", text);
  }
}

static int
fail_unknown (const char *name, const GPtrArray *ops)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < ops->len; i++)
    g_ptr_array_add (names, (gpointer) ((const TsOpClass *) ops->pdata[i])->name);
  g_ptr_array_add (names, NULL);
  const char *near = ts_suggest (name, (const char *const *) names->pdata);
  g_autoptr (GError) error =
      g_error_new (TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME, "unknown operation '%s'%s%s%s", name,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  return ts_cli_fail (error);
}

static int
run_ops (int argc, char **argv)
{
  g_auto (GStrv) operands = NULL;
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "as JSON", NULL},
      {NULL},
  };
  g_autoptr (GPtrArray) ops = all_ops ();
  g_autoptr (JsonBuilder) b = json_builder_new ();
  int status;

  if (!ts_cli_parse (&ts_command_ops, argc, argv, entries, 0, 1, &operands, &status))
    return status;
  if (operands[0]) {
    const TsOpClass *op = ts_op_lookup (operands[0]);
    const TsLayerClass *layer = json ? NULL : ts_layer_lookup (operands[0]);
    if (!op && !layer)
      return fail_unknown (operands[0], ops);
    if (layer)
      print_layer (layer);
    if (layer && op)
      g_print ("\n");
    if (json) {
      add_op (b, op);
      ts_cli_json_print (b, TRUE);
    } else if (op) {
      print_op (op);
    }
    return TS_EXIT_DONE;
  }
  json_builder_begin_array (b);
  for (guint i = 0; i < ops->len; i++) {
    const TsOpClass *op = ops->pdata[i];
    if (is_internal (op))
      continue;
    if (json)
      add_op (b, op);
    else
      g_print ("%-20s %-14s %s\n", op->name, op->category, op->formula);
  }
  json_builder_end_array (b);
  if (json)
    ts_cli_json_print (b, TRUE);
  return TS_EXIT_DONE;
}

const TsCommand ts_command_ops = {
    .name = "ops",
    .usage = "[NAME] [--json]",
    .summary = "the operations of a model, or all about one",
    .run = run_ops,
};
