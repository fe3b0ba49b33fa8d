#include "CTagLib.h"

#if defined(__APPLE__)

const TagLibrary *TagLibraryLoad(char *fault, size_t size) {
  (void)fault;
  (void)size;
  return &SegueTags1;
}

bool TagLibraryIsInstalled(void) { return true; }

#else

#include <CLibrary.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const places[] = {"../lib/segue/libSegueTags.so", "libSegueTags.so"};
enum { placeCount = sizeof places / sizeof places[0] };

/// Puts the path of a place into `path`; false where it is too long, or nobody knows where the program is.
static bool find(const char *place, char path[PATH_MAX]) {
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program);
  if (length <= 0 || (size_t)length >= sizeof program) return false;
  program[length] = '\0';
  char *end = strrchr(program, '/');
  if (!end) return false;
  end[1] = '\0';
  const int count = snprintf(path, PATH_MAX, "%s%s", program, place);
  return count > 0 && count < PATH_MAX;
}

static const TagLibrary *load(char *fault, size_t size) {
  if (size > 0) snprintf(fault, size, "libSegueTags.so is not there");
  for (size_t index = 0; index < placeCount; index++) {
    char path[PATH_MAX];
    if (!find(places[index], path) || access(path, F_OK) != 0) continue;
    void *table = NULL;
    const LibrarySymbol symbol = {"SegueTags1", &table};
    if (LibraryLoad(path, &symbol, 1)) return table;
    const char *error = dlerror();
    if (size > 0) snprintf(fault, size, "%s", error ? error : "libSegueTags.so is of another version");
  }
  return NULL;
}

const TagLibrary *TagLibraryLoad(char *fault, size_t size) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static const TagLibrary *library = NULL;
  pthread_mutex_lock(&mutex);
  if (!library) library = load(fault, size);
  const TagLibrary *loaded = library;
  pthread_mutex_unlock(&mutex);
  return loaded;
}

bool TagLibraryIsInstalled(void) {
  for (size_t index = 0; index < placeCount; index++) {
    char path[PATH_MAX];
    if (find(places[index], path) && access(path, F_OK) == 0) return true;
  }
  return false;
}

#endif
