// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_UNDECODEDTEXT_H
#define SEGUE_UNDECODEDTEXT_H

#include <string>

#include <tbytevector.h>
#include <tstring.h>

/// Text whose tag does not state its encoding, or states Latin-1, which programs write for any encoding.
///
/// While tags are read, TagLib's strings contain such text as marks: two noncharacters, U+FDD0 to U+FDEF, stand for
/// each byte that is not ASCII. Noncharacters are not used in text (The Unicode Standard, section 23.7).
namespace UndecodedText {

/// Marks the bytes that TagLib decodes on this thread as Latin-1, in ID3v1, ID3v2 and RIFF INFO tags, for as long as
/// this object exists. Tags that are written must not be read meanwhile.
class Reading {
public:
  Reading();
  ~Reading();
  Reading(const Reading &) = delete;
  Reading &operator=(const Reading &) = delete;
};

/// Returns `data` up to the first NUL, as UTF-8 if it is valid, and otherwise with marks; without a `Reading`, as
/// Latin-1.
TagLib::String unknown(const TagLib::ByteVector &data);

/// Whether text in UTF-8 contains a mark.
bool isMarked(const std::string &text);

/// Returns the bytes of marked text.
std::string bytes(const std::string &text);

/// Returns marked text as UTF-8, decoded as Latin-1.
std::string latin1(const std::string &text);

/// Returns text in UTF-8; halves of surrogate pairs become U+FFFD.
std::string utf8(const TagLib::String &text);

} // namespace UndecodedText

#endif
