// SPDX-License-Identifier: GPL-3.0-or-later

#include "CALSA.h"

#include <CLibrary.h>
#include <pthread.h>
#include <stdbool.h>

typedef void (*ErrorHandler)(const char *file, int line, const char *function, int error, const char *format, ...);

static ALSALibrary library;
static int (*setErrorHandler)(ErrorHandler handler);
static bool isLoaded = false;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/// Receives what the library would otherwise print to standard error, in the middle of what is on the screen. Errors
/// are reported by the functions' results as well.
static void ignoreError(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

static void load(void) {
  const LibrarySymbol symbols[] = {
      {"snd_asoundlib_version", (void **)&library.asoundlib_version},
      {"snd_card_get_index", (void **)&library.card_get_index},
      {"snd_lib_error_set_handler", (void **)&setErrorHandler},
      {"snd_strerror", (void **)&library.strerror},
      {"snd_pcm_avail_delay", (void **)&library.avail_delay},
      {"snd_pcm_close", (void **)&library.close},
      {"snd_pcm_drop", (void **)&library.drop},
      {"snd_pcm_get_chmap", (void **)&library.get_chmap},
      {"snd_pcm_hw_params", (void **)&library.hw_params},
      {"snd_pcm_hw_params_any", (void **)&library.hw_params_any},
      {"snd_pcm_hw_params_free", (void **)&library.hw_params_free},
      {"snd_pcm_hw_params_get_buffer_size", (void **)&library.hw_params_get_buffer_size},
      {"snd_pcm_hw_params_get_period_size", (void **)&library.hw_params_get_period_size},
      {"snd_pcm_hw_params_is_batch", (void **)&library.hw_params_is_batch},
      {"snd_pcm_hw_params_malloc", (void **)&library.hw_params_malloc},
      {"snd_pcm_hw_params_set_access", (void **)&library.hw_params_set_access},
      {"snd_pcm_hw_params_set_buffer_size_near", (void **)&library.hw_params_set_buffer_size_near},
      {"snd_pcm_hw_params_set_channels", (void **)&library.hw_params_set_channels},
      {"snd_pcm_hw_params_set_format", (void **)&library.hw_params_set_format},
      {"snd_pcm_hw_params_set_period_size_near", (void **)&library.hw_params_set_period_size_near},
      {"snd_pcm_hw_params_set_rate", (void **)&library.hw_params_set_rate},
      {"snd_pcm_hw_params_set_rate_resample", (void **)&library.hw_params_set_rate_resample},
      {"snd_pcm_mmap_begin", (void **)&library.mmap_begin},
      {"snd_pcm_mmap_commit", (void **)&library.mmap_commit},
      {"snd_pcm_open", (void **)&library.open},
      {"snd_pcm_prepare", (void **)&library.prepare},
      {"snd_pcm_rewind", (void **)&library.rewind},
      {"snd_pcm_rewindable", (void **)&library.rewindable},
      {"snd_pcm_start", (void **)&library.start},
      {"snd_pcm_state", (void **)&library.state},
      {"snd_pcm_sw_params", (void **)&library.sw_params},
      {"snd_pcm_sw_params_current", (void **)&library.sw_params_current},
      {"snd_pcm_sw_params_free", (void **)&library.sw_params_free},
      {"snd_pcm_sw_params_malloc", (void **)&library.sw_params_malloc},
      {"snd_pcm_sw_params_set_silence_size", (void **)&library.sw_params_set_silence_size},
      {"snd_pcm_sw_params_set_silence_threshold", (void **)&library.sw_params_set_silence_threshold},
      {"snd_pcm_type", (void **)&library.type},
  };
  isLoaded = LibraryLoad("libasound.so.2", symbols, sizeof symbols / sizeof symbols[0]);
  if (isLoaded) setErrorHandler(ignoreError);
}

const ALSALibrary *ALSALibraryLoad(void) {
  pthread_once(&once, load);
  return isLoaded ? &library : NULL;
}
