#ifndef SEGUE_PLAINREADERS_H
#define SEGUE_PLAINREADERS_H

#include "BlockFile.h"
#include "OwnedFile.h"

// Each reads a file of its kind where that is plain; else `false`, with anything in the result.

bool readPlainFLAC(BlockFile &file, OwnedFile &result);
bool readPlainOgg(BlockFile &file, bool isOpus, OwnedFile &result);
bool readPlainMPEG(BlockFile &file, OwnedFile &result);
bool readPlainWAV(BlockFile &file, OwnedFile &result);

/// Adds the tracks of FLAC's block `CUESHEET`, whose contents begin at `start`, as a cue sheet in text, where no
/// comment has one, and it is the sheet of the whole file. The sample rate and the length are known.
void addCueSheet(BlockFile &file, BlockFile::Offset start, size_t length, OwnedFile &result);

/// The same for a whole FLAC file.
void addCueSheet(BlockFile &file, OwnedFile &result);

/// Whether the length of an MPEG stream of layer III, the first frame of which is at `start`, is only a guess, and
/// wrong: where that frame states none, since the bit rate varies; where it does (`isStated`), since far more follows.
/// Looks at a few places of the file.
bool isMPEGLengthGuessed(BlockFile &file, BlockFile::Offset start, bool isStated);

/// Whether the last page of an Ogg file is of another stream than the first: several follow each other, and the length
/// is at best that of the last.
bool isOggChained(BlockFile &file);

/// Adds the fields of the ID3v2 tag at `offset`, and gives the length of all of it; 0 where it is none, or not plain.
BlockFile::Offset readPlainID3v2(BlockFile &file, BlockFile::Offset offset, OwnedFile &result);

/// Says the length of so many frames; `false` where that is no number of milliseconds.
bool setLength(OwnedFile &result, double frames, double sampleRate);

#endif
