// `dl_iterate_phdr` and `struct dl_phdr_info` are extensions.
#define _GNU_SOURCE
#include "CGlibc.h"

#ifdef __linux__
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void nameCallingThread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

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
