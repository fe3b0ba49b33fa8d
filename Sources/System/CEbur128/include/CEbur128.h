// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_CEBUR128_H
#define SEGUE_CEBUR128_H

#include <ebur128.h>

/// The functions of libebur128 that Segue uses.
typedef struct Ebur128Library {
  __typeof__(ebur128_init) *init;
  __typeof__(ebur128_destroy) *destroy;
  __typeof__(ebur128_set_channel) *set_channel;
  __typeof__(ebur128_set_max_history) *set_max_history;
  __typeof__(ebur128_change_parameters) *change_parameters;
  __typeof__(ebur128_add_frames_float) *add_frames_float;
  __typeof__(ebur128_loudness_global_multiple) *loudness_global_multiple;
  __typeof__(ebur128_loudness_range) *loudness_range;
  __typeof__(ebur128_true_peak) *true_peak;
} Ebur128Library;

/// Returns the library, which is loaded at first use; NULL if it is missing. Can be called from any thread.
const Ebur128Library *Ebur128LibraryLoad(void);

#endif
