// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB

/// A reader of an input's bytes as numbers, values and edits. Past the end, bytes are zero and values empty.
struct ByteScript {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Reads a value for a table column: its type, its length in one byte, then its bytes.
  mutating func value() -> DatabaseValue {
    let type = byte()
    let bytes = bytes(Int(byte()))
    let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return switch type % 5 {
    case 0: DatabaseValue.null
    case 1: Int64(bitPattern: number).databaseValue
    case 2: Double(bitPattern: number).databaseValue
    case 3: String(decoding: bytes, as: UTF8.self).databaseValue
    default: Data(bytes).databaseValue
    }
  }

  /// Returns `file` with the edits in the rest of the script: each has a position in three bytes, a length in one byte,
  /// and the replacing bytes; an edit without bytes truncates the file at its position.
  mutating func edited(_ file: [UInt8]) -> [UInt8] {
    var file = file
    while !isAtEnd, !file.isEmpty {
      let offset = (Int(byte()) << 16 | Int(byte()) << 8 | Int(byte())) % file.count
      let replacement = bytes(Int(byte()))
      if replacement.isEmpty {
        file.removeSubrange(offset...)
      } else {
        let end = min(file.count, offset + replacement.count)
        file.replaceSubrange(offset..<end, with: replacement.prefix(end - offset))
      }
    }
    return file
  }
}
