/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ops/update.h"

/* Changing a variable by hand: like an optimizer's update, cut by lines of the variable. */

static void
assign_forward (TsCall *call)
{
  memcpy ((void *) call->in[0], call->in[1],
          ts_update_elems (call) * ts_dtype_size (call->node->in[0]->dtype));
}

static void
assign_add_forward (TsCall *call)
{
  call->k->add[call->dtype](call->in[0], call->in[1], (void *) call->in[0], ts_update_elems (call));
}

static void
assign_sub_forward (TsCall *call)
{
  call->k->sub[call->dtype](call->in[0], call->in[1], (void *) call->in[0], ts_update_elems (call));
}

#define ASSIGN(op, form, text, run)                                                                \
  {                                                                                                \
    .name = op, .formula = form, .category = "update", .doc = text, .in_names = "variable, value", \
    .min_in = 2, .max_in = 2, .flags = TS_OP_INTERNAL | TS_OP_STATEFUL, .inplace = -1,             \
    .updates = 1, .infer = ts_infer_update, .partition = ts_partition_update, .forward = run       \
  }

static const TsOpClass assign_add =
    ASSIGN ("assign_add", "variable = variable + value", "Adds to a variable.", assign_add_forward);
static const TsOpClass assign_sub = ASSIGN ("assign_sub", "variable = variable - value",
                                            "Subtracts from a variable.", assign_sub_forward);

const TsOpClass ts_op_assign = {
    .name = "assign",
    .formula = "variable = value",
    .category = "update",
    .doc = "Gives a variable another value.",
    .in_names = "variable, value",
    .min_in = 2,
    .max_in = 2,
    .flags = TS_OP_INTERNAL | TS_OP_STATEFUL,
    .inplace = -1,
    .updates = 1,
    .infer = ts_infer_update,
    .partition = ts_partition_update,
    .forward = assign_forward,
    .parts = (const TsOpClass *const[]){&assign_add, &assign_sub, NULL},
};
