/* SPDX-License-Identifier: MIT */
#pragma once

#include "data/store/reader.h"

G_BEGIN_DECLS

/* The thread that reads one workspace for the window, with a reader of its own.  Main thread. */
typedef struct TsQuery TsQuery;

/* A question: a struct that begins with a TsAsk and belongs to the query from the push on.  run is
 * called on the query's thread; it may set error.  When the workspace cannot be opened run is left
 * out and error says why (it is tried again with the next question).  done and free are called on
 * the main thread; free must g_clear_error what done did not take. */
typedef struct TsAsk TsAsk;
struct TsAsk {
  void (*run) (TsAsk *ask, TsReader *reader);
  void (*done) (TsAsk *ask);
  void (*free) (TsAsk *ask);
  GError *error;
};

/* @path: of the workspace; it need not exist yet. */
TsQuery *ts_query_new (const char *path);
/* Waits for the question that is being answered; the others are dropped. */
void ts_query_free (TsQuery *query);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsQuery, ts_query_free)

const char *ts_query_get_path (TsQuery *query);
void ts_query_push (TsQuery *query, TsAsk *ask);

G_END_DECLS
