// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_NUMBERS_H
#define SEGUE_NUMBERS_H

#include <cstddef>
#include <cstdint>

/// Read four bytes as a number, in the byte order that the function is named after.
inline uint32_t bigEndian32(const unsigned char *bytes) {
  return uint32_t(bytes[0]) << 24 | uint32_t(bytes[1]) << 16 | uint32_t(bytes[2]) << 8 | bytes[3];
}
inline uint32_t littleEndian32(const unsigned char *bytes) {
  return uint32_t(bytes[3]) << 24 | uint32_t(bytes[2]) << 16 | uint32_t(bytes[1]) << 8 | bytes[0];
}

/// Returns the number in four bytes of seven bits each, as in ID3v2; their highest bits are ignored.
inline size_t synchsafe(const unsigned char *bytes) {
  return size_t(bytes[0] & 0x7F) << 21 | size_t(bytes[1] & 0x7F) << 14 | size_t(bytes[2] & 0x7F) << 7 |
         (bytes[3] & 0x7F);
}

/// Whether none of the four bytes has its highest bit set.
inline bool isSynchsafe(const unsigned char *bytes) { return (bigEndian32(bytes) & 0x8080'8080) == 0; }

#endif
