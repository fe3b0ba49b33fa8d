#include "PlainBytes.h"
#include "PlainComments.h"
#include "PlainReaders.h"

#include <algorithm>
#include <cstring>

namespace {

using Offset = BlockFile::Offset;

/// The header of a page (RFC 3533, section 6).
struct Page {
  static constexpr size_t headerLength = 27;

  Offset data = 0;
  Offset end = 0;
  /// Which of the file's streams it is a page of.
  uint32_t serial = 0;
  int64_t position = 0;
  /// The length of what belongs to its first packet, and whether that ends in it.
  size_t first = 0;
  bool endsFirst = false;
  bool isWholePacket = false;
  bool isLast = false;

  bool read(BlockFile &file, Offset offset) {
    const unsigned char *bytes = file.view(offset, headerLength);
    if (!bytes || memcmp(bytes, "OggS", 4) != 0) return false;
    isLast = (bytes[5] & 4) != 0;
    position = littleEndian64(bytes + 6);
    serial = littleEndian32(bytes + 14);
    const size_t segmentCount = bytes[26];
    const unsigned char *segments = file.view(offset + static_cast<Offset>(headerLength), segmentCount);
    if (segmentCount == 0 || !segments) return false;
    data = offset + static_cast<Offset>(headerLength + segmentCount);
    end = data;
    first = 0;
    endsFirst = false;
    size_t packetEnd = 0;
    for (size_t index = 0; index < segmentCount; ++index) {
      end += segments[index];
      if (endsFirst) continue;
      first += segments[index];
      endsFirst = segments[index] < 255;
      packetEnd = index + 1;
    }
    isWholePacket = endsFirst && packetEnd == segmentCount;
    return true;
  }
};

/// A packet that begins a page, over all of its pages.
class PacketSource : public PlainSource {
public:
  PacketSource(BlockFile &file, Offset page) : file_(file), isValid_(open(page)) {}

  bool read(unsigned char *target, size_t count) override {
    while (count > 0) {
      while (left_ == 0) {
        if (!turn()) return false;
      }
      const size_t part = std::min(count, left_);
      if (target) {
        const unsigned char *bytes = file_.view(place_, part);
        if (!bytes) return false;
        memcpy(target, bytes, part);
        target += part;
      }
      place_ += static_cast<Offset>(part);
      left_ -= part;
      count -= part;
    }
    return isValid_;
  }

  /// Passes over the rest; `false` where it is not all there.
  bool finish() {
    while (isValid_ && !page_.endsFirst) isValid_ = open(page_.end);
    return isValid_;
  }

private:
  bool turn() {
    isValid_ = isValid_ && !page_.endsFirst && open(page_.end);
    return isValid_;
  }

  bool open(Offset offset) {
    if (!page_.read(file_, offset) || page_.isLast || page_.end > file_.length()) return false;
    place_ = page_.data;
    left_ = page_.first;
    return true;
  }

  BlockFile &file_;
  Page page_;
  Offset place_ = 0;
  size_t left_ = 0;
  bool isValid_;
};

/// How far from the end the last page is looked for.
constexpr Offset tailLength = 16 * 1024;
/// TagLib looks for it in pieces of this length, and misses what lies across their edges.
constexpr Offset pieceLength = 1024;

bool readLastPage(BlockFile &file, Page &page) {
  const Offset length = file.length();
  // Mostly it is near.
  for (const Offset reach : {tailLength / 4, tailLength}) {
    const Offset start = std::max<Offset>(0, length - reach);
    const unsigned char *bytes = file.view(start, static_cast<size_t>(length - start));
    if (!bytes) return false;
    for (Offset place = length - 4; place >= start; --place) {
      if (bytes[place - start] != 'O' || memcmp(bytes + (place - start), "OggS", 4) != 0) continue;
      const Offset behind = (length + 4 - place) % pieceLength;
      return (behind == 0 || behind >= 4) && page.read(file, place);
    }
  }
  return false;
}

} // namespace

bool readPlainOgg(BlockFile &file, bool isOpus, OwnedFile &result) {
  Page head;
  if (!head.read(file, 0) || head.isLast || !head.isWholePacket) return false;
  const size_t wanted = isOpus ? 19 : 28;
  const unsigned char *bytes = head.first < wanted ? nullptr : file.view(head.data, wanted);
  if (!bytes || memcmp(bytes, isOpus ? "OpusHead" : "\1vorbis", isOpus ? 8 : 7) != 0) return false;
  result.channels = bytes[isOpus ? 9 : 11];
  const uint32_t rate = isOpus ? 48'000 : littleEndian32(bytes + 12);
  const int64_t skipped = isOpus ? littleEndian16(bytes + 10) : 0;
  if (rate == 0 || rate > 1'000'000'000) return false;
  result.sampleRate = static_cast<int>(rate);

  PacketSource packet(file, head.end);
  unsigned char mark[8];
  const size_t markLength = isOpus ? 8 : 7;
  if (!packet.read(mark, markLength) || memcmp(mark, isOpus ? "OpusTags" : "\3vorbis", markLength) != 0) return false;
  // Without any there are no others.
  if (!readPlainComments(packet, result) || !packet.finish()) return false;

  Page last;
  if (!readLastPage(file, last) || last.serial != head.serial) return false;
  if (head.position < 0 || last.position < 0 || last.position - head.position <= skipped) return false;
  return setLength(result, static_cast<double>(last.position - head.position - skipped), rate);
}

bool isOggChained(BlockFile &file) {
  Page first;
  Page last;
  return first.read(file, 0) && readLastPage(file, last) && last.serial != first.serial;
}
