// SPDX-License-Identifier: GPL-3.0-or-later

#include "CSoxr.h"

#if defined(__APPLE__)

const SoxrLibrary *SoxrLibraryLoad(void) {
  static const SoxrLibrary library = {
      .create = soxr_create,
      .destroy = soxr_delete,
      .process = soxr_process,
      .io_spec = soxr_io_spec,
      .quality_spec = soxr_quality_spec,
      .runtime_spec = soxr_runtime_spec,
  };
  return &library;
}

#else

#include <CLibrary.h>
#include <pthread.h>

static SoxrLibrary library;
static bool isLoaded = false;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  const LibrarySymbol symbols[] = {
      {"soxr_create", (void **)&library.create},
      {"soxr_delete", (void **)&library.destroy},
      {"soxr_process", (void **)&library.process},
      {"soxr_io_spec", (void **)&library.io_spec},
      {"soxr_quality_spec", (void **)&library.quality_spec},
      {"soxr_runtime_spec", (void **)&library.runtime_spec},
  };
  isLoaded = LibraryLoad("libsoxr.so.0", symbols, sizeof symbols / sizeof symbols[0]);
}

const SoxrLibrary *SoxrLibraryLoad(void) {
  pthread_once(&once, load);
  return isLoaded ? &library : NULL;
}

#endif
