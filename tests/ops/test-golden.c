/* SPDX-License-Identifier: MIT */
/* Our answers beside TensorFlow's and PyTorch's; one table of cases per area. */
#include <glib.h>

void golden_core (void);
void golden_images (void);
void golden_math (void);
void golden_losses (void);

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  golden_core ();
  golden_images ();
  golden_math ();
  golden_losses ();
  return g_test_run ();
}
