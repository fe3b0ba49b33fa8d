// SPDX-License-Identifier: GPL-3.0-or-later

#include "CTagLib.h"

#include "LooseTags.h"
#include "TagStream.h"

#include <memory>
#include <string>

#include <aifffile.h>
#include <apefile.h>
#include <apetag.h>
#include <asffile.h>
#include <asfpicture.h>
#include <attachedpictureframe.h>
#include <fileref.h>
#include <flacfile.h>
#include <flacpicture.h>
#include <id3v2tag.h>
#include <mp4coverart.h>
#include <mp4file.h>
#include <mpcfile.h>
#include <mpegfile.h>
#include <trueaudiofile.h>
#include <wavfile.h>
#include <wavpackfile.h>
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

  void consider(const TagLib::MP4::Tag *tag) {
    if (!tag) return;
    for (const auto &cover : tag->item("covr").toCoverArtList()) {
      const bool isPNG = cover.format() == TagLib::MP4::CoverArt::PNG;
      consider(cover.data(), isPNG ? "image/png" : "image/jpeg", true);
    }
  }

  void consider(const TagLib::APE::Tag *tag) {
    if (!tag) return;
    const TagLib::APE::ItemListMap &items = tag->itemListMap();
    for (const char *key : {"COVER ART (FRONT)", "COVER ART (BACK)"}) {
      const auto item = items.find(key);
      if (item == items.end() || item->second.type() != TagLib::APE::Item::Binary) continue;
      // A file name, terminated by a NUL, precedes the picture.
      const TagLib::ByteVector data = item->second.binaryData();
      const int end = data.find('\0');
      if (end < 0) continue;
      const TagLib::ByteVector picture = data.mid(static_cast<unsigned int>(end) + 1);
      consider(picture, picture.startsWith("\x89PNG") ? "image/png" : "image/jpeg", key[11] == 'F');
    }
  }

  void consider(const TagLib::ASF::Tag *tag) {
    if (!tag || !tag->contains("WM/Picture")) return;
    for (const auto &attribute : tag->attribute("WM/Picture")) {
      const TagLib::ASF::Picture picture = attribute.toPicture();
      if (!picture.isValid()) continue;
      consider(picture.picture(), picture.mimeType(), picture.type() == TagLib::ASF::Picture::FrontCover);
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
  } else if (auto *mp4 = dynamic_cast<TagLib::MP4::File *>(reference.file())) {
    choice.consider(mp4->tag());
  } else if (auto *asf = dynamic_cast<TagLib::ASF::File *>(reference.file())) {
    choice.consider(asf->tag());
  } else if (auto *wavPack = dynamic_cast<TagLib::WavPack::File *>(reference.file())) {
    if (wavPack->hasAPETag()) choice.consider(wavPack->APETag());
  } else if (auto *ape = dynamic_cast<TagLib::APE::File *>(reference.file())) {
    if (ape->hasAPETag()) choice.consider(ape->APETag());
  } else if (auto *mpc = dynamic_cast<TagLib::MPC::File *>(reference.file())) {
    if (mpc->hasAPETag()) choice.consider(mpc->APETag());
  } else if (auto *trueAudio = dynamic_cast<TagLib::TrueAudio::File *>(reference.file())) {
    if (trueAudio->hasID3v2Tag()) choice.consider(trueAudio->ID3v2Tag());
  } else if (auto *comment = dynamic_cast<TagLib::Ogg::XiphComment *>(reference.file()->tag())) {
    choice.consider(comment->pictureList());
  }
  return choice.take();
}

std::unique_ptr<OwnedPicture> readLoose(const char *path, size_t limit) {
  const LooseTags tags(path);
  PictureChoice choice(limit);
  if (tags.file() && tags.file()->hasID3v2Tag()) choice.consider(tags.file()->ID3v2Tag());
  if (tags.file() && tags.file()->hasAPETag()) choice.consider(tags.file()->APETag());
  return choice.take();
}

} // namespace

TagPicture *TagLibPictureRead(const char *path, size_t limit) {
  try {
    auto result = read(path, path, limit);
    // The suffix may be wrong.
    if (!result) result = read(path, "", limit);
    if (!result) result = readLoose(path, limit);
    if (!result) return nullptr;
    result->publish();
    return result.release();
  } catch (...) {
    return nullptr;
  }
}
