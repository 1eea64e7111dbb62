/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/model/ast.h"
#include "engine/model/diag.h"

G_BEGIN_DECLS

/* The grammar (docs/model-language.md).  The parser knows form only: it accepts every statement of
 * the language, whatever the rest of the program can do with it, and any name.
 *
 * Always returns a tree (transfer full).  A statement with an error in it is reported once and left
 * out, and reading goes on with the next one; when @diags holds no error the tree is the whole
 * file.  @diags is sorted.  Time and memory grow linearly with the text. */
TsAst *ts_parse (TsSource *source, TsDiags *diags);

G_END_DECLS
