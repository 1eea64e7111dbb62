/* SPDX-License-Identifier: MIT */
#include "engine/base/error.h"

G_DEFINE_QUARK (ts - engine - error - quark, ts_engine_error)
