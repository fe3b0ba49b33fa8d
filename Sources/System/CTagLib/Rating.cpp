// SPDX-License-Identifier: GPL-3.0-or-later

#include "Rating.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <apetag.h>
#include <asftag.h>
#include <id3v2tag.h>
#include <mp4tag.h>
#include <popularimeterframe.h>
#include <textidentificationframe.h>
#include <xiphcomment.h>

namespace {

/// The field of https://www.freedesktop.org/wiki/Specifications/free-media-player-specs: a fraction from 0 to 1.
const char *const fractionField = "FMPS_Rating";
/// The field in which other programs store stars, or percent.
const char *const numberField = "RATING";

TagLib::String fraction(int halves) {
  char text[16];
  snprintf(text, sizeof text, "%.1f", halves / 10.0);
  return text;
}

/// Returns the rating in the scale of `old`, the present text of a field: stars up to 5, percent above. Returns an
/// empty text if `old` is no such number, since `RATING` may contain something else.
TagLib::String inScale(const TagLib::String &old, int halves) {
  const std::string text = old.to8Bit(true);
  char *end = nullptr;
  const double value = strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= 0 && value <= 100)) return {};
  char scaled[16];
  snprintf(scaled, sizeof scaled, "%g", value <= 5 ? halves / 2.0 : halves * 10.0);
  return scaled;
}

/// Returns the byte of a `POPM` frame: the values of Windows and MusicBee for whole stars, and of MusicBee for halves.
int popularity(int halves) {
  static const int bytes[] = {0, 13, 1, 54, 64, 118, 128, 186, 196, 242, 255};
  return bytes[halves];
}

} // namespace

void setRating(TagLib::Ogg::XiphComment &tag, int halves) {
  const TagLib::StringList old = tag.fieldListMap()[numberField];
  const TagLib::String number = old.isEmpty() ? TagLib::String() : inScale(old.front(), halves);
  if (!number.isEmpty()) tag.removeFields(numberField);
  if (!number.isEmpty() && halves > 0) tag.addField(numberField, number);
  tag.removeFields(TagLib::String(fractionField).upper());
  if (halves > 0) tag.addField(fractionField, fraction(halves));
}

void setRating(TagLib::ID3v2::Tag &tag, int halves) {
  const TagLib::ID3v2::FrameList texts = tag.frameList("TXXX");
  for (auto *frame : texts) {
    auto *text = dynamic_cast<TagLib::ID3v2::UserTextIdentificationFrame *>(frame);
    if (!text) continue;
    const TagLib::String name = text->description().upper();
    if (name == TagLib::String(fractionField).upper()) {
      tag.removeFrame(frame, true);
    } else if (name == numberField && text->fieldList().size() > 1) {
      // The first element is the description.
      const TagLib::String number = inScale(text->fieldList()[1], halves);
      if (number.isEmpty()) continue;
      if (halves > 0) text->setText(number);
      else tag.removeFrame(frame, true);
    }
  }
  bool isPopular = false;
  const TagLib::ID3v2::FrameList counters = tag.frameList("POPM");
  for (auto *frame : counters) {
    auto *counter = dynamic_cast<TagLib::ID3v2::PopularimeterFrame *>(frame);
    if (!counter) continue;
    counter->setRating(popularity(halves));
    isPopular = true;
  }
  if (halves == 0) return;
  auto *text = new TagLib::ID3v2::UserTextIdentificationFrame(TagLib::String::Latin1);
  text->setDescription(fractionField);
  text->setText(fraction(halves));
  tag.addFrame(text);
  if (isPopular) return;
  auto *counter = new TagLib::ID3v2::PopularimeterFrame;
  // Most programs read the rating of this one.
  counter->setEmail("Windows Media Player 9 Series");
  counter->setRating(popularity(halves));
  tag.addFrame(counter);
}

void setRating(TagLib::MP4::Tag &tag, int halves) {
  const TagLib::String prefix = "----:com.apple.iTunes:";
  std::vector<TagLib::String> fractions;
  for (const auto &item : tag.itemMap()) {
    const TagLib::String name = item.first.upper();
    if (name == (prefix + fractionField).upper()) fractions.push_back(item.first);
  }
  for (const auto &name : fractions) tag.removeItem(name);
  const TagLib::StringList old = tag.item(prefix + numberField).toStringList();
  const TagLib::String number = old.isEmpty() ? TagLib::String() : inScale(old.front(), halves);
  if (!number.isEmpty()) tag.removeItem(prefix + numberField);
  if (halves == 0) return;
  if (!number.isEmpty()) tag.setItem(prefix + numberField, TagLib::StringList(number));
  tag.setItem(prefix + fractionField, TagLib::StringList(fraction(halves)));
}

void setRating(TagLib::ASF::Tag &tag, int halves) {
  static const unsigned int shared[] = {0, 1, 25, 50, 75, 99};
  const char *const fractionAttribute = "FMPS/Rating";
  const char *const sharedAttribute = "WM/SharedUserRating";
  tag.removeItem(fractionAttribute);
  tag.removeItem(sharedAttribute);
  if (halves == 0) return;
  tag.setAttribute(fractionAttribute, fraction(halves));
  tag.setAttribute(sharedAttribute, shared[(halves + 1) / 2]);
}

void setRating(TagLib::APE::Tag &tag, int halves) {
  const TagLib::String key = TagLib::String(fractionField).upper();
  const TagLib::APE::Item old = tag.itemListMap()[numberField];
  const TagLib::String number = old.isEmpty() ? TagLib::String() : inScale(old.toString(), halves);
  if (!number.isEmpty()) tag.removeItem(numberField);
  tag.removeItem(key);
  if (halves == 0) return;
  if (!number.isEmpty()) tag.addValue(numberField, number);
  tag.addValue(fractionField, fraction(halves));
}
