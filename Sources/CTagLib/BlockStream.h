#ifndef SEGUE_BLOCKSTREAM_H
#define SEGUE_BLOCKSTREAM_H

#include <sys/types.h>

#include <string>
#include <utility>

#include <taglib.h>
#include <tiostream.h>

/// A file to read tags from, under a name of our choosing: TagLib goes by the suffix, and by the contents where it sees none.
///
/// TagLib reads a few bytes here and a few there. This stream reads blocks, and keeps the first one: of most files it needs three
/// system calls, where TagLib's own stream needs dozens.
class BlockStream : public TagLib::IOStream {
public:
#if TAGLIB_MAJOR_VERSION >= 2
  using Offset = TagLib::offset_t;
  using Length = size_t;
  using Start = TagLib::offset_t;
#else
  using Offset = long;
  using Length = unsigned long;
  using Start = unsigned long;
#endif

  /// A stream over `descriptor`, which it closes, of a regular file of `length` bytes.
  BlockStream(int descriptor, Offset length, std::string name);
  ~BlockStream() override;
  BlockStream(const BlockStream &) = delete;
  BlockStream &operator=(const BlockStream &) = delete;

  TagLib::FileName name() const override { return name_.c_str(); }
  TagLib::ByteVector readBlock(Length length) override;
  /// The `count` bytes from `offset` on, until the next call of any member; null where they are not all in the file, or more than a
  /// block. Changes no position.
  const unsigned char *view(Offset offset, Length count);

  bool readOnly() const override { return true; }
  bool isOpen() const override { return true; }
  void seek(Offset offset, Position position = Beginning) override;
  Offset tell() const override { return position_; }
  Offset length() override { return length_; }

  void writeBlock(const TagLib::ByteVector &) override {}
  void insert(const TagLib::ByteVector &, Start = 0, Length = 0) override {}
  void removeBlock(Start = 0, Length = 0) override {}
  void truncate(Offset) override {}

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
    void fill(int descriptor, Offset offset, Offset wanted);
  };

  int descriptor_;
  Offset length_;
  Offset position_ = 0;
  std::string name_;
  Block first_;
  Block other_;
};

/// A descriptor of the regular file at `path` and its length, or -1; never blocks on anything else.
std::pair<int, off_t> openRegularFile(const char *path);

#endif
