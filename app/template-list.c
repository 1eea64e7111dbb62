/* SPDX-License-Identifier: MIT */
#include "app/template-list.h"

#include "app/templates.h"
#include "data/sets/set.h"
#include "engine/model/model.h"
#include "ui/models/template-item.h"

typedef struct {
  TsJob job;
  GListStore *store;
  GPtrArray *templates;
} ListJob;

/* In and out of each weight matrix. */
static GArray *
dup_sizes (const TsModel *model)
{
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < ts_graph_get_n_nodes (model->graph); i++) {
    const TsNode *node = ts_graph_get_node (model->graph, i);
    if (!ts_node_is_trainable (node) || node->out[0]->shape.rank != 2)
      continue;
    const TsShape *shape = &node->out[0]->shape;
    guint in = (guint) shape->dim[0], out = (guint) shape->dim[1];
    if (!sizes->len)
      g_array_append_val (sizes, in);
    g_array_append_val (sizes, out);
  }
  return sizes;
}

static void
run_templates (TsJob *job)
{
  ListJob *self = (ListJob *) job;
  const char *const *names = ts_template_names ();

  self->templates = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; names[i]; i++) {
    g_autoptr (TsSource) source = ts_template_lookup (names[i]);
    g_autoptr (TsDiags) diags = ts_diags_new (source);
    g_autoptr (TsModel) model = ts_model_new (source, diags);
    const TsSetClass *set = model && model->data.name ? ts_set_lookup (model->data.name) : NULL;
    if (!set)
      continue; /* its operations are not there yet */
    g_autoptr (GArray) sizes = dup_sizes (model);
    g_ptr_array_add (self->templates,
                     ts_template_item_new (names[i], model->title ? model->title : names[i],
                                           set->title, set->package, model->n_parameters,
                                           (const guint *) (gpointer) sizes->data, sizes->len,
                                           set->available ()));
  }
}

static gint
by_size (gconstpointer a, gconstpointer b)
{
  guint64 p = ts_template_item_get_n_parameters (*(TsTemplateItem *const *) a);
  guint64 q = ts_template_item_get_n_parameters (*(TsTemplateItem *const *) b);

  return p < q ? -1 : p > q;
}

static void
templates_read (TsJob *job)
{
  ListJob *self = (ListJob *) job;
  GListStore *store = self->store;
  guint n = g_list_model_get_n_items (G_LIST_MODEL (store));

  g_ptr_array_sort (self->templates, by_size);
  if (n != self->templates->len) {
    g_list_store_splice (store, 0, n, self->templates->pdata, self->templates->len);
    return;
  }
  for (guint i = 0; i < n; i++) {
    g_autoptr (TsTemplateItem) item = g_list_model_get_item (G_LIST_MODEL (store), i);
    ts_template_item_set_available (item,
                                    ts_template_item_get_available (self->templates->pdata[i]));
  }
}

static void
free_list (TsJob *job)
{
  ListJob *self = (ListJob *) job;

  g_clear_pointer (&self->templates, g_ptr_array_unref);
  g_object_unref (self->store);
  g_free (self);
}

void
ts_template_list_load (TsWorker *worker, GListStore *store)
{
  ListJob *job = g_new0 (ListJob, 1);

  job->job = (TsJob){run_templates, templates_read, free_list};
  job->store = g_object_ref (store);
  ts_worker_push (worker, &job->job);
}
