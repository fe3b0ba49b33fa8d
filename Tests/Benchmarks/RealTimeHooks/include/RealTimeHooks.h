// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef REAL_TIME_HOOKS_H
#define REAL_TIME_HOOKS_H

#include <stdbool.h>

/* Counts the potentially blocking operations of a thread: calls to the C library and the Swift runtime. */

/* The kinds of operations. */
enum realtime_kind {
  REALTIME_ALLOCATION, /* malloc, free and similar */
  REALTIME_REFERENCE,  /* retain and release */
  REALTIME_LOCK,       /* a mutex, or waiting for another thread */
  REALTIME_FILE,       /* opening, reading, writing */
  REALTIME_WAKE,       /* waking another thread, which does not block */
  REALTIME_WATCH,      /* not an operation: the number of watched periods */
  REALTIME_KINDS
};

/* Prepares the hooks. Call once, before the first watch; returns false if calls cannot be counted on this system. */
bool realtime_install(void);

/* Starts watching the calling thread. */
void realtime_watch(void);

/* Returns an identifier of the calling thread. */
unsigned long realtime_thread(void);

/* Stops watching the calling thread, and adds its counts to the totals if `counts`. */
void realtime_unwatch(bool counts);

/* Returns the total of all watched threads so far. */
long realtime_total(enum realtime_kind kind);

/* Ends the program with status 1, and prints the backtrace of the first operation other than a wake-up. */
_Noreturn void realtime_fail(void);

/* Performs an operation of `kind` on purpose, to check that it is detected; for a reference, it uses `object`. */
void realtime_commit(enum realtime_kind kind, void *object);

#endif
