// SPDX-License-Identifier: GPL-3.0-or-later

/// Scripts (see ``ByteScript``) that each change one bit in the pages of a database that hold its schema, which is
/// text.
enum SchemaEdits {
  private static let pageSize = 4096

  /// Returns scripts for every `step`th byte that is not zero.
  static func scripts(for database: [UInt8], step: Int) -> [[UInt8]] {
    let mark = Array("CREATE ".utf8)
    let pages = stride(from: 0, to: database.count, by: pageSize).map { $0..<min($0 + pageSize, database.count) }
    let places = pages.filter { database[$0].firstRange(of: mark) != nil }.joined().filter { database[$0] != 0 }
    return stride(from: 0, to: places.count, by: step).map { index in
      let place = places[index]
      return [
        UInt8(truncatingIfNeeded: place >> 16), UInt8(truncatingIfNeeded: place >> 8), UInt8(truncatingIfNeeded: place),
        1, database[place] ^ 1 << UInt8(place % 8),
      ]
    }
  }
}
