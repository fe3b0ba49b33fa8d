#include "PlainTags.h"

#include "PlainReaders.h"

#include <cstring>
#include <memory>
#include <strings.h>

namespace {

bool readPlainTags(const char *suffix, BlockFile &file, OwnedFile &result) {
  if (strcasecmp(suffix, "flac") == 0) return readPlainFLAC(file, result);
  if (strcasecmp(suffix, "mp3") == 0) return readPlainMPEG(file, result);
  if (strcasecmp(suffix, "ogg") == 0) return readPlainOgg(file, false, result);
  if (strcasecmp(suffix, "opus") == 0) return readPlainOgg(file, true, result);
  if (strcasecmp(suffix, "wav") == 0) return readPlainWAV(file, result);
  return false;
}

} // namespace

TaggedFile *PlainTagsRead(const char *path) {
  try {
    const char *dot = strrchr(path, '.');
    if (!dot) return nullptr;
    BlockFile file(path);
    if (!file.isOpen()) return nullptr;
    auto result = std::make_unique<OwnedFile>();
    if (!readPlainTags(dot + 1, file, *result) || result->sampleRate <= 0) return nullptr;
    result->publish();
    return result.release();
  } catch (...) {
    return nullptr;
  }
}

bool setLength(OwnedFile &result, double frames, double sampleRate) {
  const double length = frames * 1000.0 / sampleRate + 0.5;
  if (!(length >= 0 && length < 2e9)) return false;
  result.lengthInMilliseconds = static_cast<int>(length);
  return true;
}
