// SPDX-License-Identifier: GPL-3.0-or-later

#include "LooseTags.h"

#include "BlockFile.h"

#include <cstdint>
#include <cstring>

#include <id3v2framefactory.h>

namespace {

using Offset = BlockFile::Offset;

constexpr Offset tagLimit = 32 << 20;
/// The maximum number of chunks of a DFF file, and of tags at the beginning of any file, that are looked at.
constexpr int chunkLimit = 1024;
constexpr int leadingTagLimit = 16;
constexpr Offset apeFrame = 32;
constexpr Offset id3v1Length = 128;

bool holds(const unsigned char *bytes, const char *text) { return memcmp(bytes, text, strlen(text)) == 0; }

uint64_t littleEndian(const unsigned char *bytes, int count) {
  uint64_t value = 0;
  while (count > 0) value = value << 8 | bytes[--count];
  return value;
}

uint64_t bigEndian(const unsigned char *bytes, int count) {
  uint64_t value = 0;
  for (int index = 0; index < count; ++index) value = value << 8 | bytes[index];
  return value;
}

/// A part of a file; of length 0 if there is none.
struct Part {
  Offset start = 0;
  Offset length = 0;
};

/// Returns `part` if it is in the file, and not too long.
Part checked(const BlockFile &file, Part part) {
  const bool isValid = part.start >= 0 && part.length > 0 && part.length <= tagLimit &&
                       part.start <= file.length() && part.length <= file.length() - part.start;
  return isValid ? part : Part();
}

/// Returns the ID3v2 tag at an offset (ID3v2.4.0, section 3.1).
Part id3v2(BlockFile &file, Offset offset) {
  const unsigned char *head = file.view(offset, 10);
  if (!head || !holds(head, "ID3") || ((head[6] | head[7] | head[8] | head[9]) & 0x80)) return Part();
  const Offset size = head[6] << 21 | head[7] << 14 | head[8] << 7 | head[9];
  return checked(file, {offset, size + (head[5] & 0x10 ? 20 : 10)});
}

/// Returns the APEv2 tag with its header at an offset. Its size counts the footer, but not the header.
Part apeFromHeader(BlockFile &file, Offset offset) {
  const unsigned char *head = file.view(offset, apeFrame);
  if (!head || !holds(head, "APETAGEX")) return Part();
  return checked(file, {offset, static_cast<Offset>(littleEndian(head + 12, 4)) + apeFrame});
}

/// Returns the APE tag whose footer is before an offset.
Part apeFromFooter(BlockFile &file, Offset end) {
  const unsigned char *foot = file.view(end - apeFrame, apeFrame);
  if (!foot || !holds(foot, "APETAGEX")) return Part();
  const Offset header = foot[23] & 0x80 ? apeFrame : 0;
  const Offset length = static_cast<Offset>(littleEndian(foot + 12, 4)) + header;
  return checked(file, {end - length, length});
}

/// Returns the APE tag at the end of the file, before an ID3v1 tag and lyrics (Lyrics3 2.00), if there are any.
Part lastAPE(BlockFile &file) {
  Offset end = file.length();
  Part tag = apeFromFooter(file, end);
  const unsigned char *old = tag.length ? nullptr : file.view(end - id3v1Length, 3);
  if (old && holds(old, "TAG")) {
    end -= id3v1Length;
    tag = apeFromFooter(file, end);
  }
  const unsigned char *lyrics = tag.length ? nullptr : file.view(end - 15, 15);
  if (!lyrics || !holds(lyrics + 6, "LYRICS200")) return tag;
  Offset size = 15;
  for (Offset place = 1, index = 5; index >= 0; place *= 10, --index) {
    if (lyrics[index] < '0' || lyrics[index] > '9') return Part();
    size += place * (lyrics[index] - '0');
  }
  return apeFromFooter(file, end - size);
}

/// Returns the ID3v2 tag in a chunk of a DFF file (DSDIFF).
Part id3v2InDFF(BlockFile &file) {
  Offset offset = 16;
  for (int count = 0; count < chunkLimit; ++count) {
    const unsigned char *head = file.view(offset, 12);
    if (!head) break;
    const uint64_t size = bigEndian(head + 4, 8);
    if (holds(head, "ID3 ")) return id3v2(file, offset + 12);
    if (size > static_cast<uint64_t>(file.length() - offset)) break;
    offset += 12 + static_cast<Offset>(size + size % 2);
  }
  return Part();
}

void append(TagLib::ByteVector &bytes, BlockFile &file, Part part) {
  if (part.length == 0) return;
  TagLib::ByteVector data(static_cast<unsigned int>(part.length), 0);
  if (file.read(part.start, data.data(), static_cast<size_t>(part.length)) == static_cast<size_t>(part.length)) {
    bytes.append(data);
  }
}

/// Returns the tags of a file: an ID3v2 tag, and an APE tag after it.
TagLib::ByteVector tags(BlockFile &file) {
  Part first, last;
  const unsigned char *head = file.view(0, 28);
  if (head && holds(head, "DSD ")) {
    const uint64_t offset = littleEndian(head + 20, 8);
    if (offset < static_cast<uint64_t>(file.length())) first = id3v2(file, static_cast<Offset>(offset));
  } else if (head && holds(head, "FRM8")) {
    first = id3v2InDFF(file);
  } else {
    last = lastAPE(file);
    Offset offset = 0;
    for (int count = 0; count < leadingTagLimit; ++count) {
      const Part id3 = id3v2(file, offset);
      const Part ape = id3.length ? Part() : apeFromHeader(file, offset);
      if (id3.length == 0 && ape.length == 0) break;
      if (first.length == 0) first = id3;
      if (last.length == 0) last = ape;
      offset += id3.length + ape.length;
    }
  }
  TagLib::ByteVector bytes;
  append(bytes, file, first);
  append(bytes, file, last);
  return bytes;
}

} // namespace

LooseTags::LooseTags(const char *path) {
  BlockFile file(path);
  if (!file.isOpen()) return;
  const TagLib::ByteVector bytes = tags(file);
  if (bytes.isEmpty()) return;
  stream_ = std::make_unique<TagLib::ByteVectorStream>(bytes);
#if TAGLIB_MAJOR_VERSION >= 2
  file_ = std::make_unique<TagLib::MPEG::File>(stream_.get(), false);
#else
  file_ = std::make_unique<TagLib::MPEG::File>(stream_.get(), TagLib::ID3v2::FrameFactory::instance(), false);
#endif
}
