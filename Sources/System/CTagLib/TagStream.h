// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_TAGSTREAM_H
#define SEGUE_TAGSTREAM_H

#include "BlockFile.h"
#include "Repair.h"

#include <string>
#include <utility>

#include <taglib.h>
#include <tiostream.h>

/// A stream for TagLib to read a file, under a name of our choice: TagLib determines the format by the suffix, or by
/// the contents if there is no suffix. TagLib reads a few bytes here and a few there; this stream reads blocks. If tags
/// have flaws at which TagLib would give up, it sees them repaired.
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

  /// Whether the metadata of the audio that TagLib sees is repaired, and so differs from what decoders see.
  bool repairsMetadata() const { return repair_.isOfMetadata; }
  /// Returns the offset in the file on disk of what TagLib sees at `shown`; -1 if that is part of the repair.
  Offset diskOffset(Offset shown) const {
    return shown < static_cast<Offset>(repair_.bytes.size()) ? -1 : shown - shift();
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
  /// Returns by how many bytes the data after the repair is moved compared with the file.
  Offset shift() const { return static_cast<Offset>(repair_.bytes.size()) - repair_.replaced; }

  BlockFile file_;
  Repair repair_;
  std::string name_;
  Offset position_ = 0;
};

#endif
