/* SPDX-License-Identifier: MIT */
/* The golden cases of array ops, and of what is built from several ops. */
#include "tests/support/golden.h"

static TsValue *
build_bilstm (GoldenRun *r)
{
  TsValue *forward[] = {golden_in (r, 0), golden_in (r, 1), golden_in (r, 2), golden_in (r, 3)};
  TsValue *backward[] = {golden_in (r, 0), golden_in (r, 4), golden_in (r, 5), golden_in (r, 6)};

  return golden_op (r, "concat", NULL, golden_node (r, "lstm", NULL, forward, 4)->out[0],
                    golden_node (r, "lstm", "reverse=true", backward, 4)->out[0], NULL);
}

/* PyTorch's gates are r, z, n, ours z, r, n. */
static TsValue *
reorder_gates (GoldenRun *r, TsValue *x)
{
  TsNode *part = golden_node (r, "split", "num=3", &x, 1);

  return golden_op (r, "concat", NULL, part->out[1], part->out[0], part->out[2]);
}

static TsValue *
build_torch_gru (GoldenRun *r)
{
  TsValue *biases = golden_op (r, "stack", "axis=0", golden_in (r, 3), golden_in (r, 4), NULL);
  TsValue *in[] = {golden_in (r, 0), reorder_gates (r, golden_in (r, 1)),
                   reorder_gates (r, golden_in (r, 2)), reorder_gates (r, biases)};

  return golden_node (r, "gru", NULL, in, 4)->out[0];
}

/* [T, 4] to two heads [2, T, 2] */
static TsValue *
heads (GoldenRun *r, TsValue *w)
{
  TsValue *x = golden_op (r, "matmul", NULL, golden_in (r, 0), w, NULL);
  gboolean rows = x->kind == TS_VALUE_ROWS;
  TsValue *parts =
      golden_op (r, "reshape", rows ? "shape=[3, 2, 2]" : "shape=[2, 3, 2, 2]", x, NULL, NULL);

  return golden_op (r, "transpose", "perm=[0, 2, 1, 3]", parts, NULL, NULL);
}

static TsValue *
norm (GoldenRun *r, TsValue *a, TsValue *b, TsValue *gamma)
{
  TsValue *sum = golden_op (r, "add", NULL, a, b, NULL);

  return golden_op (r, "layer_norm", "eps=1e-12", sum, gamma, NULL);
}

/* Attention and a small network, each with a sum and a norm behind it. */
static TsValue *
build_bert_block (GoldenRun *r)
{
  TsValue *x = golden_in (r, 0);
  TsValue *q = heads (r, golden_in (r, 1)), *k = heads (r, golden_in (r, 2));
  TsValue *v = heads (r, golden_in (r, 3));
  TsValue *scores = golden_op (r, "matmul", "transpose_b=true", q, k, NULL);
  TsValue *p = golden_op (r, "scale", "factor=0.70710678118654752", scores, NULL, NULL);
  p = golden_op (r, "softmax", NULL, p, NULL, NULL);
  TsValue *a = golden_op (r, "matmul", NULL, p, v, NULL);
  a = golden_op (r, "transpose", "perm=[0, 2, 1, 3]", a, NULL, NULL);
  a = golden_op (r, "reshape", x->kind == TS_VALUE_ROWS ? "shape=[3, 4]" : "shape=[2, 3, 4]", a,
                 NULL, NULL);
  a = norm (r, x, golden_op (r, "matmul", NULL, a, golden_in (r, 4), NULL), golden_in (r, 7));
  TsValue *f = golden_op (r, "matmul", NULL, a, golden_in (r, 5), NULL);
  f = golden_op (r, "gelu", NULL, f, NULL, NULL);
  f = golden_op (r, "matmul", NULL, f, golden_in (r, 6), NULL);
  return norm (r, a, f, golden_in (r, 8));
}

static const GoldenCase cases[] = {
    {"tf", "concat_1", "concat", "axis=1", "*a *b"},
    {"tf", "slice", "slice", "begin=[1, 0], size=[1, 3]", "x"},
    {"tf", "strided_slice_neg", "strided_slice", "begin=[2, 3], end=[-4, 0], strides=[-1, -2]",
     "x"},
    {"tf", "tile", "tile", "reps=[2, 3]", "x"},
    {"tf", "pad", "pad", "pads=[1, 0, 0, 2]", "x"},
    {"tf", "mirrorpad_reflect", "pad", "pads=[1, 1, 2, 0], mode=reflect", "x"},
    {"tf", "mirrorpad_symmetric", "pad", "pads=[1, 1, 2, 0], mode=symmetric", "x"},
    {"tf", "gather_ax0", "gather", NULL, "x *int[2,0,2]"},
    {"tf", "gather_ax0", "gather", NULL, "*x int[2,0,2]"},
    {"tf", "gather_ax0", "gather", NULL, "*x *int[2,0,2]"},
    {"tf", "transpose_021", "transpose", "perm=[0, 2, 1]", "*x"},
    {"tf", "cumsum_excl_rev", "cumsum", "exclusive=true, reverse=true", "*x"},
    {"tf", "topk2_ties", "topk", "k=2", "*x", "values indices"},
    {"tf", "topk2_ties", "argmax", NULL, "*x", "argmax"},
    {"tf", "topk2_ties", "argmin", NULL, "*x", "argmin"},
    {"tf", "onehot", "one_hot", "depth=3", "*int[1,-1,5,0]"},
    {"tf", "scatternd_dup", "scatter_nd", "shape=[5]", "*int(3,1)[1,3,1] *u"},
    {"tf", "keras_bilstm_concat", NULL, NULL,
     "*x w0_kernel w1_recurrent_kernel w2_bias w3_kernel w4_recurrent_kernel w5_bias",
     .build = build_bilstm},
    {"torch", "gather_nd", "gather_nd", NULL, "*x int(2,2)[0,2,1,0]"},
    {"torch", "gather_nd", "gather_nd", NULL, "x *int(2,2)[0,2,1,0]"},
    {"torch", "take_along", "take_along_axis", NULL, "*x *int(2,3)[3,0,0,1,2,2]"},
    {"torch", "scatter_add", "scatter_add", NULL, "*x *int(2,3)[3,0,0,1,2,2] *u"},
    {"torch", "red_cumsum", "cumsum", "axis=1", "*x"},
    {"torch", "red_cumprod", "cumprod", "axis=1", "*x"},
    {"torch", "torch_gru", NULL, NULL, "*x weight_ih_l0:10 weight_hh_l0:10 bias_ih_l0 bias_hh_l0",
     .build = build_torch_gru},
    {"torch", "bert_block_postln", NULL, NULL, "*x wq wk wv wo w1 w2 g1 g2",
     .build = build_bert_block},
};

void golden_array (void);

void
golden_array (void)
{
  golden_add_tests (cases, G_N_ELEMENTS (cases));
}
