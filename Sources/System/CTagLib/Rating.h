// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_RATING_H
#define SEGUE_RATING_H

namespace TagLib {
namespace APE { class Tag; }
namespace ASF { class Tag; }
namespace ID3v2 { class Tag; }
namespace MP4 { class Tag; }
namespace Ogg { class XiphComment; }
}

// Set the rating in a tag, in half stars from 1 to 10, or remove it, with 0. Fields of other programs that already
// contain a rating get the new one, in their own scale.
void setRating(TagLib::Ogg::XiphComment &tag, int halves);
void setRating(TagLib::ID3v2::Tag &tag, int halves);
void setRating(TagLib::MP4::Tag &tag, int halves);
void setRating(TagLib::ASF::Tag &tag, int halves);
void setRating(TagLib::APE::Tag &tag, int halves);

#endif
