// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_TAGSTREAM_H
#define SEGUE_TAGSTREAM_H

#include "BlockFile.h"
#include "Repair.h"

#include <string>
#include <utility>

#include <taglib.h>
#include <tiostream.h>

/// A stream through which TagLib reads a file, under a name of our choice: TagLib determines the format by the suffix,
/// or by the contents if there is no suffix. TagLib reads a few bytes here and a few there, while this stream reads
/// blocks. Tags with flaws at which TagLib would give up are repaired in the stream.
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

  TagStream(const char *path, std::string name) : file_(path), name_(std::move(name)) {
    if (file_.isOpen()) repair_ = repair(file_);
  }

  TagLib::FileName name() const override { return name_.c_str(); }
  TagLib::ByteVector readBlock(Length length) override;

  /// Whether the FLAC metadata that TagLib sees is repaired, and thus differs from what decoders see.
  bool repairsMetadata() const { return repair_.includesMetadata; }
  /// Converts an offset in the stream to an offset in the file on disk; -1 if it is within the repaired part.
  Offset diskOffset(Offset offset) const {
    return offset < static_cast<Offset>(repair_.bytes.size()) ? -1 : offset - shift();
  }

  bool readOnly() const override { return true; }
  bool isOpen() const override { return file_.isOpen(); }
  void seek(Offset offset, Position position = Beginning) override;
  Offset tell() const override { return position_; }
  Offset length() override { return file_.length() + shift(); }

  void writeBlock(const TagLib::ByteVector &) override {}
  void insert(const TagLib::ByteVector &, Start = 0, Length = 0) override {}
  void removeBlock(Start = 0, Length = 0) override {}
  void truncate(Offset) override {}

private:
  /// Returns the number of bytes by which the data after the repair is shifted relative to the file.
  Offset shift() const { return static_cast<Offset>(repair_.bytes.size()) - repair_.replaced; }

  BlockFile file_;
  Repair repair_;
  std::string name_;
  Offset position_ = 0;
};

#endif
