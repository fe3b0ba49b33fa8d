// SPDX-License-Identifier: GPL-3.0-or-later

#include "OwnedFile.h"

#include <cstring>

bool OwnedFile::has(const char *key) const {
  const size_t length = strlen(key);
  for (const Field &field : fields_) {
    if (field.keyLength == length && memcmp(text_.data() + field.key, key, length) == 0) return true;
  }
  return false;
}

void OwnedFile::add(const std::string &key, const std::string &value) {
  if (value.empty() || value.size() > maximumValueLength) return;
  if (fields_.empty()) {
    fields_.reserve(24);
    text_.reserve(1024);
  }
  const size_t start = text_.size();
  text_.append(key);
  text_.push_back('\0');
  text_.append(value);
  fields_.push_back({start, key.size(), start + key.size() + 1, value.size()});
}

void OwnedFile::publish() {
  published_.reserve(fields_.size());
  for (const Field &field : fields_) {
    published_.push_back({text_.data() + field.key, field.keyLength, text_.data() + field.value, field.valueLength});
  }
  properties = published_.data();
  propertyCount = published_.size();
}
