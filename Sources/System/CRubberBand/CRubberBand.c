// SPDX-License-Identifier: GPL-3.0-or-later

#include "CRubberBand.h"

#include <CLibrary.h>
#include <pthread.h>
#include <stddef.h>

#if defined(__APPLE__)
static const char *const names[] = {
    "librubberband.2.dylib", "/opt/homebrew/lib/librubberband.2.dylib", "/usr/local/lib/librubberband.2.dylib"};
#else
static const char *const names[] = {"librubberband.so.2"};
#endif

static RubberBandLibrary library;
static const RubberBandLibrary *loaded = NULL;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  const LibrarySymbol symbols[] = {
      {"rubberband_new", (void **)&library.create},
      {"rubberband_delete", (void **)&library.destroy},
      {"rubberband_get_preferred_start_pad", (void **)&library.startPad},
      {"rubberband_get_start_delay", (void **)&library.startDelay},
      {"rubberband_set_max_process_size", (void **)&library.setMaximumSize},
      {"rubberband_process", (void **)&library.process},
      {"rubberband_available", (void **)&library.available},
      {"rubberband_retrieve", (void **)&library.retrieve},
  };
  for (size_t index = 0; index < sizeof names / sizeof names[0] && !loaded; index++) {
    if (LibraryLoad(names[index], symbols, sizeof symbols / sizeof symbols[0])) loaded = &library;
  }
}

const RubberBandLibrary *RubberBandLibraryLoad(void) {
  pthread_once(&once, load);
  return loaded;
}
