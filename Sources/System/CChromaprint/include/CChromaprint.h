// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_CCHROMAPRINT_H
#define SEGUE_CCHROMAPRINT_H

#include <stdint.h>

/// The state of one calculation. Only one thread at a time may use it.
typedef struct CChromaprintContext CChromaprintContext;

/// The functions of libchromaprint that Segue uses. Those that return a number return 0 if they fail.
typedef struct ChromaprintLibrary {
  const char *(*get_version)(void);
  /// Creates a calculation by one of the algorithms; NULL if memory runs out.
  CChromaprintContext *(*make)(int algorithm);
  void (*destroy)(CChromaprintContext *context);
  /// Begins a calculation. The rate is in Hz.
  int (*start)(CChromaprintContext *context, int rate, int channels);
  /// Adds `count` interleaved samples.
  int (*feed)(CChromaprintContext *context, const int16_t *samples, int count);
  int (*finish)(CChromaprintContext *context);
  /// Sets `fingerprint` to text in base 64, which `dealloc` frees.
  int (*get_fingerprint)(CChromaprintContext *context, char **fingerprint);
  void (*dealloc)(void *memory);
} ChromaprintLibrary;

/// The value of CHROMAPRINT_ALGORITHM_DEFAULT, by which AcoustID looks recordings up.
enum { CChromaprintDefaultAlgorithm = 1 };

/// Returns the library, which is loaded at first use; NULL if it is missing. Can be called from any thread.
const ChromaprintLibrary *ChromaprintLibraryLoad(void);

#endif
