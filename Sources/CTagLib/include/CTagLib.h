#ifndef SEGUE_CTAGLIB_H
#define SEGUE_CTAGLIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One value of one tag. A key with several values has an entry for each, in their order.
typedef struct CTagLibProperty {
  /// The field's name in upper case, as TagLib's PropertyMap spells it; UTF-8, ended by a NUL.
  const char *key;
  /// UTF-8 of `valueLength` bytes, which may hold NULs.
  const char *value;
  size_t valueLength;
} CTagLibProperty;

/// What a file's tags and header say, read in one go: nothing of the file stays open.
typedef struct CTagLibFile {
  const CTagLibProperty *properties;
  size_t propertyCount;
  /// The length in milliseconds; 0 where unknown.
  int64_t lengthInMilliseconds;
  /// Frames a second; 0 where the file holds no sound that TagLib understands.
  int sampleRate;
  /// Samples in a frame; 0 where unknown.
  int channels;
  /// Bits in a sample; 0 where the format has no such number.
  int bitsPerSample;
  /// Whether its contents show it to be of a format that cannot be played.
  bool isUnplayable;
} CTagLibFile;

/// Reads the file at `path`; what is no regular file is not read, since a FIFO or an endless device would block for ever.
///
/// The file is opened for reading only. Values above 64 KiB are left out. Returns NULL where the file cannot be
/// opened, is of no format that TagLib knows, or memory runs out. Any thread; free the result with
/// `CTagLibFileFree`.
CTagLibFile *CTagLibFileRead(const char *path);

/// Frees what `CTagLibFileRead` gave; NULL is allowed.
void CTagLibFileFree(CTagLibFile *file);

#ifdef __cplusplus
}
#endif

#endif
