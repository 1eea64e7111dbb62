/* SPDX-License-Identifier: MIT */
#include "app/templates.h"

#include <gio/gio.h>
#include <string.h>

#include "engine/model/suggest.h"

#define PREFIX "/trainscope/templates/"
#define SUFFIX ".model"

GResource *ts_templates_get_resource (void); /* made by the build */

static int
by_name (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

const char *const *
ts_template_names (void)
{
  static const char **names;

  if (g_once_init_enter (&names)) {
    g_auto (GStrv) files = g_resource_enumerate_children (ts_templates_get_resource (), PREFIX,
                                                          G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    guint n = files ? g_strv_length (files) : 0;
    const char **list = g_new0 (const char *, n + 1);
    for (guint i = 0; i < n; i++) {
      g_autofree char *stem = g_strndup (files[i], strlen (files[i]) - strlen (SUFFIX));
      list[i] = g_intern_string (stem);
    }
    qsort (list, n, sizeof (char *), by_name);
    g_once_init_leave (&names, list);
  }
  return names;
}

TsSource *
ts_template_lookup (const char *name)
{
  g_autofree char *path = g_strconcat (PREFIX, name, SUFFIX, NULL);
  g_autofree char *file = g_strconcat (name, SUFFIX, NULL);
  g_autoptr (GBytes) bytes = g_resource_lookup_data (ts_templates_get_resource (), path,
                                                     G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  if (!bytes)
    return NULL;
  gsize n;
  const char *text = g_bytes_get_data (bytes, &n);
  return ts_source_new (file, text, n, NULL);
}

TsSource *
ts_template_find_model (const char *what, GError **error)
{
  g_autoptr (GError) local = NULL;
  TsSource *source = strchr (what, '/') ? NULL : ts_template_lookup (what);

  if (!source)
    source = ts_source_new_from_file (what, &local);
  if (source)
    return source;
  if (!g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_NOENT) || strpbrk (what, "/.")) {
    g_propagate_error (error, g_steal_pointer (&local));
    return NULL;
  }
  const char *near = ts_suggest (what, ts_template_names ());
  g_set_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_NAME,
               "there is no template and no file called '%s'%s%s%s", what,
               near ? "; did you mean '" : "; 'trainscope models' lists the templates",
               near ? near : "", near ? "'?" : "");
  return NULL;
}
