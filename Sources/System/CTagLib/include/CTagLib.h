// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_CTAGLIB_H
#define SEGUE_CTAGLIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One value of one tag field. A key with several values has an entry for each, in their order.
typedef struct TagProperty {
  /// The name of the field in upper case, as in TagLib's PropertyMap; UTF-8 of `keyLength` bytes.
  const char *key;
  size_t keyLength;
  /// The value; UTF-8 of `valueLength` bytes, which may contain NULs.
  const char *value;
  size_t valueLength;
  /// Whether the value has the bytes of the file instead of UTF-8, because the tag does not state their encoding.
  bool isUndecoded;
} TagProperty;

/// The formats that Swift examines more closely than TagLib does.
typedef enum TagFormat {
  TagOtherFormat = 0,
  /// Native FLAC, without a container.
  TagFLAC = 1,
  /// Any codec in an Ogg container.
  TagOgg = 2,
  /// MPEG audio of layer III.
  TagMPEGLayer3 = 3,
  /// Any codec in an MP4 container.
  TagMP4 = 4,
  /// Any codec in an ASF container (Windows Media).
  TagASF = 5,
} TagFormat;

/// The tags and the header data of a file, which is closed again after reading.
typedef struct TaggedFile {
  const TagProperty *properties;
  size_t propertyCount;
  /// The length in milliseconds; 0 if it is not known.
  int64_t lengthInMilliseconds;
  /// The sample rate in Hz; 0 if the file contains no audio that TagLib understands.
  int sampleRate;
  /// The number of channels; 0 if it is not known.
  int channels;
  /// The number of bits per sample; 0 if the format has no such number.
  int bitsPerSample;
  TagFormat format;
  /// For layer III only: the offset of the first frame in the file, and whether that frame states the number of frames.
  int64_t firstFrame;
  bool isLengthStated;
  /// Frees this object.
  void (*release)(struct TaggedFile *file);
} TaggedFile;

/// Reads the tags of the file at `path`, which must be a regular file, since a FIFO or an endless device would block
/// forever.
///
/// The file is opened for reading only. Values longer than 64 KiB are left out. Returns NULL if the file cannot be
/// opened, is not in a format that TagLib knows and has neither an ID3v2 nor an APE tag, or memory runs out. Can be
/// called from any thread. The caller must call `release` of the result.
TaggedFile *TagLibRead(const char *path);

/// A picture in a file.
typedef struct TagPicture {
  const unsigned char *bytes;
  size_t count;
  /// The MIME type as stated in the file; UTF-8, terminated by a NUL, and possibly empty.
  const char *mimeType;
  /// Frees this object.
  void (*release)(struct TagPicture *picture);
} TagPicture;

/// Reads the front cover, or else the first picture of any kind, from the file at `path`; only pictures of at most
/// `limit` bytes count.
///
/// FLAC: `PICTURE` blocks. Vorbis, Opus, Speex: `METADATA_BLOCK_PICTURE` comments. MP3, WAV, AIFF: ID3v2's `APIC`
/// frames; also DSF, DFF, and ID3v2 and APE tags at the beginning or end of other files. Returns NULL if there is no
/// picture, or the file cannot be read. Can be called from any thread. The caller must call `release` of the result.
TagPicture *TagLibPictureRead(const char *path, size_t limit);

/// What to write. A gain or peak of NaN, and a negative rating, leave the file's own value unchanged.
typedef struct TagChanges {
  /// The track gain in dB, relative to -18 LUFS.
  double trackGain;
  /// The track peak; 1.0 is full scale.
  double trackPeak;
  /// The album gain in dB, relative to -18 LUFS.
  double albumGain;
  /// The album peak; 1.0 is full scale.
  double albumPeak;
  /// The rating in half stars, from 1 to 10; 0 removes the rating.
  int rating;
} TagChanges;

/// The result of writing.
typedef enum TagWriting {
  TagWritten = 0,
  /// The file cannot be opened, or contains no audio that TagLib understands.
  TagUnreadable = 1,
  /// The format has no such fields that other players know.
  TagUnsupported = 2,
  /// Writing failed; the file may contain a part of the new version.
  TagFailed = 3,
} TagWriting;

/// Writes loudness and a rating to the tags of the regular file at `path`, in place; nothing else in its tags changes.
///
/// Loudness: `REPLAYGAIN_` comments in FLAC and Vorbis; ID3v2 `TXXX` frames of these names in MP3, WAV and AIFF, in the
/// version of ID3v2 that the file has; an MP3's RVA2 frames and APE items for loudness are removed, since they would
/// contradict the new values. Opus: `R128_` comments (RFC 7845, section 5.2.1); `REPLAYGAIN_` comments are removed.
///
/// The rating: `FMPS_Rating` in all these formats, and in MP4, ASF, WavPack, Monkey's Audio and Musepack; in ID3v2 also
/// `POPM` frames, in ASF also `WM/SharedUserRating`. A number in `RATING` is changed, too.
///
/// As for reading, the suffix of `name` determines the format, or else the contents, if they are in another one. Can be
/// called from any thread.
TagWriting TagLibWrite(const char *path, const char *name, const TagChanges *changes);

#ifdef __cplusplus
}
#endif

#endif
