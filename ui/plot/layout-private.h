/* SPDX-License-Identifier: MIT */
#pragma once

#include "ui/plot/layout.h"
#include "ui/plot/palette.h"

G_BEGIN_DECLS

/* The steps of ts_layout_new once the axes stand. */
void ts_layout_place_markers (TsLayout *layout);
void ts_layout_place_labels (TsLayout *layout);
void ts_layout_write_exact (TsLayout *layout);

G_END_DECLS
