#ifndef SEGUE_PLAINCOMMENTS_H
#define SEGUE_PLAINCOMMENTS_H

#include "BlockFile.h"
#include "OwnedFile.h"

/// Bytes that are read one after the other: a FLAC block, or an Ogg packet over its pages.
class PlainSource {
public:
  virtual ~PlainSource() = default;

  /// Copies the next `count` bytes to `target`, or passes over them where that is null; `false` where there are not so
  /// many.
  virtual bool read(unsigned char *target, size_t count) = 0;
};

/// Adds the fields of Vorbis comments (https://www.xiph.org/vorbis/doc/v-comment.html), without pictures; `false` where
/// they are not plain. There may be none, and then the fields may be those of other tags.
bool readPlainComments(PlainSource &source, OwnedFile &result);

#endif
