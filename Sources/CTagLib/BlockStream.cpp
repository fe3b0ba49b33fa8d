#include "BlockStream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

BlockStream::BlockStream(int descriptor, Offset length, std::string name)
    : descriptor_(descriptor), length_(length), name_(std::move(name)) {
  first_.fill(descriptor_, 0, Block::less);
}

BlockStream::~BlockStream() { close(descriptor_); }

void BlockStream::Block::fill(int descriptor, Offset offset, Offset wanted) {
  start = offset;
  count = std::max<Offset>(0, pread(descriptor, bytes, static_cast<size_t>(wanted), offset));
}

TagLib::ByteVector BlockStream::readBlock(Length wanted) {
  if (wanted == 0 || position_ >= length_) return TagLib::ByteVector();
  if (first_.count <= Block::less && first_.count < length_) first_.fill(descriptor_, 0, Block::size);
  const Offset count = std::min<Length>(wanted, static_cast<Length>(length_ - position_));
  for (const Block *block : {&first_, &other_}) {
    if (!block->holds(position_) || block->start + block->count - position_ < count) continue;
    const char *bytes = block->bytes + (position_ - block->start);
    position_ += count;
    return TagLib::ByteVector(bytes, static_cast<unsigned int>(count));
  }
  TagLib::ByteVector data(static_cast<unsigned int>(count), 0);
  char *bytes = data.data();
  Offset done = 0;
  while (done < count) {
    const Block *block = first_.holds(position_) ? &first_ : other_.holds(position_) ? &other_ : nullptr;
    if (!block && count - done >= Block::size) {
      const Offset read = pread(descriptor_, bytes + done, static_cast<size_t>(count - done), position_);
      if (read <= 0) break;
      done += read;
      position_ += read;
      continue;
    }
    if (!block) {
      // What is read next is as often before as behind, save at the beginning of what was sought.
      other_.fill(descriptor_, std::max<Offset>(0, std::min(position_ - position_ % 4096, length_ - Block::size)), Block::size);
      if (!other_.holds(position_)) break;
      block = &other_;
    }
    const Offset part = std::min(count - done, block->start + block->count - position_);
    memcpy(bytes + done, block->bytes + (position_ - block->start), static_cast<size_t>(part));
    done += part;
    position_ += part;
  }
  data.resize(static_cast<unsigned int>(done));
  return data;
}

const unsigned char *BlockStream::view(Offset offset, Length count) {
  if (offset < 0 || count > Block::size || offset > length_ - static_cast<Offset>(count)) return nullptr;
  const Offset wanted = static_cast<Offset>(count);
  for (const Block *block : {&first_, &other_}) {
    if (!block->holds(offset) || block->start + block->count - offset < wanted) continue;
    return reinterpret_cast<const unsigned char *>(block->bytes + (offset - block->start));
  }
  other_.fill(descriptor_, offset, std::max<Offset>(wanted, Block::less));
  return other_.count < wanted ? nullptr : reinterpret_cast<const unsigned char *>(other_.bytes);
}

void BlockStream::seek(Offset offset, Position position) {
  const Offset base = position == Beginning ? 0 : position == Current ? position_ : length_;
  const Offset target = base + offset;
  if (target >= 0) position_ = target;
}

std::pair<int, off_t> openRegularFile(const char *path) {
  const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return {-1, 0};
  struct stat status;
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) return {descriptor, status.st_size};
  close(descriptor);
  return {-1, 0};
}
