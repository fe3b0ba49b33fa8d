// SPDX-License-Identifier: GPL-3.0-or-later

// `sem_clockwait` is an extension.
#define _GNU_SOURCE
#include "CGlibc.h"

#ifdef __linux__
#include <errno.h>
#include <semaphore.h>
#include <sys/prctl.h>
#include <time.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void nameCallingThread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

long semaphoreSize(void) { return sizeof(sem_t); }

void beginSemaphore(void *semaphore) { sem_init(semaphore, 0, 0); }

void endSemaphore(void *semaphore) { sem_destroy(semaphore); }

void signalSemaphore(void *semaphore) { sem_post(semaphore); }

void waitForSemaphore(void *semaphore) {
  while (sem_wait(semaphore) != 0 && errno == EINTR) continue;
}

int waitForSemaphoreUntil(void *semaphore, unsigned long long nanoseconds) {
  int result;
#ifdef __GLIBC__
  const struct timespec end = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
  do result = sem_clockwait(semaphore, CLOCK_MONOTONIC, &end);
#else
  struct timespec now, end;
  clock_gettime(CLOCK_MONOTONIC, &now);
  clock_gettime(CLOCK_REALTIME, &end);
  const unsigned long long begin = now.tv_sec * 1000000000ULL + now.tv_nsec;
  const unsigned long long rest = nanoseconds > begin ? nanoseconds - begin : 0;
  const unsigned long long sum = end.tv_nsec + rest % 1000000000;
  end.tv_sec += rest / 1000000000 + sum / 1000000000;
  end.tv_nsec = sum % 1000000000;
  do result = sem_timedwait(semaphore, &end);
#endif
  while (result != 0 && errno == EINTR);
  return result == 0;
}

void shareRegions(int count) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, count);
#else
  (void)count;
#endif
}

void trimMemory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
#endif
