/* SPDX-License-Identifier: MIT */
#include "data/sets/error.h"

G_DEFINE_QUARK (ts - sets - error - quark, ts_sets_error)
