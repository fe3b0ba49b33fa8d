// SPDX-License-Identifier: GPL-3.0-or-later

/// Scripts (see ``ByteScript``) that each change one bit in the pages that contain the schema of a database.
enum SchemaEdits {
  private static let pageSize = 4096

  /// Returns scripts that change every `step`th byte of those that are not zero.
  static func scripts(for database: [UInt8], step: Int) -> [[UInt8]] {
    let keyword = Array("CREATE ".utf8)
    let pages = stride(from: 0, to: database.count, by: pageSize).map { $0..<min($0 + pageSize, database.count) }
    let offsets = pages.filter { database[$0].firstRange(of: keyword) != nil }.joined().filter { database[$0] != 0 }
    return stride(from: 0, to: offsets.count, by: step).map { index in
      let offset = offsets[index]
      return [
        UInt8(truncatingIfNeeded: offset >> 16), UInt8(truncatingIfNeeded: offset >> 8),
        UInt8(truncatingIfNeeded: offset), 1, database[offset] ^ 1 << UInt8(offset % 8),
      ]
    }
  }
}
