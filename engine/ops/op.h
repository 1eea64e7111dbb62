/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/base/error.h"
#include "engine/base/rng.h"
#include "engine/ops/node.h"
#include "engine/tensor/kernel.h"

G_BEGIN_DECLS

/* The op contract.  One `const TsOpClass` per file op-<name>.c; the build makes the table from the
 * list of files.  The name is the identity on disk and nobody outside the file compares it: the
 * planner sees only what is declared here (docs/adding-an-op.md, op-relu.c). */

/* How the work of a node is cut.  The cut is fixed by shapes, so results do not depend on threads. */
typedef enum {
  TS_PART_ROWS,  /* any range of batch rows, each row by itself */
  TS_PART_SLOTS, /* a sum over the batch: one partial per slot of rows, added by a fixed tree */
  TS_PART_BLOCKS, /* any range of units of a value without batch; reads whatever else it likes whole */
  TS_PART_WHOLE, /* all at once, on one thread: small things only */
} TsPartKind;

typedef struct {
  TsPartKind kind;
  gint64 extent;       /* BLOCKS: how many units */
  gint64 unit_elems;   /* BLOCKS: elements per unit */
  guint cut_in;        /* BLOCKS: bit i: input i is cut along with the units */
  guint cut_out;       /* BLOCKS: the same for outputs */
  gsize partial_bytes; /* SLOTS: bytes of one partial; BLOCKS: of one block's (0: none).  When set,
                          forward writes to call->partial and `combine` makes the outputs. */
} TsPartition;

/* Trouble that only values can show.  The session turns the first one (by node, then position) into
 * a GError with the op's words. */
typedef struct {
  const TsNode *node; /* NULL: none */
  gint64 position;    /* row or element */
  gint64 value;
  gint64 limit;
} TsFault;

#define TS_CALL_INPUTS_MAX 16

/* All that a kernel call sees. */
typedef struct {
  const TsNode *node;
  const TsKernels *k;
  TsDtype dtype;     /* of the first float among inputs and outputs */
  gint64 batch;      /* rows of the whole batch */
  gint64 begin, end; /* rows (ROWS, SLOTS) or units (BLOCKS); 0, extent for WHOLE */
  const void *in
      [TS_CALL_INPUTS_MAX]; /* ROWS values in a rows/slots call: at row `begin`; cut values in a blocks call:
                         at unit `begin`; everything else at its start.  More inputs: `inputs`. */
  const void *const *inputs;
  void *out[TS_NODE_OUTPUTS_MAX]; /* likewise; a value updated in place is written through in[] */
  void *partial;       /* where this slot's or block's partial goes; for combine: all of them */
  gint64 n_partials;   /* combine only */
  gboolean accumulate; /* SLOTS: earlier rows of this slot are already in partial */
  void *workspace;     /* as many bytes as `workspace` asked for, this thread's own */
  gboolean training;   /* FALSE: dropout passes, batch norm uses moving statistics */
  guint64 seed, step;  /* of the random numbers */
  TsFault *fault;      /* thread's own; keep the first: ts_call_fault */
  /* For what is said to people; may be called from any thread, by whole calls only. */
  void (*say) (gpointer data, const TsNode *node, const char *text);
  gpointer say_data;
} TsCall;

/* Notes a fault unless an earlier position of the same node is already there. */
void ts_call_fault (TsCall *call, gint64 position, gint64 value, gint64 limit);

/* The random numbers of a node named by its stream at this call's step. */
TsRng ts_call_rng (const TsCall *call, guint64 stream);

/* Adds gradient nodes while a backward pass is built. */
typedef struct TsEmitter TsEmitter;
struct TsEmitter {
  /* A new node; @params may be NULL.  Shapes that do not fit here are a bug of the op. */
  TsNode *(*emit) (TsEmitter *e, const char *op, TsValue *const *in, guint n_in,
                   const TsParams *params);
  /* A copy of @value by the one-input @op that is kept up to date: for a variable it is state, made
   * anew whenever the variable changes; else an ordinary node. */
  TsValue *(*derive) (TsEmitter *e, const char *op, TsValue *value);
};

/* Examples drive the generic test: shapes, parameters, sample range. */
typedef struct {
  const char
      *in[8]; /* "f 3 5", "rows 5", "labels 10", "int 4 10", "bool 3 5", "flags 5": a float of
                          that shape; batch rows of it; batch of integers below 10; integers of
                          shape (4) below 10; booleans; batch rows of them.  NULL ends the list */
  const char *params; /* "rate=0.25, units=3" or NULL */
  double low, high;   /* sample interval of float inputs */
  double avoid;       /* keep samples at least `gap` away from this kink */
  double gap;         /* 0: no kink */
  double tolerance;   /* of the gradient, relative; 0: 1e-6 */
} TsOpExample;

typedef enum {
  TS_OP_MONOTONE = 1 << 0, /* element-wise and non-decreasing (relu) */
  TS_OP_SELECT = 1 << 1,   /* outputs are some of the inputs (max-pool) */
  TS_OP_MANY = 1 << 2,     /* one matrix line per batch row: wants many rows at once */
  TS_OP_VIEW = 1 << 3,     /* output 0 is input 0 under another shape: no work */
  TS_OP_STATEFUL = 1 << 4, /* changes variables; never pruned once asked for */
  TS_OP_SOURCE = 1 << 5,   /* no inputs: placeholder, variable, constant */
  TS_OP_EPILOGUE = 1 << 6, /* may absorb a following bias or activation */
  TS_OP_INTERNAL = 1 << 7, /* made by backward passes and optimizers only */
  TS_OP_PHASE = 1 << 8,    /* output 0 is input 0 while training, else input 1; goes with VIEW */
  TS_OP_PROBABILITIES = 1 << 9, /* gives probabilities (softmax) */
  TS_OP_LOGITS = 1 << 10,       /* input 0 are scores before softmax or sigmoid */
  TS_OP_SAYS = 1 << 11,         /* passes a value on and speaks about it (print) */
  TS_OP_BROADCAST = 1 << 12,    /* inputs are stretched to a common shape as NumPy does it */
  TS_OP_UNREAD = 1 << 13,       /* only the shapes of the inputs count, not their elements */
  TS_OP_SWAPS = 1 << 14,   /* monotone, and where different inputs give one output the gradient is
                                   0 (relu): may change places with a SELECT */
  TS_OP_INDICES = 1 << 15, /* input 1 are indices; their shape is free */
} TsOpFlags;

typedef struct TsTally TsTally;

struct TsOpClass {
  const char *name;
  const char *formula;
  const char *category; /* "element-wise", "array", "linear", "loss", … */
  const char *doc;      /* one or two sentences */
  const char *in_names; /* "x, kernel, bias?"; "values…" for any number */
  guint min_in, max_in;
  const TsParamSpec *params; /* NULL: none */
  guint flags;
  int inplace;          /* which input's memory output 0 may take, -1: none */
  guint updates;        /* bit i: input i is a variable that forward changes */
  guint no_gradient;    /* bit i: output i is there to be looked at, no gradient flows through it */
  guint kernel;         /* member of an element-wise family: which one (unary.h, binary.h) */
  const TsTally *tally; /* a metric of a whole set: what it is made of (tally.h); or NULL */
  gboolean less_is_better; /* of output 0: a loss, an error */

  /* Sets n_out and each output's dtype and shape (kind and id are the graph's).  The only function
   * that may fail: SHAPE, DTYPE or PARAM, naming op, parameter and shapes. */
  gboolean (*infer) (TsNode *node, TsValue *out, GError **error);
  TsPartition (*partition) (const TsNode *node); /* NULL: element-wise by output 0 */
  gsize (*workspace) (const TsNode *node);       /* bytes of scratch for one call; NULL: none */
  void (*forward) (TsCall *call);                /* no allocation, no failure */
  void (*combine) (TsCall *call); /* partials to outputs, all at once; NULL: tree sum of partials
                                     shaped like output 0 */
  /* grad_out[i] is the gradient of output i (NULL: none); set grad_in[i] where wanted (non-NULL on
   * entry of want[i]).  NULL: no gradient flows. */
  void (*backward) (TsEmitter *e, TsNode *node, TsValue *const *grad_out, const gboolean *want,
                    TsValue **grad_in);
  double (*flops) (const TsNode *node, gint64 batch); /* NULL: one per output element */
  /* Output 0 is a mean or sum of input 0, or a multiple by a factor above 0; NULL: it is not, but for a
   * view. */
  gboolean (*keeps_sense) (const TsNode *node);
  char *(*fault_text) (const TsNode *node, const TsFault *fault);
  const TsOpExample *examples;
  guint n_examples;
  const TsOpClass *const *parts; /* further classes of this file (its gradients); NULL-ended */
};

/* The class called @name, or NULL. */
const TsOpClass *ts_op_lookup (const char *name);

/* All classes, those of other files' parts too: calls @func once each, in name order of the files. */
void ts_op_foreach (void (*func) (const TsOpClass *op, gpointer data), gpointer data);

/* Multiplications and additions of one run of @node with @batch rows. */
double ts_node_flops (const TsNode *node, gint64 batch);

/* Is less of output 0 better?  Of what is declared so, of its means, sums and positive multiples; of nothing
 * else. */
gboolean ts_node_less_is_better (const TsNode *node);

/* The `keeps_sense` of means and sums. */
gboolean ts_keeps_sense (const TsNode *node);

/* Most ops are one of these. */
TsPartition ts_partition_elementwise (const TsNode *node); /* by output 0; all FREE operands cut */
TsPartition ts_partition_whole (const TsNode *node);
TsPartition ts_partition_rows (const TsNode *node); /* whole when output 0 has no batch axis */

/* Elements that an element-wise call covers in output 0. */
gsize ts_call_elems (const TsCall *call);

/* Units of a value without batch: rank 2 and more: rows of the last dimension; less: elements. */
void ts_value_units (const TsValue *value, gint64 *extent, gint64 *unit_elems);

/* Output @i takes dtype and shape of @like. */
void ts_infer_like (TsNode *node, TsValue *out, guint i, const TsValue *like);

/* All inputs are floats of one type, or DTYPE. */
gboolean ts_infer_floats (const TsNode *node, GError **error);

G_END_DECLS
