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
  /// The field's name in upper case, as TagLib's PropertyMap spells it; UTF-8 of `keyLength` bytes.
  const char *key;
  size_t keyLength;
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
///
/// What is tagged as most files are is read without TagLib, many times faster, and gives the same.
CTagLibFile *CTagLibFileRead(const char *path);

/// The same by TagLib alone: what `CTagLibFileRead` has to give.
CTagLibFile *CTagLibFileReadByTagLib(const char *path);

/// Frees what `CTagLibFileRead` or `CTagLibFileReadByTagLib` gave; NULL is allowed.
void CTagLibFileFree(CTagLibFile *file);

/// A picture within a file.
typedef struct CTagLibPicture {
  const unsigned char *bytes;
  size_t count;
  /// As the file says it; UTF-8, ended by a NUL, perhaps empty.
  const char *mimeType;
} CTagLibPicture;

/// Reads the picture of the front cover that the file at `path` holds, or else the first picture of any kind, of at most `limit` bytes.
///
/// FLAC: `PICTURE` blocks. Vorbis, Opus, Speex: `METADATA_BLOCK_PICTURE` comments. MP3, WAV, AIFF: ID3v2's `APIC` frames. Returns NULL
/// where there is none. Otherwise as `CTagLibFileRead`; free the result with `CTagLibPictureFree`.
CTagLibPicture *CTagLibPictureRead(const char *path, size_t limit);

/// Frees what `CTagLibPictureRead` gave; NULL is allowed.
void CTagLibPictureFree(CTagLibPicture *picture);

/// Gains and peaks to write; those that are NaN leave alone what the file has.
typedef struct CTagLibGain {
  /// In dB, relative to -18 LUFS.
  double trackGain;
  /// 1.0 is full scale.
  double trackPeak;
  /// In dB, relative to -18 LUFS.
  double albumGain;
  /// 1.0 is full scale.
  double albumPeak;
} CTagLibGain;

/// How writing went.
typedef enum CTagLibWriting {
  CTagLibWritten = 0,
  /// The file cannot be opened, or holds no sound that TagLib understands.
  CTagLibUnreadable = 1,
  /// The format has no place for loudness that other players know.
  CTagLibUnsupported = 2,
  /// Writing failed; the file may hold a part of the new version.
  CTagLibFailed = 3,
} CTagLibWriting;

/// Writes loudness into the tags of the regular file at `path`, in place; nothing else in its tags changes.
///
/// FLAC, Vorbis: `REPLAYGAIN_` comments. MP3, WAV, AIFF: ID3v2 `TXXX` frames of these names, in the version of ID3v2 that the
/// file has; an MP3's RVA2 frames and APE items for loudness go, since they would contradict. Opus: `R128_` comments (RFC 7845,
/// section 5.2.1), and `REPLAYGAIN_` comments go. `name` says by its suffix what the file is, and its contents where they are
/// something else, as for reading. Any thread.
CTagLibWriting CTagLibGainWrite(const char *path, const char *name, const CTagLibGain *gain);

#ifdef __cplusplus
}
#endif

#endif
