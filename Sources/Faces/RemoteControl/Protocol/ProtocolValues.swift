// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel

/// A range of positions. It is written as `START:END`, where `END` is excluded; `START:` for everything from there; a
/// single position; or -1 for everything, as in older versions of the protocol.
struct ProtocolRange: Sendable, Equatable {
  /// The range of all positions.
  static let all = ProtocolRange(start: 0, end: nil)

  /// The first position, counted from 0.
  let start: Int
  /// The position after the last one; `nil` if the range has no end.
  let end: Int?

  private init(start: Int, end: Int?) {
    self.start = start
    self.end = end
  }

  /// Parses a range.
  init(_ text: String) throws(ProtocolError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let start = Int(first) else {
      throw ProtocolError(.argument, "Integer or range expected: \(text)")
    }
    if start == -1, parts.count == 1 {
      self = .all
      return
    }
    guard start >= 0 else { throw ProtocolError(.argument, "Number is negative: \(text)") }
    self.start = start
    if parts.count == 1 {
      end = start == .max ? start : start + 1
    } else if parts[1].isEmpty {
      end = nil
    } else {
      guard let end = Int(parts[1]) else {
        throw ProtocolError(.argument, "Integer or range expected: \(text)")
      }
      guard end >= start else { throw ProtocolError(.argument, "Malformed range: \(text)") }
      self.end = end
    }
  }

  /// Returns the range, limited to `count` positions. The result is empty if the range begins at the end.
  ///
  /// - Throws: `argument` if the range begins after the end.
  func positions(of count: Int) throws(ProtocolError) -> Range<Int> {
    guard start <= count else { throw ProtocolError(.argument, "Bad song index") }
    return clamped(to: count)
  }

  /// Returns the range, limited to `count` positions; empty if it begins after the end.
  func clamped(to count: Int) -> Range<Int> {
    let start = min(start, count)
    return start..<max(start, min(end ?? count, count))
  }
}

/// Parses and formats points in time as the protocol writes them: in ISO 8601 in UTC, or as seconds since 1970.
enum Timestamp {
  /// Parses a number of seconds, a day, or a day and a time. Returns the seconds since 1970, or `nil` if `text` is
  /// invalid.
  static func seconds(_ text: String) -> Int64? {
    if let number = Int64(text) { return number >= 0 ? number : nil }
    let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    guard let day = numbers(parts.first, by: "-"), day.count == 3, (0...9999).contains(day[0]),
      let date = ReleaseDate(year: day[0], month: day[1], day: day[2]), date.month != nil,
      ReleaseDate(dayNumber: date.firstDay) == date
    else { return nil }
    var seconds = Int64(date.firstDay) * 86_400
    if parts.count == 2 {
      let timeText = parts[1].last == "Z" ? parts[1].dropLast() : parts[1]
      guard let time = numbers(timeText, by: ":"), (2...3).contains(time.count), time[0] < 24, time[1] < 60,
        time.count < 3 || time[2] < 61
      else { return nil }
      seconds += Int64(time[0] * 3600 + time[1] * 60 + (time.count < 3 ? 0 : time[2]))
    }
    return seconds
  }

  /// Formats a time in nanoseconds since 1970, rounded down to seconds. Returns `nil` outside the years 1970 to 9999.
  static func text(nanoseconds: Int64) -> String? { text(seconds: nanoseconds / 1_000_000_000) }

  /// Formats a time in seconds since 1970. Returns `nil` outside the years 1970 to 9999.
  static func text(seconds: Int64) -> String? {
    guard (0..<253_402_300_800).contains(seconds),
      let date = ReleaseDate(dayNumber: Int(seconds / 86_400))
    else { return nil }
    return "\(date.text)T\(clock(Int(seconds % 86_400)))Z"
  }

  /// Formats a time of day, given in seconds since midnight.
  static func clock(_ seconds: Int) -> String {
    let twoDigits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    return "\(twoDigits(seconds / 3600)):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
  }

  /// Parses numbers of at most four digits, separated by `separator`; `nil` if the text has another form.
  private static func numbers(_ text: Substring?, by separator: Character) -> [Int]? {
    guard let parts = text?.split(separator: separator, omittingEmptySubsequences: false) else { return nil }
    let numbers = parts.compactMap { part in
      (1...4).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        ? Int(part) : nil
    }
    return numbers.count == parts.count ? numbers : nil
  }
}
