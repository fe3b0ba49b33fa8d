// SPDX-License-Identifier: GPL-3.0-or-later

/// Formats and parses times as people write them: `4:05`, `1:02:03`.
package enum TimeText {
  /// The longest time that is accepted, in seconds (a thousand hours).
  private static let limit = 3_600_000.0

  /// Returns `duration` as `m:ss` or `h:mm:ss`, rounded down to whole seconds; `-:--` if it is `nil`.
  package static func text(_ duration: Duration?) -> String {
    guard let duration else { return "-:--" }
    let seconds = max(0, duration.components.seconds)
    let minutes = "\(seconds / 60 % 60)"
    let rest = twoDigits(seconds % 60)
    return seconds < 3600 ? "\(minutes):\(rest)" : "\(seconds / 3600):\(twoDigits(seconds / 60 % 60)):\(rest)"
  }

  /// Returns `duration` in words, such as "1 hour 2 minutes 3 seconds", rounded down to whole seconds. Units with a
  /// value of zero are omitted.
  package static func words(_ duration: Duration) -> String {
    let seconds = max(0, duration.components.seconds)
    let parts = [(seconds / 3600, "hour"), (seconds / 60 % 60, "minute"), (seconds % 60, "second")]
    let words = parts.filter { $0.0 > 0 }.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }
    return words.isEmpty ? "0 seconds" : words.joined(separator: " ")
  }

  /// Parses a time such as `90` (seconds), `1:30` or `1:02:03`; the last number may have a fraction. Returns `nil` if
  /// `text` has another form, or exceeds a thousand hours.
  package static func duration(_ text: some StringProtocol) -> Duration? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      guard let first = part.utf8.first, (0x30...0x39).contains(first),
        part.utf8.allSatisfy({ (0x30...0x39).contains($0) || (isLast && $0 == UInt8(ascii: ".")) }),
        let value = Double(part), index == 0 || value < 60
      else { return nil }
      seconds = seconds * 60 + value
    }
    return seconds <= limit ? .milliseconds((seconds * 1000).rounded()) : nil
  }

  /// Parses a duration such as `45m`, `1h30m` or `90s`, or a time with colons as ``duration(_:)`` does. Returns `nil`
  /// if `text` has another form, or exceeds a thousand hours.
  package static func span(_ text: String) -> Duration? {
    if text.contains(":") { return duration(text) }
    var seconds = 0.0
    var digits = ""
    var units = "hms"[...]
    for character in text {
      if character.isASCII, character.isNumber {
        digits.append(character)
        continue
      }
      guard let index = units.firstIndex(of: character), let value = Double(digits) else { return nil }
      seconds += value * (character == "h" ? 3600 : character == "m" ? 60 : 1)
      units = units[units.index(after: index)...]
      digits = ""
    }
    return digits.isEmpty && !text.isEmpty && seconds <= limit ? .milliseconds(seconds * 1000) : nil
  }

  private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Duration {
  /// Creates a duration from seconds that another process reports. Returns `nil` if the value is negative, too large or
  /// not a number.
  package init?(reportedSeconds seconds: Double) {
    guard seconds >= 0, seconds < 1e9 else { return nil }
    self = .seconds(seconds)
  }
}
