import MusicModel

/// The tags of a file by the names of TagLib's property map, made into values: hostile text in, sane fields out.
///
/// A NUL separates values (as in ID3v2.4); line breaks and tabs become spaces; what is blank does not exist.
struct TagFields: Sendable {
  private var values: [String: [String]] = [:]

  var isEmpty: Bool { values.isEmpty }

  /// Each name with its values, in no order.
  var all: [String: [String]] { values }

  /// Adds one value under a name in upper case.
  mutating func append(_ text: String, to name: String) {
    for part in text.split(separator: "\0") {
      let line = part.asSingleLine
      if !line.isEmpty { values[name, default: []].append(line) }
    }
  }

  /// The values of the first of these names that has any, without repetitions.
  func all(_ names: String...) -> [String] {
    guard let found = search(names, { $0 }) else { return [] }
    guard found.count > 1 else { return found }
    var seen: Set<String> = []
    return found.filter { seen.insert($0).inserted }
  }

  /// The first value of the first of these names that has any.
  func first(_ names: String...) -> String? {
    search(names, \.first)
  }

  /// The place in a set under `name` ("3", "03/12"), with the total from there or else from one of `totals`.
  ///
  /// A number that is none, negative, or above 9,999 gives `nil`; a total below 1 does not count.
  func ordinal(_ names: [String], totals: [String]) -> Ordinal? {
    guard let text = search(names, \.first) else { return nil }
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let number = parts.first.flatMap({ Self.leadingNumber($0) }) else { return nil }
    let stated = parts.dropFirst().first ?? search(totals, \.first).map { $0[...] }
    let total = stated.flatMap { Self.leadingNumber($0) }
    return Ordinal(number, of: total.flatMap { $0 > 0 ? $0 : nil })
  }

  /// The date in the first of these names that holds one.
  func date(_ names: String...) -> ReleaseDate? {
    search(names) { $0.first.flatMap { ReleaseDate(tag: $0) } }
  }

  /// What `read` makes of the values of the first of these names for which it makes anything.
  ///
  /// A loop: the types of lazy sequences would be made when the first tags are read, and the first sound waits for that.
  private func search<Value>(_ names: [String], _ read: ([String]) -> Value?) -> Value? {
    for name in names {
      if let values = values[name], let value = read(values) { return value }
    }
    return nil
  }

  /// The number that a text such as "-7.32 dB" begins with, if it lies in `range`.
  func decibelsOrPeak(_ name: String, in range: ClosedRange<Double>) -> Double? {
    guard let text = values[name]?.first else { return nil }
    let number = text.prefix { "+-.,0123456789eE".contains($0) }
    let pointed = String(number.map { $0 == "," ? "." : $0 })
    guard let value = Double(pointed.hasPrefix("+") ? String(pointed.dropFirst()) : pointed) else {
      return nil
    }
    return range.contains(value) ? value : nil
  }

  /// The whole number that is all of the text under `name`, if it lies in `range`.
  func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
    guard let text = values[name]?.first, let value = Int(text), range.contains(value) else { return nil }
    return value
  }

  /// Whether `name` is set to something other than 0 or false.
  func flag(_ name: String) -> Bool {
    guard let text = values[name]?.first?.lowercased() else { return false }
    return !["0", "false", "no", "n"].contains(text)
  }

  /// The number in decimal digits that `text` begins with, up to 9,999.
  static func leadingNumber(_ text: some StringProtocol) -> Int? {
    let digits = text.drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number <= 9_999 else { return nil }
    return number
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
