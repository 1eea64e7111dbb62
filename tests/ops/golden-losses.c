/* SPDX-License-Identifier: MIT */
/* The golden cases of losses.  PyTorch's are reduced; targets that its file does not hold are written
 * out. */
#include "tests/support/golden.h"

static TsValue *
mean (GoldenRun *r, TsValue *each)
{
  return golden_op (r, "reduce_mean", NULL, each, NULL, NULL);
}

static TsValue *
pair (GoldenRun *r, const char *op, const char *params)
{
  return mean (r, golden_op (r, op, params, golden_in (r, 0), golden_in (r, 1), NULL));
}

static TsValue *
build_mse (GoldenRun *r)
{
  return pair (r, "mse", NULL);
}

static TsValue *
build_mae (GoldenRun *r)
{
  return pair (r, "mae", NULL);
}

static TsValue *
build_huber (GoldenRun *r)
{
  return pair (r, "huber", NULL);
}

static TsValue *
build_log_cosh (GoldenRun *r)
{
  return pair (r, "log_cosh", NULL);
}

static TsValue *
build_hinge (GoldenRun *r)
{
  return pair (r, "hinge", NULL);
}

static TsValue *
build_weighted (GoldenRun *r)
{
  return pair (r, "weighted_xent", "pos_weight=3");
}

static TsValue *
build_kl (GoldenRun *r)
{
  TsValue *p = golden_op (r, "softmax", NULL, golden_in (r, 0), NULL, NULL);
  TsValue *each = golden_op (r, "kl_divergence", NULL, p, golden_in (r, 1), NULL);

  return golden_op (r, "reduce_sum", NULL, each, NULL, NULL);
}

static TsValue *
xent_mean (GoldenRun *r, const char *params, TsValue *weights)
{
  TsValue *loss =
      golden_op (r, "softmax_xent", params, golden_in (r, 0), golden_in (r, 1), weights);

  return golden_op (r, "sum_ratio", NULL, loss, loss->node->out[2], NULL);
}

static TsValue *
build_ignore (GoldenRun *r)
{
  return xent_mean (r, "ignore_index=-100, label_smoothing=0.1", NULL);
}

static TsValue *
build_class_weights (GoldenRun *r)
{
  return xent_mean (r, NULL, golden_in (r, 2));
}

static TsValue *
build_dense (GoldenRun *r)
{
  return pair (r, "softmax_xent_dense", NULL);
}

static const GoldenCase cases[] = {
    {"tf", "sigmoid_xent", "sigmoid_xent", NULL, "*x *z"},
    {"tf", "weighted_xent_q3", "weighted_xent", "pos_weight=3", "*x *z"},
    {"torch", "mse", NULL, NULL, "*x *t", .build = build_mse},
    {"torch", "mae", NULL, NULL, "*x *t", .build = build_mae},
    {"torch", "huber", NULL, NULL, "*x *t", .build = build_huber},
    {"torch", "logcosh", NULL, NULL, "*x *f[0,0,0,0,0]", .build = build_log_cosh},
    {"torch", "hinge", NULL, NULL, "*x *f[1,-1,1,1,-1]", .build = build_hinge},
    {"torch", "bce_logits_pos3", NULL, NULL, "*x *f(2,3)[1,0,1,0,0.3,1]", .build = build_weighted},
    {"torch", "kl", NULL, NULL,
     "*x *f(2,4)[0.45649934703524603,0.23337139389525394,0.15306538249249846,0.1570638765770016,"
     "0.09247355715570646,0.18248078780216911,0.32544476690309276,0.3996008881390318]",
     .build = build_kl},
    {"torch", "ce_ignore_ls", NULL, NULL, "*x *int[0,-100,1]", .build = build_ignore},
    {"torch", "ce_classweight", NULL, NULL, "*x *int[0,2,1] f[1,2,0.5,3]",
     .build = build_class_weights},
    {"torch", "ce_mean", NULL, NULL, "*x *f(3,4)[1,0,0,0,0,0,1,0,0,1,0,0]", .build = build_dense},
    {"torch", "cosine", "cosine_similarity", NULL, "*a *b"},
    {"torch", "ctc", "ctc_loss", NULL, "*x:102 *int(2,2)[1,2,3,-1] *int[5,4]", "y -"},
};

void golden_losses (void);

void
golden_losses (void)
{
  golden_add_tests (cases, G_N_ELEMENTS (cases));
}
