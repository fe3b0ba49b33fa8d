// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_TAGSTREAM_H
#define SEGUE_TAGSTREAM_H

#include "BlockFile.h"
#include "Repair.h"

#include <string>
#include <utility>

#include <taglib.h>
#include <tiostream.h>

/// A file that TagLib reads from, under a name of our choosing: it goes by the suffix, and by the contents where it
/// sees none. TagLib reads a few bytes here and a few there; this reads blocks. Tags with flaws for which TagLib would
/// give up what is behind them are shown without these.
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

  /// Whether what is shown of the sound is not what decoders see.
  bool repairsMetadata() const { return repair_.isOfMetadata; }
  /// Returns the offset in the file on the disk of what TagLib sees at `shown`; -1 for what is repaired.
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
  /// By how much later what is not repaired is shown than it is in the file.
  Offset shift() const { return static_cast<Offset>(repair_.bytes.size()) - repair_.replaced; }

  BlockFile file_;
  Repair repair_;
  std::string name_;
  Offset position_ = 0;
};

#endif
