/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <string.h>

#include "engine/base/error.h"
#include "engine/base/rng.h"
#include "engine/model/lexer.h"
#include "engine/model/parser.h"
#include "engine/model/printer.h"
#include "engine/model/suggest.h"

/* Golden texts lie in tests/golden/language: NAME.model beside NAME.txt, what it prints or what is
 * wrong with it.  TS_UPDATE_GOLDEN=1 writes them anew. */

typedef struct {
  TsSource *source;
  TsDiags *diags;
  TsAst *ast;
} Parsed;

static void
parsed_clear (Parsed *parsed)
{
  g_clear_pointer (&parsed->ast, ts_ast_free);
  g_clear_pointer (&parsed->diags, ts_diags_free);
  g_clear_pointer (&parsed->source, ts_source_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parsed, parsed_clear)

static Parsed
parse_named (const char *name, const char *text, gsize length)
{
  GError *error = NULL;
  Parsed parsed = {ts_source_new (name, text, length, &error)};

  g_assert_no_error (error);
  parsed.diags = ts_diags_new (parsed.source);
  parsed.ast = ts_parse (parsed.source, parsed.diags);
  g_assert_nonnull (parsed.ast);
  return parsed;
}

static Parsed
parse (const char *text)
{
  return parse_named ("t.model", text, strlen (text));
}

static char *
root_path (const char *path)
{
  const char *root = g_getenv ("TS_SOURCE_ROOT");

  g_assert_nonnull (root);
  return g_build_filename (root, path, NULL);
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The .model files of a folder that start with @prefix, sorted, as whole paths. */
static GPtrArray *
model_files (const char *folder, const char *prefix)
{
  g_autofree char *path = root_path (folder);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)))
    if (g_str_has_prefix (name, prefix) && g_str_has_suffix (name, ".model"))
      g_ptr_array_add (files, g_build_filename (path, name, NULL));
  g_ptr_array_sort (files, compare_paths);
  g_assert_cmpuint (files->len, >, 0);
  return files;
}

static void
compare_golden (const char *model_path, const char *text)
{
  g_autofree char *stem = g_strndup (model_path, strlen (model_path) - strlen (".model"));
  g_autofree char *path = g_strconcat (stem, ".txt", NULL), *want = NULL;

  if (g_getenv ("TS_UPDATE_GOLDEN"))
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
  if (!g_file_get_contents (path, &want, NULL, NULL))
    g_error ("%s is missing", path);
  if (strcmp (want, text) != 0)
    g_error ("%s differs; this is what came out:\n%s", path, text);
}

/* Prints, reads again: an equal tree and the same text. */
static void
check_round_trip (const char *name, const TsAst *ast, char **text)
{
  *text = ts_ast_print (ast);
  g_auto (Parsed) again = parse_named (name, *text, strlen (*text));
  if (ts_diags_get_n_errors (again.diags)) {
    g_autofree char *errors = ts_diags_dup_text (again.diags);
    g_error ("%s: the printed text has errors:\n%s\n%s", name, errors, *text);
  }
  if (!ts_ast_equal (ast, again.ast))
    g_error ("%s: the printed text means something else:\n%s", name, *text);
  g_autofree char *second = ts_ast_print (again.ast);
  g_assert_cmpstr (second, ==, *text);
}

static void
test_good (void)
{
  g_autoptr (GPtrArray) files = model_files ("tests/golden/language", "good-");

  for (guint i = 0; i < files->len; i++) {
    GError *error = NULL;
    g_autoptr (TsSource) source = ts_source_new_from_file (files->pdata[i], &error);
    g_assert_no_error (error);
    g_auto (Parsed) p =
        parse_named (files->pdata[i], ts_source_get_text (source), ts_source_get_length (source));
    g_autofree char *errors = ts_diags_dup_text (p.diags), *text = NULL;
    g_assert_cmpstr (errors, ==, "");
    check_round_trip (files->pdata[i], p.ast, &text);
    compare_golden (files->pdata[i], text);
  }
}

static void
test_templates (void)
{
  static const char *const names[] = {"cnn.model",    "digits.model", "iris.model",
                                      "logreg.model", "mlp.model",    "spirals.model"};
  g_autoptr (GPtrArray) files = model_files ("data/templates", "");

  g_assert_cmpuint (files->len, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < files->len; i++) {
    g_autoptr (TsSource) source = ts_source_new_from_file (files->pdata[i], NULL);
    g_auto (Parsed) p =
        parse_named (names[i], ts_source_get_text (source), ts_source_get_length (source));
    g_autofree char *errors = ts_diags_dup_text (p.diags), *text = NULL;
    g_assert_true (g_str_has_suffix (files->pdata[i], names[i]));
    g_assert_cmpstr (errors, ==, "");
    check_round_trip (names[i], p.ast, &text);
    if (g_getenv ("TS_UPDATE_GOLDEN"))
      g_assert_true (g_file_set_contents (files->pdata[i], text, -1, NULL));
    else
      g_assert_cmpstr (text, ==, ts_source_get_text (source)); /* they set the example */
    const TsStmt *train = p.ast->body[p.ast->n_body - 1];
    g_assert_cmpstr (train->name.text, ==, "train");
    g_assert_cmpuint (train->n_body, ==, 5);
    /* Comments stand where they stood, and none is lost. */
    g_auto (GStrv) was = g_strsplit (ts_source_get_text (source), "#", -1);
    g_auto (GStrv) is = g_strsplit (text, "#", -1);
    g_assert_cmpuint (g_strv_length (was), ==, g_strv_length (is));
  }
}

static void
test_errors (void)
{
  g_autoptr (GPtrArray) files = model_files ("tests/golden/language", "err-");

  for (guint i = 0; i < files->len; i++) {
    g_autoptr (TsSource) source = ts_source_new_from_file (files->pdata[i], NULL);
    g_autofree char *name = g_path_get_basename (files->pdata[i]);
    g_auto (Parsed) p =
        parse_named (name, ts_source_get_text (source), ts_source_get_length (source));
    g_autofree char *text = ts_diags_dup_text (p.diags);
    g_assert_cmpuint (ts_diags_get_n_errors (p.diags), >, 0);
    compare_golden (files->pdata[i], text);
  }
}

/* The examples of the reference are sound. */
static void
test_reference (void)
{
  g_autofree char *path = root_path ("docs/model-language.md"), *text = NULL;
  guint n = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_auto (GStrv) parts = g_strsplit (text, "```", -1);
  for (guint i = 1; parts[i] && parts[i + 1]; i += 2) {
    if (strstr (parts[i], "error:") || strstr (parts[i], "file     ="))
      continue;
    g_auto (Parsed) p = parse (parts[i]);
    g_autofree char *errors = ts_diags_dup_text (p.diags);
    g_assert_cmpstr (errors, ==, "");
    n++;
  }
  g_assert_cmpuint (n, >=, 3);
}

/* --- source and diagnostics --- */

static void
test_source (void)
{
  GError *error = NULL;
  g_autoptr (TsSource) s = ts_source_new ("a", "\xef\xbb\xbf\xc3\xa9\tb\r\n\nend", 13, &error);
  guint line, column;

  g_assert_no_error (error);
  g_assert_cmpuint (ts_source_get_length (s), ==, 10);
  ts_source_locate (s, 3, &line, &column);
  g_assert_true (line == 1 && column == 3);
  ts_source_locate (s, 6, &line, &column);
  g_assert_true (line == 2 && column == 1);
  ts_source_locate (s, 99, &line, &column);
  g_assert_true (line == 3 && column == 4);
  g_autofree char *first = ts_source_dup_span (s, ts_source_get_line (s, 1));
  g_autofree char *last = ts_source_dup_span (s, ts_source_get_line (s, 3));
  g_assert_cmpstr (first, ==, "é\tb");
  g_assert_cmpstr (last, ==, "end");

  g_assert_null (ts_source_new ("a.model", "ab\nc\xff", 5, &error));
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_FORMAT);
  g_assert_cmpstr (error->message, ==, "a.model:2:2: byte 0xff does not belong into UTF-8 text");
  g_clear_error (&error);
  g_assert_null (ts_source_new ("a.model", "ab\0c", 4, &error));
  g_assert_nonnull (strstr (error->message, "a.model:1:3: byte 0x00"));
  g_clear_error (&error);
  g_assert_null (ts_source_new_from_file ("/nonexistent/x.model", &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  g_clear_error (&error);
  g_assert_null (ts_source_new_from_file ("/", &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_ISDIR);
  g_clear_error (&error);
}

static void
test_size_limit (void)
{
  GError *error = NULL;
  g_autofree char *text = g_strnfill (TS_SOURCE_MAX_BYTES + 1, '#');
  g_autofree char *path = NULL;
  int file = g_file_open_tmp ("trainscope-XXXXXX.model", &path, NULL);

  g_assert_true (g_close (file, NULL));
  g_assert_true (g_file_set_contents (path, text, TS_SOURCE_MAX_BYTES + 1, NULL));
  g_autoptr (TsSource) full = ts_source_new ("t", text, TS_SOURCE_MAX_BYTES, &error);
  g_assert_no_error (error);
  g_assert_nonnull (full);
  g_assert_null (ts_source_new ("t", text, TS_SOURCE_MAX_BYTES + 1, &error));
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_LIMIT);
  g_clear_error (&error);
  g_assert_null (ts_source_new_from_file (path, &error));
  g_assert_error (error, TS_ENGINE_ERROR, TS_ENGINE_ERROR_LIMIT);
  g_clear_error (&error);
  g_assert_null (ts_source_new_from_file ("/dev/zero", &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL);
  g_clear_error (&error);
  g_assert_cmpint (g_remove (path), ==, 0);
}

static void
test_diags (void)
{
  const char *lines = "y = x -> dens(3)\n\tz = 日本 + q\n";
  g_autoptr (TsSource) s = ts_source_new ("m.model", lines, strlen (lines), NULL);
  g_autoptr (TsDiags) d = ts_diags_new (s);
  guint line, column, length;

  ts_diags_error (d, (TsSpan){9, 13}, "unknown operation '%s'", "dens");
  ts_diags_note (d, "did you mean '%s'?", "dense");
  ts_diags_warning (d, (TsSpan){22, 28}, "strange");
  ts_diags_note_at (d, (TsSpan){31, 32}, "see here");
  ts_diags_error (d, (TsSpan){0, 30}, "two lines");
  ts_diags_error (d, (TsSpan){33, 33}, "at the end");
  g_autofree char *text = ts_diags_dup_text (d);
  g_assert_cmpstr (text, ==,
                   "m.model:1:10: error: unknown operation 'dens'\n"
                   "    1 | y = x -> dens(3)\n"
                   "      |          ^~~~\n"
                   "      = note: did you mean 'dense'?\n"
                   "m.model:2:6: warning: strange\n"
                   "    2 | \tz = 日本 + q\n"
                   "      | \t    ^~~~\n"
                   "m.model:2:11: note: see here\n"
                   "    2 | \tz = 日本 + q\n"
                   "      | \t           ^\n"
                   "m.model:1:1: error: two lines\n"
                   "    1 | y = x -> dens(3)\n"
                   "      | ^~~~~~~~~~~~~~~~\n"
                   "m.model:3:1: error: at the end\n"
                   "    3 | \n"
                   "      | ^\n");
  g_assert_cmpuint (ts_diags_get_n (d), ==, 4);
  g_assert_cmpuint (ts_diags_get_n_errors (d), ==, 3);
  const TsDiag *warning = ts_diags_get (d, 1);
  g_assert_cmpint (warning->level, ==, TS_DIAG_WARNING);
  g_assert_cmpuint (warning->notes->len, ==, 1);
  ts_diags_locate (d, warning->span, &line, &column, &length);
  g_assert_true (line == 2 && column == 6 && length == 2);
}

static void
test_diags_limit (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < 1000; i++)
    g_string_append (text, "y = \n");
  g_auto (Parsed) p = parse (text->str);
  g_autofree char *printed = ts_diags_dup_text (p.diags);
  g_assert_cmpuint (ts_diags_get_n (p.diags), ==, TS_DIAGS_MAX);
  g_assert_true (ts_diags_is_full (p.diags));
  g_assert_true (
      g_str_has_suffix (printed, "t.model: note: there is more; only the first are shown\n"));
}

static void
test_suggest (void)
{
  static const char *const words[] = {"dense", "dropout", "relu", "softmax_xent", "bn", NULL};

  g_assert_cmpuint (ts_suggest_distance ("dens", "dense"), ==, 1);
  g_assert_cmpuint (ts_suggest_distance ("dnese", "dense"), ==, 1);
  g_assert_cmpuint (ts_suggest_distance ("Dense", "dense"), ==, 0);
  g_assert_cmpuint (ts_suggest_distance ("", "abc"), ==, 3);
  g_assert_cmpuint (ts_suggest_distance ("kitten", "sitting"), ==, 3);
  g_assert_cmpstr (ts_suggest ("dens", words), ==, "dense");
  g_assert_cmpstr (ts_suggest ("RELU", words), ==, "relu");
  g_assert_cmpstr (ts_suggest ("softmax_xnet", words), ==, "softmax_xent");
  g_assert_null (ts_suggest ("lstm", words));
  g_assert_null (ts_suggest ("x", words));
  g_autofree char *huge = g_strnfill (100, 'a');
  g_assert_null (ts_suggest (huge, words));
}

/* --- lexer and tree --- */

static void
test_lexer (void)
{
  static const TsTokenKind want[] = {TS_TOKEN_NAME,    TS_TOKEN_SIGN,    TS_TOKEN_NUMBER,
                                     TS_TOKEN_ARROW,   TS_TOKEN_NAME,    TS_TOKEN_SIGN,
                                     TS_TOKEN_NUMBER,  TS_TOKEN_NEWLINE, TS_TOKEN_STRING,
                                     TS_TOKEN_NEWLINE, TS_TOKEN_END};
  const char *line = "a.b_1=.5e-2->c -7#x \r\n\"\" # y\n";
  g_autoptr (TsSource) s = ts_source_new ("t", line, strlen (line), NULL);
  g_autoptr (TsDiags) d = ts_diags_new (s);
  g_auto (TsLexed) l = ts_lex (s, d);

  g_assert_cmpuint (ts_diags_get_n (d), ==, 0);
  g_assert_cmpuint (l.tokens->len, ==, G_N_ELEMENTS (want));
  for (guint i = 0; i < l.tokens->len; i++)
    g_assert_cmpint (g_array_index (l.tokens, TsToken, i).kind, ==, want[i]);
  g_assert_cmpuint (l.comments->len, ==, 2);
  g_autofree char *x = ts_source_dup_span (s, g_array_index (l.comments, TsLexComment, 0).span);
  g_assert_cmpstr (x, ==, "#x");
  g_assert_true (ts_lex_is_name ("val.accuracy") && ts_lex_is_name ("_"));
  g_assert_false (ts_lex_is_name ("") || ts_lex_is_name ("a.") || ts_lex_is_name ("a-b") ||
                  ts_lex_is_name ("1a"));
}

static char *
spanned (const TsAst *ast, TsSpan span)
{
  return ts_source_dup_span (ast->source, span);
}

static void
test_tree (void)
{
  g_auto (Parsed) p = parse ("y = a + b*c@d - e -> f(1, k=-2.5) -> g\ninput x float[?, 8]\n");
  const TsStmt *y = p.ast->body[0], *x = p.ast->body[1];
  const TsExpr *g = y->expr, *f = g->left, *minus = f->left;

  g_assert_cmpuint (p.ast->n_body, ==, 2);
  g_assert_cmpint (y->kind, ==, TS_STMT_ASSIGN);
  g_assert_cmpint (g->kind, ==, TS_EXPR_PIPE);
  g_assert_cmpint (f->right->kind, ==, TS_EXPR_CALL);
  g_assert_cmpint (minus->op, ==, '-');
  g_assert_cmpint (minus->left->op, ==, '+');
  g_assert_cmpint (minus->left->right->op, ==, '@');
  g_assert_cmpint (minus->left->right->left->op, ==, '*');
  g_assert_cmpuint (f->right->n_args, ==, 2);
  g_assert_null (f->right->args[0].name.text);
  g_assert_cmpstr (f->right->args[1].name.text, ==, "k");
  g_assert_cmpint (f->right->args[1].value->kind, ==, TS_EXPR_NEGATE);
  g_assert_cmpfloat (f->right->args[1].value->left->number, ==, 2.5);
  g_assert_true (f->right->args[0].value->is_whole);
  g_assert_false (f->right->args[1].value->left->is_whole);
  g_assert_cmpint (x->dims[0].size, ==, -1);
  g_assert_cmpint (x->dims[1].size, ==, 8);

  const struct {
    TsSpan span;
    const char *want;
  } spans[] = {
      {y->span, "y = a + b*c@d - e -> f(1, k=-2.5) -> g"},
      {y->name.span, "y"},
      {g->at, "->"},
      {minus->span, "a + b*c@d - e"},
      {minus->at, "-"},
      {f->right->span, "f(1, k=-2.5)"},
      {f->right->at, "f"},
      {f->right->args[1].name.span, "k"},
      {f->right->args[1].value->span, "-2.5"},
      {x->type.span, "float"},
      {x->dims[1].span, "8"},
  };
  for (guint i = 0; i < G_N_ELEMENTS (spans); i++) {
    g_autofree char *text = spanned (p.ast, spans[i].span);
    g_assert_cmpstr (text, ==, spans[i].want);
  }
}

static void
test_equal (void)
{
  static const char *const different[] = {"y = a -> b(1)",
                                          "y = a -> b(2)",
                                          "y = a -> b(1.0)",
                                          "y = a -> b(k=1)",
                                          "z = a -> b(1)",
                                          "y = a + b",
                                          "y = a - b",
                                          "y = b + a",
                                          "y = -a",
                                          "y = [a, b]",
                                          "y = \"a\"",
                                          "y = a",
                                          "loss y = a",
                                          "# c\ny = a",
                                          "y = a  # c",
                                          "input y a",
                                          "input y a[1]",
                                          "input y a[?]",
                                          "repeat a {\n}",
                                          "train {\n}",
                                          "train {\n  a 1\n}",
                                          "train {\n  a 2\n}",
                                          "block y(a) {\n  return a\n}",
                                          "block y(a=1) {\n  return a\n}",
                                          "pretrain y from a as b",
                                          "pretrain y from a as c",
                                          "model y",
                                          "model y \"a\"",
                                          "y = a\n# c"};

  for (guint i = 0; i < G_N_ELEMENTS (different); i++)
    for (guint k = 0; k < G_N_ELEMENTS (different); k++) {
      g_auto (Parsed) a = parse (different[i]), b = parse (different[k]);
      g_assert_cmpuint (ts_diags_get_n_errors (a.diags), ==, 0);
      g_assert_cmpint (ts_ast_equal (a.ast, b.ast), ==, i == k);
    }
  g_auto (Parsed) a = parse ("y=(a)->b( 1 )"), b = parse ("y = a\n  -> b(1)");
  g_assert_true (ts_ast_equal (a.ast, b.ast));
}

/* Numbers that no text stands behind, as a window would make them. */
static void
test_print_made (void)
{
  g_auto (Parsed) p = parse ("");
  TsExpr *number = ts_ast_new_expr (p.ast, TS_EXPR_NUMBER, (TsSpan){0, 0});

  number->number = 0.001;
  g_autofree char *small = ts_expr_print (number);
  g_assert_cmpstr (small, ==, "0.001");
  number->number = 9007199254740992.0;
  number->is_whole = TRUE;
  g_autofree char *whole = ts_expr_print (number);
  g_assert_cmpstr (whole, ==, "9007199254740992");
}

/* --- limits --- */

static char *
repeated (const char *before, const char *unit, guint n, const char *middle, const char *close)
{
  GString *text = g_string_new (before);

  for (guint i = 0; i < n; i++)
    g_string_append (text, unit);
  g_string_append (text, middle);
  for (guint i = 0; i < n && *close; i++)
    g_string_append (text, close);
  return g_string_free (text, FALSE);
}

static void
expect_one (const char *text, const char *message)
{
  g_auto (Parsed) p = parse (text);

  if (!message) {
    g_assert_cmpuint (ts_diags_get_n_errors (p.diags), ==, 0);
    g_autofree char *printed = NULL;
    check_round_trip ("t", p.ast, &printed);
    return;
  }
  g_assert_cmpuint (ts_diags_get_n_errors (p.diags), ==, 1);
  g_assert_nonnull (strstr (ts_diags_get (p.diags, 0)->message, message));
}

static void
test_depth (void)
{
  static const struct {
    const char *before, *open, *middle, *close;
  } kinds[] = {
      {"y = ", "(", "1", ")"},        {"y = ", "[", "1", "]"},
      {"y = ", "f(", "1", ")"},       {"", "repeat 1 {\n", "y = 1\n", "}\n"},
      {"y = a -> ", "f(-", "1", ")"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *fits =
        repeated (kinds[i].before, kinds[i].open, 64, kinds[i].middle, kinds[i].close);
    g_autofree char *deep =
        repeated (kinds[i].before, kinds[i].open, 65, kinds[i].middle, kinds[i].close);
    g_autofree char *bomb = repeated (kinds[i].before, kinds[i].open, 80000, kinds[i].middle, "");
    expect_one (fits, NULL);
    expect_one (deep, "nested more than 64 deep");
    expect_one (bomb, "nested more than 64 deep");
  }
}

static void
test_height (void)
{
  g_autofree char *fits = repeated ("y = a", " -> b", 999, "\n", "");
  g_autofree char *chain = repeated ("y = a", " -> b", 100000, "\n", "");
  g_autofree char *sum = repeated ("y = a", "+a", 1000, "\n", "");
  /* Deep through long: sums inside each other at their left ends, bare and as arguments. */
  g_autofree char *sums =
      repeated ("y = ", "(", 60, "a", "+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a)");
  g_autofree char *args =
      repeated ("y = ", "f(", 60, "a", "+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a)");
  g_autofree char *right =
      repeated ("y = ", "(a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+", 60, "a", ")");
  g_autofree char *newlines = repeated ("y = )", "\n", 500000, "-> a\n", "");

  expect_one (fits, NULL);
  expect_one (args, "more than 1000 stages");
  expect_one (chain, "more than 1000 stages");
  expect_one (sum, "more than 1000 stages or terms");
  expect_one (sums, "more than 1000 stages or terms");
  expect_one (right, NULL);
  expect_one (newlines, "expected an expression but found ')'");
}

static void
test_nodes (void)
{
  g_autofree char *fits = repeated ("", "y=1\n", 50000, "", "");
  g_autofree char *many = repeated ("", "y=1\n", 50001, "", "");
  g_autofree char *by_one = repeated ("", "y=1\n", 49999, "y=-1\n", "");
  g_autofree char *list = repeated ("y = [1", ",1", 200000, "]", "");
  g_autofree char *comments = repeated ("y = [1", "#\n", 400000, "]", "");

  expect_one (fits, NULL);
  expect_one (many, "more than 100000 nodes");
  expect_one (by_one, "more than 100000 nodes");
  expect_one (list, "more than 100000 nodes");
  expect_one (comments, NULL);
}

/* --- fuzz --- */

static guint32
draw (guint64 *cursor, guint32 bound)
{
  return ts_rng_below ((TsRng){2026, ts_rng_stream ("language", 0)}, cursor, bound);
}

/* One to eight edits: a byte, a run, or a piece of the language. */
static void
mutate (GString *text, guint64 *cursor)
{
  static const char *const pieces[] = {"(",       ")",
                                       "{",       "}",
                                       "[",       "]",
                                       "->",      "\n",
                                       "#",       "\"",
                                       "=",       ",",
                                       "block ",  "repeat 2 {\n",
                                       "return ", "train {\n",
                                       "x",       "-",
                                       "1e9",     ".",
                                       "é",       " ",
                                       "\\",      "pretrain a from b as c",
                                       "?"};

  for (guint n = 1 + draw (cursor, 8); n > 0; n--) {
    gsize at = draw (cursor, (guint32) text->len + 1);
    gsize run = 1 + draw (cursor, 12);
    run = MIN (run, text->len - at);
    switch (draw (cursor, 4)) {
    case 0:
      if (at < text->len)
        text->str[at] = (char) (32 + draw (cursor, 95));
      break;
    case 1:
      g_string_erase (text, (gssize) at, (gssize) run);
      break;
    case 2:
      g_string_insert (text, (gssize) at, pieces[draw (cursor, G_N_ELEMENTS (pieces))]);
      break;
    default: {
      g_autofree char *copy = g_strndup (text->str + at, run);
      g_string_insert (text, draw (cursor, (guint32) text->len + 1), copy);
    }
    }
  }
}

/* Whatever comes in: no crash, every diagnostic can be placed and printed, and what has no error
 * survives printing. */
static void
test_fuzz (void)
{
  g_autoptr (GPtrArray) files = model_files ("tests/golden/language", "good-");
  g_autoptr (GPtrArray) more = model_files ("data/templates", "");
  guint64 cursor = 0;
  guint sound = 0, refused = 0;

  for (guint i = 0; i < more->len; i++)
    g_ptr_array_add (files, g_strdup (more->pdata[i]));
  for (guint i = 0; i < 20000; i++) {
    g_autofree char *contents = NULL;
    g_assert_true (g_file_get_contents (files->pdata[i % files->len], &contents, NULL, NULL));
    g_autoptr (GString) text = g_string_new (contents);
    mutate (text, &cursor);
    g_autoptr (TsSource) source = ts_source_new ("f", text->str, text->len, NULL);
    if (!source) { /* a character of several bytes was torn */
      refused++;
      continue;
    }
    g_autoptr (TsDiags) diags = ts_diags_new (source);
    g_autoptr (TsAst) ast = ts_parse (source, diags);
    g_autofree char *errors = ts_diags_dup_text (diags), *printed = NULL;
    g_assert_true (g_utf8_validate (errors, -1, NULL));
    g_assert_cmpint (*errors != 0, ==, ts_diags_get_n_errors (diags) > 0);
    if (*errors == 0) {
      sound++;
      check_round_trip ("f", ast, &printed);
    }
  }
  g_assert_cmpuint (sound, >, 1000);
  g_assert_cmpuint (sound + refused, <, 15000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/language/source", test_source);
  g_test_add_func ("/language/size-limit", test_size_limit);
  g_test_add_func ("/language/diags", test_diags);
  g_test_add_func ("/language/diags-limit", test_diags_limit);
  g_test_add_func ("/language/suggest", test_suggest);
  g_test_add_func ("/language/lexer", test_lexer);
  g_test_add_func ("/language/tree", test_tree);
  g_test_add_func ("/language/equal", test_equal);
  g_test_add_func ("/language/print-made", test_print_made);
  g_test_add_func ("/language/good", test_good);
  g_test_add_func ("/language/templates", test_templates);
  g_test_add_func ("/language/errors", test_errors);
  g_test_add_func ("/language/reference", test_reference);
  g_test_add_func ("/language/depth", test_depth);
  g_test_add_func ("/language/height", test_height);
  g_test_add_func ("/language/nodes", test_nodes);
  g_test_add_func ("/language/fuzz", test_fuzz);
  return g_test_run ();
}
