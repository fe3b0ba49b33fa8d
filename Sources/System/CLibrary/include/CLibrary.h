// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_CLIBRARY_H
#define SEGUE_CLIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/// The name of a function or table in a library, and where to store its address.
typedef struct LibrarySymbol {
  const char *name;
  void **address;
} LibrarySymbol;

/// Loads the library with this file name, and finds `count` symbols in it or in its dependencies; returns false if it
/// is missing, or too old to have all of them. Can be called from any thread.
bool LibraryLoad(const char *name, const LibrarySymbol *symbols, size_t count);

#endif
