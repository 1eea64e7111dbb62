/* SPDX-License-Identifier: MIT */
/* The golden cases of the first ops. */
#include "tests/support/golden.h"

static TsValue *
build_mse (GoldenRun *r)
{
  TsValue *d = golden_op (r, "sub", NULL, golden_in (r, 0), golden_in (r, 1), NULL);

  return golden_op (r, "reduce_mean", NULL, golden_op (r, "mul", NULL, d, d, NULL), NULL, NULL);
}

static TsValue *
build_ce (GoldenRun *r)
{
  TsValue *each = golden_op (r, "softmax_xent", NULL, golden_in (r, 0), golden_in (r, 1), NULL);

  return golden_op (r, "reduce_mean", NULL, each, NULL, NULL);
}

/* Two biases, which our cell has as one. */
static TsValue *
build_torch_lstm (GoldenRun *r)
{
  TsValue *in[] = {golden_in (r, 0), golden_in (r, 1), golden_in (r, 2),
                   golden_op (r, "add", NULL, golden_in (r, 3), golden_in (r, 4), NULL)};

  return golden_node (r, "lstm", NULL, in, 4)->out[0];
}

static TsValue *
build_torch_rnn (GoldenRun *r)
{
  TsValue *in[] = {golden_in (r, 0), golden_in (r, 1), golden_in (r, 2),
                   golden_op (r, "add", NULL, golden_in (r, 3), golden_in (r, 4), NULL)};

  return golden_node (r, "simple_rnn", NULL, in, 4)->out[0];
}

static const GoldenCase cases[] = {
    {"tf", "keras_lstm_seq", "lstm", NULL, "*x w0_kernel w1_recurrent_kernel w2_bias"},
    {"tf", "keras_gru_reset_before", "gru", "reset_after=false",
     "*x w0_kernel w1_recurrent_kernel w2_bias"},
    {"tf", "keras_simplernn", "simple_rnn", NULL, "*x w0_kernel w1_recurrent_kernel w2_bias"},
    {"torch", "torch_lstm", NULL, NULL, "*x weight_ih_l0:10 weight_hh_l0:10 bias_ih_l0 bias_hh_l0",
     .build = build_torch_lstm},
    {"torch", "torch_rnn", NULL, NULL, "*x weight_ih_l0:10 weight_hh_l0:10 bias_ih_l0 bias_hh_l0",
     .build = build_torch_rnn},
    {"tf", "conv2d_same_s1_d1", "conv2d", NULL, "*x w"},
    {"tf", "conv2d_same_s2_d1", "conv2d", "stride=2", "*x w"},
    {"tf", "conv2d_same_s1_d2", "conv2d", "dilation=2", "*x w"},
    {"tf", "conv2d_valid_s1_d1", "conv2d", "pad=valid", "*x w"},
    {"tf", "conv2d_valid_s2_d1", "conv2d", "pad=valid, stride=2", "*x w"},
    {"tf", "conv2d_valid_s1_d2", "conv2d", "pad=valid, dilation=2", "*x w"},
    {"tf", "softmax", "softmax", NULL, "*x"},
    {"tf", "sigmoid", "sigmoid", NULL, "*x"},
    {"torch", "attention", "attention", NULL, "*q:0213 *k:0213 *v:0213", "y:0213 -"},
    {"torch", "attention_causal", "attention", "causal=true", "*q:0213 *k:0213 *v:0213",
     "y:0213 -"},
    {"torch", "embedding", "embedding_lookup", NULL, "*int(2,2)[0,2,2,1] w"},
    {"torch", "tanh", "tanh", NULL, "*x"},
    {"torch", "relu_at_0", "relu", NULL, "*x"},
    {"torch", "mse", NULL, NULL, "*x *t", .build = build_mse},
    {"torch", "ce_mean", NULL, NULL, "*x *int[0,2,1]", .build = build_ce},
};

void golden_core (void);

void
golden_core (void)
{
  golden_add_tests (cases, G_N_ELEMENTS (cases));
}
