/* SPDX-License-Identifier: MIT */
/* The kernels of one instruction-set level.  The build compiles this file once per level with the
 * compiler's flags for it and TS_ISA_TABLE, TS_ISA_NAME set; the templates are instantiated for
 * f32 and f64. */
#include "engine/tensor/kernel.h"

#include <math.h>

#include "engine/tensor/kernel-isa.h"
#include "engine/tensor/kernel-levels-private.h"

#include "engine/tensor/kernel-math.inc"
#include "engine/tensor/kernel-exp.inc"
#include "engine/tensor/kernel-wide.inc"
#include "engine/tensor/kernel-zip.inc"

#include "engine/tensor/kernel-philox.inc"

#define SCAN_COLUMNS 64

#define CARRY   double
#define T       float
#define V       v_f32
#define U       u_f32
#define H       h_f32
#define UH      uh_f32
#define WIDEN   VWIDEN
#define NAME(x) x##_f32_
#define VFMA    VFMA_F32
#ifdef VLOAD_PART_F32
#define VLOAD_PART  VLOAD_PART_F32
#define VSTORE_PART VSTORE_PART_F32
#endif
#define SFMA      SFMA_F32
#define EXP       exp_f32
#define SIGMOID   sigmoid_f32
#define TANH      tanh_f32
#define VEXP      vexp_f32
#define VSIGMOID  vsigmoid_f32
#define VTANH     vtanh_f32
#define LOG       log_f32
#define LOG1P     log1p_f32
#define SOFTPLUS  softplus_f32
#define EXPM1     expm1_f32
#define SIN       sin_f32
#define COS       cos_f32
#define ERF       erf_f32
#define ERF_ROUGH erf_rough_f32
#define POW       pow_f32
#define FMOD      fmodf
#define FABS      __builtin_fabsf
#define FLOOR     __builtin_floorf
#define CEIL      __builtin_ceilf
#define RINT      __builtin_rintf
#define SQRT      __builtin_sqrtf
#define BYTES     b_f32
#define MASK      i_f32
#include "engine/tensor/kernel-gemm.inc"
#include "engine/tensor/kernel-sum.inc"
#include "engine/tensor/kernel-conv.inc"
#include "engine/tensor/kernel-rows.inc"
#include "engine/tensor/kernel-pool.inc"
#include "engine/tensor/kernel-recurrent.inc"
#include "engine/tensor/kernel-attention.inc"
#include "engine/tensor/kernel-depthwise.inc"
#include "engine/tensor/kernel-losses.inc"
#include "engine/tensor/kernel-channels.inc"
#include "engine/tensor/kernel-norm.inc"
#include "engine/tensor/kernel-map.inc"
#include "engine/tensor/kernel-fold.inc"
#include "engine/tensor/kernel-scan.inc"
#include "engine/tensor/kernel-scan-grad.inc"
#include "engine/tensor/kernel-optim.inc"
#undef BYTES
#undef MASK
#undef T
#undef V
#undef U
#undef H
#undef UH
#undef WIDEN
#undef NAME
#undef VFMA
#undef VLOAD_PART
#undef VSTORE_PART
#undef VL
#undef LD
#undef ST
#undef DL
#undef LDH
#undef LOAD_PART
#undef STORE_PART
#undef VEXP
#undef VSIGMOID
#undef VTANH
#undef SFMA
#undef EXP
#undef SIGMOID
#undef TANH
#undef SQRT
#undef LOG
#undef LOG1P
#undef SOFTPLUS
#undef EXPM1
#undef SIN
#undef COS
#undef ERF
#undef ERF_ROUGH
#undef POW
#undef FMOD
#undef FABS
#undef FLOOR
#undef CEIL
#undef RINT

#define T        double
#define V        v_f64
#define U        u_f64
#define H        v_f64
#define UH       u_f64
#define WIDEN(x) (x)
#define NAME(x)  x##_f64_
#define VFMA     VFMA_F64
#ifdef VLOAD_PART_F64
#define VLOAD_PART  VLOAD_PART_F64
#define VSTORE_PART VSTORE_PART_F64
#endif
#define SFMA      SFMA_F64
#define EXP       exp_f64
#define SIGMOID   sigmoid_f64
#define TANH      tanh_f64
#define VEXP      vexp_f64
#define VSIGMOID  vsigmoid_f64
#define VTANH     vtanh_f64
#define LOG       log
#define LOG1P     log1p
#define SOFTPLUS  softplus_f64
#define EXPM1     expm1
#define SIN       sin
#define COS       cos
#define ERF       erf
#define ERF_ROUGH erf
#define POW       pow
#define FMOD      fmod
#define FABS      __builtin_fabs
#define FLOOR     __builtin_floor
#define CEIL      __builtin_ceil
#define RINT      __builtin_rint
#define SQRT      __builtin_sqrt
#define BYTES     b_f64
#define MASK      i_f64
#include "engine/tensor/kernel-gemm.inc"
#include "engine/tensor/kernel-sum.inc"
#include "engine/tensor/kernel-conv.inc"
#include "engine/tensor/kernel-rows.inc"
#include "engine/tensor/kernel-pool.inc"
#include "engine/tensor/kernel-recurrent.inc"
#include "engine/tensor/kernel-attention.inc"
#include "engine/tensor/kernel-depthwise.inc"
#include "engine/tensor/kernel-losses.inc"
#include "engine/tensor/kernel-channels.inc"
#include "engine/tensor/kernel-norm.inc"
#include "engine/tensor/kernel-map.inc"
#include "engine/tensor/kernel-fold.inc"
#include "engine/tensor/kernel-scan.inc"
#include "engine/tensor/kernel-scan-grad.inc"
#include "engine/tensor/kernel-optim.inc"

#undef T
#undef NAME
#undef CARRY

#define CARRY   UT
#define T       gint32
#define UT      guint32
#define NAME(x) x##_i32_
#include "engine/tensor/kernel-integer.inc"
#include "engine/tensor/kernel-scan.inc"
#undef T
#undef UT
#undef NAME

#define T       gint64
#define UT      guint64
#define NAME(x) x##_i64_
#include "engine/tensor/kernel-integer.inc"
#include "engine/tensor/kernel-scan.inc"
#undef T
#undef NAME

#define T       guint8
#define NAME(x) x##_bool_
ZIP2 (logical_and, guint8, guint8, a &&b)
ZIP2 (logical_or, guint8, guint8, a || b)

static void
map_logical_not_bool_ (const void *vx, void *vy, gsize n, double p, double q)
{
  const guint8 *x = vx;
  guint8 *y = vy;

  for (gsize i = 0; i < n; i++)
    y[i] = !x[i];
}

#define BOTH(x) .x = {x##_f32_, x##_f64_}

const TsKernels TS_ISA_TABLE = {
    .isa = TS_ISA_NAME,
    .lanes = {TS_VECTOR_BYTES / sizeof (float), TS_VECTOR_BYTES / sizeof (double)},
    BOTH (gemm),
    BOTH (conv3),
    BOTH (conv3_grad_kernel),
    BOTH (peak),
    BOTH (relu),
    BOTH (sigmoid),
    BOTH (tanh),
    BOTH (exp),
    BOTH (add),
    BOTH (sub),
    BOTH (mul),
    BOTH (relu_grad),
    BOTH (sigmoid_grad),
    BOTH (tanh_grad),
    BOTH (scale),
    BOTH (fill),
    BOTH (sum),
    BOTH (sum_squares),
    BOTH (column_sum),
    BOTH (tree_sum),
    BOTH (transpose),
    BOTH (max_select),
    BOTH (max_scatter),
    BOTH (depthwise),
    BOTH (depthwise_grad_input),
    BOTH (depthwise_grad_kernel),
    BOTH (window_mean),
    BOTH (window_spread),
    BOTH (column_max),
    BOTH (add_scaled),
    BOTH (blend),
    BOTH (moments),
    BOTH (moments_combine),
    BOTH (channel_scale),
    BOTH (channel_affine),
    BOTH (channel_sums),
    BOTH (channel_stats_grad),
    BOTH (norm),
    BOTH (norm_grad),
    BOTH (norm_sums),
    BOTH (lrn),
    BOTH (lrn_grad),
    BOTH (moving_average),
    BOTH (glu),
    BOTH (glu_grad),
    BOTH (pair_loss),
    BOTH (pair_loss_grad),
    BOTH (pair_loss_grad_target),
    BOTH (smooth_xent),
    BOTH (smooth_xent_grad),
    BOTH (dense_xent),
    BOTH (dense_xent_grad),
    BOTH (cosine),
    BOTH (cosine_grad),
    BOTH (softmax),
    BOTH (softmax_grad),
    BOTH (lstm_cell),
    BOTH (lstm_cell_grad),
    BOTH (gru_gates),
    BOTH (gru_reset),
    BOTH (gru_cell),
    BOTH (gru_cell_grad),
    BOTH (gru_reset_grad),
    BOTH (rnn_cell_grad),
    BOTH (attention_line),
    BOTH (attention_line_grad),
    BOTH (dropout),
    BOTH (bernoulli),
    BOTH (uniform),
    BOTH (convert),
    BOTH (accumulate),
    BOTH (running_product),
    BOTH (first_nonfinite),
    BOTH (log_softmax),
    BOTH (log_softmax_grad),
    .scan = {scan_f32_, scan_f64_, scan_i32_, scan_i64_},
    BOTH (scan_product_grad),
    .update =
        {
            [TS_UPDATE_SGD] = {update_sgd_f32_, update_sgd_f64_},
            [TS_UPDATE_MOMENTUM] = {update_momentum_f32_, update_momentum_f64_},
            [TS_UPDATE_ADAGRAD] = {update_adagrad_f32_, update_adagrad_f64_},
            [TS_UPDATE_RMSPROP] = {update_rmsprop_f32_, update_rmsprop_f64_},
            [TS_UPDATE_ADADELTA] = {update_adadelta_f32_, update_adadelta_f64_},
            [TS_UPDATE_ADAM] = {update_adam_f32_, update_adam_f64_},
            [TS_UPDATE_ADAMAX] = {update_adamax_f32_, update_adamax_f64_},
            [TS_UPDATE_NADAM] = {update_nadam_f32_, update_nadam_f64_},
            [TS_UPDATE_FTRL] = {update_ftrl_f32_, update_ftrl_f64_},
            [TS_UPDATE_LION] = {update_lion_f32_, update_lion_f64_},
            [TS_UPDATE_RPROP] = {update_rprop_f32_, update_rprop_f64_},
        },
    .fold =
        {
            [TS_FOLD_SUM] = {fold_sum_f32_, fold_sum_f64_},
            [TS_FOLD_SQUARES] = {fold_squares_f32_, fold_squares_f64_},
            [TS_FOLD_DEVIATIONS] = {fold_deviations_f32_, fold_deviations_f64_},
            [TS_FOLD_EXP] = {fold_exp_f32_, fold_exp_f64_},
            [TS_FOLD_PROD] = {fold_prod_f32_, fold_prod_f64_},
            [TS_FOLD_MAX] = {fold_max_f32_, fold_max_f64_},
            [TS_FOLD_MIN] = {fold_min_f32_, fold_min_f64_},
        },
    .unary =
        {
#define TS_UNARY_X(name, forward, gradient)                                                        \
  [TS_UNARY_##name] = {map_##name##_f32_, map_##name##_f64_},
#define TS_UNARY_Y(name, forward, gradient)                                                        \
  [TS_UNARY_##name] = {map_##name##_f32_, map_##name##_f64_},
#define TS_UNARY_STEP(name, forward)   [TS_UNARY_##name] = {map_##name##_f32_, map_##name##_f64_},
#define TS_UNARY_TEST(name, condition) [TS_UNARY_##name] = {map_##name##_f32_, map_##name##_f64_},
#define TS_UNARY_BOOL(name, forward)   [TS_UNARY_##name] = {[TS_BOOL] = map_##name##_bool_},
#include "engine/tensor/kernel-unary-list.inc"
#undef TS_UNARY_X
#undef TS_UNARY_Y
#undef TS_UNARY_STEP
#undef TS_UNARY_TEST
#undef TS_UNARY_BOOL
            [TS_UNARY_neg][TS_I32] = map_neg_i32_,
            [TS_UNARY_neg][TS_I64] = map_neg_i64_,
            [TS_UNARY_abs][TS_I32] = map_abs_i32_,
            [TS_UNARY_abs][TS_I64] = map_abs_i64_,
        },
    .unary_grad =
        {
#define TS_UNARY_X(name, forward, gradient)                                                        \
  [TS_UNARY_##name] = {grad_##name##_f32_, grad_##name##_f64_},
#define TS_UNARY_Y(name, forward, gradient)                                                        \
  [TS_UNARY_##name] = {grad_##name##_f32_, grad_##name##_f64_},
#define TS_UNARY_STEP(name, forward)
#define TS_UNARY_TEST(name, condition)
#define TS_UNARY_BOOL(name, forward)
#include "engine/tensor/kernel-unary-list.inc"
        },
    .binary =
        {
#define FLOATS(name)                    zip_##name##_f32_, zip_##name##_f64_
#define INTEGERS(name)                  zip_##name##_i32_, zip_##name##_i64_
#define TS_BINARY_NUMBER(name, formula) [TS_BINARY_##name] = {FLOATS (name), INTEGERS (name)},
#define TS_BINARY_FLOAT(name, formula)  [TS_BINARY_##name] = {FLOATS (name)},
#define TS_COMPARE(name, formula)       [TS_BINARY_##name] = {FLOATS (name), INTEGERS (name)},
#define TS_BINARY_BOOL(name, formula)   [TS_BINARY_##name] = {[TS_BOOL] = zip_##name##_bool_},
#define TS_TERNARY(name, formula)       [TS_BINARY_##name] = {FLOATS (name)},
#define TS_SELECT(name, formula)        [TS_BINARY_##name] = {FLOATS (name), INTEGERS (name)},
#include "engine/tensor/kernel-binary-list.inc"
        },
};
