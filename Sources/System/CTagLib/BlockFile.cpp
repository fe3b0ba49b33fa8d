// SPDX-License-Identifier: GPL-3.0-or-later

#include "BlockFile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

BlockFile::BlockFile(const char *path) {
  const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(descriptor);
    return;
  }
  descriptor_ = descriptor;
  length_ = status.st_size;
  first_.fill(descriptor_, 0, Block::initialSize);
}

BlockFile::~BlockFile() {
  if (isOpen()) close(descriptor_);
}

void BlockFile::Block::fill(int descriptor, Offset offset, Offset wanted) {
  start = offset;
  count = std::max<Offset>(0, pread(descriptor, bytes, static_cast<size_t>(wanted), offset));
}

const char *BlockFile::Block::buffered(Offset offset, Offset wanted) const {
  return contains(offset) && start + count - offset >= wanted ? bytes + (offset - start) : nullptr;
}

const unsigned char *BlockFile::view(Offset offset, Length count) {
  if (offset < 0 || count > Block::size || offset > length_ - static_cast<Offset>(count)) return nullptr;
  const Offset wanted = static_cast<Offset>(count);
  for (const Block *block : {&first_, &other_}) {
    if (const char *bytes = block->buffered(offset, wanted)) return reinterpret_cast<const unsigned char *>(bytes);
  }
  other_.fill(descriptor_, offset, std::max<Offset>(wanted, Block::initialSize));
  return other_.count < wanted ? nullptr : reinterpret_cast<const unsigned char *>(other_.bytes);
}

const char *BlockFile::buffered(Offset offset, Length count) {
  if (first_.count <= Block::initialSize && first_.count < length_) first_.fill(descriptor_, 0, Block::size);
  for (const Block *block : {&first_, &other_}) {
    if (const char *bytes = block->buffered(offset, static_cast<Offset>(count))) return bytes;
  }
  return nullptr;
}

BlockFile::Length BlockFile::read(Offset offset, char *target, Length count) {
  const Offset wanted = static_cast<Offset>(count);
  Offset done = 0;
  while (done < wanted) {
    const Offset position = offset + done;
    const Block *block = first_.contains(position) ? &first_ : other_.contains(position) ? &other_ : nullptr;
    if (!block && wanted - done >= Block::size) {
      const Offset read = pread(descriptor_, target + done, static_cast<size_t>(wanted - done), position);
      if (read <= 0) break;
      done += read;
      continue;
    }
    if (!block) {
      // The block begins before the offset, since the next read is before this one as often as after it (except at the
      // beginning of a search).
      const Offset start = std::max<Offset>(0, std::min(position - position % 4096, length_ - Block::size));
      other_.fill(descriptor_, start, Block::size);
      if (!other_.contains(position)) break;
      block = &other_;
    }
    const Offset copied = std::min(wanted - done, block->start + block->count - position);
    memcpy(target + done, block->bytes + (position - block->start), static_cast<size_t>(copied));
    done += copied;
  }
  return static_cast<Length>(done);
}
