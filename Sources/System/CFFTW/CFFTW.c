// SPDX-License-Identifier: GPL-3.0-or-later

#include "CFFTW.h"

#include <CLibrary.h>
#include <pthread.h>
#include <stddef.h>

#if defined(__APPLE__)
static const char *const names[] = {
    "libfftw3f.3.dylib", "/opt/homebrew/lib/libfftw3f.3.dylib", "/usr/local/lib/libfftw3f.3.dylib"};
#else
static const char *const names[] = {"libfftw3f.so.3"};
#endif

static FFTWLibrary library;
static const FFTWLibrary *loaded = NULL;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  const LibrarySymbol symbols[] = {
      {"fftwf_version", (void **)&library.version},
      {"fftwf_plan_r2r_1d", (void **)&library.plan_r2r_1d},
      {"fftwf_execute_r2r", (void **)&library.execute_r2r},
      {"fftwf_destroy_plan", (void **)&library.destroy_plan},
  };
  for (size_t index = 0; index < sizeof names / sizeof names[0] && !loaded; index++) {
    if (LibraryLoad(names[index], symbols, sizeof symbols / sizeof symbols[0])) loaded = &library;
  }
}

const FFTWLibrary *FFTWLibraryLoad(void) {
  pthread_once(&once, load);
  return loaded;
}
