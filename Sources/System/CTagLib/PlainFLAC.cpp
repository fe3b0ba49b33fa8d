#include "PlainBytes.h"
#include "PlainComments.h"
#include "PlainReaders.h"

#include <cstring>

namespace {

using Offset = BlockFile::Offset;

/// A block of metadata.
class BlockSource : public PlainSource {
public:
  BlockSource(BlockFile &file, Offset start, size_t count) : file_(file), place_(start), left_(count) {}

  bool read(unsigned char *target, size_t count) override {
    if (count > left_) return false;
    if (target) {
      const unsigned char *bytes = file_.view(place_, count);
      if (!bytes) return false;
      memcpy(target, bytes, count);
    }
    place_ += static_cast<Offset>(count);
    left_ -= count;
    return true;
  }

private:
  BlockFile &file_;
  Offset place_;
  size_t left_;
};

enum Block { streamInformation = 0, padding = 1, seekTable = 3, vorbisComment = 4, cueSheet = 5 };

bool readInformation(BlockFile &file, Offset start, size_t length, OwnedFile &result) {
  const unsigned char *bytes = length < 18 ? nullptr : file.view(start, 18);
  if (!bytes) return false;
  const uint32_t format = bigEndian32(bytes + 10);
  const uint64_t frames = uint64_t(format & 0xF) << 32 | bigEndian32(bytes + 14);
  result.sampleRate = static_cast<int>(format >> 12);
  result.channels = static_cast<int>(format >> 9 & 7) + 1;
  result.bitsPerSample = static_cast<int>(format >> 4 & 31) + 1;
  return result.sampleRate > 0 && setLength(result, static_cast<double>(frames), result.sampleRate);
}

} // namespace

// RFC 9639, section 8.
bool readPlainFLAC(BlockFile &file, OwnedFile &result) {
  const unsigned char *bytes = file.view(0, 4);
  if (!bytes || memcmp(bytes, "fLaC", 4) != 0) return false;
  Offset offset = 4;
  bool isLast = false;
  bool hasComments = false;
  Offset sheet = 0;
  size_t sheetLength = 0;
  for (bool isFirst = true; !isLast; isFirst = false) {
    bytes = file.view(offset, 4);
    if (!bytes) return false;
    isLast = (bytes[0] & 0x80) != 0;
    const int kind = bytes[0] & 0x7F;
    const size_t length = bigEndian32(bytes) & 0xFF'FFFF;
    offset += 4;
    // Behind the last block there is sound, or else TagLib takes the file for damaged.
    if (isFirst != (kind == streamInformation) || offset >= file.length() - static_cast<Offset>(length)) return false;
    if (length == 0 && kind != padding && kind != seekTable) return false;
    if (isFirst && !readInformation(file, offset, length, result)) return false;
    if (kind == vorbisComment) {
      BlockSource source(file, offset, length);
      if (hasComments || !readPlainComments(source, result) || result.isEmpty()) return false;
      hasComments = true;
    }
    if (kind == cueSheet && sheet == 0) {
      sheet = offset;
      sheetLength = length;
    }
    offset += static_cast<Offset>(length);
  }
  if (sheet > 0) addCueSheet(file, sheet, sheetLength, result);
  return hasComments;
}
