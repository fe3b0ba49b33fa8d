/// The tags that have no column of their own, as a JSON object of arrays.
enum TagJSON {
  /// Longer values are left out, in bytes.
  static let longestValue = 64 * 1024
  /// What would make the whole longer than this is left out, in bytes.
  static let longest = 256 * 1024

  private static let digits = Array("0123456789abcdef".utf8)

  /// The text; `nil` where nothing is left.
  static func text(_ fields: TagFields) -> String? {
    var others: [TagFields.Entry] = []
    for entry in fields.entries
    where entry.field?.hasColumn != true && entry.value.utf8.count <= longestValue {
      others.append(entry)
    }
    if others.isEmpty { return nil }
    sort(&others)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(others.reduce(2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 8 })
    bytes.append(UInt8(ascii: "{"))
    var place = 0
    while place < others.count {
      let name = others[place].name
      let start = bytes.count
      if start > 1 { bytes.append(UInt8(ascii: ",")) }
      append(name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      var mark = UInt8(ascii: "[")
      while place < others.count, others[place].name == name {
        bytes.append(mark)
        mark = UInt8(ascii: ",")
        append(others[place].value, to: &bytes)
        place += 1
      }
      bytes.append(UInt8(ascii: "]"))
      if bytes.count >= longest { bytes.removeSubrange(start...) }
    }
    if bytes.count == 1 { return nil }
    bytes.append(UInt8(ascii: "}"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Brings the names into their order, in which they mostly are; values of one name stay in theirs.
  private static func sort(_ entries: inout [TagFields.Entry]) {
    if zip(entries, entries.dropFirst()).allSatisfy({ $0.name <= $1.name }) { return }
    entries = entries.enumerated().sorted {
      ($0.element.name, $0.offset) < ($1.element.name, $1.offset)
    }.map(\.element)
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      bytes.append(contentsOf: text.utf8)
    } else {
      for byte in text.utf8 { append(escaped: byte, to: &bytes) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func append(escaped byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
    case 0..<0x20: bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    default: bytes.append(byte)
    }
  }
}
