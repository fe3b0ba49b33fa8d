import MusicModel

/// The tags of a file by the names of TagLib's property map, made into values: hostile text in, sane fields out.
///
/// A NUL separates values (as in ID3v2.4); line breaks and tabs become spaces; what is blank does not exist.
struct TagFields: Sendable {
  /// Each value with its name, in the order of the tags.
  private(set) var entries: [(name: String, value: String)] = []
  /// The cue sheet that the tags hold, line by line as it is.
  private(set) var cueSheet: String?

  /// The most values of one field that count: no music has more.
  private static let valueLimit = 256

  var isEmpty: Bool { entries.isEmpty }

  /// Adds one value under a name in upper case: UTF-8, not yet clean.
  mutating func append(_ text: UnsafeRawBufferPointer, to name: String) {
    if name == "CUESHEET" {
      cueSheet = unsafe cueSheet ?? String(decoding: text, as: UTF8.self)
    } else if unsafe text.isCleanLine {
      if entries.isEmpty { entries.reserveCapacity(24) }
      entries.append((name, unsafe String(decoding: text, as: UTF8.self)))
    } else {
      append(unsafe String(decoding: text, as: UTF8.self), to: name)
    }
  }

  /// Adds one value under a name in upper case.
  mutating func append(_ text: String, to name: String) {
    for part in text.split(separator: "\0") {
      let line = part.asSingleLine
      if !line.isEmpty { entries.append((name, line)) }
    }
  }

  /// The values of the first of these names that has any, without repetitions.
  func all(_ names: String...) -> [String] {
    for name in names {
      var found: [String] = []
      for entry in entries where entry.name == name && !found.contains(entry.value) {
        found.append(entry.value)
        if found.count == Self.valueLimit { break }
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The first value of the first of these names that has any.
  func first(_ names: String...) -> String? {
    search(names) { $0 }
  }

  /// What `read` makes of the first value under the first of these names for which it makes anything.
  ///
  /// A loop: the types of lazy sequences would be made when the first tags are read, and the first sound waits for that.
  private func search<Value>(_ names: [String], _ read: (String) -> Value?) -> Value? {
    for name in names {
      if let text = first(name), let value = read(text) { return value }
    }
    return nil
  }

  /// The first value under a name.
  func first(_ name: String) -> String? {
    for entry in entries where entry.name == name { return entry.value }
    return nil
  }

  /// The place in a set under `name` ("3", "03/12"), with the total from there or else from one of `totals`.
  ///
  /// A number that is none, negative, or above 9,999 gives `nil`; a total below 1 does not count.
  func ordinal(_ names: [String], totals: [String]) -> Ordinal? {
    guard let text = search(names, { $0 }) else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let number = parts.first.flatMap({ Self.leadingNumber($0) }) else { return nil }
    let stated = parts.dropFirst().first ?? search(totals) { $0.utf8[...] }
    let total = stated.flatMap { Self.leadingNumber($0) }
    return Ordinal(number, of: total.flatMap { $0 > 0 ? $0 : nil })
  }

  /// The date in the first of these names that holds one.
  func date(_ names: String...) -> ReleaseDate? {
    search(names) { ReleaseDate(tag: $0) }
  }

  /// The number that a text such as "-7.32 dB" begins with, if it lies in `range`.
  func decibelsOrPeak(_ name: String, in range: ClosedRange<Double>) -> Double? {
    guard let text = first(name) else { return nil }
    var number: [UInt8] = []
    scan: for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "e"),
        UInt8(ascii: "E"):
        number.append(byte)
      case UInt8(ascii: ","): number.append(UInt8(ascii: "."))
      case UInt8(ascii: "+"): if !number.isEmpty { number.append(byte) }
      default: break scan
      }
    }
    guard let value = Double(String(decoding: number, as: UTF8.self)) else { return nil }
    return range.contains(value) ? value : nil
  }

  /// The whole number that is all of the text under `name`, if it lies in `range`.
  func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
    guard let text = first(name), let value = Int(text), range.contains(value) else { return nil }
    return value
  }

  /// Whether `name` is set to something other than 0 or false.
  func flag(_ name: String) -> Bool {
    guard let text = first(name)?.lowercased() else { return false }
    return !["0", "false", "no", "n"].contains(text)
  }

  /// The number in decimal digits that the text begins with, behind spaces, up to 9,999.
  private static func leadingNumber(_ text: Substring.UTF8View) -> Int? {
    var number: Int?
    for byte in text.drop(while: { $0 == UInt8(ascii: " ") }) {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { break }
      let next = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
      if next > 9_999 { return nil }
      number = next
    }
    return number
  }
}

extension UnsafeRawBufferPointer {
  /// Whether it is one line of text without spaces at its ends, and not blank.
  fileprivate var isCleanLine: Bool {
    guard let first = unsafe first, let last = unsafe last, first != 0x20, last != 0x20 else { return false }
    for index in 0..<count {
      let byte = unsafe self[index]
      if byte < 0x20 { return false }
      // U+0085, U+2028 and U+2029 break lines, too; who has their first bytes is looked at closely.
      if byte == 0xC2 || byte == 0xE2 {
        let next = index + 1 < count ? unsafe self[index + 1] : 0
        if next == (byte == 0xC2 ? 0x85 : 0x80) { return false }
      }
    }
    return true
  }
}

extension Substring {
  /// The text with every run of line breaks, tabs and spaces at a line's end as one space, trimmed.
  fileprivate var asSingleLine: String {
    guard unicodeScalars.contains(where: \.isBreak) || first == " " || last == " " else {
      return String(self)
    }
    let lines = split { $0.unicodeScalars.contains(where: \.isBreak) }
    return lines.map(\.trimmed).filter { !$0.isEmpty }.joined(separator: " ")
  }

  private var trimmed: Substring {
    var text = self.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension Unicode.Scalar {
  fileprivate var isBreak: Bool {
    switch value {
    case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}
