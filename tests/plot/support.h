/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/plot/column.h"

G_BEGIN_DECLS

/* What the tests of ui/plot share: random numbers that are the same everywhere, and pictures. */

typedef guint64 TsTestRandom;

guint32 ts_test_bits (TsTestRandom *random);
/* 0 <= r < 1 */
double ts_test_unit (TsTestRandom *random);
/* 0 … n - 1 */
int ts_test_below (TsTestRandom *random, int n);

typedef struct {
  guint32 *pixels;
  int width, height;
} TsTestPicture;

/* All white. */
void ts_test_picture_init (TsTestPicture *picture, int width, int height);
void ts_test_picture_clear (TsTestPicture *picture);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsTestPicture, ts_test_picture_clear)

/* The largest difference of any channel between two pictures of one size. */
int ts_test_picture_differ (const TsTestPicture *a, const TsTestPicture *b);

/* 255 - green, of black marks: how dark the pixel is. */
int ts_test_ink (const TsTestPicture *picture, int x, int y);

G_END_DECLS
