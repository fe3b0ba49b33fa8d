#include "PlainComments.h"

#include "PlainBytes.h"

#include <algorithm>
#include <cstring>

namespace {

constexpr size_t longestKey = 64;
constexpr size_t longestComment = 16 * 1024;
constexpr uint32_t mostComments = 1'000;

bool isPicture(const char *key, size_t length) {
  const auto is = [&](const char *name) { return strlen(name) == length && memcmp(key, name, length) == 0; };
  return is("METADATA_BLOCK_PICTURE") || is("COVERART");
}

bool readComment(PlainSource &source, size_t length, OwnedFile &result) {
  unsigned char bytes[longestComment];
  const size_t start = std::min(length, longestKey);
  if (!source.read(bytes, start)) return false;
  const auto *separator = static_cast<const unsigned char *>(memchr(bytes, '=', start));
  if (!separator) return false;
  char key[longestKey];
  const size_t keyLength = static_cast<size_t>(separator - bytes);
  if (keyLength == 0) return false;
  for (size_t index = 0; index < keyLength; ++index) {
    if (bytes[index] < 0x20 || bytes[index] > 0x7D) return false;
    key[index] = upper(static_cast<char>(bytes[index]));
  }
  if (isPicture(key, keyLength)) return source.read(nullptr, length - start);
  if (length > longestComment || !source.read(bytes + start, length - start)) return false;
  const size_t value = keyLength + 1;
  if (!isText(bytes + value, length - value)) return false;
  result.add(key, keyLength, reinterpret_cast<const char *>(bytes + value), length - value);
  return true;
}

} // namespace

bool readPlainComments(PlainSource &source, OwnedFile &result) {
  unsigned char number[4];
  if (!source.read(number, 4) || !source.read(nullptr, littleEndian32(number)) || !source.read(number, 4)) return false;
  const uint32_t count = littleEndian32(number);
  if (count > mostComments) return false;
  for (uint32_t index = 0; index < count; ++index) {
    if (!source.read(number, 4) || !readComment(source, littleEndian32(number), result)) return false;
  }
  result.sort();
  return true;
}
