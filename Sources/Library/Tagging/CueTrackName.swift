// SPDX-License-Identifier: GPL-3.0-or-later

/// The name of a field of one track of the cue sheet in the same tags, such as `CUE_TRACK01_TITLE`. foobar2000 writes
/// such fields, because a sheet has only a few fields itself.
struct CueTrackName {
  /// The number of the track in the sheet.
  let number: Int
  /// The name of the field; the words of cue sheets have the names that other tags use.
  let field: String

  private static let prefix = "CUE_TRACK"
  private static let fieldsOfSheets = ["SONGWRITER": "COMPOSER", "YEAR": "DATE"]

  /// Creates the name from that of a field, which must be in upper case. Returns `nil` if it is another field.
  init?(_ name: String) {
    guard name.hasPrefix(Self.prefix) else { return nil }
    let rest = name.utf8.dropFirst(Self.prefix.utf8.count)
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let end = rest.dropFirst(digits.count)
    guard (1...4).contains(digits.count), let number = Int(Substring(digits)), end.first == UInt8(ascii: "_"),
      end.count > 1
    else { return nil }
    let field = String(Substring(end.dropFirst()))
    self.number = number
    self.field = Self.fieldsOfSheets[field] ?? field
  }
}
