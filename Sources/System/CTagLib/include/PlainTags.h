#ifndef SEGUE_PLAINTAGS_H
#define SEGUE_PLAINTAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One value of one tag. A key with several values has an entry for each, in their order.
typedef struct TagProperty {
  /// The field's name in upper case, as TagLib's PropertyMap spells it; UTF-8 of `keyLength` bytes.
  const char *key;
  size_t keyLength;
  /// UTF-8 of `valueLength` bytes, which may hold NULs.
  const char *value;
  size_t valueLength;
} TagProperty;

/// What a file's tags and header say, read in one go: nothing of the file stays open.
typedef struct TaggedFile {
  const TagProperty *properties;
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
  /// Whether the length is a guess from the file's first frame that does not hold for the rest.
  bool isLengthGuessed;
  /// Frees it.
  void (*release)(struct TaggedFile *file);
} TaggedFile;

/// Reads the regular file at `path` where it is as most are: FLAC, Ogg Vorbis, Opus, MP3 or WAV, tagged in the usual
/// way.
///
/// What it gives is what TagLib gives, value by value, many times faster. Whatever is unusual - damage, other tags,
/// rare frames and encodings, values that TagLib changes - makes it give up: NULL, as where the file cannot be opened,
/// or memory runs out. Each file's kind goes by the suffix of `path`, as with TagLib. Any thread; who is given
/// something calls its `release`.
TaggedFile *PlainTagsRead(const char *path);

#ifdef __cplusplus
}
#endif

#endif
