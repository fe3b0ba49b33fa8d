#ifndef SEGUE_CTAGLIB_H
#define SEGUE_CTAGLIB_H

#include <TagLibShim.h>

/// TagLib, by way of our shim, which on Linux is a library of its own: it is loaded when it is first asked for. It is
/// looked for in `../lib/segue`, as seen from the program, and beside that.
///
/// NULL where it cannot be loaded, now: the next call tries again. Then `fault`, if given, is filled with why, as a
/// text of less than `size` bytes that a NUL ends. Any thread.
const TagLibrary *TagLibraryLoad(char *fault, size_t size);

/// Whether the library's file is there, which is not loaded for that. Any thread.
bool TagLibraryIsInstalled(void);

#endif
