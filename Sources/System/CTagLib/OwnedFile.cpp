#include "OwnedFile.h"

#include <algorithm>
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

void OwnedFile::clear() {
  text_.clear();
  fields_.clear();
}

void OwnedFile::sort() {
  const auto isBefore = [this](const Field &one, const Field &other) {
    const int order =
        memcmp(text_.data() + one.key, text_.data() + other.key, std::min(one.keyLength, other.keyLength));
    return order != 0 ? order < 0 : one.keyLength < other.keyLength;
  };
  // Files have a dozen of them: no memory is taken for it.
  for (size_t end = 1; end < fields_.size(); ++end) {
    const auto last = fields_.begin() + static_cast<std::ptrdiff_t>(end);
    if (!isBefore(*last, *(last - 1))) continue;
    std::rotate(std::upper_bound(fields_.begin(), last, *last, isBefore), last, last + 1);
  }
}

void OwnedFile::publish() {
  published_.reserve(fields_.size());
  for (const Field &field : fields_) {
    published_.push_back({text_.data() + field.key, field.keyLength, text_.data() + field.value, field.valueLength});
  }
  properties = published_.data();
  propertyCount = published_.size();
}
