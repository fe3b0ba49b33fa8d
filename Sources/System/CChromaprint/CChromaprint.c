// SPDX-License-Identifier: GPL-3.0-or-later

#include "CChromaprint.h"

#include <CLibrary.h>
#include <pthread.h>
#include <stddef.h>

#if defined(__APPLE__)
static const char *const names[] = {
    "libchromaprint.1.dylib", "/opt/homebrew/lib/libchromaprint.1.dylib", "/usr/local/lib/libchromaprint.1.dylib"};
#else
static const char *const names[] = {"libchromaprint.so.1"};
#endif

static ChromaprintLibrary library;
static const ChromaprintLibrary *loaded = NULL;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  const LibrarySymbol symbols[] = {
      {"chromaprint_get_version", (void **)&library.get_version},
      {"chromaprint_new", (void **)&library.make},
      {"chromaprint_free", (void **)&library.destroy},
      {"chromaprint_start", (void **)&library.start},
      {"chromaprint_feed", (void **)&library.feed},
      {"chromaprint_finish", (void **)&library.finish},
      {"chromaprint_get_fingerprint", (void **)&library.get_fingerprint},
      {"chromaprint_dealloc", (void **)&library.dealloc},
  };
  for (size_t index = 0; index < sizeof names / sizeof names[0] && !loaded; index++) {
    if (LibraryLoad(names[index], symbols, sizeof symbols / sizeof symbols[0])) loaded = &library;
  }
}

const ChromaprintLibrary *ChromaprintLibraryLoad(void) {
  pthread_once(&once, load);
  return loaded;
}
