// SPDX-License-Identifier: GPL-3.0-or-later

#include "Numbers.h"
#include "Repair.h"

#include <algorithm>
#include <bitset>
#include <cstring>
#include <string>
#include <utility>

namespace {

using Offset = BlockFile::Offset;

constexpr size_t tagHeaderLength = 10;
/// The maximum length of a tag that is repaired, in bytes.
constexpr size_t longestTag = size_t(64) << 20;
/// The maximum length of a frame whose text is repaired, in bytes.
constexpr size_t longestText = size_t(1) << 20;

constexpr unsigned char unsynchronised = 0x80;
constexpr unsigned char hasExtendedHeader = 0x40;
constexpr unsigned char hasFooter = 0x10;

void appendSynchsafe(size_t size, std::string &target) {
  for (int shift = 21; shift >= 0; shift -= 7) target.push_back(static_cast<char>(size >> shift & 0x7F));
}

bool isZero(const unsigned char *unit) { return unit[0] == 0 && unit[1] == 0; }

/// Returns the byte order that a byte order mark states: 1 for little-endian, 2 for big-endian, 0 if there is no mark.
int markedOrder(const unsigned char *bytes, size_t count) {
  if (count < 2) return 0;
  return bytes[0] == 0xFF && bytes[1] == 0xFE ? 1 : bytes[0] == 0xFE && bytes[1] == 0xFF ? 2 : 0;
}

/// Guesses the byte order of UTF-16: 1 for little-endian, 2 for big-endian. Text in one script has few different high
/// bytes, and in most text they are zero.
int guessedOrder(const unsigned char *bytes, size_t count) {
  std::bitset<256> values[2];
  size_t zeros[2] = {0, 0};
  for (size_t index = 0; index + 2 <= count; index += 2) {
    if (isZero(bytes + index)) continue;
    for (size_t half = 0; half < 2; ++half) {
      values[half].set(bytes[index + half]);
      zeros[half] += bytes[index + half] == 0;
    }
  }
  if (zeros[0] != zeros[1]) return zeros[0] > zeros[1] ? 2 : 1;
  return values[0].count() < values[1].count() ? 2 : 1;
}

/// Whether bytes are valid UTF-8 (RFC 3629, section 4).
bool isUTF8(const unsigned char *bytes, size_t count) {
  for (size_t index = 0; index < count;) {
    const unsigned char lead = bytes[index++];
    if (lead < 0x80) continue;
    if (lead < 0xC2 || lead > 0xF4) return false;
    const size_t following = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    if (following > count - index) return false;
    const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (bytes[index] < low || bytes[index] > high) return false;
    for (size_t next = 1; next < following; ++next) {
      if ((bytes[index + next] & 0xC0) != 0x80) return false;
    }
    index += following;
  }
  return true;
}

/// Strings in UTF-16, separated by zero units.
class WideTexts {
public:
  WideTexts(const unsigned char *bytes, size_t count) : bytes_(bytes), count_(count - count % 2) {}

  /// Whether there is a string without a byte order mark.
  bool lackByteOrderMark() const {
    bool lacks = false;
    forEach([&](const unsigned char *text, size_t length) {
      lacks = lacks || (length > 0 && markedOrder(text, length) == 0);
    });
    return lacks;
  }

  /// Returns all strings as big-endian UTF-16 without marks. A string without a mark has the byte order of those before
  /// it.
  std::string bigEndian() const {
    std::string result;
    int order = 0;
    forEach([&](const unsigned char *text, size_t length) {
      const int marked = markedOrder(text, length);
      if (marked != 0) order = marked;
      if (order == 0 && length > 0) order = guessedOrder(text, length);
      if (!result.empty() || text != bytes_) result.append(2, '\0');
      for (size_t index = marked == 0 ? 0 : 2; index < length; index += 2) {
        result.push_back(static_cast<char>(text[index + (order == 1)]));
        result.push_back(static_cast<char>(text[index + (order != 1)]));
      }
    });
    return result;
  }

private:
  template <class Body> void forEach(Body body) const {
    for (size_t start = 0; start <= count_;) {
      size_t end = start;
      while (end < count_ && !isZero(bytes_ + end)) end += 2;
      body(bytes_ + start, end - start);
      start = end + 2;
    }
  }

  const unsigned char *bytes_;
  size_t count_;
};

/// An ID3v2 tag at the beginning of a file (https://id3.org/id3v2.3.0, https://id3.org/id3v2.4.0-structure).
class FlawedTag {
public:
  explicit FlawedTag(BlockFile &file) : file_(file) {}

  /// Reads the header of the tag; returns the length of the whole tag, or 0 if there is none.
  Offset open() {
    const unsigned char *bytes = file_.view(0, tagHeaderLength);
    if (!bytes || memcmp(bytes, "ID3", 3) != 0 || !isSynchsafe(bytes + 6)) return 0;
    memcpy(header_, bytes, tagHeaderLength);
    version_ = bytes[3];
    length_ = synchsafe(bytes + 6);
    const bool footerFollows = version_ == 4 && (header_[5] & hasFooter) != 0;
    return static_cast<Offset>(tagHeaderLength + length_ + (footerFollows ? tagHeaderLength : 0));
  }

  /// Returns the repaired tag; empty if the tag has no flaws, or cannot be repaired.
  std::string repaired() {
    if (version_ < 2 || version_ > 4 || length_ > longestTag) return "";
    idLength_ = version_ == 2 ? 3 : 4;
    frameHeaderLength_ = version_ == 2 ? 6 : 10;
    if (version_ <= 3 && (header_[5] & unsynchronised) != 0 && !synchronise()) return "";
    const bool isExtended = version_ >= 3 && (header_[5] & hasExtendedHeader) != 0;
    const size_t first = isExtended ? extendedLength() : 0;
    if (!copyFrames(first, nullptr) && !isExtended) return "";
    std::string frames;
    copyFrames(first, &frames);
    if (frames.empty()) return "";
    std::string result(reinterpret_cast<const char *>(header_), 5);
    const int cleared = (version_ >= 3 ? hasExtendedHeader : 0) | (version_ == 4 ? hasFooter : 0);
    result.push_back(static_cast<char>(header_[5] & ~(cleared | (isSynchronised_ ? unsynchronised : 0))));
    appendSynchsafe(frames.size(), result);
    return result + frames;
  }

private:
  /// Reverses the unsynchronisation, which keeps the tag from looking like audio; returns whether that succeeded.
  bool synchronise() {
    std::string bytes(length_, '\0');
    if (file_.read(tagHeaderLength, bytes.data(), length_) != length_) return false;
    for (size_t index = 0; index < length_; ++index) {
      body_.push_back(bytes[index]);
      if (bytes[index] == '\xFF' && index + 1 < length_ && bytes[index + 1] == 0) ++index;
    }
    length_ = body_.size();
    isSynchronised_ = true;
    return true;
  }

  /// Returns bytes after the tag's header, valid until the next call; null if they are not all in the tag.
  const unsigned char *view(size_t offset, size_t count) {
    if (offset > length_ || count > length_ - offset) return nullptr;
    if (isSynchronised_) return reinterpret_cast<const unsigned char *>(body_.data()) + offset;
    return file_.view(static_cast<Offset>(tagHeaderLength + offset), count);
  }

  std::string bytes(size_t offset, size_t count) {
    if (isSynchronised_) return body_.substr(offset, count);
    std::string result(count, '\0');
    result.resize(file_.read(static_cast<Offset>(tagHeaderLength + offset), result.data(), count));
    return result;
  }

  bool isFrame(size_t offset) {
    const unsigned char *bytes = view(offset, idLength_);
    return bytes && std::all_of(bytes, bytes + idLength_, [](unsigned char byte) {
      return (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
    });
  }

  /// Returns the offset of the first frame. Programs disagree on what the size of the extended header includes.
  size_t extendedLength() {
    const unsigned char *bytes = view(0, 4);
    if (!bytes) return 0;
    const size_t plain = bigEndian32(bytes);
    const size_t safe = synchsafe(bytes);
    const size_t lengths[] = {version_ == 3 ? plain + 4 : safe, version_ == 3 ? plain : safe + 4, plain, plain + 4, 0};
    for (const size_t length : lengths) {
      if (isFrame(length)) return length;
    }
    return 0;
  }

  size_t frameSize(size_t offset, const unsigned char *header) {
    if (version_ == 2) return size_t(header[3]) << 16 | size_t(header[4]) << 8 | header[5];
    const size_t plain = bigEndian32(header + 4);
    if (version_ == 3 || !isSynchsafe(header + 4)) return plain;
    const size_t size = synchsafe(header + 4);
    // Some programs write a plain size in version 4, too.
    const size_t next = offset + frameHeaderLength_;
    return size > 127 && !isFrame(next + size) && isFrame(next + plain) ? plain : size;
  }

  /// Returns the offset of the text in a frame of this kind; 0 if it contains no text.
  size_t firstText(const std::string &header) const {
    if (version_ >= 3 && header[9] != 0) return 0;
    if (header[0] == 'T') return 1;
    const std::string id = header.substr(0, idLength_);
    return id == "COMM" || id == "USLT" || id == "COM" || id == "ULT" ? 4 : 0;
  }

  /// Rewrites `contents` if they have UTF-16 text without a byte order mark; returns whether they had.
  bool rewriteUnmarked(const std::string &header, std::string &contents) const {
    const size_t first = firstText(header);
    if (first == 0 || contents.size() <= first || contents[0] != 1) return false;
    const WideTexts texts(reinterpret_cast<const unsigned char *>(contents.data()) + first, contents.size() - first);
    if (!texts.lackByteOrderMark()) return false;
    contents = '\2' + contents.substr(1, first - 1) + texts.bigEndian();
    return true;
  }

  /// Changes the stated encoding of text that is not valid UTF-8; returns whether it did.
  bool relabelInvalid(const std::string &header, std::string &contents) const {
    const size_t first = firstText(header);
    if (first == 0 || contents.size() <= first || contents[0] != 3) return false;
    if (isUTF8(reinterpret_cast<const unsigned char *>(contents.data()) + first, contents.size() - first)) return false;
    contents[0] = 0;
    return true;
  }

  void append(std::string header, const std::string &contents, std::string &target) const {
    header.resize(idLength_);
    target.append(header);
    const size_t size = contents.size();
    if (version_ == 4) {
      appendSynchsafe(size, target);
    } else {
      for (int shift = version_ == 2 ? 16 : 24; shift >= 0; shift -= 8) {
        target.push_back(static_cast<char>(size >> shift));
      }
    }
  }

  /// Returns whether any frame from `offset` on has flaws. If `target` is given, appends all frames to it, repaired and
  /// without empty ones.
  bool copyFrames(size_t offset, std::string *target) {
    bool isFlawed = false;
    while (const unsigned char *start = view(offset, frameHeaderLength_)) {
      const std::string header(reinterpret_cast<const char *>(start), frameHeaderLength_);
      if (!isFrame(offset)) break;
      const size_t size = frameSize(offset, reinterpret_cast<const unsigned char *>(header.data()));
      const size_t contents = offset + frameHeaderLength_;
      if (size > length_ - contents) break;
      if (size == 0) isFlawed = true;
      if (size > 0 && (target || (size <= longestText && firstText(header) > 0))) {
        std::string text = bytes(contents, size);
        if (size <= longestText && (rewriteUnmarked(header, text) || relabelInvalid(header, text))) isFlawed = true;
        if (target && !text.empty()) {
          append(header, text, *target);
          target->append(header, idLength_ == 3 ? 6 : 8);
          target->append(text);
        }
      }
      offset = contents + size;
    }
    return isFlawed;
  }

  BlockFile &file_;
  unsigned char header_[tagHeaderLength] = {};
  int version_ = 0;
  size_t length_ = 0;
  size_t idLength_ = 4;
  size_t frameHeaderLength_ = 10;
  bool isSynchronised_ = false;
  std::string body_;
};

} // namespace

Offset repairID3v2(BlockFile &file, Repair &repair) {
  FlawedTag tag(file);
  const Offset length = tag.open();
  if (length == 0 || length > file.length()) return 0;
  std::string repaired = tag.repaired();
  if (repaired.empty()) return length;
  repair.bytes = std::move(repaired);
  repair.replaced = length;
  return length;
}
