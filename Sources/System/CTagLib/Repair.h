// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef SEGUE_REPAIR_H
#define SEGUE_REPAIR_H

#include "BlockFile.h"

#include <string>

/// The repaired beginning of a file whose tags have flaws at which TagLib would give up.
struct Repair {
  std::string bytes;
  /// The number of bytes of the file that `bytes` replaces; 0 if the file needs no repair.
  BlockFile::Offset replaced = 0;
  /// Whether FLAC metadata is repaired. A decoder reads the unrepaired file, and may fail at its flaws.
  bool includesMetadata = false;

  bool isNeeded() const { return replaced > 0; }
};

/// Looks for flaws in the ID3v2 tag and the FLAC metadata at the beginning of the file, and returns their repair.
Repair repair(BlockFile &file);

/// Repairs the ID3v2 tag at the beginning of the file; returns the length of the tag in the file, with header and
/// footer, or 0 if there is none.
///
/// Frames of length zero and an extended header are removed. UTF-16 without a byte order mark gets the byte order that
/// it appears to have. Text that is said to be UTF-8, but is not valid, is said to be Latin-1.
BlockFile::Offset repairID3v2(BlockFile &file, Repair &repair);

/// Repairs FLAC metadata that begins at `start`: blocks of length zero or of a wrong length, and blocks in an unusual
/// order. The stream information, the comments and the pictures are preserved.
void repairFLAC(BlockFile &file, BlockFile::Offset start, Repair &repair);

#endif
