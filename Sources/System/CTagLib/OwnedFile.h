// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_OWNEDFILE_H
#define SEGUE_OWNEDFILE_H

#include "CTagLib.h"

#include <string>
#include <vector>

/// A `TaggedFile` that owns the memory it points into: one block for all keys and values.
class OwnedFile : public TaggedFile {
public:
  /// The maximum length of a value, in bytes; longer ones are left out.
  static constexpr size_t maximumValueLength = 64 * 1024;

  OwnedFile() : TaggedFile{} {
    release = [](TaggedFile *file) { delete static_cast<OwnedFile *>(file); };
  }

  bool isEmpty() const { return fields_.empty(); }
  bool has(const char *key) const;

  /// Appends a value, in which bytes may be marked (`UndecodedText`). A value that is empty or too long is ignored.
  void add(const std::string &key, const std::string &value);

  /// Makes the base class point to the values that were added; nothing may be added afterwards.
  void publish();

private:
  struct Field {
    size_t key;
    size_t keyLength;
    size_t value;
    size_t valueLength;
    bool isUndecoded;
  };

  void append(const std::string &key, const std::string &value, bool isUndecoded);

  std::string text_;
  std::vector<Field> fields_;
  std::vector<TagProperty> published_;
};

#endif
