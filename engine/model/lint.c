/* SPDX-License-Identifier: MIT */
#include "engine/model/lint.h"

#include "engine/graph/lint.h"

typedef struct {
  const TsModel *model;
  TsDiags *diags;
  guint line, column; /* of the last finding: one slip gives one warning */
} Report;

/* The word at a line and column of the text. */
static TsSpan
span_of (const TsSource *source, guint line, guint column)
{
  TsSpan span = ts_source_get_line (source, line);
  const char *text = ts_source_get_text (source), *at = text + span.start, *end;

  for (guint i = 1; i < column && at < text + span.end; i++)
    at = g_utf8_next_char (at);
  for (end = at; end < text + span.end && (g_ascii_isalnum (*end) || *end == '_');)
    end++;
  return (TsSpan){(guint32) (at - text), (guint32) (MAX (end, at + 1) - text)};
}

static void
add_warning (gpointer data, const TsNode *node, const char *message, const char *note)
{
  Report *r = data;
  guint line = (guint) MAX (node->line, 1), column = (guint) MAX (node->column, 1);

  if (line == r->line && column == r->column)
    return;
  r->line = line;
  r->column = column;
  ts_diags_warning (r->diags, span_of (r->model->source, line, column), "%s", message);
  if (note)
    ts_diags_note (r->diags, "%s", note);
}

void
ts_model_lint (const TsModel *m, TsDiags *diags)
{
  g_autoptr (GPtrArray) losses = g_ptr_array_new (), others = g_ptr_array_new ();
  Report report = {m, diags, 0, 0};

  for (guint i = 0; i < m->n_losses; i++)
    g_ptr_array_add (losses, m->losses[i].value);
  for (guint i = 0; i < m->n_metrics; i++)
    g_ptr_array_add (others, m->metrics[i].value);
  for (guint i = 0; i < m->n_outputs; i++)
    g_ptr_array_add (others, m->outputs[i].value);
  ts_graph_lint (m->graph, (TsValue **) losses->pdata, losses->len, (TsValue **) others->pdata,
                 others->len, add_warning, &report);
  ts_diags_sort (diags);
}
