#if defined(__linux__)

#include <soxr.h>

#include "Loading.h"

static __typeof__(&soxr_create) create;
static __typeof__(&soxr_delete) delete;
static __typeof__(&soxr_process) process;
static __typeof__(&soxr_io_spec) ioSpec;
static __typeof__(&soxr_quality_spec) qualitySpec;
static __typeof__(&soxr_runtime_spec) runtimeSpec;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void loadSoxr(void) {
  const Symbol symbols[] = {
      {"soxr_create", (void **)&create},
      {"soxr_delete", (void **)&delete},
      {"soxr_process", (void **)&process},
      {"soxr_io_spec", (void **)&ioSpec},
      {"soxr_quality_spec", (void **)&qualitySpec},
      {"soxr_runtime_spec", (void **)&runtimeSpec},
  };
  load("libsoxr.so.0", symbols, sizeof symbols / sizeof symbols[0]);
}

soxr_t soxr_create(
    double inputRate, double outputRate, unsigned channels, soxr_error_t *error, soxr_io_spec_t const *io,
    soxr_quality_spec_t const *quality, soxr_runtime_spec_t const *runtime) {
  pthread_once(&once, loadSoxr);
  return create ? create(inputRate, outputRate, channels, error, io, quality, runtime) : NULL;
}

void soxr_delete(soxr_t soxr) {
  if (soxr) delete(soxr);
}

soxr_error_t soxr_process(
    soxr_t soxr, soxr_in_t in, size_t inLength, size_t *inDone, soxr_out_t out, size_t outLength,
    size_t *outDone) {
  return process(soxr, in, inLength, inDone, out, outLength, outDone);
}

soxr_io_spec_t soxr_io_spec(soxr_datatype_t inType, soxr_datatype_t outType) {
  pthread_once(&once, loadSoxr);
  return ioSpec ? ioSpec(inType, outType) : (soxr_io_spec_t){0};
}

soxr_quality_spec_t soxr_quality_spec(unsigned long recipe, unsigned long flags) {
  pthread_once(&once, loadSoxr);
  return qualitySpec ? qualitySpec(recipe, flags) : (soxr_quality_spec_t){0};
}

soxr_runtime_spec_t soxr_runtime_spec(unsigned threads) {
  pthread_once(&once, loadSoxr);
  return runtimeSpec ? runtimeSpec(threads) : (soxr_runtime_spec_t){0};
}

#endif
