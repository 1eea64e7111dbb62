/* SPDX-License-Identifier: MIT */
/* Our answers beside TensorFlow's and PyTorch's; one table of cases per area. */
#include "tests/support/golden.h"

void golden_array (void);
void golden_core (void);
void golden_images (void);
void golden_math (void);
void golden_losses (void);

static const GoldenException exceptions[] = {
    {"tf", "batch_matmul_bcast",
     "no product of its inputs beyond the first matrix: TensorFlow.js "
     "reads other ones; torch/matmul_bcast has the same inputs"},
    {"tf", "opt_*", "trajectories of optimizers: tests/unit/test-optim.c"},
    {"torch", "batchnorm_running", "has no inputs of its own: tests/unit/test-image-layers.c"},
    {"torch", "global_clip*", "clipping: tests/unit/test-optim.c"},
    {"torch", "lr_*", "schedules: tests/unit/test-optim.c"},
    {"torch", "max_ties",
     "halves the gradient of a tie; ours goes to the first operand, as in "
     "TensorFlow (/elementwise/ties)"},
    {"torch", "opt_*", "trajectories of optimizers: tests/unit/test-optim.c"},
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  golden_array ();
  golden_core ();
  golden_images ();
  golden_math ();
  golden_losses ();
  golden_add_completeness (exceptions, G_N_ELEMENTS (exceptions));
  return g_test_run ();
}
