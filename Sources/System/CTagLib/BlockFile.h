// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_BLOCKFILE_H
#define SEGUE_BLOCKFILE_H

#include <sys/types.h>

#include <cstddef>

/// A regular file whose tags are read in blocks, the first of which stays in memory. Most files take three system
/// calls; with TagLib's own stream, they would take dozens.
class BlockFile {
public:
  using Offset = off_t;
  using Length = size_t;

  /// Opens the file at `path` for reading, but only if it is a regular file: a FIFO or an endless device would block
  /// forever.
  explicit BlockFile(const char *path);
  ~BlockFile();
  BlockFile(const BlockFile &) = delete;
  BlockFile &operator=(const BlockFile &) = delete;

  bool isOpen() const { return descriptor_ >= 0; }
  Offset length() const { return length_; }

  /// Returns the `count` bytes at `offset`, valid until the next call of any member; null if they are not all in the
  /// file, or do not fit into a block.
  const unsigned char *view(Offset offset, Length count);
  /// Returns the `count` bytes at `offset` if a block already contains them; otherwise null. The first block is first
  /// extended to its full size, which is as far as most files are read. Valid until the next call of any member.
  const char *buffered(Offset offset, Length count);
  /// Copies the `count` bytes at `offset` to `target`, as far as they are in the file; returns their number.
  Length read(Offset offset, char *target, Length count);

private:
  /// A block: the bytes of the file from `start` on.
  struct Block {
    static constexpr Offset size = 16 * 1024;
    /// The number of bytes to read if more are not known to be needed; nearly all tags fit.
    static constexpr Offset initialSize = 4 * 1024;
    Offset start = 0;
    Offset count = 0;
    char bytes[size];

    bool contains(Offset offset) const { return offset >= start && offset - start < count; }
    const char *buffered(Offset offset, Offset wanted) const;
    void fill(int descriptor, Offset offset, Offset wanted);
  };

  int descriptor_ = -1;
  Offset length_ = 0;
  Block first_;
  Block other_;
};

#endif
