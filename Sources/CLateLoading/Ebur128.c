#if defined(__linux__)

#include <ebur128.h>

#include "Loading.h"

static __typeof__(&ebur128_init) init;
static __typeof__(&ebur128_destroy) destroy;
static __typeof__(&ebur128_set_channel) setChannel;
static __typeof__(&ebur128_set_max_history) setMaxHistory;
static __typeof__(&ebur128_change_parameters) changeParameters;
static __typeof__(&ebur128_add_frames_float) addFramesFloat;
static __typeof__(&ebur128_loudness_global) loudnessGlobal;
static __typeof__(&ebur128_loudness_global_multiple) loudnessGlobalMultiple;
static __typeof__(&ebur128_loudness_range) loudnessRange;
static __typeof__(&ebur128_sample_peak) samplePeak;
static __typeof__(&ebur128_true_peak) truePeak;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void loadEbur128(void) {
  const Symbol symbols[] = {
      {"ebur128_init", (void **)&init},
      {"ebur128_destroy", (void **)&destroy},
      {"ebur128_set_channel", (void **)&setChannel},
      {"ebur128_set_max_history", (void **)&setMaxHistory},
      {"ebur128_change_parameters", (void **)&changeParameters},
      {"ebur128_add_frames_float", (void **)&addFramesFloat},
      {"ebur128_loudness_global", (void **)&loudnessGlobal},
      {"ebur128_loudness_global_multiple", (void **)&loudnessGlobalMultiple},
      {"ebur128_loudness_range", (void **)&loudnessRange},
      {"ebur128_sample_peak", (void **)&samplePeak},
      {"ebur128_true_peak", (void **)&truePeak},
  };
  load("libebur128.so.1", symbols, sizeof symbols / sizeof symbols[0]);
}

ebur128_state *ebur128_init(unsigned int channels, unsigned long sampleRate, int mode) {
  pthread_once(&once, loadEbur128);
  return init ? init(channels, sampleRate, mode) : NULL;
}

// All others work on what the first one made, but for that which may be asked of nothing.

void ebur128_destroy(ebur128_state **state) {
  if (state && *state) destroy(state);
}

int ebur128_set_channel(ebur128_state *state, unsigned int channel, int value) {
  return setChannel(state, channel, value);
}

int ebur128_set_max_history(ebur128_state *state, unsigned long milliseconds) {
  return setMaxHistory(state, milliseconds);
}

int ebur128_change_parameters(ebur128_state *state, unsigned int channels, unsigned long sampleRate) {
  return changeParameters(state, channels, sampleRate);
}

int ebur128_add_frames_float(ebur128_state *state, const float *samples, size_t frames) {
  return addFramesFloat(state, samples, frames);
}

int ebur128_loudness_global(ebur128_state *state, double *loudness) { return loudnessGlobal(state, loudness); }

int ebur128_loudness_global_multiple(ebur128_state **states, size_t count, double *loudness) {
  pthread_once(&once, loadEbur128);
  return loudnessGlobalMultiple ? loudnessGlobalMultiple(states, count, loudness) : EBUR128_ERROR_NOMEM;
}

int ebur128_loudness_range(ebur128_state *state, double *range) { return loudnessRange(state, range); }

int ebur128_sample_peak(ebur128_state *state, unsigned int channel, double *peak) {
  return samplePeak(state, channel, peak);
}

int ebur128_true_peak(ebur128_state *state, unsigned int channel, double *peak) {
  return truePeak(state, channel, peak);
}

#endif
