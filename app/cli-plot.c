/* SPDX-License-Identifier: MIT */
#include "app/cli.h"
#include "app/module-loader.h"

extern const TsCommand ts_command_plot;

/* Drawing needs Cairo, which a training does not have to carry: it is in a module. */
static int
run_plot (int argc, char **argv)
{
  g_autofree char *message = NULL;
  int (*run) (const TsCommand *command, int argc, char **argv) = NULL;

  *(void **) &run = ts_module_find ("trainscope-plot.so", "ts_plot_main", &message);
  if (run)
    return run (&ts_command_plot, argc, argv);
  g_printerr ("trainscope: plot cannot be loaded: %s\n", message);
  return TS_EXIT_FAILED;
}

const TsCommand ts_command_plot = {
    .name = "plot",
    .usage = "WORKSPACE --tag GLOB [--run RUN]… -o x.png|.svg|.pdf [--size WxH] [--smoothing S] "
             "[--log-y] [--dark] [--x step|relative|wall]",
    .summary = "draw scalars into a picture",
    .run = run_plot,
};
