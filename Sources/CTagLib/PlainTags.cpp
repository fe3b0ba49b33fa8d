#include "PlainTags.h"

#include <strings.h>

bool readPlainTags(BlockStream &stream, const std::string &name, OwnedFile &result) {
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) return false;
  const char *suffix = name.c_str() + dot + 1;
  if (strcasecmp(suffix, "flac") == 0) return readPlainFLAC(stream, result);
  if (strcasecmp(suffix, "mp3") == 0) return readPlainMPEG(stream, result);
  if (strcasecmp(suffix, "ogg") == 0) return readPlainOgg(stream, false, result);
  if (strcasecmp(suffix, "opus") == 0) return readPlainOgg(stream, true, result);
  if (strcasecmp(suffix, "wav") == 0) return readPlainWAV(stream, result);
  return false;
}

bool setLength(OwnedFile &result, double frames, double sampleRate) {
  const double length = frames * 1000.0 / sampleRate + 0.5;
  if (!(length >= 0 && length < 2e9)) return false;
  result.lengthInMilliseconds = static_cast<int>(length);
  return true;
}
