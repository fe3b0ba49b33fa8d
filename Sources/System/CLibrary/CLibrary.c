// SPDX-License-Identifier: GPL-3.0-or-later

#include "CLibrary.h"

#include <dlfcn.h>

bool LibraryLoad(const char *name, const LibrarySymbol *symbols, size_t count) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return false;
  for (size_t index = 0; index < count; index++) {
    *symbols[index].address = dlsym(handle, symbols[index].name);
    if (!*symbols[index].address) {
      dlclose(handle);
      return false;
    }
  }
  return true;
}
