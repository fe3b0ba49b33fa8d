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
constexpr size_t maximumCommentsRead = 10'000'000;
constexpr int maximumBlocks = 1'000;
/// How far to search for comments if the length of a block is wrong, in bytes.
constexpr Offset searchLimit = Offset(4) << 20;

/// The contents of a block, as a range of the file.
struct Span {
  Offset start = 0;
  size_t length = 0;
  bool isFound() const { return start > 0; }
};

/// FLAC metadata (RFC 9639, section 8) in which the lengths of blocks are not trusted.
class FlawedMetadata {
public:
  FlawedMetadata(BlockFile &file, Offset start) : file_(file), position_(start) {}

  /// Reads all blocks. Returns true if there are flaws at which a reader that trusts the blocks would fail, and the
  /// stream information was found.
  bool isFlawed() {
    const unsigned char *mark = file_.view(position_, 4);
    if (!mark || memcmp(mark, "fLaC", 4) != 0) return false;
    position_ += 4;
    first_ = position_;
    readBlocks();
    // A wrong length may also lead to what looks like a block, perhaps far behind the comments.
    for (const Offset start : {position_, first_}) {
      if (isFlawed_ && !comments_.isFound() && searchComments(start)) readBlocks();
    }
    return isFlawed_ && information_.isFound();
  }

  /// Returns the offset after the last block, as far as it is known.
  Offset end() const { return position_; }

  /// Appends the preserved blocks, repaired, to `target`.
  void append(std::string &target) {
    target.append("fLaC");
    std::vector<std::pair<Kind, Span>> blocks = {{streamInformation, information_}};
    if (comments_.isFound()) blocks.push_back({vorbisComment, comments_});
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
  /// Reads the blocks from `position_` on, as far as they can be found.
  void readBlocks() {
    for (int count = 0; count < maximumBlocks && readBlock(); ++count) {}
  }

  /// Reads the block at `position_`; returns whether another one follows.
  bool readBlock() {
    const unsigned char *bytes = file_.view(position_, headerLength);
    if (!bytes || isAudioFrame(position_)) return fail();
    const bool isLast = (bytes[0] & 0x80) != 0;
    const int kind = bytes[0] & 0x7F;
    size_t length = bigEndian32(bytes) & 0xFF'FFFF;
    const Offset start = position_ + headerLength;
    const bool isEmpty = length == 0 && kind != padding && kind != seekTable;
    if ((position_ == first_) != (kind == streamInformation) || isEmpty) isFlawed_ = true;
    const size_t actual = actualLength(kind, start);
    if (actual > 0 && actual != length && isPlausible(start, actual) &&
        (actual > length || !isPlausible(start, length))) {
      length = actual;
      isFlawed_ = true;
    }
    const Offset end = start + static_cast<Offset>(length);
    if (end > file_.length()) return fail();
    if (kind == streamInformation && length >= informationLength && !information_.isFound()) {
      information_ = {start, informationLength};
    }
    // What looks like comments may be the middle of another block.
    const bool isComments = kind == vorbisComment && (actual > 0 || (length > 8 && isPlausible(start, length)));
    if (isComments && !comments_.isFound()) comments_ = {start, length};
    if (kind == picture && length > 0 && length <= longestBlock) addPicture({start, length});
    if (comments_.isFound()) {
      position_ = end;
      return !isLast;
    }
    // There may be comments after a block of a wrong length, and after a block that claims to be the last.
    if (!isPlausible(start, length)) return fail();
    position_ = end;
    if (!isLast) return true;
    if (end == file_.length() || isAudioFrame(end)) return false;
    return isFlawed_ = true;
  }

  /// Adds a picture, unless an earlier pass has found it.
  void addPicture(Span span) {
    const auto isSame = [&](const Span &other) { return other.start == span.start; };
    if (std::none_of(pictures_.begin(), pictures_.end(), isSame)) pictures_.push_back(span);
  }

  /// Records that the next block cannot be found; returns false, since reading ends here.
  bool fail() {
    isFlawed_ = true;
    return false;
  }

  /// Whether an audio frame begins at `offset` (RFC 9639, section 9.1).
  bool isAudioFrame(Offset offset) {
    const unsigned char *bytes = file_.view(offset, 2);
    return bytes && bytes[0] == 0xFF && (bytes[1] & 0xFE) == 0xF8;
  }

  /// Whether this length of the contents can be right: audio, another block or the end of the file follows.
  bool isPlausible(Offset start, size_t length) {
    const Offset next = start + static_cast<Offset>(length);
    if (next > file_.length()) return false;
    if (next == file_.length() || isAudioFrame(next)) return true;
    const unsigned char *bytes = file_.view(next, headerLength);
    // Zeros belong to a padding block.
    if (!bytes || (bytes[0] & 0x7F) >= kinds || bigEndian32(bytes) == 0) return false;
    return static_cast<Offset>(bigEndian32(bytes) & 0xFF'FFFF) <= file_.length() - next - headerLength;
  }

  /// Returns the length of a block according to its contents; 0 if they do not state it.
  size_t actualLength(int kind, Offset start) {
    switch (kind) {
    case streamInformation: return informationLength;
    case vorbisComment: return commentLength(start);
    case picture: return pictureLength(start);
    default: return 0;
    }
  }

  /// Returns the length of comments according to their own contents; 0 if they are not comments.
  size_t commentLength(Offset start) {
    Offset offset = start;
    const auto skip = [&](bool isNamed) {
      const unsigned char *bytes = file_.view(offset, 4);
      if (!bytes) return false;
      const size_t length = littleEndian32(bytes);
      if (length > longestBlock || (isNamed && !hasName(offset + 4, length))) return false;
      offset += 4 + static_cast<Offset>(length);
      return offset <= file_.length();
    };
    if (!skip(false)) return 0;
    const unsigned char *bytes = file_.view(offset, 4);
    if (!bytes) return 0;
    const uint32_t count = littleEndian32(bytes);
    offset += 4;
    for (uint32_t index = 0; index < count; ++index) {
      // A search tries many places, each of which may claim millions of comments.
      if (++commentsRead_ > maximumCommentsRead || !skip(true)) return 0;
    }
    const Offset length = offset - start;
    return length > static_cast<Offset>(longestBlock) ? 0 : static_cast<size_t>(length);
  }

  /// Whether the bytes of this length are a comment: a field name with an equals sign after it.
  bool hasName(Offset start, size_t length) {
    static constexpr size_t longestName = 64;
    const size_t count = std::min(length, longestName);
    const unsigned char *bytes = file_.view(start, count);
    if (!bytes) return false;
    const unsigned char *end = std::find(bytes, bytes + count, '=');
    return end > bytes && end < bytes + count &&
           std::all_of(bytes, end, [](unsigned char byte) { return byte >= 0x20 && byte <= 0x7D; });
  }

  /// Returns the length of a picture according to its own contents; 0 if it is not a picture.
  size_t pictureLength(Offset start) {
    Offset offset = start + 4;
    // The MIME type, the description and, after width, height and colours, the picture itself.
    for (const Offset skipped : {0, 0, 16}) {
      const unsigned char *bytes = file_.view(offset + skipped, 4);
      if (!bytes) return 0;
      offset += skipped + 4 + static_cast<Offset>(bigEndian32(bytes));
      if (offset > file_.length()) return 0;
    }
    return static_cast<size_t>(offset - start);
  }

  /// Searches for comments from `start` on; returns whether there are any, and another block follows.
  bool searchComments(Offset start) {
    const Offset end = std::min(file_.length(), start + searchLimit);
    for (Offset offset = start; offset + headerLength < end; ++offset) {
      const unsigned char *bytes = file_.view(offset, headerLength + 4);
      if (!bytes) return false;
      // The vendor's name is short, so the upper bytes of its length are zero.
      if ((bytes[0] & 0x7F) != vorbisComment || bytes[6] != 0 || bytes[7] != 0) continue;
      const bool isLast = (bytes[0] & 0x80) != 0;
      const size_t length = commentLength(offset + headerLength);
      // A list with an empty vendor name and no comments is a run of zeros, which could be found anywhere.
      if (length <= 8) continue;
      comments_ = {offset + headerLength, length};
      position_ = offset + headerLength + static_cast<Offset>(length);
      return !isLast;
    }
    return false;
  }

  BlockFile &file_;
  Offset position_;
  /// The offset of the first block.
  Offset first_ = 0;
  bool isFlawed_ = false;
  Span information_;
  Span comments_;
  std::vector<Span> pictures_;
  /// The number of comments that were read, in all attempts.
  size_t commentsRead_ = 0;
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
  repair.includesMetadata = true;
}
