// SPDX-License-Identifier: GPL-3.0-or-later

#include "Numbers.h"
#include "Repair.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace {

using Offset = BlockFile::Offset;

enum Kind { streamInformation = 0, padding = 1, seekTable = 3, vorbisComment = 4, picture = 6, kinds = 7 };

constexpr Offset headerLength = 4;
constexpr size_t informationLength = 34;
constexpr size_t longestBlock = 0xFF'FFFF;
constexpr int mostBlocks = 1'000;
/// How far comments are looked for where a block's length leads nowhere, in bytes.
constexpr Offset searched = Offset(4) << 20;

/// Contents of a block.
struct Span {
  Offset start = 0;
  size_t length = 0;
  bool isThere() const { return start > 0; }
};

/// FLAC metadata (RFC 9639, section 8), whose blocks' lengths are not believed.
class FlawedMetadata {
public:
  FlawedMetadata(BlockFile &file, Offset start) : file_(file), place_(start) {}

  /// Walks through all blocks; whether something stands in the way of who believes them, and the stream's information
  /// is there.
  bool isFlawed() {
    const unsigned char *mark = file_.view(place_, 4);
    if (!mark || memcmp(mark, "fLaC", 4) != 0) return false;
    place_ += 4;
    for (int count = 0; count < mostBlocks && readBlock(count == 0); ++count) {}
    if (isFlawed_ && !comments_.isThere()) searchComments();
    return isFlawed_ && information_.isThere();
  }

  /// Where what follows all blocks begins, as far as that is known.
  Offset end() const { return place_; }

  /// The blocks that are left, without flaws.
  void append(std::string &target) {
    target.append("fLaC");
    std::vector<std::pair<Kind, Span>> blocks = {{streamInformation, information_}};
    if (comments_.isThere()) blocks.push_back({vorbisComment, comments_});
    for (const Span &span : pictures_) blocks.push_back({picture, span});
    for (size_t index = 0; index < blocks.size(); ++index) {
      const auto [kind, span] = blocks[index];
      std::string contents(span.length, '\0');
      contents.resize(file_.read(span.start, contents.data(), span.length));
      target.push_back(static_cast<char>(kind | (index + 1 == blocks.size() ? 0x80 : 0)));
      for (int shift = 16; shift >= 0; shift -= 8) target.push_back(static_cast<char>(contents.size() >> shift));
      target.append(contents);
    }
  }

private:
  /// Reads the block at `place_`; whether another one follows.
  bool readBlock(bool isFirst) {
    const unsigned char *bytes = file_.view(place_, headerLength);
    if (!bytes || isSound(place_)) return lose();
    const bool isLast = (bytes[0] & 0x80) != 0;
    const int kind = bytes[0] & 0x7F;
    size_t length = bigEndian32(bytes) & 0xFF'FFFF;
    const Offset start = place_ + headerLength;
    const bool isEmpty = length == 0 && kind != padding && kind != seekTable;
    if (isFirst != (kind == streamInformation) || isEmpty) isFlawed_ = true;
    const size_t counted = countedLength(kind, start);
    if (counted > 0 && counted != length && leadsOn(start, counted) && (counted > length || !leadsOn(start, length))) {
      length = counted;
      isFlawed_ = true;
    }
    const Offset end = start + static_cast<Offset>(length);
    if (end > file_.length()) return lose();
    if (kind == streamInformation && length >= informationLength && !information_.isThere()) {
      information_ = {start, informationLength};
    }
    if (kind == vorbisComment && !comments_.isThere()) comments_ = {start, length};
    if (kind == picture && length > 0 && length <= longestBlock) pictures_.push_back({start, length});
    if (comments_.isThere()) {
      place_ = end;
      return !isLast;
    }
    // Comments may be behind a length that leads nowhere, and behind what says to be the last block.
    if (!leadsOn(start, length)) return lose();
    place_ = end;
    if (!isLast) return true;
    if (end == file_.length() || isSound(end)) return false;
    return isFlawed_ = true;
  }

  /// Where the blocks lead nowhere, none follows.
  bool lose() {
    isFlawed_ = true;
    return false;
  }

  /// Whether a frame begins there (RFC 9639, section 9.1).
  bool isSound(Offset place) {
    const unsigned char *bytes = file_.view(place, 2);
    return bytes && bytes[0] == 0xFF && (bytes[1] & 0xFE) == 0xF8;
  }

  /// Whether what follows contents of this length can be there: sound, or another block.
  bool leadsOn(Offset start, size_t length) {
    const Offset next = start + static_cast<Offset>(length);
    if (next > file_.length()) return false;
    if (next == file_.length() || isSound(next)) return true;
    const unsigned char *bytes = file_.view(next, headerLength);
    // Zeros are those of a block that only fills space.
    if (!bytes || (bytes[0] & 0x7F) >= kinds || bigEndian32(bytes) == 0) return false;
    return static_cast<Offset>(bigEndian32(bytes) & 0xFF'FFFF) <= file_.length() - next - headerLength;
  }

  /// The length of a block by what its contents say; 0 where they say none.
  size_t countedLength(int kind, Offset start) {
    switch (kind) {
    case streamInformation: return informationLength;
    case vorbisComment: return commentLength(start);
    case picture: return pictureLength(start);
    default: return 0;
    }
  }

  /// The length of comments by what they say themselves; 0 where they are none.
  size_t commentLength(Offset start) {
    Offset place = start;
    const auto skip = [&](bool isNamed) {
      const unsigned char *bytes = file_.view(place, 4);
      if (!bytes) return false;
      const size_t length = littleEndian32(bytes);
      if (length > longestBlock || (isNamed && !hasName(place + 4, length))) return false;
      place += 4 + static_cast<Offset>(length);
      return place <= file_.length();
    };
    if (!skip(false)) return 0;
    const unsigned char *bytes = file_.view(place, 4);
    if (!bytes) return 0;
    const uint32_t count = littleEndian32(bytes);
    place += 4;
    for (uint32_t index = 0; index < count; ++index) {
      if (!skip(true)) return 0;
    }
    const Offset length = place - start;
    return length > static_cast<Offset>(longestBlock) ? 0 : static_cast<size_t>(length);
  }

  /// Whether a comment of this length is one.
  bool hasName(Offset start, size_t length) {
    static constexpr size_t longestName = 64;
    const size_t count = std::min(length, longestName);
    const unsigned char *bytes = file_.view(start, count);
    if (!bytes) return false;
    const unsigned char *end = std::find(bytes, bytes + count, '=');
    return end > bytes && end < bytes + count &&
           std::all_of(bytes, end, [](unsigned char byte) { return byte >= 0x20 && byte <= 0x7D; });
  }

  /// The length of a picture by what it says itself; 0 where it is none.
  size_t pictureLength(Offset start) {
    Offset place = start + 4;
    // Its type, its description, and behind width, height and colours what it holds.
    for (const Offset before : {0, 0, 16}) {
      const unsigned char *bytes = file_.view(place + before, 4);
      if (!bytes) return 0;
      place += before + 4 + static_cast<Offset>(bigEndian32(bytes));
      if (place > file_.length()) return 0;
    }
    return static_cast<size_t>(place - start);
  }

  /// Looks for comments behind the place that led nowhere.
  void searchComments() {
    const Offset end = std::min(file_.length(), place_ + searched);
    for (Offset place = place_; place + headerLength < end; ++place) {
      const unsigned char *bytes = file_.view(place, headerLength + 4);
      if (!bytes) return;
      // A vendor's name is short.
      if ((bytes[0] & 0x7F) != vorbisComment || bytes[6] != 0 || bytes[7] != 0) continue;
      const size_t length = commentLength(place + headerLength);
      // With a name of length zero and no comments, it would be anywhere.
      if (length <= 8) continue;
      comments_ = {place + headerLength, length};
      place_ = place + headerLength + static_cast<Offset>(length);
      return;
    }
  }

  BlockFile &file_;
  Offset place_;
  bool isFlawed_ = false;
  Span information_;
  Span comments_;
  std::vector<Span> pictures_;
};

} // namespace

void repairFLAC(BlockFile &file, Offset start, Repair &repair) {
  FlawedMetadata metadata(file, start);
  if (!metadata.isFlawed()) return;
  if (!repair.isNeeded()) {
    repair.bytes.resize(static_cast<size_t>(start));
    if (file.read(0, repair.bytes.data(), repair.bytes.size()) != repair.bytes.size()) return;
  }
  metadata.append(repair.bytes);
  repair.replaced = metadata.end();
  repair.isOfMetadata = true;
}
