// SPDX-License-Identifier: GPL-3.0-or-later

#include "CEbur128.h"

#if defined(__APPLE__)

const Ebur128Library *Ebur128LibraryLoad(void) {
  static const Ebur128Library library = {
      .init = ebur128_init,
      .destroy = ebur128_destroy,
      .set_channel = ebur128_set_channel,
      .set_max_history = ebur128_set_max_history,
      .change_parameters = ebur128_change_parameters,
      .add_frames_float = ebur128_add_frames_float,
      .loudness_global_multiple = ebur128_loudness_global_multiple,
      .loudness_range = ebur128_loudness_range,
      .true_peak = ebur128_true_peak,
  };
  return &library;
}

#else

#include <CLibrary.h>
#include <pthread.h>

static Ebur128Library library;
static bool isLoaded = false;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  const LibrarySymbol symbols[] = {
      {"ebur128_init", (void **)&library.init},
      {"ebur128_destroy", (void **)&library.destroy},
      {"ebur128_set_channel", (void **)&library.set_channel},
      {"ebur128_set_max_history", (void **)&library.set_max_history},
      {"ebur128_change_parameters", (void **)&library.change_parameters},
      {"ebur128_add_frames_float", (void **)&library.add_frames_float},
      {"ebur128_loudness_global_multiple", (void **)&library.loudness_global_multiple},
      {"ebur128_loudness_range", (void **)&library.loudness_range},
      {"ebur128_true_peak", (void **)&library.true_peak},
  };
  isLoaded = LibraryLoad("libebur128.so.1", symbols, sizeof symbols / sizeof symbols[0]);
}

const Ebur128Library *Ebur128LibraryLoad(void) {
  pthread_once(&once, load);
  return isLoaded ? &library : NULL;
}

#endif
