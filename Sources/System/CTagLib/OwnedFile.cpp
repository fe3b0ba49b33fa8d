#include "OwnedFile.h"

#include <cstring>

bool OwnedFile::has(const char *key) const {
  const size_t length = strlen(key);
  for (const Field &field : fields_) {
    if (field.keyLength == length && memcmp(text_.data() + field.key, key, length) == 0) return true;
  }
  return false;
}

void OwnedFile::add(const char *key, size_t keyLength, const char *value, size_t valueLength) {
  if (valueLength == 0 || valueLength > maximumValueLength) return;
  if (fields_.empty()) {
    fields_.reserve(24);
    text_.reserve(1024);
  }
  const size_t start = text_.size();
  text_.append(key, keyLength);
  text_.push_back('\0');
  text_.append(value, valueLength);
  fields_.push_back({start, keyLength, start + keyLength + 1, valueLength});
}

void OwnedFile::publish() {
  published_.reserve(fields_.size());
  for (const Field &field : fields_) {
    published_.push_back({text_.data() + field.key, field.keyLength, text_.data() + field.value, field.valueLength});
  }
  properties = published_.data();
  propertyCount = published_.size();
}
