#include "CTagLib.h"

#if defined(__APPLE__)

const TagLibrary *TagLibraryLoad(void) {
  static const TagLibrary library = {
      .read = TagLibRead,
      .readPicture = TagLibPictureRead,
      .writeGain = TagLibGainWrite,
  };
  return &library;
}

bool TagLibraryIsInstalled(void) { return true; }

#else

#include <CLibrary.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const places[] = {"libSegueTags.so", "../lib/segue/libSegueTags.so"};

/// Puts the path of the library's file into `path`; false where it is nowhere.
static bool find(char path[PATH_MAX]) {
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program);
  if (length <= 0 || (size_t)length >= sizeof program) return false;
  program[length] = '\0';
  char *end = strrchr(program, '/');
  if (!end) return false;
  end[1] = '\0';
  for (size_t index = 0; index < sizeof places / sizeof places[0]; index++) {
    const int count = snprintf(path, PATH_MAX, "%s%s", program, places[index]);
    if (count > 0 && count < PATH_MAX && access(path, R_OK) == 0) return true;
  }
  return false;
}

static TagLibrary library;
static bool isLoaded = false;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  const LibrarySymbol symbols[] = {
      {"TagLibRead", (void **)&library.read},
      {"TagLibPictureRead", (void **)&library.readPicture},
      {"TagLibGainWrite", (void **)&library.writeGain},
  };
  char path[PATH_MAX];
  isLoaded = find(path) && LibraryLoad(path, symbols, sizeof symbols / sizeof symbols[0]);
}

const TagLibrary *TagLibraryLoad(void) {
  pthread_once(&once, load);
  return isLoaded ? &library : NULL;
}

bool TagLibraryIsInstalled(void) {
  char path[PATH_MAX];
  return find(path);
}

#endif
