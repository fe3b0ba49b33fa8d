#include "PlainBytes.h"
#include "PlainReaders.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

using Offset = BlockFile::Offset;

constexpr size_t catalogLength = 128;
constexpr size_t headerLength = 396;
constexpr size_t trackLength = 36;
constexpr size_t indexLength = 12;
constexpr size_t identifierLength = 12;
constexpr int mostBlocks = 1'000;
constexpr int cueSheet = 5;

/// What follows the audio of a CD has one of these numbers, and another elsewhere.
constexpr int leadOut[] = {170, 255};

uint64_t bigEndian64(const unsigned char *bytes) {
  return uint64_t(bigEndian32(bytes)) << 32 | bigEndian32(bytes + 4);
}

/// The letters and digits at the beginning.
std::string identifier(const unsigned char *bytes, size_t count) {
  const auto isPart = [](unsigned char byte) {
    const char letter = upper(static_cast<char>(byte));
    return (byte >= '0' && byte <= '9') || (letter >= 'A' && letter <= 'Z');
  };
  return std::string(bytes, std::find_if_not(bytes, bytes + count, isPart));
}

/// A point in time as a sheet says it, in frames of a CD, 75 a second.
std::string time(uint64_t sample, uint64_t sampleRate) {
  const uint64_t frames = sample / sampleRate * 75 + sample % sampleRate * 75 / sampleRate;
  char text[48];
  snprintf(text, sizeof text, "%02llu:%02llu:%02llu", static_cast<unsigned long long>(frames / 75 / 60),
           static_cast<unsigned long long>(frames / 75 % 60), static_cast<unsigned long long>(frames % 75));
  return text;
}

/// Whether a sheet that ends at `sample` is that of the file, and not of the CD that the file is one track of.
bool endsWithFile(uint64_t sample, uint64_t sampleRate, const OwnedFile &file) {
  static constexpr int64_t tolerance = 1'000;
  if (file.lengthInMilliseconds <= 0) return true;
  if (sample / sampleRate > uint64_t(INT32_MAX)) return false;
  const int64_t end = static_cast<int64_t>(sample / sampleRate * 1'000 + sample % sampleRate * 1'000 / sampleRate);
  return std::abs(end - file.lengthInMilliseconds) <= tolerance;
}

} // namespace

// RFC 9639, section 8.7.
void addCueSheet(BlockFile &file, Offset start, size_t length, OwnedFile &result) {
  static constexpr char key[] = "CUESHEET";
  const uint64_t sampleRate = static_cast<uint64_t>(std::max(result.sampleRate, 0));
  const Offset end = start + static_cast<Offset>(length);
  if (length < headerLength || end > file.length() || sampleRate == 0 || result.has(key)) return;
  const unsigned char *bytes = file.view(start, headerLength);
  if (!bytes) return;
  std::string text;
  const std::string catalog = identifier(bytes, catalogLength);
  if (!catalog.empty()) text += "CATALOG " + catalog + "\n";
  text += "FILE \"FLAC\" WAVE\n";
  const int count = bytes[headerLength - 1];
  Offset place = start + static_cast<Offset>(headerLength);
  for (int track = 0; track < count; ++track) {
    bytes = place + static_cast<Offset>(trackLength) > end ? nullptr : file.view(place, trackLength);
    if (!bytes) return;
    const uint64_t offset = bigEndian64(bytes);
    const int number = bytes[8];
    const bool isAudio = (bytes[21] & 0x80) == 0;
    const std::string isrc = identifier(bytes + 9, identifierLength);
    const int indexCount = bytes[trackLength - 1];
    place += static_cast<Offset>(trackLength);
    const bool isTrack = std::find(std::begin(leadOut), std::end(leadOut), number) == std::end(leadOut);
    if (!isTrack && !endsWithFile(offset, sampleRate, result)) return;
    if (isTrack) {
      text += "TRACK " + std::to_string(number) + (isAudio ? " AUDIO\n" : " MODE1/2352\n");
      if (!isrc.empty()) text += "ISRC " + isrc + "\n";
    }
    for (int index = 0; index < indexCount; ++index) {
      bytes = place + static_cast<Offset>(indexLength) > end ? nullptr : file.view(place, indexLength);
      if (!bytes) return;
      const uint64_t sample = offset + bigEndian64(bytes);
      if (sample < offset) return;
      if (isTrack && bytes[8] <= 1) {
        text += (bytes[8] == 0 ? "INDEX 00 " : "INDEX 01 ") + time(sample, sampleRate) + "\n";
      }
      place += static_cast<Offset>(indexLength);
    }
  }
  result.add(key, sizeof key - 1, text.data(), text.size());
  result.sort();
}

void addCueSheet(BlockFile &file, OwnedFile &result) {
  Offset place = 0;
  const unsigned char *bytes = file.view(0, 10);
  if (bytes && memcmp(bytes, "ID3", 3) == 0) place = 10 + static_cast<Offset>(synchsafe(bytes + 6));
  bytes = file.view(place, 4);
  if (!bytes || memcmp(bytes, "fLaC", 4) != 0) return;
  place += 4;
  for (int block = 0; block < mostBlocks; ++block) {
    bytes = file.view(place, 4);
    if (!bytes) return;
    const bool isLast = (bytes[0] & 0x80) != 0;
    const int kind = bytes[0] & 0x7F;
    const size_t length = bigEndian32(bytes) & 0xFF'FFFF;
    if (kind == cueSheet) return addCueSheet(file, place + 4, length, result);
    if (isLast) return;
    place += 4 + static_cast<Offset>(length);
  }
}
