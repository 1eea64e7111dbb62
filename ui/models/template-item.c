/* SPDX-License-Identifier: MIT */
#include "ui/models/template-item.h"

struct _TsTemplateItem {
  GObject parent;
  char *name, *title, *data, *package;
  guint64 n_parameters;
  guint *sizes, n_sizes;
  gboolean available;
};

G_DEFINE_FINAL_TYPE (TsTemplateItem, ts_template_item, G_TYPE_OBJECT)

enum { PROP_AVAILABLE = 1 };

static void
ts_template_item_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_boolean (value, TS_TEMPLATE_ITEM (object)->available);
}

static void
ts_template_item_finalize (GObject *object)
{
  TsTemplateItem *item = TS_TEMPLATE_ITEM (object);

  g_free (item->name);
  g_free (item->title);
  g_free (item->data);
  g_free (item->package);
  g_free (item->sizes);
  G_OBJECT_CLASS (ts_template_item_parent_class)->finalize (object);
}

static void
ts_template_item_class_init (TsTemplateItemClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);

  object->get_property = ts_template_item_get_property;
  object->finalize = ts_template_item_finalize;
  g_object_class_install_property (
      object, PROP_AVAILABLE,
      g_param_spec_boolean ("available", NULL, NULL, FALSE,
                            G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
ts_template_item_init (TsTemplateItem *item)
{
}

TsTemplateItem *
ts_template_item_new (const char *name, const char *title, const char *data, const char *package,
                      guint64 n_parameters, const guint *sizes, guint n_sizes, gboolean available)
{
  TsTemplateItem *item = g_object_new (TS_TYPE_TEMPLATE_ITEM, NULL);

  item->name = g_strdup (name);
  item->title = g_strdup (title);
  item->data = g_strdup (data);
  item->package = g_strdup (package);
  item->n_parameters = n_parameters;
  item->sizes = g_memdup2 (sizes, n_sizes * sizeof *sizes);
  item->n_sizes = n_sizes;
  item->available = available;
  return item;
}

const char *
ts_template_item_get_name (TsTemplateItem *item)
{
  return item->name;
}

const char *
ts_template_item_get_title (TsTemplateItem *item)
{
  return item->title;
}

const char *
ts_template_item_get_data (TsTemplateItem *item)
{
  return item->data;
}

const char *
ts_template_item_get_package (TsTemplateItem *item)
{
  return item->package;
}

guint64
ts_template_item_get_n_parameters (TsTemplateItem *item)
{
  return item->n_parameters;
}

const guint *
ts_template_item_get_sizes (TsTemplateItem *item, guint *n)
{
  *n = item->n_sizes;
  return item->sizes;
}

gboolean
ts_template_item_get_available (TsTemplateItem *item)
{
  return item->available;
}

void
ts_template_item_set_available (TsTemplateItem *item, gboolean available)
{
  if (item->available == available)
    return;
  item->available = available;
  g_object_notify (G_OBJECT (item), "available");
}
