// SPDX-License-Identifier: GPL-3.0-or-later

#include "Repair.h"

Repair repair(BlockFile &file) {
  Repair repair;
  const BlockFile::Offset tag = repairID3v2(file, repair);
  repairFLAC(file, tag, repair);
  return repair;
}
