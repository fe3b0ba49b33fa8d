/// The tags that have no column of their own, as a JSON object of arrays.
enum TagJSON {
  /// Longer values are left out, in bytes.
  static let longestValue = 64 * 1024
  /// What would make the whole longer than this is left out, in bytes.
  static let longest = 256 * 1024

  /// The names of the tags that have columns, by their lengths.
  private static let columns: [[String]] = Dictionary(
    grouping: [
      "TITLE", "ARTIST", "ALBUM", "ALBUMARTIST", "GENRE", "COMPOSER", "TRACKNUMBER", "TRACKTOTAL",
      "DISCNUMBER",
      "DISCTOTAL", "DATE", "COMPILATION", "TITLESORT", "ARTISTSORT", "ALBUMSORT", "ALBUMARTISTSORT",
      "REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_PEAK", "REPLAYGAIN_ALBUM_GAIN", "REPLAYGAIN_ALBUM_PEAK",
      "R128_TRACK_GAIN", "R128_ALBUM_GAIN", "MUSICBRAINZ_ALBUMID",
    ], by: \.utf8.count
  ).reduce(into: Array(repeating: [], count: 32)) { $0[$1.key] = $1.value }
  private static let digits = Array("0123456789abcdef".utf8)

  /// The text; `nil` where nothing is left.
  static func text(_ fields: TagFields) -> String? {
    var others: [(name: String, value: String)] = []
    for entry in fields.entries
    where !hasColumn(entry.name) && entry.value.utf8.count <= longestValue {
      others.append(entry)
    }
    if others.isEmpty { return nil }
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    for name in names(of: others) {
      let start = bytes.count
      if start > 1 { bytes.append(UInt8(ascii: ",")) }
      append(name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      var mark = UInt8(ascii: "[")
      for entry in others where entry.name == name {
        bytes.append(mark)
        mark = UInt8(ascii: ",")
        append(entry.value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
      if bytes.count >= longest { bytes.removeSubrange(start...) }
    }
    if bytes.count == 1 { return nil }
    bytes.append(UInt8(ascii: "}"))
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func hasColumn(_ name: String) -> Bool {
    let length = name.utf8.count
    return length < columns.count && columns[length].contains(name)
  }

  /// Each name once, in order.
  private static func names(of fields: [(name: String, value: String)]) -> [String] {
    var names: [String] = []
    // Those of one name are mostly together.
    for field in fields where field.name != names.last { names.append(field.name) }
    names.sort()
    return names.enumerated().filter { $0 == 0 || $1 != names[$0 - 1] }.map(\.element)
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
