// SPDX-License-Identifier: GPL-3.0-or-later

#include "CTagLib.h"

#include "LooseTags.h"
#include "OwnedFile.h"
#include "TagStream.h"
#include "UndecodedText.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <aifffile.h>
#include <apefile.h>
#include <apetag.h>
#include <asffile.h>
#include <chapterframe.h>
#include <fileref.h>
#include <flacfile.h>
#include <id3v2tag.h>
#include <infotag.h>
#include <mp4file.h>
#include <mpegfile.h>
#include <mpegproperties.h>
#include <oggfile.h>
#include <popularimeterframe.h>
#include <relativevolumeframe.h>
#include <synchronizedlyricsframe.h>
#include <tpropertymap.h>
#include <trueaudiofile.h>
#include <wavfile.h>
#include <wavpackfile.h>
#include <xingheader.h>

namespace {

/// Adds the fields of a tag that earlier tags do not have.
void addMissing(OwnedFile &result, const TagLib::PropertyMap &map) {
  const bool isFirst = result.isEmpty();
  for (auto entry = map.begin(); entry != map.end(); ++entry) {
    const std::string key = entry->first.to8Bit(true);
    if (!isFirst && result.has(key.c_str())) continue;
    for (const auto &value : entry->second) result.add(key, UndecodedText::utf8(value));
  }
}

/// Adds the RIFF INFO fields that no other tag has: TagLib's property map lacks some of them.
void addInfo(OwnedFile &result, const TagLib::RIFF::Info::Tag &info) {
  static const std::pair<const char *, const char *> names[] = {
      {"INAM", "TITLE"},       {"IART", "ARTIST"}, {"IPRD", "ALBUM"}, {"ITRK", "TRACKNUMBER"},
      {"IPRT", "TRACKNUMBER"}, {"ICRD", "DATE"},   {"IGNR", "GENRE"}, {"IMUS", "COMPOSER"},
  };
  for (const auto &name : names) {
    if (result.has(name.second)) continue;
    result.add(name.second, info.fieldText(TagLib::ByteVector(name.first, 4)).to8Bit(true));
  }
}

/// An AIFF file with access to its chunks, which TagLib does not make public.
class ChunkedAIFF : public TagLib::RIFF::AIFF::File {
public:
  explicit ChunkedAIFF(TagLib::IOStream *stream) : File(stream, false) {}

  void addTexts(OwnedFile &result) {
    for (unsigned int index = 0; index < chunkCount(); ++index) {
      if (chunkDataSize(index) > OwnedFile::maximumValueLength) continue;
      const TagLib::ByteVector name = chunkName(index);
      const char *key = name == "NAME" ? "TITLE" : name == "AUTH" ? "ARTIST" : nullptr;
      if (key) result.add(key, UndecodedText::unknown(chunkData(index)).stripWhiteSpace().to8Bit(true));
    }
  }
};

std::string decimal(double value) {
  char text[32];
  snprintf(text, sizeof text, "%.6f", value);
  return text;
}

/// Returns the peak of an RVA2 frame, a fixed-point number of `bits` bits, the first of which stands for 1; 0 if there
/// is none.
double peak(const TagLib::ID3v2::RelativeVolumeFrame::PeakVolume &volume) {
  const unsigned int bits = volume.bitsRepresentingPeak;
  if (bits == 0 || bits > 64 || volume.peakVolume.size() < (bits + 7) / 8) return 0;
  double value = 0;
  for (unsigned int index = 0; index < (bits + 7) / 8; ++index) {
    value = value * 256 + static_cast<unsigned char>(volume.peakVolume[index]);
  }
  return std::ldexp(value, 1 - static_cast<int>(bits));
}

/// Adds the loudness in RVA2 frames, which the property map lacks, as ReplayGain fields, unless other tags have them.
void addRelativeVolumes(OwnedFile &result, TagLib::MPEG::File &file) {
  if (!file.hasID3v2Tag()) return;
  for (const auto *frame : file.ID3v2Tag()->frameList("RVA2")) {
    const auto *volume = dynamic_cast<const TagLib::ID3v2::RelativeVolumeFrame *>(frame);
    if (!volume) continue;
    const TagLib::String kind = volume->identification().upper();
    if (kind != "TRACK" && kind != "ALBUM") continue;
    const std::string prefix = "REPLAYGAIN_" + kind.to8Bit(true);
    if (result.has((prefix + "_GAIN").c_str())) continue;
    result.add(prefix + "_GAIN", decimal(volume->volumeAdjustment()));
    const double measured = peak(volume->peakVolume());
    if (measured > 0) result.add(prefix + "_PEAK", decimal(measured));
  }
}

/// Adds the highest rating that a program has noted in an ID3v2 tag, from 1 to 255, which the property map lacks.
void addPopularity(OwnedFile &result, const TagLib::ID3v2::Tag *tag) {
  if (!tag) return;
  int rating = 0;
  for (const auto *frame : tag->frameList("POPM")) {
    const auto *popularity = dynamic_cast<const TagLib::ID3v2::PopularimeterFrame *>(frame);
    if (popularity) rating = std::max(rating, popularity->rating());
  }
  if (rating > 0) result.add("POPM", std::to_string(rating));
}

/// Returns a time as LRC writes it: minutes, seconds and hundredths.
std::string timeText(unsigned int milliseconds) {
  char text[32];
  snprintf(text, sizeof text, "%02u:%02u.%02u", milliseconds / 60000, milliseconds / 1000 % 60, milliseconds / 10 % 100);
  return text;
}

/// Whether a part of synchronized lyrics begins with a line break.
bool breaksLine(const TagLib::ID3v2::SynchronizedLyricsFrame::SynchedText &part) {
  return !part.text.isEmpty() && (part.text[0] == '\n' || part.text[0] == '\r');
}

/// Adds the synchronized lyrics of an ID3v2 tag, which the property map lacks, in the format LRC: each line begins with
/// its time, and a syllable within a line is preceded by its own.
void addSyncedLyrics(OwnedFile &result, const TagLib::ID3v2::Tag *tag) {
  if (!tag || result.has("SYNCEDLYRICS")) return;
  for (const auto *frame : tag->frameList("SYLT")) {
    const auto *lyrics = dynamic_cast<const TagLib::ID3v2::SynchronizedLyricsFrame *>(frame);
    if (!lyrics || lyrics->timestampFormat() != TagLib::ID3v2::SynchronizedLyricsFrame::AbsoluteMilliseconds) continue;
    const auto parts = lyrics->synchedText();
    // In lyrics by syllable, a line break begins a line; otherwise, each part is a line.
    const bool hasSyllables = std::any_of(parts.begin(), parts.end(), [](const auto &part) { return breaksLine(part); });
    std::string text;
    for (const auto &part : parts) {
      const bool isLine = text.empty() || !hasSyllables || breaksLine(part);
      text += isLine ? "\n[" + timeText(part.time) + "]" : "<" + timeText(part.time) + ">";
      for (const char character : part.text.to8Bit(true)) {
        if (character != '\n' && character != '\r') text += character;
      }
      if (text.size() > OwnedFile::maximumValueLength) break;
    }
    result.add("SYNCEDLYRICS", text);
    return;
  }
}

/// Adds the loudness that iTunes has measured ("Sound Check") as a ReplayGain field, unless there is one: hexadecimal
/// numbers, of which the first two are the power of the channels, in thousandths of that of the reference.
void addSoundCheck(OwnedFile &result, const TagLib::MP4::File &file) {
  if (!file.tag() || result.has("REPLAYGAIN_TRACK_GAIN")) return;
  const TagLib::StringList values = file.tag()->item("----:com.apple.iTunes:iTunNORM").toStringList();
  if (values.isEmpty() || values.front().size() > OwnedFile::maximumValueLength) return;
  const std::string text = values.front().to8Bit(true);
  unsigned int left = 0, right = 0;
  if (sscanf(text.c_str(), "%8x %8x", &left, &right) != 2) return;
  const unsigned int power = std::max(left, right);
  if (power == 0) return;
  char gain[32];
  snprintf(gain, sizeof gain, "%.2f dB", -10 * std::log10(power / 1000.0));
  result.add("REPLAYGAIN_TRACK_GAIN", gain);
}

/// Adds the chapters of an ID3v2 tag (ID3v2 Chapter Frame Addendum, version 1.0), which the property map lacks, by the
/// names that they have in Vorbis comments: CHAPTER001 is the time, and CHAPTER001NAME the title.
void addChapters(OwnedFile &result, const TagLib::ID3v2::Tag *tag) {
  if (!tag || result.has("CHAPTER001")) return;
  unsigned int number = 0;
  for (const auto *frame : tag->frameList("CHAP")) {
    const auto *chapter = dynamic_cast<const TagLib::ID3v2::ChapterFrame *>(frame);
    if (!chapter) continue;
    if (++number > 999) break;
    char key[32], time[32];
    const unsigned int start = chapter->startTime();
    snprintf(key, sizeof key, "CHAPTER%03u", number);
    snprintf(time, sizeof time, "%02u:%02u:%02u.%03u", start / 3600000, start / 60000 % 60, start / 1000 % 60,
             start % 1000);
    result.add(key, time);
    const auto &titles = chapter->embeddedFrameList("TIT2");
    if (!titles.isEmpty()) result.add(std::string(key) + "NAME", UndecodedText::utf8(titles.front()->toString()));
  }
}

template <class Properties>
bool setBitsPerSample(OwnedFile &result, const TagLib::AudioProperties *audio) {
  const auto *properties = dynamic_cast<const Properties *>(audio);
  if (properties) result.bitsPerSample = properties->bitsPerSample();
  return properties != nullptr;
}

template <class... Files>
bool isOneOf(const TagLib::File *file) {
  return (... || (dynamic_cast<const Files *>(file) != nullptr));
}

/// Sets the number of bits per sample, for lossless codecs.
void addBitsPerSample(OwnedFile &result, const TagLib::AudioProperties *audio) {
  const auto *mp4 = dynamic_cast<const TagLib::MP4::Properties *>(audio);
  if (mp4 && mp4->codec() != TagLib::MP4::Properties::ALAC) return;
  const auto *asf = dynamic_cast<const TagLib::ASF::Properties *>(audio);
  if (asf && asf->codec() != TagLib::ASF::Properties::WMA9Lossless) return;
  setBitsPerSample<TagLib::FLAC::Properties>(result, audio) ||
      setBitsPerSample<TagLib::RIFF::WAV::Properties>(result, audio) ||
      setBitsPerSample<TagLib::RIFF::AIFF::Properties>(result, audio) ||
      setBitsPerSample<TagLib::MP4::Properties>(result, audio) ||
      setBitsPerSample<TagLib::ASF::Properties>(result, audio) ||
      setBitsPerSample<TagLib::APE::Properties>(result, audio) ||
      setBitsPerSample<TagLib::WavPack::Properties>(result, audio) ||
      setBitsPerSample<TagLib::TrueAudio::Properties>(result, audio);
}

/// Sets the format, and the values that Swift needs to check the length.
void addFormat(OwnedFile &result, TagLib::File *file, const TagStream &stream) {
  if (isOneOf<TagLib::FLAC::File>(file)) result.format = TagFLAC;
  if (isOneOf<TagLib::Ogg::File>(file)) result.format = TagOgg;
  if (isOneOf<TagLib::MP4::File>(file)) result.format = TagMP4;
  if (isOneOf<TagLib::ASF::File>(file)) result.format = TagASF;
  auto *mpeg = dynamic_cast<TagLib::MPEG::File *>(file);
  const auto *properties = mpeg ? mpeg->audioProperties() : nullptr;
  if (!properties || properties->layer() != 3) return;
  const auto *xing = properties->xingHeader();
  result.format = TagMPEGLayer3;
  result.firstFrame = stream.diskOffset(mpeg->firstFrameOffset());
  result.isLengthStated = xing && xing->isValid();
}

/// Adds the fields of an MPEG file, of whose tags the property map contains only one; loudness is often in another.
void addMPEG(OwnedFile &result, TagLib::MPEG::File &file) {
  if (file.hasAPETag()) addMissing(result, file.APETag()->properties());
  addRelativeVolumes(result, file);
  if (!file.hasID3v2Tag()) return;
  addPopularity(result, file.ID3v2Tag());
  addSyncedLyrics(result, file.ID3v2Tag());
  addChapters(result, file.ID3v2Tag());
}

/// Whether TagLib, which looks for the marker of FLAC anywhere near the beginning, has found it in a Matroska file.
bool isFLACInMatroska(TagStream &stream, const TagLib::File *file) {
  if (!isOneOf<TagLib::FLAC::File>(file)) return false;
  stream.seek(0);
  return stream.readBlock(4) == TagLib::ByteVector("\x1A\x45\xDF\xA3", 4);
}

std::unique_ptr<OwnedFile> read(const char *path, const std::string &name) {
  TagStream stream(path, name);
  if (!stream.isOpen()) return nullptr;
  auto result = std::make_unique<OwnedFile>();
  const TagLib::FileRef reference(&stream, true, TagLib::AudioProperties::Fast);
  if (reference.isNull() || !reference.file() || isFLACInMatroska(stream, reference.file())) return nullptr;

  addMissing(*result, reference.file()->properties());
  auto *mpeg = dynamic_cast<TagLib::MPEG::File *>(reference.file());
  if (mpeg) addMPEG(*result, *mpeg);
  const auto *mp4 = dynamic_cast<const TagLib::MP4::File *>(reference.file());
  if (mp4) addSoundCheck(*result, *mp4);
  const auto *wav = dynamic_cast<const TagLib::RIFF::WAV::File *>(reference.file());
  if (wav) addPopularity(*result, wav->ID3v2Tag());
  const auto *aiff = dynamic_cast<const TagLib::RIFF::AIFF::File *>(reference.file());
  if (aiff) addPopularity(*result, aiff->tag());
  if (wav && wav->InfoTag()) addInfo(*result, *wav->InfoTag());
  if (result->isEmpty() && dynamic_cast<const TagLib::RIFF::AIFF::File *>(reference.file())) {
    stream.seek(0);
    ChunkedAIFF(&stream).addTexts(*result);
  }
  // If the metadata is flawed, only a decoder can tell whether the audio can be decoded.
  const TagLib::AudioProperties *audio = stream.repairsMetadata() ? nullptr : reference.audioProperties();
  if (audio) {
    result->lengthInMilliseconds = audio->lengthInMilliseconds();
    result->sampleRate = audio->sampleRate();
    result->channels = audio->channels();
    addBitsPerSample(*result, audio);
  }
  addFormat(*result, reference.file(), stream);
  return result;
}

} // namespace

TaggedFile *TagLibRead(const char *path) {
  try {
    const UndecodedText::Reading reading;
    auto result = read(path, path);
    // If the file is not in the format that its suffix implies, let its contents decide.
    if (!result || result->sampleRate <= 0) {
      auto byContents = read(path, "");
      if (byContents && (byContents->sampleRate > 0 || !result)) result = std::move(byContents);
    }
    if (!result || result->isEmpty()) {
      const LooseTags tags(path);
      if (tags.file()) {
        if (!result) result = std::make_unique<OwnedFile>();
        addMissing(*result, tags.file()->properties());
        addMPEG(*result, *tags.file());
      }
    }
    if (!result) return nullptr;
    result->publish();
    return result.release();
  } catch (...) {
    return nullptr;
  }
}
