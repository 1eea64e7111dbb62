/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/model/ast.h"

G_BEGIN_DECLS

/* Writes a tree as text in one canonical form: two spaces of indent, one space around signs, long
 * chains broken before an arrow and aligned, comments behind neighbouring lines in one column.
 * Comments, single empty lines, the author's line breaks before arrows and spelling of numbers are
 * kept.
 *
 * Printing what the parser made of a sound file gives a text that parses to an equal tree and
 * prints to itself.  The text ends with a line end, or is empty. */
char *ts_ast_print (const TsAst *ast);

/* One expression on one line. */
char *ts_expr_print (const TsExpr *expr);

G_END_DECLS
