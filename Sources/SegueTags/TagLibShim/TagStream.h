#ifndef SEGUE_TAGSTREAM_H
#define SEGUE_TAGSTREAM_H

#include "BlockFile.h"

#include <string>
#include <utility>

#include <taglib.h>
#include <tiostream.h>

/// A file that TagLib reads from, under a name of our choosing: it goes by the suffix, and by the contents where it
/// sees none. TagLib reads a few bytes here and a few there; this reads blocks.
class TagStream : public TagLib::IOStream {
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

  TagStream(const char *path, std::string name) : file_(path), name_(std::move(name)) {}

  TagLib::FileName name() const override { return name_.c_str(); }
  TagLib::ByteVector readBlock(Length length) override;

  bool readOnly() const override { return true; }
  bool isOpen() const override { return file_.isOpen(); }
  void seek(Offset offset, Position position = Beginning) override;
  Offset tell() const override { return position_; }
  Offset length() override { return file_.length(); }

  void writeBlock(const TagLib::ByteVector &) override {}
  void insert(const TagLib::ByteVector &, Start = 0, Length = 0) override {}
  void removeBlock(Start = 0, Length = 0) override {}
  void truncate(Offset) override {}

private:
  BlockFile file_;
  std::string name_;
  Offset position_ = 0;
};

#endif
