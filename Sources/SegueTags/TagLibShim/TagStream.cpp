#include "TagStream.h"

#include <algorithm>

TagLib::ByteVector TagStream::readBlock(Length wanted) {
  if (wanted == 0 || position_ >= length()) return TagLib::ByteVector();
  const Length count = std::min<Length>(wanted, static_cast<Length>(length() - position_));
  if (const char *bytes = file_.held(position_, count)) {
    position_ += static_cast<Offset>(count);
    return TagLib::ByteVector(bytes, static_cast<unsigned int>(count));
  }
  TagLib::ByteVector data(static_cast<unsigned int>(count), 0);
  const Length done = file_.read(position_, data.data(), count);
  data.resize(static_cast<unsigned int>(done));
  position_ += static_cast<Offset>(done);
  return data;
}

void TagStream::seek(Offset offset, Position position) {
  const Offset base = position == Beginning ? 0 : position == Current ? position_ : length();
  const Offset target = base + offset;
  if (target >= 0) position_ = target;
}
