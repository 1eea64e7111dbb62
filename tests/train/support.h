/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/train/trainer.h"

G_BEGIN_DECLS

/* Trainings whose events are kept in memory. */

typedef struct {
  TsSink sink;
  GPtrArray *events;
  gint fail_at; /* push of this number fails; 0: none */
} Memory;

Memory *memory_new (void);
void memory_free (Memory *memory);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Memory, memory_free)

/* Every recorded number but the step rate, as text: "train/loss 12 bits"; owned by the caller. */
char *memory_text (const Memory *memory, gint64 after, gint64 up_to);

extern const char net_text[];
extern char *folder; /* for checkpoints; made by main */
extern gboolean (*custom_step) (TsTrainStep *step, gpointer data, GError **error);

/* A trainer of the model @text with pairs of @settings, going on from the checkpoint @resume or NULL. */
TsTrainer *make (const char *text, const char *const *settings, const char *resume, Memory *memory,
                 GError **error);

char *sha_text (const TsTrainResult *result);
void wait_for_step (TsTrainer *trainer, gint64 step);

/* The trainer is not made, and the message says @want. */
void expect_refusal (const char *text, const char *const *settings, const char *want);

G_END_DECLS
