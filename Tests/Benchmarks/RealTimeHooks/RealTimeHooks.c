// SPDX-License-Identifier: GPL-3.0-or-later

#define _GNU_SOURCE
#include "RealTimeHooks.h"
#include <stdlib.h>

#include <pthread.h>

unsigned long realtime_thread(void) { return (unsigned long)pthread_self(); }

#ifndef __linux__

bool realtime_install(void) { return false; }
void realtime_watch(void) {}
void realtime_unwatch(bool counts) { (void)counts; }
long realtime_total(enum realtime_kind kind) { (void)kind; return 0; }
_Noreturn void realtime_fail(void) { exit(1); }
void realtime_commit(enum realtime_kind kind, void *object) { (void)kind, (void)object; }

#else

#include "Counting.h"
#include <execinfo.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { DEPTH = 24 };

static __thread bool is_watched;
static __thread long pending[REALTIME_KINDS];
static __thread void *trace[DEPTH];
static __thread int trace_depth;

static atomic_long totals[REALTIME_KINDS];
static atomic_flag has_first_trace = ATOMIC_FLAG_INIT;
static void *first_trace[DEPTH];
static int first_trace_depth;

void realtime_note(enum realtime_kind kind) {
  if (!is_watched) return;
  pending[kind]++;
  if (kind == REALTIME_WAKE || trace_depth > 0) return;
  is_watched = false; /* do not count the operations of backtrace itself */
  trace_depth = backtrace(trace, DEPTH);
  is_watched = true;
}

void realtime_watch(void) {
  memset(pending, 0, sizeof pending);
  trace_depth = 0;
  is_watched = true;
}

void realtime_unwatch(bool counts) {
  if (!is_watched) return;
  is_watched = false;
  if (!counts) return;
  pending[REALTIME_WATCH] = 1;
  for (int kind = 0; kind < REALTIME_KINDS; kind++) atomic_fetch_add(&totals[kind], pending[kind]);
  if (trace_depth == 0 || atomic_flag_test_and_set(&has_first_trace)) return;
  memcpy(first_trace, trace, sizeof first_trace);
  first_trace_depth = trace_depth;
}

long realtime_total(enum realtime_kind kind) { return atomic_load(&totals[kind]); }

_Noreturn void realtime_fail(void) {
  backtrace_symbols_fd(first_trace, first_trace_depth, STDERR_FILENO);
  exit(1);
}

bool realtime_install(void) {
  void *loaded[1];
  return backtrace(loaded, 1) > 0; /* loads what backtrace needs now, rather than on a watched thread */
}

extern void *swift_retain(void *);
extern void swift_release(void *);

void realtime_commit(enum realtime_kind kind, void *object) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static void *volatile memory;
  switch (kind) {
  case REALTIME_ALLOCATION:
    memory = malloc(64);
    free(memory);
    break;
  case REALTIME_REFERENCE: swift_release(swift_retain(object)); break;
  case REALTIME_LOCK:
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    break;
  case REALTIME_FILE: (void)!write(STDERR_FILENO, "", 0); break;
  default: break;
  }
}

#endif
