// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_CFFTW_H
#define SEGUE_CFFTW_H

/// A plan of FFTW for one transform of real numbers in single precision.
typedef struct CFFTWPlan CFFTWPlan;

/// The functions of FFTW that Segue uses.
typedef struct FFTWLibrary {
  /// The version, as in "fftw-3.3.10-sse2-avx".
  const char *version;
  /// Makes a plan that neither measures nor touches the numbers, for arrays with any alignment. Only one thread at a
  /// time may make or destroy plans.
  CFFTWPlan *(*plan_r2r_1d)(int size, float *input, float *output, int kind, unsigned flags);
  /// Transforms `input` into `output`, with a plan for arrays of this size. Can be called from any thread.
  void (*execute_r2r)(const CFFTWPlan *plan, float *input, float *output);
  void (*destroy_plan)(CFFTWPlan *plan);
} FFTWLibrary;

/// The values of FFTW's constants of these names.
enum { CFFTW_R2HC = 0, CFFTW_UNALIGNED = 1 << 1, CFFTW_ESTIMATE = 1 << 6 };

/// Returns the library, which is loaded at first use; NULL if it is missing. Can be called from any thread.
const FFTWLibrary *FFTWLibraryLoad(void);

#endif
