/* SPDX-License-Identifier: MIT */
#include "tests/store/support.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/store/error.h"
#include "data/store/lock.h"
#include "data/store/migrate.h"

/* Files that are not what they should be, places that cannot be written, and two writers. */

static void
expect_reader (const char *path, TsStoreError code, const char *text)
{
  g_autoptr (GError) error = NULL;
  TsReader *reader = ts_reader_open (path, &error);

  g_assert_null (reader);
  g_assert_error (error, TS_STORE_ERROR, (int) code);
  if (!strstr (error->message, text))
    g_error ("'%s' does not say '%s'", error->message, text);
}

static void
expect_writer (const char *path, TsStoreError code, const char *text)
{
  g_autoptr (GError) error = NULL;
  TsWriter *writer = ts_writer_open (path, &error);

  g_assert_null (writer);
  g_assert_error (error, TS_STORE_ERROR, (int) code);
  if (!strstr (error->message, text))
    g_error ("'%s' does not say '%s'", error->message, text);
}

/* A workspace with one finished run of @n points of two tags. */
static TsRunRef
make_workspace (const char *path, guint n)
{
  static const TsRunInfo info = {.name = "r"};
  TsWriter *writer = ts_test_writer (path);
  guint64 seed = 7;
  TsRunRef ref;

  g_assert_true (ts_writer_begin_run (writer, &info, &ref, NULL));
  TsSink *sink = ts_writer_get_sink (writer, &ref);
  for (guint i = 0; i < n; i++) {
    ts_test_push (sink, "a", i, ts_test_bits (&seed));
    ts_test_push (sink, "b", i, i);
  }
  ts_test_end (sink, n, TS_RUN_FINISHED);
  g_assert_true (ts_writer_close (writer, NULL));
  return ref;
}

static void
test_not_a_workspace (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  g_autofree char *below = ts_test_path (path, "y"), *nowhere = ts_test_path (folder, "no/y");

  expect_reader (path, TS_STORE_ERROR_OPEN, "No such file");
  expect_writer (nowhere, TS_STORE_ERROR_OPEN, "there is no folder");
  expect_writer (folder, TS_STORE_ERROR_OPEN, "not a regular file");
  expect_reader (folder, TS_STORE_ERROR_OPEN, "not a regular file");
  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  expect_reader (path, TS_STORE_ERROR_NOT_A_WORKSPACE, "is empty");
  g_assert_true (g_file_set_contents (path,
                                      "just some text, longer than a header needs to be so "
                                      "that nobody takes it for a short one ............",
                                      -1, NULL));
  expect_reader (path, TS_STORE_ERROR_NOT_A_WORKSPACE, "not a Trainscope workspace");
  expect_writer (path, TS_STORE_ERROR_NOT_A_WORKSPACE, "not a Trainscope workspace");
  expect_writer (below, TS_STORE_ERROR_OPEN, "is a file, not a folder");
  expect_reader (below, TS_STORE_ERROR_OPEN, "is a file, not a folder");
  g_unlink (path);
  ts_test_sql (path, "CREATE TABLE t(x)");
  expect_reader (path, TS_STORE_ERROR_NOT_A_WORKSPACE, "a database, not");
  expect_writer (path, TS_STORE_ERROR_NOT_A_WORKSPACE, "a database, not");
  ts_test_sql (path, "PRAGMA application_id = 77");
  expect_reader (path, TS_STORE_ERROR_NOT_A_WORKSPACE, "of another program");
  /* A refused file keeps its bytes, and no lock stays behind. */
  g_assert_cmpint (ts_test_number (path, "PRAGMA application_id"), ==, 77);
  g_autofree char *lock = g_strconcat (path, "-lock", NULL);
  g_assert_false (g_file_test (lock, G_FILE_TEST_EXISTS));
  ts_test_remove (folder);
}

/* An empty file is one that is being created; the WAL of a deleted workspace is not replayed. */
static void
test_create (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  g_autofree char *wal = g_strconcat (path, "-wal", NULL), *stale = NULL;
  sqlite3 *db;
  gsize size;

  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  make_workspace (path, 3);
  g_assert_cmpint (ts_test_number (path, "PRAGMA page_size"), ==, 8192);
  g_assert_cmpint (ts_test_number (path, "PRAGMA application_id"), ==, 0x54524e31);
  g_assert_cmpint (ts_test_number (path, "PRAGMA user_version"), ==, 1);
  g_assert_cmpint (ts_test_number (path, "PRAGMA auto_vacuum"), ==, 2);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_exec (db, "UPDATE run SET name = 'stale'", NULL, NULL, NULL);
  g_assert_true (g_file_get_contents (wal, &stale, &size, NULL));
  g_assert_cmpuint (size, >, 0);
  sqlite3_close (db);
  g_unlink (path);
  g_assert_true (g_file_set_contents (wal, stale, (gssize) size, NULL));
  make_workspace (path, 1);
  g_assert_cmpint (ts_test_number (path, "SELECT count(*) FROM run WHERE name = 'stale'"), ==, 0);
  g_assert_cmpint (ts_test_number (path, "SELECT count(*) FROM run WHERE name = 'r'"), ==, 1);
  ts_test_remove (folder);
}

static void
test_versions (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");

  make_workspace (path, 3);
  ts_test_sql (path, "PRAGMA user_version = 9");
  expect_writer (path, TS_STORE_ERROR_NEWER_VERSION, "version 9");
  /* The file says that this program's queries still hold. */
  TsReader *reader = ts_reader_open (path, NULL);
  g_assert_nonnull (reader);
  ts_reader_close (reader);
  ts_test_sql (path, "UPDATE meta SET value = 8 WHERE key = 'min_reader_version'");
  expect_reader (path, TS_STORE_ERROR_NEWER_VERSION, "version 9");
  ts_test_sql (path, "PRAGMA user_version = 1; CREATE VIEW v AS SELECT 1");
  expect_reader (path, TS_STORE_ERROR_CORRUPT, "tables");
  expect_writer (path, TS_STORE_ERROR_CORRUPT, "tables");
  ts_test_remove (folder);
}

static void
test_golden (void)
{
  g_autofree char *golden = NULL, *source = NULL;
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  GError *error = NULL;
  const char *root = g_getenv ("TS_SOURCE_ROOT");

  make_workspace (path, 1);
  g_autoptr (TsSql) sql = ts_sql_open (path, path, SQLITE_OPEN_READONLY, &error);
  g_assert_no_error (error);
  g_autofree char *schema = ts_migrate_dup_schema (sql, &error);
  g_assert_no_error (error);
  source = g_build_filename (root ? root : ".", "schemas", "schema.golden", NULL);
  g_file_get_contents (source, &golden, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (schema, ==, golden);
  ts_test_remove (folder);
}

/* Steps upward are transactions, after a copy; one that fails leaves the version before it. */
static void
test_migrate (void)
{
  static const char *const texts[] = {"CREATE TABLE t(x)", "INSERT INTO t VALUES(1)",
                                      "INSERT INTO t VALUES(2); nonsense"};
  TsMigrations steps = {texts, 1};
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  g_autofree char *copy = g_strconcat (path, ".v1.bak", NULL);
  GError *error = NULL;
  TsSql *sql = ts_sql_open (path, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &error);

  g_assert_no_error (error);
  g_assert_true (ts_migrate_up (sql, &steps, NULL));
  g_assert_false (g_file_test (copy, G_FILE_TEST_EXISTS));
  steps.n = 3;
  g_assert_false (ts_migrate_up (sql, &steps, &error));
  g_assert_error (error, TS_STORE_ERROR, TS_STORE_ERROR_SQL);
  g_clear_error (&error);
  ts_sql_close (sql);
  g_assert_cmpint (ts_test_number (path, "PRAGMA user_version"), ==, 2);
  g_assert_cmpint (ts_test_number (path, "SELECT sum(x) FROM t"), ==, 1);
  g_assert_cmpint (ts_test_number (copy, "PRAGMA user_version"), ==, 1);
  g_assert_cmpint (ts_test_number (copy, "SELECT count(*) FROM t"), ==, 0);
  ts_test_remove (folder);
}

static void
test_two_writers (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  g_autofree char *link = ts_test_path (folder, "link");
  g_autofree char *who = g_strdup_printf ("process %d on %s", (int) getpid (), g_get_host_name ());
  TsWriter *writer = ts_test_writer (path);

  expect_writer (path, TS_STORE_ERROR_LOCKED, who);
  g_assert_cmpint (symlink (path, link), ==, 0);
  expect_writer (link, TS_STORE_ERROR_LOCKED, who);
  g_assert_true (ts_writer_close (writer, NULL));
  writer = ts_test_writer (path);
  g_assert_true (ts_writer_close (writer, NULL));

  /* The lock goes with its process, however that ends. */
  fflush (NULL);
  pid_t child = fork ();
  if (child == 0) {
    guint8 token[TS_LOCK_TOKEN_BYTES];
    _exit (ts_lock_acquire (path, token, NULL) ? 0 : 1);
  }
  int status;
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
  g_autofree char *lock = g_strconcat (path, "-lock", NULL);
  guint8 token[TS_LOCK_TOKEN_BYTES];
  g_assert_true (g_file_test (lock, G_FILE_TEST_EXISTS));
  g_assert_false (ts_lock_probe (path, token));
  writer = ts_test_writer (path);
  g_assert_true (ts_lock_probe (path, token));
  g_assert_true (ts_writer_close (writer, NULL));
  ts_test_remove (folder);
}

static TsRunState
state_of (const char *path, const char *name)
{
  g_autoptr (TsReader) reader = ts_reader_open (path, NULL);
  g_autoptr (TsRun) run = ts_reader_find_run (reader, name, NULL);

  return run->state;
}

/* I8: running in the file is interrupted when its own writer has gone, even if another lives. */
static void
test_interrupted (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  TsWriter *writer = ts_test_writer (path);
  TsRunInfo info = {.name = "dead"};
  TsRunRef ref;

  g_assert_true (ts_writer_begin_run (writer, &info, &ref, NULL));
  g_assert_cmpint (state_of (path, "dead"), ==, TS_RUN_RUNNING);
  TsEvent *paused = ts_event_new (TS_EVENT_STATE, 0, 0);
  paused->u.state.state = TS_RUN_PAUSED;
  g_assert_true (
      ts_writer_get_sink (writer, &ref)->push (ts_writer_get_sink (writer, &ref), paused, NULL));
  g_assert_true (ts_writer_flush (writer, NULL));
  g_assert_cmpint (state_of (path, "dead"), ==, TS_RUN_PAUSED);
  g_assert_true (ts_writer_close (writer, NULL));
  g_assert_cmpint (state_of (path, "dead"), ==, TS_RUN_INTERRUPTED);
  writer = ts_test_writer (path);
  info.name = "live";
  g_assert_true (ts_writer_begin_run (writer, &info, &ref, NULL));
  g_assert_cmpint (state_of (path, "live"), ==, TS_RUN_RUNNING);
  g_assert_cmpint (state_of (path, "dead"), ==, TS_RUN_INTERRUPTED);
  g_assert_true (ts_writer_close (writer, NULL));
  ts_test_remove (folder);
}

/* Everything a reader can be asked; only errors of the store may come. */
static guint
read_everything (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsReader) reader = ts_reader_open (path, &error);
  guint failures = 0;

  if (!reader) {
    g_assert_cmpuint (error->domain, ==, TS_STORE_ERROR);
    return 1;
  }
  g_autoptr (GPtrArray) runs = ts_reader_list_runs (reader, TRUE, &error);
  failures += runs == NULL;
  for (guint i = 0; runs && i < runs->len; i++) {
    const TsRun *run = runs->pdata[i];
    g_autoptr (GPtrArray) tags = ts_reader_list_tags (reader, run->run_id, NULL);
    g_autoptr (GArray) attempts = ts_reader_list_attempts (reader, run->run_id, NULL);
    failures += !tags + !attempts;
    for (guint k = 0; tags && k < tags->len; k++) {
      const TsTagInfo *info = tags->pdata[k];
      g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));
      g_autoptr (GError) why = NULL;
      if (!ts_reader_read_points (reader, info->series_id, 0, G_MAXUINT, points, &why)) {
        g_assert_cmpuint (why->domain, ==, TS_STORE_ERROR);
        failures++;
      }
    }
  }
  return failures;
}

static void
test_damage (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  g_autofree char *bad = ts_test_path (folder, "bad"), *bytes = NULL;
  gsize size;
  guint64 seed = 41;
  guint found = 0;

  make_workspace (path, 300);
  g_assert_cmpuint (read_everything (path), ==, 0);
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  for (guint i = 0; i < 60; i++) {
    gsize at = i < 20 ? i * 5 : ts_test_random (&seed) % size;
    char old = bytes[at];
    bytes[at] = (char) (old ^ (1 << ts_test_random (&seed) % 8));
    g_assert_true (g_file_set_contents (bad, bytes, (gssize) size, NULL));
    found += read_everything (bad) != 0;
    bytes[at] = old;
  }
  g_assert_cmpuint (found, >, 0);
  for (guint i = 0; i < 30; i++) {
    gsize cut = i < 10 ? i * 90 : ts_test_random (&seed) % size;
    g_assert_true (g_file_set_contents (bad, bytes, (gssize) cut, NULL));
    g_assert_cmpuint (read_everything (bad), >, 0);
  }
  ts_test_remove (folder);
}

/* integrity_check does not see a flipped byte in a blob; the chunk's own checksum does (I5). */
static void
test_flipped_blob (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  TsRunRef ref = make_workspace (path, 100);
  GError *error = NULL;

  ts_test_sql (path, "UPDATE chunk SET data = CAST(substr(data, 1, 50) || x'00' || substr(data, 52)"
                     " AS BLOB) WHERE series_id = 1 AND substr(data, 51, 1) <> x'00';"
                     "UPDATE chunk SET data = CAST(substr(data, 1, 50) || x'01' || substr(data, 52)"
                     " AS BLOB) WHERE series_id = 1 AND substr(data, 51, 1) = x'00' AND crc <> 0");
  g_autoptr (TsReader) reader = ts_reader_open (path, NULL);
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TsStoredPoint));
  g_assert_false (ts_reader_read_points (reader, 1, 0, 1000, points, &error));
  g_assert_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT);
  g_assert_nonnull (strstr (error->message, path));
  g_clear_error (&error);
  g_autoptr (GArray) intact = ts_test_points (reader, ref.run_id, "b");
  g_assert_cmpuint (intact->len, ==, 100);
  /* A chunk that is missing altogether is found too (I2). */
  ts_test_sql (path, "DELETE FROM chunk WHERE series_id = 2");
  g_assert_false (ts_reader_read_points (reader, 2, 0, 1000, points, &error));
  g_assert_error (error, TS_STORE_ERROR, TS_STORE_ERROR_CORRUPT);
  g_clear_error (&error);
  ts_test_remove (folder);
}

/* Runs @func in a child without privileges; FALSE when it cannot be had. */
static gboolean
as_nobody (void (*func) (const char *path), const char *path)
{
  int status;

  fflush (NULL);
  pid_t child = fork ();
  if (child == 0) {
    if (geteuid () == 0 && (setgid (65534) != 0 || setuid (65534) != 0))
      _exit (77);
    func (path);
    _exit (0);
  }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status));
  g_assert_true (WEXITSTATUS (status) == 0 || WEXITSTATUS (status) == 77);
  return WEXITSTATUS (status) == 0;
}

static void
read_in_locked_folder (const char *path)
{
  GError *error = NULL;
  g_autoptr (TsReader) reader = ts_reader_open (path, &error);

  g_assert_no_error (error);
  g_autoptr (GArray) points = ts_test_points (reader, 1, "b");
  g_assert_cmpuint (points->len, ==, 100);
  g_assert_cmphex (g_array_index (points, TsStoredPoint, 99).bits, ==, 99);
  expect_writer (path, TS_STORE_ERROR_READ_ONLY, "its folder must be writable");
}

static void
test_read_only_folder (void)
{
  g_autofree char *folder = ts_test_folder (), *path = ts_test_path (folder, "x");
  gboolean ran;

  make_workspace (path, 100);
  g_assert_cmpint (g_chmod (folder, 0555), ==, 0);
  ran = as_nobody (read_in_locked_folder, path);
  g_assert_cmpint (g_chmod (folder, 0755), ==, 0);

  /* With a WAL that holds the last points: read from a copy. */
  ts_test_sql (path, "PRAGMA user_version = 1");
  sqlite3 *db;
  g_autofree char *with_wal = ts_test_path (folder, "w"), *from = g_strconcat (path, "-wal", NULL);
  g_autofree char *to = g_strconcat (with_wal, "-wal", NULL), *bytes = NULL, *wal = NULL;
  gsize size, wal_size;
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_exec (db, "UPDATE run SET name = 'from the wal'", NULL, NULL, NULL);
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  g_assert_true (g_file_get_contents (from, &wal, &wal_size, NULL));
  sqlite3_close (db);
  g_assert_true (g_file_set_contents (with_wal, bytes, (gssize) size, NULL));
  g_assert_true (g_file_set_contents (to, wal, (gssize) wal_size, NULL));
  g_chmod (with_wal, 0444);
  g_chmod (to, 0444);
  g_assert_cmpint (g_chmod (folder, 0555), ==, 0);
  ran = ran && as_nobody (read_in_locked_folder, with_wal);
  g_assert_cmpint (g_chmod (folder, 0755), ==, 0);
  ts_test_remove (folder);
  if (!ran)
    g_test_skip ("this user may write everywhere and cannot become another");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/files/not-a-workspace", test_not_a_workspace);
  g_test_add_func ("/files/create", test_create);
  g_test_add_func ("/files/versions", test_versions);
  g_test_add_func ("/files/golden", test_golden);
  g_test_add_func ("/files/migrate", test_migrate);
  g_test_add_func ("/files/two-writers", test_two_writers);
  g_test_add_func ("/files/interrupted", test_interrupted);
  g_test_add_func ("/files/damage", test_damage);
  g_test_add_func ("/files/flipped-blob", test_flipped_blob);
  g_test_add_func ("/files/read-only-folder", test_read_only_folder);
  return g_test_run ();
}
