#ifndef REAL_TIME_HOOKS_H
#define REAL_TIME_HOOKS_H

#include <stdbool.h>

/* Counts what a thread does that may keep it waiting: calls of the C library, and of the Swift runtime. */

/* What is counted. */
enum realtime_kind {
  REALTIME_ALLOCATION, /* malloc, free and their like */
  REALTIME_REFERENCE,  /* retain and release */
  REALTIME_LOCK,       /* a mutex, or a wait for another thread */
  REALTIME_FILE,       /* opening, reading, writing */
  REALTIME_WAKE,       /* another thread is woken, which waits for nothing */
  REALTIME_WATCH,      /* none of these: how often a thread was watched */
  REALTIME_KINDS
};

/* Gets ready. Once, before the first watch; false where calls cannot be counted on this system. */
bool realtime_install(void);

/* Watches the calling thread from now on. */
void realtime_watch(void);

/* What tells the calling thread from others. */
unsigned long realtime_thread(void);

/* Stops watching the calling thread, and adds what it did to the totals, or forgets it. */
void realtime_unwatch(bool counts);

/* What all watched threads did so far. */
long realtime_total(enum realtime_kind kind);

/* Ends the program with status 1, and says on standard error where the first that was no wake-up was done. */
_Noreturn void realtime_fail(void);

/* Does one of `kind` on purpose, a reference to `object`: to see that it is found. */
void realtime_commit(enum realtime_kind kind, void *object);

#endif
