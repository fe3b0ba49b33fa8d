// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_CSOXR_H
#define SEGUE_CSOXR_H

#include <soxr.h>

/// The functions of libsoxr that Segue uses.
typedef struct SoxrLibrary {
  __typeof__(soxr_create) *create;
  __typeof__(soxr_delete) *destroy;
  __typeof__(soxr_process) *process;
  __typeof__(soxr_io_spec) *io_spec;
  __typeof__(soxr_quality_spec) *quality_spec;
  __typeof__(soxr_runtime_spec) *runtime_spec;
} SoxrLibrary;

/// Returns the library, which is loaded at first use; NULL if it is missing. Can be called from any thread.
const SoxrLibrary *SoxrLibraryLoad(void);

#endif
