#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

typedef struct Symbol {
  const char *name;
  void **place;
} Symbol;

/// Loads the library, and finds all of `symbols` in it; leaves no place set where one is missing.
static inline void load(const char *name, const Symbol *symbols, size_t count) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
  for (size_t index = 0; index < count; index++) {
    *symbols[index].place = dlsym(handle, symbols[index].name);
    if (*symbols[index].place) continue;
    for (size_t place = 0; place < index; place++) *symbols[place].place = NULL;
    return;
  }
}
