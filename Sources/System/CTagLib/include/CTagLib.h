// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_CTAGLIB_H
#define SEGUE_CTAGLIB_H

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

/// Formats that are looked at more closely than TagLib does.
typedef enum TagFormat {
  TagOtherFormat = 0,
  /// Native FLAC.
  TagFLAC = 1,
  /// Any codec in an Ogg container.
  TagOgg = 2,
  /// MPEG sound of layer III.
  TagMPEGLayer3 = 3,
} TagFormat;

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
  TagFormat format;
  /// Of layer III: where in the file the first frame is, and whether that frame states how many there are.
  int64_t firstFrame;
  bool isLengthStated;
  /// Frees it.
  void (*release)(struct TaggedFile *file);
} TaggedFile;

/// Reads the file at `path`; what is no regular file is not read, since a FIFO or an endless device would block for
/// ever.
///
/// The file is opened for reading only. Values above 64 KiB are left out. Returns NULL where the file cannot be opened,
/// is of no format that TagLib knows, or memory runs out. Any thread; who is given something calls its `release`.
TaggedFile *TagLibRead(const char *path);

/// A picture within a file.
typedef struct TagPicture {
  const unsigned char *bytes;
  size_t count;
  /// As the file says it; UTF-8, ended by a NUL, perhaps empty.
  const char *mimeType;
  /// Frees it.
  void (*release)(struct TagPicture *picture);
} TagPicture;

/// Reads the picture of the front cover that the file at `path` holds, or else the first picture of any kind, of at
/// most `limit` bytes.
///
/// FLAC: `PICTURE` blocks. Vorbis, Opus, Speex: `METADATA_BLOCK_PICTURE` comments. MP3, WAV, AIFF: ID3v2's `APIC`
/// frames. Returns NULL where there is none. Otherwise as `TagLibRead`.
TagPicture *TagLibPictureRead(const char *path, size_t limit);

/// Gains and peaks to write; those that are NaN leave alone what the file has.
typedef struct TagGain {
  /// In dB, relative to -18 LUFS.
  double trackGain;
  /// 1.0 is full scale.
  double trackPeak;
  /// In dB, relative to -18 LUFS.
  double albumGain;
  /// 1.0 is full scale.
  double albumPeak;
} TagGain;

/// How writing went.
typedef enum TagWriting {
  TagWritten = 0,
  /// The file cannot be opened, or holds no sound that TagLib understands.
  TagUnreadable = 1,
  /// The format has no place for loudness that other players know.
  TagUnsupported = 2,
  /// Writing failed; the file may hold a part of the new version.
  TagFailed = 3,
} TagWriting;

/// Writes loudness into the tags of the regular file at `path`, in place; nothing else in its tags changes.
///
/// FLAC, Vorbis: `REPLAYGAIN_` comments. MP3, WAV, AIFF: ID3v2 `TXXX` frames of these names, in the version of ID3v2
/// that the file has; an MP3's RVA2 frames and APE items for loudness go, since they would contradict. Opus: `R128_`
/// comments (RFC 7845, section 5.2.1), and `REPLAYGAIN_` comments go. `name` says by its suffix what the file is, and
/// its contents where they are something else, as for reading. Any thread.
TagWriting TagLibGainWrite(const char *path, const char *name, const TagGain *gain);

#ifdef __cplusplus
}
#endif

#endif
