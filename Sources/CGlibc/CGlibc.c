// `dl_iterate_phdr` and `struct dl_phdr_info` are extensions.
#define _GNU_SOURCE
#include "CGlibc.h"

#ifdef __linux__
#include <errno.h>
#include <link.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void nameCallingThread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

void *makeSemaphore(void) {
  sem_t *semaphore = malloc(sizeof *semaphore);
  if (semaphore) sem_init(semaphore, 0, 0);
  return semaphore;
}

void freeSemaphore(void *semaphore) {
  sem_destroy(semaphore);
  free(semaphore);
}

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

// The pages of an object's code, and of its beginning, where that can only be read: nothing is ever written there.
static int releaseCodeOfObject(struct dl_phdr_info *object, size_t size, void *page) {
  (void)size;
  if (object->dlpi_name && !strncmp(object->dlpi_name, "linux-", 6)) return 0;
  const uintptr_t last = *(const uintptr_t *)page - 1;
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[index];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_W)) continue;
    if (!(part->p_flags & PF_X) && part->p_offset != 0) continue;
    const uintptr_t start = (object->dlpi_addr + part->p_vaddr + last) & ~last;
    const uintptr_t end = (object->dlpi_addr + part->p_vaddr + part->p_memsz) & ~last;
    if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void releaseCodePages(void) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  dl_iterate_phdr(releaseCodeOfObject, &page);
}
#endif
