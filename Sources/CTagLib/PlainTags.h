#ifndef SEGUE_PLAINTAGS_H
#define SEGUE_PLAINTAGS_H

#include "BlockStream.h"
#include "OwnedFile.h"

/// Reads files that are as most are, some times faster than TagLib: FLAC, Ogg Vorbis, Opus, MP3 and WAV, each tagged in the usual way.
///
/// What they give is what TagLib gives, value by value. Whatever is unusual - damage, other tags, rare frames and encodings, values
/// that TagLib changes - makes them give up: `false`, with anything in the result, and the file is TagLib's. Each file's kind goes by
/// `name`, as with TagLib.
bool readPlainTags(BlockStream &stream, const std::string &name, OwnedFile &result);

bool readPlainFLAC(BlockStream &stream, OwnedFile &result);
bool readPlainOgg(BlockStream &stream, bool isOpus, OwnedFile &result);
bool readPlainMPEG(BlockStream &stream, OwnedFile &result);
bool readPlainWAV(BlockStream &stream, OwnedFile &result);

/// Adds the fields of the ID3v2 tag at `offset`, and gives the length of all of it; 0 where it is none, or not plain.
BlockStream::Offset readPlainID3v2(BlockStream &stream, BlockStream::Offset offset, OwnedFile &result);

/// Says the length of so many frames; `false` where that is no number of milliseconds.
bool setLength(OwnedFile &result, double frames, double sampleRate);

#endif
