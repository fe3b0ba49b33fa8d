// SPDX-License-Identifier: GPL-3.0-or-later

#include "TagStream.h"

#include <algorithm>
#include <cstring>

TagLib::ByteVector TagStream::readBlock(Length wanted) {
  if (wanted == 0 || position_ >= length()) return TagLib::ByteVector();
  const Length count = std::min<Length>(wanted, static_cast<Length>(length() - position_));
  const Offset repaired = static_cast<Offset>(repair_.bytes.size());
  if (position_ >= repaired) {
    if (const char *bytes = file_.buffered(position_ - shift(), count)) {
      position_ += static_cast<Offset>(count);
      return TagLib::ByteVector(bytes, static_cast<unsigned int>(count));
    }
  }
  TagLib::ByteVector data(static_cast<unsigned int>(count), 0);
  Length done = 0;
  if (position_ < repaired) {
    done = std::min<Length>(count, static_cast<Length>(repaired - position_));
    memcpy(data.data(), repair_.bytes.data() + position_, done);
  }
  const Offset offset = position_ + static_cast<Offset>(done) - shift();
  if (done < count) done += file_.read(offset, data.data() + done, count - done);
  data.resize(static_cast<unsigned int>(done));
  position_ += static_cast<Offset>(done);
  return data;
}

void TagStream::seek(Offset offset, Position position) {
  const Offset base = position == Beginning ? 0 : position == Current ? position_ : length();
  const Offset target = base + offset;
  if (target >= 0) position_ = target;
}
