// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_LOOSETAGS_H
#define SEGUE_LOOSETAGS_H

#include <memory>

#include <mpegfile.h>
#include <tbytevectorstream.h>

/// The ID3v2 and APE tags in a file of a format that TagLib does not know, or in a place where it does not look: in the
/// chunks of DSF and DFF files, and at the beginning and the end of any other file.
class LooseTags {
public:
  /// Reads the tags of the file at `path`; there is no `file` if it has none. Tags of more than 32 MiB do not count.
  explicit LooseTags(const char *path);

  /// The tags, as those of an MPEG file without audio; null if there are none.
  TagLib::MPEG::File *file() const { return file_.get(); }

private:
  std::unique_ptr<TagLib::ByteVectorStream> stream_;
  std::unique_ptr<TagLib::MPEG::File> file_;
};

#endif
