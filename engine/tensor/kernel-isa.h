/* SPDX-License-Identifier: MIT */
#pragma once

/* What one instruction-set level gives the kernel templates: the vector width and the fused
 * multiply-add.  Included by kernel-body.c only, which is compiled once per level.
 *
 * A contraction written `a * b + c` stays two roundings (-ffp-contract=off); a loop over lanes with
 * __builtin_fmaf vectorises in one tile and falls apart in the next.  So the fused form is named by
 * an intrinsic here and nowhere else. */

#include <glib.h>

#if defined(__AVX512F__) && defined(__AVX512VL__)
#include <immintrin.h>
#define TS_VECTOR_BYTES      64
#define VFMA_F32(a, b, c)    ((v_f32) _mm512_fmadd_ps ((__m512) (a), (__m512) (b), (__m512) (c)))
#define VFMA_F64(a, b, c)    ((v_f64) _mm512_fmadd_pd ((__m512d) (a), (__m512d) (b), (__m512d) (c)))
#define VLOAD_PART_F32(p, n) ((v_f32) _mm512_maskz_loadu_ps ((__mmask16) ((1u << (n)) - 1), (p)))
#define VLOAD_PART_F64(p, n) ((v_f64) _mm512_maskz_loadu_pd ((__mmask8) ((1u << (n)) - 1), (p)))
#define VSTORE_PART_F32(p, v, n)                                                                   \
  _mm512_mask_storeu_ps ((p), (__mmask16) ((1u << (n)) - 1), (__m512) (v))
#define VSTORE_PART_F64(p, v, n)                                                                   \
  _mm512_mask_storeu_pd ((p), (__mmask8) ((1u << (n)) - 1), (__m512d) (v))
/* min and max give the second operand when one is NaN */
#define VMIN_F32(bound, x) ((v_f32) _mm512_min_ps ((__m512) (bound), (__m512) (x)))
#define VMAX_F32(bound, x) ((v_f32) _mm512_max_ps ((__m512) (bound), (__m512) (x)))
#define VSCALE_F32(p, n)   ((v_f32) _mm512_scalef_ps ((__m512) (p), (__m512) (n)))
#define VWIDEN(x)          ((v_f64) _mm512_cvtps_pd ((__m256) (x)))
#define VMUL_LOW(a, b)     ((v_u64) _mm512_mul_epu32 ((__m512i) (a), (__m512i) (b)))
#define TS_TILE_VECTORS    4
#elif defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#define TS_VECTOR_BYTES    32
#define VFMA_F32(a, b, c)  ((v_f32) _mm256_fmadd_ps ((__m256) (a), (__m256) (b), (__m256) (c)))
#define VFMA_F64(a, b, c)  ((v_f64) _mm256_fmadd_pd ((__m256d) (a), (__m256d) (b), (__m256d) (c)))
#define VMIN_F32(bound, x) ((v_f32) _mm256_min_ps ((__m256) (bound), (__m256) (x)))
#define VMAX_F32(bound, x) ((v_f32) _mm256_max_ps ((__m256) (bound), (__m256) (x)))
#define VWIDEN(x)          ((v_f64) _mm256_cvtps_pd ((__m128) (x)))
#define VMUL_LOW(a, b)     ((v_u64) _mm256_mul_epu32 ((__m256i) (a), (__m256i) (b)))
#define TS_TILE_VECTORS    2

static const gint32 ts_mask32[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
static const gint64 ts_mask64[8] = {-1, -1, -1, -1};
#define VLOAD_PART_F32(p, n)                                                                       \
  ((v_f32) _mm256_maskload_ps ((p), _mm256_loadu_si256 ((const __m256i *) (ts_mask32 + 8 - (n)))))
#define VLOAD_PART_F64(p, n)                                                                       \
  ((v_f64) _mm256_maskload_pd ((p), _mm256_loadu_si256 ((const __m256i *) (ts_mask64 + 4 - (n)))))
#define VSTORE_PART_F32(p, v, n)                                                                   \
  _mm256_maskstore_ps ((p), _mm256_loadu_si256 ((const __m256i *) (ts_mask32 + 8 - (n))),          \
                       (__m256) (v))
#define VSTORE_PART_F64(p, v, n)                                                                   \
  _mm256_maskstore_pd ((p), _mm256_loadu_si256 ((const __m256i *) (ts_mask64 + 4 - (n))),          \
                       (__m256d) (v))
#elif defined(__aarch64__)
#include <arm_neon.h>
#define TS_VECTOR_BYTES 16
#define VFMA_F32(a, b, c)                                                                          \
  ((v_f32) vfmaq_f32 ((float32x4_t) (c), (float32x4_t) (a), (float32x4_t) (b)))
#define VFMA_F64(a, b, c)                                                                          \
  ((v_f64) vfmaq_f64 ((float64x2_t) (c), (float64x2_t) (a), (float64x2_t) (b)))
#define VMUL_LOW(a, b)                                                                             \
  ((v_u64) vmull_u32 (vmovn_u64 ((uint64x2_t) (a)), vmovn_u64 ((uint64x2_t) (b))))
#define TS_TILE_VECTORS 4
#else
#if defined(__SSE2__)
#include <emmintrin.h>
#define VMUL_LOW(a, b) ((v_u64) _mm_mul_epu32 ((__m128i) (a), (__m128i) (b)))
#else
#define VMUL_LOW(a, b) (((a) &0xffffffffu) * ((b) &0xffffffffu))
#endif
#define TS_VECTOR_BYTES   16
#define VFMA_F32(a, b, c) ((a) * (b) + (c))
#define VFMA_F64(a, b, c) ((a) * (b) + (c))
#define TS_TILE_VECTORS   2
#endif

/* The scalar form, for plain loops that the compiler vectorises; never a call into libm. */
#if defined(__FMA__) || defined(__aarch64__)
#define SFMA_F32(a, b, c) __builtin_fmaf ((a), (b), (c))
#define SFMA_F64(a, b, c) __builtin_fma ((a), (b), (c))
#else
#define SFMA_F32(a, b, c) ((a) * (b) + (c))
#define SFMA_F64(a, b, c) ((a) * (b) + (c))
#endif

typedef float v_f32 __attribute__ ((vector_size (TS_VECTOR_BYTES)));
typedef double v_f64 __attribute__ ((vector_size (TS_VECTOR_BYTES)));
typedef float u_f32 __attribute__ ((vector_size (TS_VECTOR_BYTES), aligned (4), may_alias));
typedef double u_f64 __attribute__ ((vector_size (TS_VECTOR_BYTES), aligned (8), may_alias));

/* VMUL_LOW: the 64-bit products of the lower halves of the lanes. */
typedef guint64 v_u64 __attribute__ ((vector_size (TS_VECTOR_BYTES)));
typedef guint64 u_u64 __attribute__ ((vector_size (TS_VECTOR_BYTES), aligned (4), may_alias));

/* As many f32 as a vector has f64; VWIDEN makes f64 of them (GCC 12 takes three steps by itself). */
typedef float h_f32 __attribute__ ((vector_size (TS_VECTOR_BYTES / 2)));
typedef float uh_f32 __attribute__ ((vector_size (TS_VECTOR_BYTES / 2), aligned (4), may_alias));

#ifndef VWIDEN
#define VWIDEN(x) __builtin_convertvector((x), v_f64)
#endif

/* Masks of comparisons and one byte per lane. */
typedef gint32 i_f32 __attribute__ ((vector_size (TS_VECTOR_BYTES)));
typedef gint64 i_f64 __attribute__ ((vector_size (TS_VECTOR_BYTES)));
typedef guint8 b_f32 __attribute__ ((vector_size (TS_VECTOR_BYTES / 4)));
typedef guint8 b_f64 __attribute__ ((vector_size (TS_VECTOR_BYTES / 8)));
