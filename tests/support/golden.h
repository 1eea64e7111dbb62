/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/graph/session.h"

G_BEGIN_DECLS

/* Known answers of other frameworks: tests/golden/tf.json (f32, TensorFlow.js) and torch.json (f64,
 * PyTorch).  A case names what of ours computes it; the runner builds the graph, with and without
 * batch axis, in f32 and (torch) f64, and compares outputs and gradients.  The cotangent is
 * sin (0.7·i + 9), rounded to f32, over the elements of the output as the file orders them. */

typedef struct GoldenRun GoldenRun;

typedef struct {
  const char *file;   /* "tf" or "torch" */
  const char *name;   /* of the case in the file */
  const char *op;     /* of ours; NULL when `build` is given */
  const char *params; /* "stride=2, pads=[1, 1, 1, 1]" */
  /* The op's inputs, in its order, by their names in the file.  "NAME:2310": our axis i is the file's
   * axis 2310[i].  A '*' before it: leads with the batch in the second run.  Literals that the file does
   * not hold: "int[0,2,1]", "int(2,2)[0,2,2,1]", "bool[1,0]", "f[1,2,.5]"; '*' goes with them, too.
   * Spaces only between inputs.  A '!' before a name: the file's gradient for it is known to be wrong
   * and is not compared. */
  const char *in;
  /* One word for each output of the op: "y", "y:0231", "-" for one that the file does not know. */
  const char *out;
  /* For what takes several ops: returns the value of the only output.  golden_in () gives inputs. */
  TsValue *(*build) (GoldenRun *run);
  double tolerance; /* 0: 1e-5 in f32, 1e-10 in f64 */
} GoldenCase;

/* Input @i of the case (the i-th word of `in`) as a value of the graph. */
TsValue *golden_in (GoldenRun *run, guint i);
TsGraph *golden_graph (GoldenRun *run);
/* An op on some values; its first output.  A refusal is fatal. */
TsValue *golden_op (GoldenRun *run, const char *op, const char *params, TsValue *a, TsValue *b,
                    TsValue *c);

TsNode *golden_node (GoldenRun *run, const char *op, const char *params, TsValue *const *in,
                     guint n);

/* NULL or what is wrong. */
char *golden_check (const GoldenCase *c);

/* Adds one test per case below /golden/. */
void golden_add_tests (const GoldenCase *cases, guint n);

/* A case that no table claims: what it is, and why. A name that ends in '*' stands for all that begin like
 * it. */
typedef struct {
  const char *file, *name, *why;
} GoldenException;

/* After all tables: adds a test that each case of both files is claimed by a table or is one of the @n
 * exceptions, never both, and that there are no exceptions of cases that do not exist. */
void golden_add_completeness (const GoldenException *exceptions, guint n);

G_END_DECLS
