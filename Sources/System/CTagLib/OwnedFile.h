// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_OWNEDFILE_H
#define SEGUE_OWNEDFILE_H

#include "CTagLib.h"

#include <string>
#include <vector>

/// What Swift sees of a file, with the storage that it points into: one piece of memory for all keys and values.
class OwnedFile : public TaggedFile {
public:
  /// Longer values are left out, in bytes.
  static constexpr size_t maximumValueLength = 64 * 1024;

  OwnedFile() : TaggedFile{} {
    release = [](TaggedFile *file) { delete static_cast<OwnedFile *>(file); };
  }

  bool isEmpty() const { return fields_.empty(); }
  bool has(const char *key) const;

  /// Adds a value behind all others; an empty one does not count, nor one that is too long.
  void add(const std::string &key, const std::string &value);

  /// Lets the base point to what was added, after which nothing may be added.
  void publish();

private:
  struct Field {
    size_t key;
    size_t keyLength;
    size_t value;
    size_t valueLength;
  };

  std::string text_;
  std::vector<Field> fields_;
  std::vector<TagProperty> published_;
};

#endif
