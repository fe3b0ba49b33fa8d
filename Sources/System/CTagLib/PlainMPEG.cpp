#include "PlainBytes.h"
#include "PlainReaders.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace {

using Offset = BlockFile::Offset;

/// The header of a frame of layer III (ISO 11172-3, section 2.4.1.3; ISO 13818-3).
struct Frame {
  int sampleRate = 0;
  int channels = 0;
  int samples = 0;
  /// In kbit/s.
  int bitRate = 0;
  size_t length = 0;

  bool read(const unsigned char *bytes) {
    if (bytes[0] != 0xFF || bytes[1] == 0xFF || (bytes[1] & 0xE0) != 0xE0) return false;
    static constexpr int rates[4][3] = {{11025, 12000, 8000}, {0, 0, 0}, {22050, 24000, 16000}, {44100, 48000, 32000}};
    static constexpr int bits[2][16] = {{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0},
                                        {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0}};
    const int version = bytes[1] >> 3 & 3;
    const int rate = bytes[2] >> 2 & 3;
    if (version == 1 || (bytes[1] >> 1 & 3) != 1 || rate == 3) return false;
    bitRate = bits[version == 3][bytes[2] >> 4];
    if (bitRate == 0) return false;
    sampleRate = rates[version][rate];
    channels = bytes[3] >> 6 == 3 ? 1 : 2;
    samples = version == 3 ? 1152 : 576;
    length = static_cast<size_t>(samples * bitRate * 125 / sampleRate + (bytes[2] >> 1 & 1));
    return true;
  }
};

/// The bits of a header that are the same in all frames of a stream.
constexpr uint32_t sameBits = 0xFFFE'0C00;

/// What the first frame says that there is behind it.
struct Stated {
  /// 0 where it does not say.
  uint32_t frames = 0;
  uint32_t bytes = 0;

  Stated(const unsigned char *bytes, size_t count) {
    const std::string_view frame(reinterpret_cast<const char *>(bytes), count);
    size_t place = frame.find("Xing");
    if (place == std::string_view::npos) place = frame.find("Info");
    if (place == std::string_view::npos || place + 16 > count || (bytes[place + 7] & 3) != 3) return;
    this->bytes = bigEndian32(bytes + place + 12);
    frames = this->bytes == 0 ? 0 : bigEndian32(bytes + place + 8);
  }

  /// Whether so much more follows that it can hardly be tags: the first frame is that of the first of several files
  /// that were joined.
  bool isTooLittle(Offset length) const { return frames > 0 && length - static_cast<Offset>(bytes) > 65536; }
};

/// Whether the end may be that of an APE tag, or of a tag that counts as there is no other.
bool hasTagAtEnd(BlockFile &file, bool counts) {
  static constexpr Offset reach = 160;
  const unsigned char *bytes = file.view(file.length() - reach, reach);
  if (!bytes) return true;
  return memcmp(bytes, "APETAGEX", 8) == 0 || memcmp(bytes + reach - 32, "APETAGEX", 8) == 0 ||
         (counts && memcmp(bytes + reach - 128, "TAG", 3) == 0);
}

} // namespace

bool readPlainMPEG(BlockFile &file, OwnedFile &result) {
  const unsigned char *bytes = file.view(0, 3);
  if (!bytes) return false;
  Offset start = 0;
  if (memcmp(bytes, "ID3", 3) == 0) {
    start = readPlainID3v2(file, 0, result);
    if (start == 0) return false;
  }
  Frame frame;
  bytes = file.view(start, 4);
  if (!bytes || !frame.read(bytes)) return false;
  const uint32_t header = bigEndian32(bytes) & sameBits;
  bytes = file.view(start, frame.length + 4);
  if (!bytes || (bigEndian32(bytes + frame.length) & sameBits) != header) return false;
  const Stated stated(bytes, frame.length);
  if (stated.frames == 0 || stated.isTooLittle(file.length() - start)) return false;
  const double length = frame.samples * 1000.0 / frame.sampleRate * stated.frames + 0.5;
  if (!(length < 2e9)) return false;
  result.lengthInMilliseconds = static_cast<int>(length);
  result.sampleRate = frame.sampleRate;
  result.channels = frame.channels;
  return !hasTagAtEnd(file, start == 0);
}

bool isMPEGLengthGuessed(BlockFile &file, BlockFile::Offset start, bool isStated) {
  static constexpr int parts = 8;
  static constexpr size_t reach = 4096;
  Frame first;
  const unsigned char *bytes = start < 0 ? nullptr : file.view(start, 4);
  if (!bytes || !first.read(bytes)) return false;
  const uint32_t header = bigEndian32(bytes) & sameBits;
  if (isStated) {
    bytes = file.view(start, first.length);
    return bytes && Stated(bytes, first.length).isTooLittle(file.length() - start);
  }
  // The length was taken from the bit rate of the first frame: that is right where all others have the same.
  for (int part = 1; part < parts; ++part) {
    bytes = file.view(start + (file.length() - start) / parts * part, reach);
    if (!bytes) break;
    for (size_t place = 0; place + 4 <= reach; ++place) {
      Frame frame;
      if ((bigEndian32(bytes + place) & sameBits) != header || !frame.read(bytes + place)) continue;
      const size_t next = place + frame.length;
      if (next + 4 > reach || (bigEndian32(bytes + next) & sameBits) != header) continue;
      if (frame.bitRate != first.bitRate) return true;
      break;
    }
  }
  return false;
}
