// SPDX-License-Identifier: GPL-3.0-or-later

/// A chapter that the tags of a file list.
public struct TagChapter: Sendable, Hashable {
  /// The beginning, in milliseconds from that of the file.
  public let start: Int64
  public let title: String

  public init(start: Int64, title: String) {
    self.start = start
    self.title = title
  }
}

extension TagChapter {
  /// Returns the chapters in Vorbis comments such as `CHAPTER001=00:04:30.500` and `CHAPTER001NAME=Second`, by which
  /// those of ID3v2 are known, too. A chapter without a name is named by its number.
  package static func list(in comments: [(name: String, value: String)]) -> [TagChapter] {
    var starts: [Int: Int64] = [:]
    var titles: [Int: String] = [:]
    for (name, value) in comments where name.hasPrefix("CHAPTER") {
      let rest = name.dropFirst("CHAPTER".count)
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard (1...4).contains(digits.count), let number = Int(digits) else { continue }
      switch rest.dropFirst(digits.count) {
      case "": starts[number] = starts[number] ?? milliseconds(value)
      case "NAME": titles[number] = titles[number] ?? value
      default: break
      }
    }
    return starts.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { number, start in
      TagChapter(start: start, title: titles[number] ?? "Chapter \(number)")
    }
  }

  /// Returns a time such as "01:02:03.456", "62:03" or "3723.456" in milliseconds; `nil` if it is none.
  private static func milliseconds(_ text: String) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 3 else { return nil }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      guard let value = String(part).plainDecimal, (0..<1e6).contains(value),
        index == parts.count - 1 || value == value.rounded()
      else { return nil }
      seconds = seconds * 60 + value
    }
    return Int64((seconds * 1_000).rounded())
  }
}
