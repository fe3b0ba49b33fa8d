// SPDX-License-Identifier: GPL-3.0-or-later

#include "OwnedFile.h"

#include "UndecodedText.h"

#include <cstring>

bool OwnedFile::has(const char *key) const {
  const size_t length = strlen(key);
  for (const Field &field : fields_) {
    if (field.keyLength == length && memcmp(text_.data() + field.key, key, length) == 0) return true;
  }
  return false;
}

void OwnedFile::add(const std::string &key, const std::string &value) {
  const bool isUndecoded = UndecodedText::isMarked(value);
  append(UndecodedText::isMarked(key) ? UndecodedText::latin1(key) : key,
         isUndecoded ? UndecodedText::bytes(value) : value, isUndecoded);
}

void OwnedFile::append(const std::string &key, const std::string &value, bool isUndecoded) {
  if (value.empty() || value.size() > maximumValueLength) return;
  if (fields_.empty()) {
    fields_.reserve(24);
    text_.reserve(1024);
  }
  const size_t start = text_.size();
  text_.append(key);
  text_.push_back('\0');
  text_.append(value);
  fields_.push_back({start, key.size(), start + key.size() + 1, value.size(), isUndecoded});
}

void OwnedFile::publish() {
  published_.reserve(fields_.size());
  for (const Field &field : fields_) {
    published_.push_back({text_.data() + field.key, field.keyLength, text_.data() + field.value, field.valueLength,
                          field.isUndecoded});
  }
  properties = published_.data();
  propertyCount = published_.size();
}
