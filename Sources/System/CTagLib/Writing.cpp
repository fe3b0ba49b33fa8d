// SPDX-License-Identifier: GPL-3.0-or-later

#include "CTagLib.h"
#include "Rating.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <aifffile.h>
#include <apefile.h>
#include <apetag.h>
#include <asffile.h>
#include <fileref.h>
#include <flacfile.h>
#include <id3v2tag.h>
#include <mp4file.h>
#include <mpcfile.h>
#include <mpegfile.h>
#include <opusfile.h>
#include <relativevolumeframe.h>
#include <textidentificationframe.h>
#include <tfilestream.h>
#include <vorbisfile.h>
#include <wavfile.h>
#include <wavpackfile.h>
#include <xiphcomment.h>

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

/// A writable stream with a name of our choice, by whose suffix TagLib determines the format.
class WritableStream : public TagLib::FileStream {
public:
  WritableStream(int descriptor, std::string name) : FileStream(descriptor, false), name_(std::move(name)) {}
  TagLib::FileName name() const override { return name_.c_str(); }

private:
  std::string name_;
};

std::string formatted(const char *format, double value) {
  char text[64];
  snprintf(text, sizeof text, format, value);
  return text;
}

Fields replayGain(const TagChanges &changes) {
  Fields fields;
  if (!std::isnan(changes.trackGain)) fields.push_back({"REPLAYGAIN_TRACK_GAIN", formatted("%.2f dB", changes.trackGain)});
  if (!std::isnan(changes.trackPeak)) fields.push_back({"REPLAYGAIN_TRACK_PEAK", formatted("%.6f", changes.trackPeak)});
  if (!std::isnan(changes.albumGain)) fields.push_back({"REPLAYGAIN_ALBUM_GAIN", formatted("%.2f dB", changes.albumGain)});
  if (!std::isnan(changes.albumPeak)) fields.push_back({"REPLAYGAIN_ALBUM_PEAK", formatted("%.6f", changes.albumPeak)});
  return fields;
}

/// Returns `gain`, which is relative to -18 LUFS, as an R128 gain: in 256ths of a decibel, relative to -23 LUFS.
std::string r128(double gain) {
  const double value = std::round((gain - 5) * 256);
  return std::to_string(static_cast<int>(std::min(32767.0, std::max(-32768.0, value))));
}

Fields r128Gain(const TagChanges &changes) {
  Fields fields;
  if (!std::isnan(changes.trackGain)) fields.push_back({"R128_TRACK_GAIN", r128(changes.trackGain)});
  if (!std::isnan(changes.albumGain)) fields.push_back({"R128_ALBUM_GAIN", r128(changes.albumGain)});
  return fields;
}

bool changesGain(const TagChanges &changes) { return !replayGain(changes).empty(); }

/// Sets the rating in a tag of any kind, if it is to be changed.
template <typename Tag> void setRating(Tag &tag, const TagChanges &changes) {
  if (changes.rating >= 0) ::setRating(tag, std::min(changes.rating, 10));
}

/// Sets fields of a Xiph comment. TagLib ignores the case of field names.
void set(TagLib::Ogg::XiphComment &comment, const Fields &fields) {
  for (const auto &field : fields) comment.addField(field.first, field.second, true);
}

void set(TagLib::ID3v2::Tag &tag, const TagChanges &changes) {
  for (const auto &field : replayGain(changes)) {
    const TagLib::String name(field.first);
    const TagLib::ID3v2::FrameList frames = tag.frameList("TXXX");
    for (auto *frame : frames) {
      const auto *text = dynamic_cast<TagLib::ID3v2::UserTextIdentificationFrame *>(frame);
      if (text && text->description().upper() == name) tag.removeFrame(frame, true);
    }
    auto *text = new TagLib::ID3v2::UserTextIdentificationFrame(TagLib::String::Latin1);
    text->setDescription(name);
    text->setText(field.second);
    tag.addFrame(text);
  }
  setRating(tag, changes);
}

/// Returns the ID3v2 version to write: that of the tag in the file, or, for a new tag, the one that all programs read.
TagLib::ID3v2::Version version(const TagLib::ID3v2::Tag &tag, bool exists) {
  return exists && tag.header()->majorVersion() >= 4 ? TagLib::ID3v2::v4 : TagLib::ID3v2::v3;
}

bool save(TagLib::MPEG::File &file, const TagChanges &changes) {
  const bool exists = file.hasID3v2Tag();
  TagLib::ID3v2::Tag &tag = *file.ID3v2Tag(true);
  const TagLib::ID3v2::Version version = ::version(tag, exists);
  set(tag, changes);
  if (changesGain(changes)) {
    const TagLib::ID3v2::FrameList volumes = tag.frameList("RVA2");
    for (auto *frame : volumes) {
      const auto *volume = dynamic_cast<TagLib::ID3v2::RelativeVolumeFrame *>(frame);
      if (!volume) continue;
      const TagLib::String kind = volume->identification().upper();
      if (kind == "TRACK" || kind == "ALBUM") tag.removeFrame(frame, true);
    }
  }
  int tags = TagLib::MPEG::File::ID3v2;
  if (file.hasID3v1Tag()) tags |= TagLib::MPEG::File::ID3v1;
  if (file.hasAPETag()) {
    tags |= TagLib::MPEG::File::APE;
    for (const auto &field : replayGain(changes)) file.APETag()->removeItem(field.first);
    setRating(*file.APETag(), changes);
  }
  return file.save(tags, TagLib::File::StripNone, version, TagLib::File::DoNotDuplicate);
}

bool save(TagLib::RIFF::WAV::File &file, const TagChanges &changes) {
  const TagLib::ID3v2::Version version = ::version(*file.ID3v2Tag(), file.hasID3v2Tag());
  set(*file.ID3v2Tag(), changes);
  int tags = TagLib::RIFF::WAV::File::ID3v2;
  if (file.hasInfoTag()) tags |= TagLib::RIFF::WAV::File::Info;
  return file.save(static_cast<TagLib::RIFF::WAV::File::TagTypes>(tags), TagLib::File::StripNone, version);
}

bool save(TagLib::Ogg::Opus::File &file, const TagChanges &changes) {
  set(*file.tag(), r128Gain(changes));
  for (const auto &field : replayGain(changes)) file.tag()->removeFields(field.first);
  setRating(*file.tag(), changes);
  return file.save();
}

/// Saves a rating in a format to which no loudness is written.
TagWriting writeRating(TagLib::File *file, const TagChanges &changes) {
  if (changesGain(changes)) return TagUnsupported;
  if (auto *mp4 = dynamic_cast<TagLib::MP4::File *>(file)) {
    setRating(*mp4->tag(), changes);
  } else if (auto *asf = dynamic_cast<TagLib::ASF::File *>(file)) {
    setRating(*asf->tag(), changes);
  } else if (auto *wavPack = dynamic_cast<TagLib::WavPack::File *>(file)) {
    setRating(*wavPack->APETag(true), changes);
  } else if (auto *monkeys = dynamic_cast<TagLib::APE::File *>(file)) {
    setRating(*monkeys->APETag(true), changes);
  } else if (auto *musepack = dynamic_cast<TagLib::MPC::File *>(file)) {
    setRating(*musepack->APETag(true), changes);
  } else {
    return TagUnsupported;
  }
  return file->save() ? TagWritten : TagFailed;
}

TagWriting write(TagLib::File *file, const TagChanges &changes) {
  bool isSaved = false;
  if (auto *flac = dynamic_cast<TagLib::FLAC::File *>(file)) {
    set(*flac->xiphComment(true), replayGain(changes));
    setRating(*flac->xiphComment(true), changes);
    isSaved = flac->save();
  } else if (auto *vorbis = dynamic_cast<TagLib::Ogg::Vorbis::File *>(file)) {
    set(*vorbis->tag(), replayGain(changes));
    setRating(*vorbis->tag(), changes);
    isSaved = vorbis->save();
  } else if (auto *opus = dynamic_cast<TagLib::Ogg::Opus::File *>(file)) {
    isSaved = save(*opus, changes);
  } else if (auto *mpeg = dynamic_cast<TagLib::MPEG::File *>(file)) {
    isSaved = save(*mpeg, changes);
  } else if (auto *wav = dynamic_cast<TagLib::RIFF::WAV::File *>(file)) {
    isSaved = save(*wav, changes);
  } else if (auto *aiff = dynamic_cast<TagLib::RIFF::AIFF::File *>(file)) {
    const TagLib::ID3v2::Version version = ::version(*aiff->tag(), aiff->hasID3v2Tag());
    set(*aiff->tag(), changes);
    isSaved = aiff->save(version);
  } else {
    return writeRating(file, changes);
  }
  return isSaved ? TagWritten : TagFailed;
}

/// Writes to the file, treated as the format that `name` implies; returns `TagUnreadable` if it is not in that format.
TagWriting write(const char *path, const std::string &name, const TagChanges &changes) {
  const int descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return TagUnreadable;
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(descriptor);
    return TagUnreadable;
  }
  WritableStream stream(descriptor, name);
  if (!stream.isOpen()) {
    close(descriptor);
    return TagUnreadable;
  }
  const TagLib::FileRef reference(&stream, true, TagLib::AudioProperties::Fast);
  if (reference.isNull() || !reference.file()) return TagUnsupported;
  const TagLib::AudioProperties *audio = reference.audioProperties();
  if (!reference.file()->isValid() || !audio || audio->sampleRate() <= 0) return TagUnreadable;
  return write(reference.file(), changes);
}

} // namespace

TagWriting TagLibWrite(const char *path, const char *name, const TagChanges *changes) {
  try {
    const TagWriting result = write(path, name, *changes);
    if (result != TagUnreadable && result != TagUnsupported) return result;
    // The file is not in the format that its suffix implies, so let its contents decide.
    const TagWriting byContents = write(path, "", *changes);
    return byContents == TagUnsupported ? result : byContents;
  } catch (...) {
    return TagFailed;
  }
}
