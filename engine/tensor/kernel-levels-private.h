/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/tensor/kernel.h"

/* One table per level that the build compiled. */
extern const TsKernels ts_kernels_v4, ts_kernels_v3, ts_kernels_v2, ts_kernels_portable;
