/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "data/events/logdir.h"
#include "data/events/record.h"
#include "data/events/tree.h"
#include "data/store/reader.h"
#include "data/store/writer.h"

/* usage: bench-events LOGDIR [ROUNDS]
 *
 * How fast a folder of event files is read, with a warm page cache: plain read (), records with both CRCs, and
 * all of it into a workspace; then the workspace's size and how long the second look takes.  Medians of ROUNDS
 * (5) in turns; one JSON line. */

typedef struct {
  GPtrArray *paths;
  guint64 bytes, records;
  guint8 *buffer;
} Files;

#define BUFFER (1u << 20)

static double
now (void)
{
  return (double) g_get_monotonic_time () / 1e6;
}

static int
compare (const void *a, const void *b)
{
  double d = *(const double *) a - *(const double *) b;

  return d < 0 ? -1 : d > 0;
}

static double
median (double *v, guint n)
{
  qsort (v, n, sizeof *v, compare);
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static double
read_all (Files *files)
{
  double start = now ();

  files->bytes = 0;
  for (guint i = 0; i < files->paths->len; i++) {
    int fd = open (files->paths->pdata[i], O_RDONLY | O_CLOEXEC);
    gssize n;
    while ((n = read (fd, files->buffer, BUFFER)) > 0)
      files->bytes += (guint64) n;
    close (fd);
  }
  return now () - start;
}

static double
scan_all (Files *files)
{
  double start = now ();

  files->records = 0;
  for (guint i = 0; i < files->paths->len; i++) {
    g_autoptr (TsRecordReader) reader = ts_record_reader_open (files->paths->pdata[i], 0, NULL, NULL);
    const guint8 *data;
    gsize size;
    gint64 offset;
    while (reader && ts_record_reader_next (reader, &data, &size, &offset, NULL) == 1)
      files->records++;
  }
  return now () - start;
}

/* Opening, reading all that is new, closing. */
static double
import_all (const char *logdir, const char *workspace)
{
  double start = now ();
  g_autoptr (GError) error = NULL;
  TsWriter *writer = ts_writer_open (workspace, &error);
  TsImport *import = writer ? ts_import_new (writer, &error) : NULL;
  TsLogdir *folder = import ? ts_logdir_new (import, logdir, NULL, &error) : NULL;
  g_auto (TsLogdirReport) report = {0};

  if (folder)
    ts_logdir_scan (folder, &report, &error);
  g_clear_pointer (&folder, ts_logdir_free);
  g_clear_pointer (&import, ts_import_free);
  if (!error && writer)
    ts_writer_close (writer, &error);
  if (error) {
    g_printerr ("%s\n", error->message);
    exit (1);
  }
  return now () - start;
}

static double
list_runs (const char *workspace)
{
  double start = now ();
  g_autoptr (TsReader) reader = ts_reader_open (workspace, NULL);
  g_autoptr (GPtrArray) runs = reader ? ts_reader_list_runs (reader, FALSE, NULL) : NULL;

  return runs ? now () - start : -1;
}

static gint64
size_of (const char *path)
{
  GStatBuf st;

  return g_stat (path, &st) == 0 ? st.st_size : 0;
}

int
main (int argc, char **argv)
{
  guint rounds = argc > 2 ? (guint) atoi (argv[2]) : 5;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = g_dir_make_tmp ("trainscope-bench-XXXXXX", NULL);
  g_autofree char *workspace = g_build_filename (folder, "w.trainscope", NULL);
  g_autofree double *t = g_new0 (double, 5 * (gsize) MAX (rounds, 1));
  Files files = {.paths = g_ptr_array_new_with_free_func (g_free), .buffer = g_malloc (BUFFER)};

  if (argc < 2 || rounds < 1) {
    g_printerr ("usage: bench-events LOGDIR [ROUNDS]\n");
    return 2;
  }
  g_autoptr (GPtrArray) folders = ts_tree_find (argv[1], NULL, NULL, problems);
  for (guint i = 0; i < folders->len; i++) {
    const TsTreeFolder *f = folders->pdata[i];
    for (guint k = 0; k < f->files->len; k++)
      g_ptr_array_add (files.paths, g_strdup (((const TsTreeFile *) f->files->pdata[k])->path));
  }
  read_all (&files);
  for (guint i = 0; i < rounds; i++) {
    g_autofree char *lock = g_strconcat (workspace, "-lock", NULL);
    t[i] = read_all (&files);
    t[rounds + i] = scan_all (&files);
    g_unlink (workspace);
    g_unlink (lock);
    t[2 * rounds + i] = import_all (argv[1], workspace);
    t[3 * rounds + i] = import_all (argv[1], workspace);
    t[4 * rounds + i] = list_runs (workspace);
  }
  double plain = median (t, rounds), scan = median (t + rounds, rounds),
         all = median (t + 2 * rounds, rounds);
  double again = median (t + 3 * rounds, rounds), list = median (t + 4 * rounds, rounds);
  printf ("{\"files\": %u, \"bytes\": %" G_GUINT64_FORMAT ", \"records\": %" G_GUINT64_FORMAT
          ", \"read_s\": %.4f, \"scan_s\": %.4f, \"scan_to_read\": %.3f, \"import_s\": %.3f"
          ", \"records_per_s\": %.0f, \"workspace_bytes\": %" G_GINT64_FORMAT
          ", \"files_to_workspace\": %.2f, \"again_s\": %.5f, \"first_to_again\": %.1f, "
          "\"list_ms\": %.2f}\n",
          files.paths->len, files.bytes, files.records, plain, scan, plain / scan, all,
          (double) files.records / all, size_of (workspace),
          (double) files.bytes / (double) size_of (workspace), again, all / again, 1e3 * list);
  return 0;
}
