#ifndef SEGUE_CLIBRARY_H
#define SEGUE_CLIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/// A function or a table of a library, and where its address goes.
typedef struct LibrarySymbol {
  const char *name;
  void **place;
} LibrarySymbol;

/// Loads the library of this file name, and finds `count` functions in it or what it needs itself; false where it is
/// not there, or too old to have them all. Any thread.
bool LibraryLoad(const char *name, const LibrarySymbol *symbols, size_t count);

#endif
