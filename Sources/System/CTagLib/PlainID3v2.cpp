#include "PlainBytes.h"
#include "PlainReaders.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace {

using Offset = BlockFile::Offset;

constexpr Offset headerLength = 10;
constexpr size_t longestFrame = 16 * 1024;

struct Name {
  const char *id;
  const char *key;
};

/// The frames of one field, by the names of TagLib's property map.
constexpr Name texts[] = {
    {"TALB", "ALBUM"},       {"TBPM", "BPM"},         {"TCMP", "COMPILATION"}, {"TCOM", "COMPOSER"},
    {"TCON", "GENRE"},       {"TCOP", "COPYRIGHT"},   {"TDOR", "ORIGINALDATE"}, {"TDRC", "DATE"},
    {"TDRL", "RELEASEDATE"}, {"TENC", "ENCODEDBY"},   {"TEXT", "LYRICIST"},    {"TIT2", "TITLE"},
    {"TIT3", "SUBTITLE"},    {"TKEY", "INITIALKEY"},  {"TLAN", "LANGUAGE"},    {"TLEN", "LENGTH"},
    {"TMED", "MEDIA"},       {"TMOO", "MOOD"},        {"TOAL", "ORIGINALALBUM"}, {"TOPE", "ORIGINALARTIST"},
    {"TPE1", "ARTIST"},      {"TPE2", "ALBUMARTIST"}, {"TPE3", "CONDUCTOR"},   {"TPE4", "REMIXER"},
    {"TPOS", "DISCNUMBER"},  {"TPUB", "LABEL"},       {"TRCK", "TRACKNUMBER"}, {"TSO2", "ALBUMARTISTSORT"},
    {"TSOA", "ALBUMSORT"},   {"TSOC", "COMPOSERSORT"}, {"TSOP", "ARTISTSORT"}, {"TSOT", "TITLESORT"},
    {"TSRC", "ISRC"},        {"TSSE", "ENCODING"},
};

/// Descriptions of fields that have another name in the property map.
constexpr Name descriptions[] = {
    {"MUSICBRAINZ ALBUM ID", "MUSICBRAINZ_ALBUMID"},
    {"MUSICBRAINZ ARTIST ID", "MUSICBRAINZ_ARTISTID"},
    {"MUSICBRAINZ ALBUM ARTIST ID", "MUSICBRAINZ_ALBUMARTISTID"},
    {"MUSICBRAINZ ALBUM RELEASE COUNTRY", "RELEASECOUNTRY"},
    {"MUSICBRAINZ ALBUM STATUS", "RELEASESTATUS"},
    {"MUSICBRAINZ ALBUM TYPE", "RELEASETYPE"},
    {"MUSICBRAINZ RELEASE GROUP ID", "MUSICBRAINZ_RELEASEGROUPID"},
    {"MUSICBRAINZ RELEASE TRACK ID", "MUSICBRAINZ_RELEASETRACKID"},
    {"MUSICBRAINZ WORK ID", "MUSICBRAINZ_WORKID"},
    {"ACOUSTID ID", "ACOUSTID_ID"},
    {"ACOUSTID FINGERPRINT", "ACOUSTID_FINGERPRINT"},
    {"MUSICIP PUID", "MUSICIP_PUID"},
};

/// Frames that give no field.
constexpr const char *silent[] = {"APIC", "GEOB", "MCDI", "PCNT", "POPM", "PRIV"};

bool isID(const unsigned char *bytes) {
  return std::all_of(bytes, bytes + 4, [](unsigned char byte) {
    return (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
  });
}

/// The texts of one frame, one after the other, in UTF-8.
class Texts {
public:
  /// Takes the bytes behind the encoding's mark; `false` where they are not plain. As everywhere, NULs at the end do
  /// not count.
  bool read(unsigned char encoding, const unsigned char *bytes, size_t count) {
    if (encoding > 3) return false;
    const size_t width = encoding == 1 || encoding == 2 ? 2 : 1;
    if (count % width != 0) return false;
    const auto isZero = [](unsigned char byte) { return byte == 0; };
    while (count > 0 && std::all_of(bytes + count - width, bytes + count, isZero)) count -= width;
    int order = 0;
    for (size_t start = 0; start < count;) {
      size_t end = start;
      while (end < count && (bytes[end] != 0 || (width == 2 && bytes[end + 1] != 0))) end += width;
      if (end == start || !add(encoding, bytes + start, end - start, order)) return false;
      start = end + width;
    }
    return count_ > 0;
  }

  size_t count() const { return count_; }
  std::pair<const char *, size_t> text(size_t index) const {
    const size_t start = index == 0 ? 0 : ends_[index - 1];
    return {text_.data() + start, ends_[index] - start};
  }
  std::string &bytes() { return text_; }

private:
  static constexpr size_t limit = 64;

  bool add(unsigned char encoding, const unsigned char *bytes, size_t count, int &order) {
    if (count_ == limit) return false;
    if (encoding == 0) {
      appendLatin1(bytes, count, text_);
    } else if (encoding == 3) {
      if (!isText(bytes, count)) return false;
      text_.append(reinterpret_cast<const char *>(bytes), count);
    } else {
      int present = 0;
      if (encoding == 1 && count >= 2 && bytes[0] == 0xFF && bytes[1] == 0xFE) present = 1;
      if (encoding == 1 && count >= 2 && bytes[0] == 0xFE && bytes[1] == 0xFF) present = 2;
      if (encoding == 1 && count_ == 0) order = present;
      // A text without a mark is as the first one.
      const int effective = encoding == 2 ? 2 : present != 0 ? present : order;
      const size_t mark = present != 0 ? 2 : 0;
      if (effective == 0 || count == mark) return false;
      if (!appendUTF16(bytes + mark, count - mark, effective == 2, text_)) return false;
    }
    ends_[count_++] = text_.size();
    return true;
  }

  std::string text_;
  size_t ends_[limit];
  size_t count_ = 0;
};

/// Adds the texts from `first` on.
void add(const Texts &texts, size_t first, const char *key, size_t keyLength, OwnedFile &result) {
  for (size_t index = first; index < texts.count(); ++index) {
    const auto [text, length] = texts.text(index);
    result.add(key, keyLength, text, length);
  }
}

/// A field of people's own: a description, and its texts.
bool addDescribed(Texts &texts, OwnedFile &result) {
  const size_t length = texts.text(0).second;
  for (size_t index = 0; index < length; ++index) {
    char &byte = texts.bytes()[index];
    if (byte < 0x20 || byte > 0x7E) return false;
    byte = upper(byte);
  }
  const char *key = texts.bytes().data();
  for (const Name &name : descriptions) {
    if (strlen(name.id) == length && memcmp(name.id, key, length) == 0) {
      add(texts, 1, name.key, strlen(name.key), result);
      return true;
    }
  }
  add(texts, 1, key, length, result);
  return true;
}

/// Whether TagLib takes the text as it is.
bool isUnchanged(const char *key, const Texts &texts) {
  const bool isGenre = strcmp(key, "GENRE") == 0;
  if (!isGenre && strcmp(key, "DATE") != 0) return true;
  for (size_t index = 0; index < texts.count(); ++index) {
    const auto [text, length] = texts.text(index);
    // Numbers stand for names, and some are in parentheses.
    const bool isLetter = (upper(*text) >= 'A' && upper(*text) <= 'Z') || static_cast<unsigned char>(*text) >= 0x80;
    if (isGenre && !isLetter) return false;
    if (!isGenre && memchr(text, 'T', length)) return false;
  }
  return true;
}

bool addText(const unsigned char *id, int version, const unsigned char *bytes, size_t count, OwnedFile &result) {
  const auto is = [&](const char *other) { return memcmp(id, other, 4) == 0; };
  Texts texts;
  if (count < 2 || !texts.read(bytes[0], bytes + 1, count - 1)) return false;
  if (is("TXXX")) return addDescribed(texts, result);
  const char *known = version == 3 && is("TYER") ? "TDRC" : version == 3 && is("TORY") ? "TDOR" : nullptr;
  const void *sought = known ? static_cast<const void *>(known) : id;
  for (const Name &name : ::texts) {
    if (memcmp(name.id, sought, 4) != 0) continue;
    if (!isUnchanged(name.key, texts)) return false;
    add(texts, 0, name.key, strlen(name.key), result);
    return true;
  }
  return false;
}

/// Who gives a file which number.
bool addIdentifier(const unsigned char *bytes, size_t count, OwnedFile &result) {
  static constexpr char owner[] = "http://musicbrainz.org";
  const auto *end = static_cast<const unsigned char *>(memchr(bytes, 0, count));
  if (!end) return false;
  if (count < sizeof owner || memcmp(bytes, owner, sizeof owner) != 0) return true;
  const unsigned char *value = bytes + sizeof owner;
  const size_t length = count - sizeof owner;
  if (!std::all_of(value, value + length, [](unsigned char byte) { return byte >= 0x20 && byte < 0x7F; })) return false;
  static constexpr char key[] = "MUSICBRAINZ_TRACKID";
  result.add(key, sizeof key - 1, reinterpret_cast<const char *>(value), length);
  return true;
}

/// Whether some programs' wrong way to write a size above 127 would be taken for the right one.
bool isAmbiguous(BlockFile &file, Offset frame, Offset end, size_t size, size_t otherSize) {
  const auto isFollowed = [&](size_t size) {
    const Offset next = frame + headerLength + static_cast<Offset>(size);
    const unsigned char *bytes = next > end - 4 ? nullptr : file.view(next, 4);
    return bytes && isID(bytes);
  };
  return size > 127 && !isFollowed(size) && isFollowed(otherSize);
}

} // namespace

// https://id3.org/id3v2.3.0 and https://id3.org/id3v2.4.0-structure
Offset readPlainID3v2(BlockFile &file, Offset offset, OwnedFile &result) {
  const unsigned char *bytes = file.view(offset, headerLength);
  if (!bytes || memcmp(bytes, "ID3", 3) != 0 || (bytes[3] != 3 && bytes[3] != 4) || bytes[5] != 0) return 0;
  const int version = bytes[3];
  if (!isSynchsafe(bytes + 6)) return 0;
  const Offset end = offset + headerLength + static_cast<Offset>(synchsafe(bytes + 6));
  if (end > file.length() || end - offset <= 2 * headerLength) return 0;

  for (Offset place = offset + headerLength; place < end - headerLength;) {
    bytes = file.view(place, headerLength);
    if (!bytes) return 0;
    if (bytes[0] == 0) break;
    unsigned char id[4];
    memcpy(id, bytes, 4);
    const size_t plainSize = bigEndian32(bytes + 4);
    const size_t size = version == 4 ? synchsafe(bytes + 4) : plainSize;
    if (!isID(id) || bytes[9] != 0 || (version == 4 && !isSynchsafe(bytes + 4))) return 0;
    if (size == 0 || static_cast<Offset>(size) > end - place - headerLength) return 0;
    if (version == 4 && isAmbiguous(file, place, end, size, plainSize)) return 0;
    const auto is = [&](const char *other) { return memcmp(id, other, 4) == 0; };
    if (!std::any_of(std::begin(silent), std::end(silent), is)) {
      bytes = size > longestFrame ? nullptr : file.view(place + headerLength, size);
      if (!bytes) return 0;
      const bool isTaken = id[0] == 'T'   ? addText(id, version, bytes, size, result)
                           : is("UFID") ? addIdentifier(bytes, size, result)
                                        : false;
      if (!isTaken) return 0;
    }
    place += headerLength + static_cast<Offset>(size);
  }
  result.sort();
  // Without any, the fields are those of other tags.
  return result.isEmpty() ? 0 : end - offset;
}
