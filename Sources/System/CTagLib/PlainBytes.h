#ifndef SEGUE_PLAINBYTES_H
#define SEGUE_PLAINBYTES_H

#include <cstddef>
#include <cstdint>
#include <string>

/// Numbers in files.
inline uint32_t bigEndian32(const unsigned char *bytes) {
  return uint32_t(bytes[0]) << 24 | uint32_t(bytes[1]) << 16 | uint32_t(bytes[2]) << 8 | bytes[3];
}
inline uint32_t littleEndian32(const unsigned char *bytes) {
  return uint32_t(bytes[3]) << 24 | uint32_t(bytes[2]) << 16 | uint32_t(bytes[1]) << 8 | bytes[0];
}
inline uint16_t littleEndian16(const unsigned char *bytes) { return uint16_t(bytes[1] << 8 | bytes[0]); }
inline int64_t littleEndian64(const unsigned char *bytes) {
  return static_cast<int64_t>(uint64_t(littleEndian32(bytes + 4)) << 32 | littleEndian32(bytes));
}

/// A number in four bytes of seven bits each, as in ID3v2; what their highest bits say does not count.
inline size_t synchsafe(const unsigned char *bytes) {
  return size_t(bytes[0] & 0x7F) << 21 | size_t(bytes[1] & 0x7F) << 14 | size_t(bytes[2] & 0x7F) << 7 |
         (bytes[3] & 0x7F);
}

/// Whether none of the four bytes has its highest bit set.
inline bool isSynchsafe(const unsigned char *bytes) { return (bigEndian32(bytes) & 0x8080'8080) == 0; }

/// The capital letter of an ASCII letter, and any other byte as it is.
inline char upper(char byte) { return byte >= 'a' && byte <= 'z' ? static_cast<char>(byte - 32) : byte; }

/// Whether it is well-formed UTF-8 (Unicode, table 3-7) without a NUL.
bool isText(const unsigned char *bytes, size_t count);

/// Adds UTF-8 of Latin-1 to `text`.
void appendLatin1(const unsigned char *bytes, size_t count, std::string &text);

/// Adds UTF-8 of UTF-16 to `text`; `false` where it is not well-formed, or holds a NUL.
bool appendUTF16(const unsigned char *bytes, size_t count, bool isBigEndian, std::string &text);

#endif
