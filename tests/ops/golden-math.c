/* SPDX-License-Identifier: MIT */
/* The golden cases of element-wise ops, reductions and matrix products. */
#include "tests/support/golden.h"

/* The file took sqrt and rsqrt of |x| + 0.1, log1p of |x|. */
static TsValue *
build_sqrt (GoldenRun *r)
{
  TsValue *a = golden_op (r, "abs", NULL, golden_in (r, 0), NULL, NULL);

  return golden_op (r, "sqrt", NULL, golden_op (r, "add", NULL, a, golden_in (r, 1), NULL), NULL,
                    NULL);
}

static TsValue *
build_rsqrt (GoldenRun *r)
{
  TsValue *a = golden_op (r, "abs", NULL, golden_in (r, 0), NULL, NULL);

  return golden_op (r, "rsqrt", NULL, golden_op (r, "add", NULL, a, golden_in (r, 1), NULL), NULL,
                    NULL);
}

static TsValue *
build_log1p (GoldenRun *r)
{
  TsValue *a = golden_op (r, "abs", NULL, golden_in (r, 0), NULL, NULL);

  return golden_op (r, "log1p", NULL, a, NULL, NULL);
}

/* softmax (q·kᵀ/sqrt (4) + mask)·v */
static TsValue *
attend (GoldenRun *r, TsValue *scores)
{
  TsValue *p = golden_op (r, "softmax", NULL, scores, NULL, NULL);

  return golden_op (r, "matmul", NULL, p, golden_in (r, 2), NULL);
}

static TsValue *
scores_of (GoldenRun *r)
{
  TsValue *dots =
      golden_op (r, "matmul", "transpose_b=true", golden_in (r, 0), golden_in (r, 1), NULL);

  return golden_op (r, "scale", "factor=0.5", dots, NULL, NULL);
}

static TsValue *
build_attention (GoldenRun *r)
{
  return attend (r, scores_of (r));
}

static TsValue *
build_attention_causal (GoldenRun *r)
{
  TsValue *nothing = golden_op (r, "log", NULL, golden_in (r, 4), NULL, NULL); /* -infinity */

  return attend (r, golden_op (r, "where", NULL, golden_in (r, 3), scores_of (r), nothing));
}

static TsValue *
build_mae (GoldenRun *r)
{
  TsValue *d = golden_op (r, "sub", NULL, golden_in (r, 0), golden_in (r, 1), NULL);

  return golden_op (r, "reduce_mean", NULL, golden_op (r, "abs", NULL, d, NULL, NULL), NULL, NULL);
}

static const GoldenCase cases[] = {
    {"tf", "logsoftmax", "log_softmax", NULL, "*x"},
    {"tf", "softplus", "softplus", NULL, "*x"},
    {"tf", "elu", "elu", NULL, "*x"},
    {"tf", "selu", "selu", NULL, "*x"},
    {"tf", "erf", "erf", NULL, "*x"},
    {"tf", "leakyrelu_0.2", "leaky_relu", NULL, "*x"},
    {"tf", "logsumexp", "reduce_logsumexp", "axes=[-1]", "*x"},
    {"tf", "bcast_mul", "mul", NULL, "*a b"},
    {"tf", "matmul", "matmul", NULL, "*a b"},
    {"tf", "rounding", "round", NULL, "*x", "round"},
    {"tf", "rounding", "mod", NULL, "*a *b", "mod"},
    {"tf", "rounding", "floordiv", NULL, "*a *b", "floordiv"},
    {"torch", "matmul_bcast", "matmul", NULL, "*a b"},
    {"torch", "bcast_add", "add", NULL, "*a b"},
    {"torch", "div", "div", NULL, "*a *b"},
    {"torch", "pow", "pow", NULL, "*a *b"},
    {"torch", "gelu_erf", "gelu", NULL, "*x"},
    {"torch", "gelu_tanh", "gelu", "form=tanh", "*x"},
    {"torch", "silu", "silu", NULL, "*x"},
    {"torch", "mish", "mish", NULL, "*x"},
    {"torch", "softplus", "softplus", NULL, "*x"},
    {"torch", "softsign", "softsign", NULL, "*x"},
    /* torch's gradient takes 1/6 as a float */
    {"torch", "hardsigmoid_relu6", "hard_sigmoid", NULL, "*x", .tolerance = 1e-9},
    {"torch", "hardswish", "hard_swish", NULL, "*x"},
    {"torch", "elu", "elu", NULL, "*x"},
    {"torch", "selu", "selu", NULL, "*x"},
    {"torch", "logsigmoid", "log_sigmoid", NULL, "*x"},
    {"torch", "relu6", "relu6", NULL, "*x"},
    {"torch", "sqrt", NULL, NULL, "*x f[.1]", .build = build_sqrt},
    {"torch", "rsqrt", NULL, NULL, "*x f[.1]", .build = build_rsqrt},
    {"torch", "log1p", NULL, NULL, "*x", .build = build_log1p},
    {"torch", "expm1", "expm1", NULL, "*x"},
    {"torch", "abs", "abs", NULL, "*x"},
    {"torch", "sin", "sin", NULL, "*x"},
    {"torch", "cos", "cos", NULL, "*x"},
    {"torch", "prelu", "prelu", NULL, "*x:021 a", "y:021"},
    {"torch", "red_sum_ax", "reduce_sum", "axes=[0, 2]", "*x"},
    {"torch", "red_mean_keep", "reduce_mean", "axes=[1], keepdims=true", "*x"},
    {"torch", "red_prod", "reduce_prod", "axes=[1]", "*x"},
    {"torch", "red_max_ax", "reduce_max", "axes=[1]", "*x"},
    {"torch", "red_min_ax", "reduce_min", "axes=[1]", "*x"},
    {"torch", "red_norm2", "reduce_norm", "axes=[2]", "*x"},
    {"torch", "red_logsumexp", "reduce_logsumexp", "axes=[1]", "*x"},
    {"torch", "red_var_biased", "reduce_variance", "axes=[1]", "*x"},
    {"torch", "red_l2norm", "l2_normalize", "axes=[2]", "*x", "y - -"},
    {"torch", "where", "where", NULL, "*bool[1,0,1,0] *a *b"},
    {"torch", "attention", NULL, NULL, "*q *k *v", .build = build_attention},
    {"torch", "attention_causal", NULL, NULL, "*q *k *v bool(3,3)[1,0,0,1,1,0,1,1,1] f[0]",
     .build = build_attention_causal},
    {"torch", "mae", NULL, NULL, "*x *t", .build = build_mae},
    {"torch", "clamp", "clip", "low=-0.5, high=0.5", "*x"},
};

void golden_math (void);

void
golden_math (void)
{
  golden_add_tests (cases, G_N_ELEMENTS (cases));
}
