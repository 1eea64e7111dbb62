/* SPDX-License-Identifier: MIT */
#include "data/events/projector-config.h"

#include <string.h>

#define DEPTH_MAX 32

typedef struct {
  const char *p, *end;
  guint line;
  GPtrArray *entries;
  TsProjectorEntry *entry; /* the one that is being read */
} Parser;

void
ts_projector_entry_free (TsProjectorEntry *entry)
{
  g_free (entry->tensor_name);
  g_free (entry->tensor_path);
  g_free (entry->metadata_path);
  g_free (entry->sprite_path);
  g_free (entry);
}

/* --- Tokens --- */

static void
skip_space (Parser *p)
{
  for (; p->p < p->end; p->p++) {
    if (*p->p == '#')
      while (p->p < p->end && *p->p != '\n')
        p->p++;
    if (p->p == p->end || !(g_ascii_isspace (*p->p) || *p->p == ',' || *p->p == ';'))
      return;
    p->line += *p->p == '\n';
  }
}

static gboolean
take (Parser *p, char c)
{
  skip_space (p);
  if (p->p == p->end || *p->p != c)
    return FALSE;
  p->p++;
  return TRUE;
}

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.' || c == '-' || c == '+';
}

/* A name or a number; NULL: neither. */
static char *
take_word (Parser *p)
{
  const char *from;

  skip_space (p);
  for (from = p->p; p->p < p->end && is_word (*p->p); p->p++)
    ;
  return p->p > from ? g_strndup (from, (gsize) (p->p - from)) : NULL;
}

/* What stands between quotes, several in a row joined; NULL: none, or it does not end. */
static char *
take_string (Parser *p)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean any = FALSE;

  for (skip_space (p); p->p < p->end && (*p->p == '"' || *p->p == '\''); skip_space (p)) {
    const char quote = *p->p++, *from = p->p;
    for (; p->p < p->end && *p->p != quote && *p->p != '\n'; p->p++)
      p->p += *p->p == '\\' && p->p + 1 < p->end;
    if (p->p >= p->end || *p->p != quote)
      return NULL;
    g_autofree char *raw = g_strndup (from, (gsize) (p->p++ - from));
    g_autofree char *plain = g_strcompress (raw);
    g_string_append (text, plain);
    any = TRUE;
  }
  return any ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* --- Messages --- */

static void
set_text (char **to, const char *value)
{
  g_free (*to);
  *to = g_strdup (value);
}

static void
take_value (Parser *p, const char *path, const char *value)
{
  TsProjectorEntry *e = p->entry;

  if (strcmp (path, "/embeddings/tensor_name") == 0) {
    set_text (&e->tensor_name, value);
  } else if (strcmp (path, "/embeddings/tensor_path") == 0) {
    set_text (&e->tensor_path, value);
  } else if (strcmp (path, "/embeddings/metadata_path") == 0) {
    set_text (&e->metadata_path, value);
  } else if (strcmp (path, "/embeddings/sprite/image_path") == 0) {
    set_text (&e->sprite_path, value);
  } else if (strcmp (path, "/embeddings/sprite/single_image_dim") == 0) {
    guint dim = (guint) MIN (g_ascii_strtoull (value, NULL, 10), G_MAXINT);
    if (e->sprite_width)
      e->sprite_height = dim;
    else
      e->sprite_width = dim;
  }
}

static gboolean
take_scalar (Parser *p, const char *path)
{
  skip_space (p);
  gboolean quoted = p->p < p->end && (*p->p == '"' || *p->p == '\'');
  g_autofree char *value = quoted ? take_string (p) : take_word (p);

  if (value)
    take_value (p, path, value);
  return value != NULL;
}

static gboolean take_fields (Parser *p, const char *path, char close, guint depth);

/* name: value, name: [value, …], name { … } or name: { … }; < and > stand for braces. */
static gboolean
take_field (Parser *p, const char *path, guint depth)
{
  g_autofree char *name = take_word (p);
  g_autofree char *longer = g_strconcat (path, "/", name, NULL);

  if (!name)
    return FALSE;
  gboolean colon = take (p, ':');
  char close = take (p, '{') ? '}' : take (p, '<') ? '>' : 0;
  if (close) {
    if (strcmp (longer, "/embeddings") == 0)
      g_ptr_array_add (p->entries, p->entry = g_new0 (TsProjectorEntry, 1));
    return take_fields (p, longer, close, depth + 1);
  }
  if (!colon)
    return FALSE;
  if (!take (p, '['))
    return take_scalar (p, longer);
  while (!take (p, ']'))
    if (!take_scalar (p, longer))
      return FALSE;
  return TRUE;
}

/* @close: what ends them; 0: the end of the text. */
static gboolean
take_fields (Parser *p, const char *path, char close, guint depth)
{
  if (depth > DEPTH_MAX)
    return FALSE;
  while (!(close && take (p, close))) {
    skip_space (p);
    if (p->p == p->end)
      return !close;
    if (!take_field (p, path, depth))
      return FALSE;
  }
  return TRUE;
}

GPtrArray *
ts_projector_config_parse (const char *text, gsize size, guint *line)
{
  Parser p = {text, text + size, 1,
              g_ptr_array_new_with_free_func ((GDestroyNotify) ts_projector_entry_free), NULL};

  if (take_fields (&p, "", 0, 0))
    return p.entries;
  *line = p.line;
  g_ptr_array_unref (p.entries);
  return NULL;
}
