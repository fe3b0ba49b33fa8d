#ifndef SEGUE_CSOXR_H
#define SEGUE_CSOXR_H

#include <soxr.h>

/// What is used of libsoxr.
typedef struct SoxrLibrary {
  __typeof__(soxr_create) *create;
  __typeof__(soxr_delete) *destroy;
  __typeof__(soxr_process) *process;
  __typeof__(soxr_io_spec) *io_spec;
  __typeof__(soxr_quality_spec) *quality_spec;
  __typeof__(soxr_runtime_spec) *runtime_spec;
} SoxrLibrary;

/// The library, loaded when it is first asked for; NULL where it is not there. Any thread.
const SoxrLibrary *SoxrLibraryLoad(void);

#endif
