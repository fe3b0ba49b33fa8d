#include "PlainBytes.h"

#include <cstring>

bool isText(const unsigned char *bytes, size_t count) {
  const unsigned char *end = bytes + count;
  const auto isContinued = [&](int more, unsigned char lower, unsigned char upper) {
    if (end - bytes <= more || bytes[1] < lower || bytes[1] > upper) return false;
    for (int index = 2; index <= more; ++index) {
      if ((bytes[index] & 0xC0) != 0x80) return false;
    }
    bytes += more + 1;
    return true;
  };
  while (bytes < end) {
    const unsigned char byte = *bytes;
    if (byte < 0x80) {
      if (byte == 0) return false;
      ++bytes;
    } else if (byte < 0xC2 || byte > 0xF4) {
      return false;
    } else if (byte < 0xE0) {
      if (!isContinued(1, 0x80, 0xBF)) return false;
    } else if (byte < 0xF0) {
      if (!isContinued(2, byte == 0xE0 ? 0xA0 : 0x80, byte == 0xED ? 0x9F : 0xBF)) return false;
    } else if (!isContinued(3, byte == 0xF0 ? 0x90 : 0x80, byte == 0xF4 ? 0x8F : 0xBF)) {
      return false;
    }
  }
  return true;
}

namespace {

void appendScalar(uint32_t scalar, std::string &text) {
  if (scalar < 0x80) {
    text.push_back(static_cast<char>(scalar));
  } else if (scalar < 0x800) {
    text.push_back(static_cast<char>(0xC0 | scalar >> 6));
    text.push_back(static_cast<char>(0x80 | (scalar & 0x3F)));
  } else if (scalar < 0x10000) {
    text.push_back(static_cast<char>(0xE0 | scalar >> 12));
    text.push_back(static_cast<char>(0x80 | (scalar >> 6 & 0x3F)));
    text.push_back(static_cast<char>(0x80 | (scalar & 0x3F)));
  } else {
    text.push_back(static_cast<char>(0xF0 | scalar >> 18));
    text.push_back(static_cast<char>(0x80 | (scalar >> 12 & 0x3F)));
    text.push_back(static_cast<char>(0x80 | (scalar >> 6 & 0x3F)));
    text.push_back(static_cast<char>(0x80 | (scalar & 0x3F)));
  }
}

} // namespace

void appendLatin1(const unsigned char *bytes, size_t count, std::string &text) {
  for (size_t index = 0; index < count; ++index) appendScalar(bytes[index], text);
}

bool appendUTF16(const unsigned char *bytes, size_t count, bool isBigEndian, std::string &text) {
  if (count % 2 != 0) return false;
  const auto unit = [&](size_t place) -> uint32_t {
    const unsigned char high = bytes[isBigEndian ? place : place + 1];
    return uint32_t(high) << 8 | bytes[isBigEndian ? place + 1 : place];
  };
  for (size_t place = 0; place < count; place += 2) {
    uint32_t scalar = unit(place);
    if (scalar == 0) return false;
    if (scalar >= 0xD800 && scalar < 0xE000) {
      if (scalar >= 0xDC00 || place + 4 > count) return false;
      const uint32_t low = unit(place + 2);
      if (low < 0xDC00 || low >= 0xE000) return false;
      scalar = 0x10000 + ((scalar - 0xD800) << 10) + (low - 0xDC00);
      place += 2;
    }
    appendScalar(scalar, text);
  }
  return true;
}
