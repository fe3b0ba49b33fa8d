// SPDX-License-Identifier: GPL-3.0-or-later

#include "CUchardet.h"

#include <string.h>
#include <uchardet/uchardet.h>

/// The functions of libuchardet that Segue uses.
typedef struct Uchardet {
  __typeof__(uchardet_new) *create;
  __typeof__(uchardet_delete) *destroy;
  __typeof__(uchardet_handle_data) *handle;
  __typeof__(uchardet_data_end) *end;
  __typeof__(uchardet_get_charset) *charset;
} Uchardet;

#if defined(__APPLE__)

static const Uchardet *load(void) {
  static const Uchardet library = {
      .create = uchardet_new,
      .destroy = uchardet_delete,
      .handle = uchardet_handle_data,
      .end = uchardet_data_end,
      .charset = uchardet_get_charset,
  };
  return &library;
}

#else

#include <CLibrary.h>
#include <pthread.h>

static Uchardet library;
static bool isLoaded = false;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void loadOnce(void) {
  const LibrarySymbol symbols[] = {
      {"uchardet_new", (void **)&library.create},
      {"uchardet_delete", (void **)&library.destroy},
      {"uchardet_handle_data", (void **)&library.handle},
      {"uchardet_data_end", (void **)&library.end},
      {"uchardet_get_charset", (void **)&library.charset},
  };
  isLoaded = LibraryLoad("libuchardet.so.0", symbols, sizeof symbols / sizeof symbols[0]);
}

static const Uchardet *load(void) {
  pthread_once(&once, loadOnce);
  return isLoaded ? &library : NULL;
}

#endif

bool UchardetName(const char *bytes, size_t count, char *name, size_t size) {
  const Uchardet *uchardet = load();
  if (!uchardet || size == 0) return false;
  const uchardet_t detector = uchardet->create();
  if (!detector) return false;
  bool isDetected = false;
  if (uchardet->handle(detector, bytes, count) == 0) {
    uchardet->end(detector);
    const char *charset = uchardet->charset(detector);
    isDetected = charset && charset[0] != 0 && strlen(charset) < size;
    if (isDetected) strcpy(name, charset);
  }
  uchardet->destroy(detector);
  return isDetected;
}
