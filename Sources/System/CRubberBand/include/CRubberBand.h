// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_CRUBBERBAND_H
#define SEGUE_CRUBBERBAND_H

/// A time stretcher of Rubber Band. Only one thread at a time may use it.
typedef struct CRubberBandState CRubberBandState;

/// The functions of Rubber Band that Segue uses.
typedef struct RubberBandLibrary {
  /// Returns a stretcher whose output is `timeRatio` times as long as its input.
  CRubberBandState *(*create)(unsigned sampleRate, unsigned channels, int options, double timeRatio, double pitchScale);
  void (*destroy)(CRubberBandState *state);
  /// Returns the number of frames of silence with which the input has to begin.
  unsigned (*startPad)(const CRubberBandState *state);
  /// Returns the number of frames that come out before the first one after that silence.
  unsigned (*startDelay)(const CRubberBandState *state);
  void (*setMaximumSize)(CRubberBandState *state, unsigned frames);
  /// Passes frames to the stretcher, with an array of samples for each channel; nothing follows if `isFinal` is not 0.
  void (*process)(CRubberBandState *state, const float *const *input, unsigned frames, int isFinal);
  /// Returns the number of frames that can be retrieved; -1 if there will never be any more.
  int (*available)(const CRubberBandState *state);
  /// Moves frames into an array for each channel; returns their number.
  unsigned (*retrieve)(const CRubberBandState *state, float *const *output, unsigned frames);
} RubberBandLibrary;

/// The values of Rubber Band's options of these names.
enum {
  CRubberBandOptionProcessRealTime = 0x00000001,
  CRubberBandOptionWindowShort = 0x00100000,
  CRubberBandOptionChannelsTogether = 0x10000000,
  CRubberBandOptionEngineFiner = 0x20000000,
};

/// Returns the library, which is loaded at first use; NULL if it is missing, or older than version 3. Can be called
/// from any thread.
const RubberBandLibrary *RubberBandLibraryLoad(void);

#endif
