// SPDX-License-Identifier: GPL-3.0-or-later

/* Replacements for functions of the C library and of the Swift runtime, under the same names: a program's definitions
   take precedence over those of its libraries. */

#ifdef __linux__

#define _GNU_SOURCE
#include "Counting.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* dlsym may allocate, so the allocating functions are called directly. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) {
  realtime_note(REALTIME_ALLOCATION);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  realtime_note(REALTIME_ALLOCATION);
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  realtime_note(REALTIME_ALLOCATION);
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  realtime_note(REALTIME_ALLOCATION);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  realtime_note(REALTIME_ALLOCATION);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  realtime_note(REALTIME_ALLOCATION);
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL ? ENOMEM : 0;
}

void free(void *memory) {
  realtime_note(REALTIME_ALLOCATION);
  __libc_free(memory);
}

/* Defines a function `name` that counts an operation of `kind` and then calls the library's function of that name. */
#define COUNTED(kind, result, name, parameters, arguments) \
  result name parameters; \
  result name parameters { \
    static result(*next) parameters; \
    realtime_note(kind); \
    if (next == NULL) next = (result(*) parameters)dlsym(RTLD_NEXT, #name); \
    return next arguments; \
  }

COUNTED(REALTIME_LOCK, int, pthread_mutex_lock, (pthread_mutex_t * mutex), (mutex))
COUNTED(REALTIME_LOCK, int, pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))
COUNTED(REALTIME_LOCK, int, pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock))
COUNTED(REALTIME_LOCK, int, pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock))
COUNTED(REALTIME_LOCK, int, pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *mutex), (condition, mutex))
COUNTED(REALTIME_LOCK, int, sem_wait, (sem_t * semaphore), (semaphore))
COUNTED(REALTIME_LOCK, int, sem_timedwait, (sem_t * semaphore, const struct timespec *end), (semaphore, end))
COUNTED(REALTIME_LOCK, int, nanosleep, (const struct timespec *time, struct timespec *rest), (time, rest))
COUNTED(REALTIME_WAKE, int, sem_post, (sem_t * semaphore), (semaphore))
COUNTED(REALTIME_FILE, ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count))
COUNTED(REALTIME_FILE, ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count))
COUNTED(REALTIME_FILE, ssize_t, writev, (int file, const struct iovec *parts, int count), (file, parts, count))
COUNTED(REALTIME_FILE, int, close, (int file), (file))
COUNTED(REALTIME_FILE, FILE *, fopen, (const char *path, const char *mode), (path, mode))
COUNTED(REALTIME_FILE, size_t, fwrite, (const void *bytes, size_t size, size_t count, FILE *file), (bytes, size, count, file))

int open(const char *path, int flags, ...) {
  static int (*next)(const char *, int, ...);
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  realtime_note(REALTIME_FILE);
  if (next == NULL) next = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  return next(path, flags, mode);
}

/* A contended mutex in Swift calls the kernel this way; an uncontended one is not visible. */
long syscall(long number, ...) {
  static long (*next)(long, ...);
  long words[6];
  va_list rest;
  va_start(rest, number);
  for (int index = 0; index < 6; index++) words[index] = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_futex && (words[1] & FUTEX_CMD_MASK) == FUTEX_WAKE) {
    realtime_note(REALTIME_WAKE);
  } else {
    realtime_note(REALTIME_LOCK);
  }
  if (next == NULL) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return next(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

/* preserve_most, since Swift code may rely on more registers being preserved than C code does. Weak, since a program
   that is statically linked with the runtime cannot define these twice: there, nothing is counted. */
#define COUNTED_REFERENCE(result, name, parameters, arguments) \
  __attribute__((weak, preserve_most)) COUNTED(REALTIME_REFERENCE, result, name, parameters, arguments)

COUNTED_REFERENCE(void *, swift_retain, (void *object), (object))
COUNTED_REFERENCE(void *, swift_retain_n, (void *object, unsigned count), (object, count))
COUNTED_REFERENCE(void *, swift_release, (void *object), (object))
COUNTED_REFERENCE(void *, swift_release_n, (void *object, unsigned count), (object, count))
COUNTED_REFERENCE(void *, swift_bridgeObjectRetain, (void *object), (object))
COUNTED_REFERENCE(void *, swift_bridgeObjectRelease, (void *object), (object))
COUNTED_REFERENCE(void *, swift_unownedRetainStrong, (void *object), (object))
COUNTED_REFERENCE(void *, swift_weakLoadStrong, (void *reference), (reference))
COUNTED_REFERENCE(void *, swift_allocObject, (void *metadata, size_t size, size_t mask), (metadata, size, mask))

#endif
