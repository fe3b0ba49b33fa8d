// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_BLOCKFILE_H
#define SEGUE_BLOCKFILE_H

#include <sys/types.h>

#include <cstddef>

/// A regular file to read tags from, in blocks of which the first one is kept: most files need three system calls,
/// where TagLib's own stream needs dozens.
class BlockFile {
public:
  using Offset = off_t;
  using Length = size_t;

  /// Opens the file at `path` for reading, if it is a regular one: a FIFO or an endless device would block for ever.
  explicit BlockFile(const char *path);
  ~BlockFile();
  BlockFile(const BlockFile &) = delete;
  BlockFile &operator=(const BlockFile &) = delete;

  bool isOpen() const { return descriptor_ >= 0; }
  Offset length() const { return length_; }

  /// The `count` bytes from `offset` on, until the next call of any member; null where they are not all in the file, or
  /// more than a block.
  const unsigned char *view(Offset offset, Length count);
  /// The same, where a block holds them already, or where they are so near to the beginning that most files are read as
  /// far.
  const char *held(Offset offset, Length count);
  /// Copies the `count` bytes from `offset` on, as far as they are in the file; how many.
  Length read(Offset offset, char *target, Length count);

private:
  /// Bytes of the file from `start` on.
  struct Block {
    static constexpr Offset size = 16 * 1024;
    /// As much as is read where no more is known to be needed: nearly all tags are in so much.
    static constexpr Offset less = 4 * 1024;
    Offset start = 0;
    Offset count = 0;
    char bytes[size];

    bool holds(Offset offset) const { return offset >= start && offset - start < count; }
    const char *held(Offset offset, Offset wanted) const;
    void fill(int descriptor, Offset offset, Offset wanted);
  };

  int descriptor_ = -1;
  Offset length_ = 0;
  Block first_;
  Block other_;
};

#endif
