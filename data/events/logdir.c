/* SPDX-License-Identifier: MIT */
#include "data/events/logdir.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "data/events/error.h"
#include "data/events/intake.h"
#include "data/events/projector.h"
#include "data/events/record.h"
#include "data/events/tree.h"
#include "data/store/crc32c.h"

#define HEAD_BYTES   TS_RECORD_HEAD /* of a file, by which it is known again */
#define PROBLEMS_MAX 20   /* told of each file */

struct TsLogdir {
  TsImport *import;
  char *path, *name;
  GHashTable *runs; /* path of the folder → Run */
  GPtrArray *visited;
  TsTreeWalls *walls;
  TsRecordBuffer buffer;
  gboolean forgetful, once;
  gint cancelled; /* atomic */
};

typedef struct {
  TsImportRun *run;
  TsIntake *intake;
} Run;

static void
free_run (gpointer data)
{
  Run *run = data;

  g_clear_pointer (&run->intake, ts_intake_free);
  g_free (run);
}

TsLogdir *
ts_logdir_new (TsImport *import, const char *path, const char *name, GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);

  if (!g_file_test (absolute, G_FILE_TEST_EXISTS)) {
    g_set_error (error, TS_EVENTS_ERROR, TS_EVENTS_ERROR_OPEN, "there is no folder or file %s",
                 path);
    return NULL;
  }
  TsLogdir *logdir = g_new0 (TsLogdir, 1);
  logdir->import = import;
  logdir->path = g_steal_pointer (&absolute);
  logdir->name = name ? g_strdup (name) : g_path_get_basename (logdir->path);
  logdir->visited = g_ptr_array_new_with_free_func (g_free);
  logdir->walls = ts_tree_walls_new ();
  logdir->runs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_run);
  return logdir;
}

void
ts_logdir_free (TsLogdir *logdir)
{
  g_hash_table_unref (logdir->runs);
  g_ptr_array_unref (logdir->visited);
  ts_tree_walls_free (logdir->walls);
  g_free (logdir->buffer.data);
  g_free (logdir->path);
  g_free (logdir->name);
  g_free (logdir);
}

void
ts_logdir_report_clear (TsLogdirReport *report)
{
  g_clear_pointer (&report->problems, g_ptr_array_unref);
}

/* --- Runs --- */

/* The run of a folder that was read before, by one of its files. */
static TsImportRun *
known_run (TsLogdir *logdir, const TsTreeFolder *folder)
{
  for (guint i = 0; i < folder->files->len; i++) {
    const TsTreeFile *file = folder->files->pdata[i];
    TsImportSource *source = ts_import_find_source (logdir->import, file->path);
    if (source)
      return source->run;
  }
  TsImportSource *beside =
      folder->projector ? ts_import_find_source (logdir->import, folder->projector->path) : NULL;
  return beside ? beside->run : NULL;
}

/* The run of the nearest folder above that is one: add_scalars and hyperparameter writers make folders below
 * that of their run. */
static TsImportRun *
parent_run (TsLogdir *logdir, const char *path)
{
  g_autofree char *above = g_path_get_dirname (path);
  Run *run = NULL;

  if (g_str_has_prefix (path, logdir->path) && strlen (path) > strlen (logdir->path))
    run = g_hash_table_lookup (logdir->runs, above);
  return run ? run->run : NULL;
}

static Run *
find_run (TsLogdir *logdir, const TsTreeFolder *folder)
{
  Run *run = g_hash_table_lookup (logdir->runs, folder->path);

  if (run && run->intake)
    return run;
  run = g_new0 (Run, 1);
  run->run = known_run (logdir, folder);
  if (!run->run)
    run->run = ts_import_add_run (logdir->import, *folder->name ? folder->name : logdir->name,
                                  parent_run (logdir, folder->path));
  run->intake = ts_intake_new (logdir->import, run->run);
  g_hash_table_insert (logdir->runs, g_strdup (folder->path), run);
  return run;
}

/* --- One file --- */

typedef struct {
  TsLogdir *logdir;
  TsLogdirReport *report;
  Run *run;
  const TsTreeFile *file;
  TsImportSource *source;
  TsRecordReader *reader;
  guint told;
} Reading;

static void
tell (Reading *r, TsSeverity severity, const char *text)
{
  g_autofree char *name = g_path_get_basename (r->file->path);
  g_autofree char *note = g_strdup_printf ("%s: %s", name, text);

  if (r->told++ > PROBLEMS_MAX)
    return;
  ts_import_add_note (r->logdir->import, ts_intake_get_attempt (r->run->intake), severity,
                      r->told > PROBLEMS_MAX ? "and more of the kind" : note);
  g_ptr_array_add (r->report->problems, g_strdup_printf ("%s: %s", r->file->path, text));
}

static void
tell_damage (Reading *r, guint from)
{
  const GArray *damage = ts_record_reader_get_damage (r->reader);

  for (guint i = from; i < damage->len; i++) {
    const TsDamage *d = &g_array_index (damage, TsDamage, i);
    g_autofree char *text =
        g_strdup_printf ("at byte %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT " bytes: %s", d->offset,
                         d->bytes, ts_damage_kind_text (d->kind));
    tell (r, TS_SEVERITY_WARNING, text);
  }
  r->report->damaged += damage->len - from;
  r->source->bad_records += damage->len - from;
}

/* The end of a file is told when it is strange, and once: the next look at the same size says nothing. */
static void
tell_tail (Reading *r)
{
  gint64 offset = ts_record_reader_get_offset (r->reader);
  gint64 rest = ts_record_reader_get_size (r->reader) - offset;
  TsTailKind tail = ts_record_reader_get_tail (r->reader);
  g_autofree char *text = NULL;

  if (tail == TS_TAIL_NONE)
    return;
  if (tail == TS_TAIL_PARTIAL)
    text = g_strdup_printf ("at byte %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                            " bytes: the last record is not whole (yet)",
                            offset, rest);
  else if (tail == TS_TAIL_ZEROS)
    text = g_strdup_printf ("at byte %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                            " bytes: zeros that were never filled (yet)",
                            offset, rest);
  else if (offset == 0 && ts_tree_is_lfs_pointer (r->file->path))
    text = g_strdup ("this is a Git LFS pointer, not the file itself; fetch it with git lfs pull");
  else
    text = g_strdup_printf ("at byte %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                            " bytes: no record of an event file",
                            offset, rest);
  tell (r, tail == TS_TAIL_UNKNOWN ? TS_SEVERITY_WARNING : TS_SEVERITY_INFO, text);
}

/* What the file was when it was read as far as s->offset.  @reader: that of the file, or NULL. */
static void
note_file (TsLogdir *logdir, TsImportSource *s, const TsTreeFile *file,
           const TsRecordReader *reader)
{
  gint64 head = MIN (s->offset, HEAD_BYTES);


  s->dev = file->dev;
  s->inode = file->inode;
  s->size = file->size;
  s->mtime_ns = file->mtime_ns;
  if (!reader || !ts_record_reader_get_head_crc (reader, head, &s->head_crc))
    s->head_crc = ts_tree_head_crc (file->path, head);
  ts_import_touch_source (logdir->import, s);
}

/* How far it has been read goes with what it gave.  One that is not read to its end is as long as that: whoever
 * looks next finds it grown. */
static void
update_source (Reading *r, gboolean to_end)
{
  r->source->offset = ts_record_reader_get_offset (r->reader);
  r->source->attempt = ts_intake_get_attempt (r->run->intake);
  ts_intake_settle (r->run->intake);
  note_file (r->logdir, r->source, r->file, r->reader);
  if (!to_end)
    r->source->size = r->source->offset;
}

static gboolean
is_cancelled (const TsLogdir *logdir)
{
  return __atomic_load_n (&logdir->cancelled, __ATOMIC_RELAXED);
}

static gboolean
read_records (Reading *r, GError **error)
{
  const guint8 *data;
  gsize size;
  gint64 offset;
  int more;
  guint told = 0;
  g_autoptr (GError) trouble = NULL;

  while ((more = ts_record_reader_next (r->reader, &data, &size, &offset, &trouble)) == 1) {
    if (!ts_intake_add (r->run->intake, data, size))
      ts_record_reader_add_damage (r->reader);
    r->report->records++;
    r->report->bytes += size;
    if (!ts_import_is_due (r->logdir->import))
      continue;
    tell_damage (r, told);
    told = ts_record_reader_get_damage (r->reader)->len;
    update_source (r, FALSE);
    if (!ts_import_commit_begin (r->logdir->import, error))
      return FALSE;
    if (is_cancelled (r->logdir))
      return TRUE;
  }
  tell_damage (r, told);
  if (more < 0)
    tell (r, TS_SEVERITY_ERROR, trouble->message);
  tell_tail (r);
  update_source (r, more == 0);
  return TRUE;
}

/* Is it the file that was read before, perhaps longer? */
static gboolean
is_same (const TsImportSource *s, const TsTreeFile *file)
{
  return file->size >= s->offset &&
         ts_tree_head_crc (file->path, MIN (s->offset, HEAD_BYTES)) == s->head_crc;
}

static gboolean
is_unchanged (const TsImportSource *s, const TsTreeFile *file)
{
  return s && s->size == file->size && s->mtime_ns == file->mtime_ns && s->inode == file->inode;
}

static gboolean
read_file (Reading *r, GError **error)
{
  TsImport *import = r->logdir->import;
  g_autoptr (GError) trouble = NULL;
  TsImportSource *s = ts_import_find_source (import, r->file->path);

  if (is_unchanged (s, r->file))
    return TRUE;
  gboolean replaced = s && !is_same (s, r->file);
  r->reader = ts_record_reader_open (r->file->path, s && !replaced ? s->offset : 0,
                                     &r->logdir->buffer, &trouble);
  if (!r->reader) {
    g_ptr_array_add (r->report->problems, g_strdup (trouble->message));
    return TRUE;
  }
  if (!ts_intake_begin_file (r->run->intake, r->file->path, s ? s->attempt : NULL, replaced,
                             error)) {
    ts_record_reader_close (r->reader);
    return FALSE;
  }
  if (!s || replaced)
    s = ts_import_add_source (import, r->file->path, r->run->run, NULL);
  r->source = s;
  r->report->files_read++;
  gboolean ok = read_records (r, error);
  ts_record_reader_close (r->reader);
  return ok;
}

/* --- Embeddings --- */

/* They get an attempt of their own, which hides nothing that event files gave; one that takes the place of
 * another hides what that one gave of the same tags. */
static TsImportAttempt *
add_attempt (TsLogdir *logdir, TsImportRun *run, const TsTreeFile *file, gboolean replaced)
{
  gint64 us = file->mtime_ns / 1000;

  if (!ts_import_get_created_us (run))
    ts_import_set_times (logdir->import, run, us, us);
  return ts_import_add_attempt (logdir->import, run, file->path, us, replaced, FALSE, 0);
}

/* Writers append to the configuration: what was read of it before is not read again. */
static void
read_projector (TsLogdir *logdir, TsImportRun *run, const TsTreeFolder *folder,
                TsLogdirReport *report)
{
  const TsTreeFile *file = folder->projector;
  TsImportSource *s = ts_import_find_source (logdir->import, file->path);
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  gsize size, from;
  guint line;

  if (is_unchanged (s, file))
    return;
  if (!g_file_get_contents (file->path, &text, &size, &error)) {
    g_ptr_array_add (report->problems, g_strdup (error->message));
    return;
  }
  gboolean grown = s && is_same (s, file) && (gsize) s->offset <= size;
  from = grown ? (gsize) s->offset : 0;
  g_autoptr (GPtrArray) entries = ts_projector_config_parse (text + from, size - from, &line);
  if (!grown) {
    gboolean replaced = s != NULL;
    s = ts_import_add_source (logdir->import, file->path, run,
                              add_attempt (logdir, run, file, replaced));
  }
  if (!entries)
    g_ptr_array_add (
        problems, g_strdup_printf ("%s: line %u is not as a projector's configuration is written",
                                   file->path, line));
  for (guint i = 0; entries && i < entries->len; i++)
    ts_projector_add (logdir->import, s->attempt, entries->pdata[i], folder->path, logdir->path,
                      (double) file->mtime_ns / 1e9, problems);
  for (guint i = 0; i < problems->len; i++) {
    ts_import_add_note (logdir->import, s->attempt, TS_SEVERITY_WARNING, problems->pdata[i]);
    g_ptr_array_add (report->problems, g_strdup (problems->pdata[i]));
  }
  s->offset = (gint64) size;
  note_file (logdir, s, file, NULL);
}

static gboolean
read_folder (TsLogdir *logdir, const TsTreeFolder *folder, TsLogdirReport *report, GError **error)
{
  Reading r = {.logdir = logdir, .report = report, .run = find_run (logdir, folder)};

  for (guint i = 0; i < folder->files->len && !is_cancelled (logdir); i++) {
    r.file = folder->files->pdata[i];
    r.told = 0;
    report->files++;
    if (!read_file (&r, error))
      return FALSE;
  }
  if (folder->projector && !is_cancelled (logdir))
    read_projector (logdir, r.run->run, folder, report);
  if (logdir->once)
    g_clear_pointer (&r.run->intake, ts_intake_free);
  return TRUE;
}

void
ts_logdir_cancel (TsLogdir *logdir)
{
  __atomic_store_n (&logdir->cancelled, 1, __ATOMIC_RELAXED);
}

void
ts_logdir_set_forgetful (TsLogdir *logdir)
{
  logdir->forgetful = TRUE;
}

void
ts_logdir_set_once (TsLogdir *logdir)
{
  logdir->once = TRUE;
}

GPtrArray *
ts_logdir_get_folders (const TsLogdir *logdir)
{
  return logdir->visited;
}

/* Runs of which no file is left. */
static void
forget_gone (TsLogdir *logdir, const GPtrArray *folders)
{
  g_autoptr (GHashTable) there = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  const char *path;
  Run *run;

  for (guint i = 0; i < folders->len; i++) {
    const TsTreeFolder *folder = folders->pdata[i];
    run = g_hash_table_lookup (logdir->runs, folder->path);
    if (run)
      g_hash_table_add (there, run->run);
  }
  ts_import_forget_runs (logdir->import, there);
  g_hash_table_iter_init (&iter, logdir->runs);
  while (g_hash_table_iter_next (&iter, (gpointer *) &path, (gpointer *) &run))
    if (!g_hash_table_contains (there, run->run))
      g_hash_table_iter_remove (&iter);
}

gboolean
ts_logdir_scan (TsLogdir *logdir, TsLogdirReport *report, GError **error)
{
  *report = (TsLogdirReport){.problems = g_ptr_array_new_with_free_func (g_free)};
  g_ptr_array_set_size (logdir->visited, 0);
  g_autoptr (GPtrArray) folders =
      ts_tree_find (logdir->path, logdir->walls, logdir->visited, report->problems);

  report->runs = folders->len;
  for (guint i = 0; i < folders->len && !is_cancelled (logdir); i++)
    if (!read_folder (logdir, folders->pdata[i], report, error))
      return FALSE;
  if (logdir->forgetful && !is_cancelled (logdir))
    forget_gone (logdir, folders);
  return ts_import_commit (logdir->import, error);
}
