// SPDX-License-Identifier: GPL-3.0-or-later

#include "CTagLib.h"

#include "TagStream.h"

#include <memory>
#include <string>

#include <aifffile.h>
#include <attachedpictureframe.h>
#include <fileref.h>
#include <flacfile.h>
#include <flacpicture.h>
#include <id3v2tag.h>
#include <mpegfile.h>
#include <wavfile.h>
#include <xiphcomment.h>

namespace {

/// A `TagPicture` that owns the memory it points into.
struct OwnedPicture : TagPicture {
  TagLib::ByteVector data;
  std::string type;
  bool isFrontCover = false;

  OwnedPicture() : TagPicture{} {
    release = [](TagPicture *picture) { delete static_cast<OwnedPicture *>(picture); };
  }

  void publish() {
    bytes = reinterpret_cast<const unsigned char *>(data.data());
    count = data.size();
    mimeType = type.c_str();
  }
};

/// Chooses one of the pictures that are passed to `consider`: the first front cover, or else the first picture.
class PictureChoice {
public:
  explicit PictureChoice(size_t limit) : limit_(limit) {}

  void consider(const TagLib::ByteVector &data, const TagLib::String &type, bool isFrontCover) {
    // If the picture is stored elsewhere, the file contains a link.
    if (data.isEmpty() || data.size() > limit_ || type == "-->") return;
    if (best_ && (best_->isFrontCover || !isFrontCover)) return;
    best_ = std::make_unique<OwnedPicture>();
    best_->data = data;
    best_->type = type.to8Bit(true);
    best_->isFrontCover = isFrontCover;
  }

  void consider(const TagLib::List<TagLib::FLAC::Picture *> &pictures) {
    for (const auto *picture : pictures) {
      consider(picture->data(), picture->mimeType(), picture->type() == TagLib::FLAC::Picture::FrontCover);
    }
  }

  void consider(const TagLib::ID3v2::Tag *tag) {
    if (!tag) return;
    for (const auto *frame : tag->frameList("APIC")) {
      const auto *picture = dynamic_cast<const TagLib::ID3v2::AttachedPictureFrame *>(frame);
      if (!picture) continue;
      consider(picture->picture(), picture->mimeType(),
               picture->type() == TagLib::ID3v2::AttachedPictureFrame::FrontCover);
    }
  }

  std::unique_ptr<OwnedPicture> take() { return std::move(best_); }

private:
  size_t limit_;
  std::unique_ptr<OwnedPicture> best_;
};

std::unique_ptr<OwnedPicture> read(const char *path, const std::string &name, size_t limit) {
  TagStream stream(path, name);
  if (!stream.isOpen()) return nullptr;
  const TagLib::FileRef reference(&stream, false);
  if (reference.isNull() || !reference.file()) return nullptr;
  PictureChoice choice(limit);
  if (auto *flac = dynamic_cast<TagLib::FLAC::File *>(reference.file())) {
    choice.consider(flac->pictureList());
    if (flac->hasID3v2Tag()) choice.consider(flac->ID3v2Tag());
  } else if (auto *mpeg = dynamic_cast<TagLib::MPEG::File *>(reference.file())) {
    if (mpeg->hasID3v2Tag()) choice.consider(mpeg->ID3v2Tag());
  } else if (auto *wav = dynamic_cast<TagLib::RIFF::WAV::File *>(reference.file())) {
    if (wav->hasID3v2Tag()) choice.consider(wav->ID3v2Tag());
  } else if (auto *aiff = dynamic_cast<TagLib::RIFF::AIFF::File *>(reference.file())) {
    if (aiff->hasID3v2Tag()) choice.consider(aiff->tag());
  } else if (auto *comment = dynamic_cast<TagLib::Ogg::XiphComment *>(reference.file()->tag())) {
    choice.consider(comment->pictureList());
  }
  return choice.take();
}

} // namespace

TagPicture *TagLibPictureRead(const char *path, size_t limit) {
  try {
    auto result = read(path, path, limit);
    // The suffix may be wrong.
    if (!result) result = read(path, "", limit);
    if (!result) return nullptr;
    result->publish();
    return result.release();
  } catch (...) {
    return nullptr;
  }
}
