/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/optim/option.h"

G_BEGIN_DECLS

/* How the learning rate goes with the steps.  The rate of a step follows from the schedule and the number
 * of the step alone, so that stopping, resuming and going back change nothing. */

extern const TsOptionClass ts_schedules[];

/* The rate after @t steps, that is of step t + 1; @base: the optimizer's `lr`.  No schedule: @base. */
double ts_schedule_at (const TsOption *schedule, double base, gint64 t);

/* Are all parameters there, and do they go together?  Errors: PARAM. */
gboolean ts_schedule_check (const TsOption *schedule, GError **error);

G_END_DECLS
