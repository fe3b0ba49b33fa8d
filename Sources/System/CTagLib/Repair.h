// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_REPAIR_H
#define SEGUE_REPAIR_H

#include "BlockFile.h"

#include <string>

/// What stands for the beginning of a file whose tags have flaws for which TagLib would give up what is behind them.
struct Repair {
  std::string bytes;
  /// How many bytes of the file `bytes` stands for; 0 where the file needs no repair.
  BlockFile::Offset replaced = 0;
  /// Whether FLAC metadata is repaired: who decodes the file may not get past what is flawed there.
  bool isOfMetadata = false;

  bool isNeeded() const { return replaced > 0; }
};

/// Looks for such flaws in the ID3v2 tag and the FLAC metadata at the beginning of the file.
Repair repair(BlockFile &file);

/// Repairs the ID3v2 tag at the beginning of the file, and gives its length with header and footer; 0 where it is none.
///
/// Frames of length zero and an extended header are left out, and UTF-16 without a byte order mark gets its order by
/// the look of it.
BlockFile::Offset repairID3v2(BlockFile &file, Repair &repair);

/// Repairs FLAC metadata from `start` on: blocks of length zero, of a wrong length, and such as stand in an unusual
/// order. What is left is the stream's information, the comments and the pictures.
void repairFLAC(BlockFile &file, BlockFile::Offset start, Repair &repair);

#endif
