// SPDX-License-Identifier: GPL-3.0-or-later

#include "UndecodedText.h"

#include <mutex>

#include <id3v1tag.h>
#include <id3v2tag.h>
#include <infotag.h>

namespace {

constexpr wchar_t firstMark = 0xFDD0;
/// The first two of the three bytes of a mark in UTF-8. The third is 0x90 to 0x9F for the high half of a byte, and 0xA0
/// to 0xAF for the low half.
constexpr char markStart[] = "\xEF\xB7";

thread_local bool isReading = false;

/// Returns `data` up to the first NUL as Latin-1, with marks if tags are being read.
TagLib::String latin1Text(const TagLib::ByteVector &data) {
  bool isASCII = true;
  for (const char byte : data) isASCII = isASCII && (byte & 0x80) == 0;
  if (isASCII || !isReading) return TagLib::String(data, TagLib::String::Latin1);
  TagLib::String text;
  for (const char character : data) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte == 0) break;
    if (byte < 0x80) {
      text += static_cast<wchar_t>(byte);
    } else {
      text += static_cast<wchar_t>(firstMark + (byte >> 4));
      text += static_cast<wchar_t>(firstMark + 16 + (byte & 0xF));
    }
  }
  return text;
}

class ID3v1Strings : public TagLib::ID3v1::StringHandler {
public:
  TagLib::String parse(const TagLib::ByteVector &data) const override { return latin1Text(data).stripWhiteSpace(); }
};

class ID3v2Strings : public TagLib::ID3v2::Latin1StringHandler {
public:
  TagLib::String parse(const TagLib::ByteVector &data) const override { return latin1Text(data); }
};

class InfoStrings : public TagLib::RIFF::Info::StringHandler {
public:
  TagLib::String parse(const TagLib::ByteVector &data) const override {
    return UndecodedText::unknown(data).stripWhiteSpace();
  }
};

/// Installs the handlers, of which TagLib has one of each for the whole process, and which it does not own.
void installHandlers() {
  static ID3v1Strings id3v1;
  static ID3v2Strings id3v2;
  static InfoStrings info;
  static std::once_flag once;
  std::call_once(once, [] {
    TagLib::ID3v1::Tag::setStringHandler(&id3v1);
    TagLib::ID3v2::Tag::setLatin1StringHandler(&id3v2);
    TagLib::RIFF::Info::Tag::setStringHandler(&info);
  });
}

/// Replaces each pair of marks by what `append` adds for its byte.
template <class Append> std::string replacingMarks(const std::string &text, Append append) {
  std::string result;
  size_t index = 0;
  int high = 0;
  while (index < text.size()) {
    const bool isMark = text.compare(index, 2, markStart) == 0 && index + 2 < text.size();
    const int value = isMark ? static_cast<unsigned char>(text[index + 2]) : 0;
    if (value >= 0x90 && value < 0xA0) {
      high = value & 0xF;
      index += 3;
    } else if (value >= 0xA0 && value < 0xB0) {
      append(result, static_cast<unsigned char>(high << 4 | (value & 0xF)));
      index += 3;
    } else {
      result.push_back(text[index]);
      ++index;
    }
  }
  return result;
}

} // namespace

UndecodedText::Reading::Reading() {
  installHandlers();
  isReading = true;
}

UndecodedText::Reading::~Reading() { isReading = false; }

TagLib::String UndecodedText::unknown(const TagLib::ByteVector &data) {
  const TagLib::String text(data, TagLib::String::UTF8);
  return text.isEmpty() ? latin1Text(data) : text;
}

bool UndecodedText::isMarked(const std::string &text) {
  for (size_t index = text.find(markStart); index != std::string::npos; index = text.find(markStart, index + 2)) {
    const int value = index + 2 < text.size() ? static_cast<unsigned char>(text[index + 2]) : 0;
    if (value >= 0x90 && value < 0xB0) return true;
  }
  return false;
}

std::string UndecodedText::bytes(const std::string &text) {
  return replacingMarks(text, [](std::string &result, unsigned char byte) {
    result.push_back(static_cast<char>(byte));
  });
}

std::string UndecodedText::latin1(const std::string &text) {
  return replacingMarks(text, [](std::string &result, unsigned char byte) {
    result.push_back(static_cast<char>(0xC0 | byte >> 6));
    result.push_back(static_cast<char>(0x80 | (byte & 0x3F)));
  });
}

std::string UndecodedText::utf8(const TagLib::String &text) {
  std::string result = text.to8Bit(true);
  if (!result.empty() || text.isEmpty()) return result;
  TagLib::String valid;
  for (unsigned int index = 0; index < text.size(); ++index) {
    const auto isHalf = [&](unsigned int at, unsigned int kind) {
      return at < text.size() && (static_cast<unsigned int>(text[static_cast<int>(at)]) & 0xFC00) == kind;
    };
    const wchar_t unit = text[static_cast<int>(index)];
    if (isHalf(index, 0xD800) && isHalf(index + 1, 0xDC00)) {
      valid += unit;
      valid += text[static_cast<int>(++index)];
    } else {
      valid += isHalf(index, 0xD800) || isHalf(index, 0xDC00) ? wchar_t(0xFFFD) : unit;
    }
  }
  return valid.to8Bit(true);
}
