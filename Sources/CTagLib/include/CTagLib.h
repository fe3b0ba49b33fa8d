#ifndef SEGUE_CTAGLIB_H
#define SEGUE_CTAGLIB_H

#include <TagLibShim.h>

/// TagLib, by way of our shim, which is a library of its own: it is loaded when it is first asked for.
typedef struct TagLibrary {
  TaggedFile *(*read)(const char *path);
  TagPicture *(*readPicture)(const char *path, size_t limit);
  TagWriting (*writeGain)(const char *path, const char *name, const TagGain *gain);
} TagLibrary;

/// The library; NULL where it is neither beside the program nor in `../lib/segue`, or cannot be loaded. Any thread.
const TagLibrary *TagLibraryLoad(void);

/// Whether the library's file is there, which is not loaded for that. Any thread.
bool TagLibraryIsInstalled(void);

#endif
