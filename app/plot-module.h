/* SPDX-License-Identifier: MIT */
#pragma once

#include <gmodule.h>

#include "app/cli.h"

G_BEGIN_DECLS

/* The one door of the module that draws (Cairo and what it needs): `trainscope plot`, returns the exit
 * status.  @command: its entry in the table. */
G_MODULE_EXPORT int ts_plot_main (const TsCommand *command, int argc, char **argv);

G_END_DECLS
