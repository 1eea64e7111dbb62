/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "engine/base/event.h"

G_BEGIN_DECLS

/* A run's state as shape, colour and word: ● ✓ ‖ ■ ✕ ⚡ ⤓. */

/* A new image; it shows nothing until it is set. */
GtkWidget *ts_state_icon_new (void);
/* Icon, colour class, tooltip and accessible name. */
void ts_state_icon_set (GtkWidget *image, TsRunState state);

/* The word: "running". */
const char *ts_state_get_word (TsRunState state);
const char *ts_state_get_icon_name (TsRunState state);

G_END_DECLS
