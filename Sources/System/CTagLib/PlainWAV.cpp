#include "PlainBytes.h"
#include "PlainReaders.h"

#include <cstring>

namespace {

using Offset = BlockFile::Offset;

struct Format {
  int kind = 0;
  int channels = 0;
  uint32_t sampleRate = 0;
  int bits = 0;

  bool read(BlockFile &file, Offset offset, size_t length) {
    const unsigned char *bytes = length < 16 || length > 64 ? nullptr : file.view(offset, length);
    if (!bytes) return false;
    kind = littleEndian16(bytes);
    if (kind == 0xFFFE) {
      if (length != 40) return false;
      kind = littleEndian16(bytes + 24);
    }
    channels = littleEndian16(bytes + 2);
    sampleRate = littleEndian32(bytes + 4);
    bits = littleEndian16(bytes + 14);
    return kind == 1 && channels > 0 && channels < 1'000 && bits > 0 && bits <= 64 && sampleRate > 0 &&
           sampleRate < 1'000'000'000;
  }
};

/// Whether an INFO list says anything that the fields do not.
bool saysMore(BlockFile &file, Offset offset, size_t length, const OwnedFile &result) {
  static constexpr struct {
    const char *name;
    const char *key;
  } names[] = {{"INAM", "TITLE"},       {"IART", "ARTIST"}, {"IPRD", "ALBUM"}, {"ITRK", "TRACKNUMBER"},
               {"IPRT", "TRACKNUMBER"}, {"ICRD", "DATE"},   {"IGNR", "GENRE"}, {"IMUS", "COMPOSER"}};
  const unsigned char *bytes = file.view(offset, length);
  if (!bytes) return true;
  for (size_t place = 4; place + 8 <= length;) {
    for (const auto &name : names) {
      if (memcmp(bytes + place, name.name, 4) == 0 && !result.has(name.key)) return true;
    }
    const size_t size = littleEndian32(bytes + place + 4);
    if (size > length - place - 8) break;
    place += 8 + size + (size & 1);
  }
  return false;
}

} // namespace

// Only with an ID3v2 tag: what an INFO list alone says, TagLib reads in its own way.
bool readPlainWAV(BlockFile &file, OwnedFile &result) {
  const unsigned char *bytes = file.view(0, 12);
  if (!bytes || memcmp(bytes, "RIFF", 4) != 0 || memcmp(bytes + 8, "WAVE", 4) != 0) return false;
  const Offset end = file.length();
  Format format;
  Offset information = 0;
  size_t informationLength = 0;
  uint64_t soundLength = 0;
  bool hasTag = false;
  Offset offset = 12;
  while (offset + 8 <= end) {
    bytes = file.view(offset, 8);
    if (!bytes) return false;
    char name[4];
    memcpy(name, bytes, 4);
    const size_t length = littleEndian32(bytes + 4);
    const auto is = [&](const char *other) { return memcmp(name, other, 4) == 0; };
    offset += 8;
    if (offset > end - static_cast<Offset>(length)) return false;
    Offset next = offset + static_cast<Offset>(length);
    if (next & 1 && next < end) {
      bytes = file.view(next, 1);
      if (!bytes || *bytes != 0) return false;
      ++next;
    }
    if (is("fmt ")) {
      if (format.kind != 0 || !format.read(file, offset, length)) return false;
    } else if (is("data")) {
      if (soundLength != 0) return false;
      soundLength = static_cast<uint64_t>(next - offset);
    } else if (is("id3 ") || is("ID3 ")) {
      const Offset tagLength = hasTag ? 0 : readPlainID3v2(file, offset, result);
      if (tagLength == 0 || tagLength > static_cast<Offset>(length)) return false;
      hasTag = true;
    } else if (is("LIST")) {
      bytes = length < 4 ? nullptr : file.view(offset, 4);
      if (!bytes) return false;
      if (memcmp(bytes, "INFO", 4) == 0) {
        if (information != 0) return false;
        information = offset;
        informationLength = length;
      }
    } else if (!is("fact") && !is("bext") && !is("JUNK") && !is("cue ") && !is("PEAK") && !is("smpl")) {
      return false;
    }
    offset = next;
  }
  if (!hasTag || format.kind == 0 || soundLength == 0 || soundLength > UINT32_MAX) return false;
  if (information != 0 && saysMore(file, information, informationLength, result)) return false;
  const uint64_t frames = soundLength / (static_cast<uint64_t>(format.channels) * ((format.bits + 7) / 8));
  result.sampleRate = static_cast<int>(format.sampleRate);
  result.channels = format.channels;
  result.bitsPerSample = format.bits;
  return frames > 0 && setLength(result, static_cast<double>(frames), format.sampleRate);
}
