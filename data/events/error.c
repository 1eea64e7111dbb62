/* SPDX-License-Identifier: MIT */
#include "data/events/error.h"

G_DEFINE_QUARK (ts - events - error - quark, ts_events_error)
