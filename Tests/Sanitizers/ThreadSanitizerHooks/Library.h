// SPDX-License-Identifier: GPL-3.0-or-later

// The common part of the hooks.

#ifndef LIBRARY_H
#define LIBRARY_H

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

// The sanitizer's interface for synchronisation that it cannot observe (`sanitizer/tsan_interface.h`).
void __tsan_acquire(void *address);
void __tsan_release(void *address);

/// Returns the function of the Swift library that this target replaces under the same name.
static inline void *libraryFunction(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) {
    fprintf(stderr, "The Swift library has no %s any more.\n", name);
    abort();
  }
  return function;
}

/// Defines a function that returns the library's function `name`, looked up once.
#define LIBRARY_FUNCTION(Type, getter, name)                                   \
  static inline Type getter(void) {                                            \
    static void *found;                                                        \
    void *function = __atomic_load_n(&found, __ATOMIC_RELAXED);                \
    if (!function) {                                                           \
      function = libraryFunction(name);                                        \
      __atomic_store_n(&found, function, __ATOMIC_RELAXED);                    \
    }                                                                          \
    return (Type)function;                                                     \
  }

#endif
