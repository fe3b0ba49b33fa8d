import MusicModel

/// Points in time as the protocol writes them: ISO 8601 in UTC, or seconds since 1970.
enum Timestamp {
  /// The seconds since 1970 that `text` says: a number, a day, or a day and a time; `nil` where it says none.
  static func seconds(_ text: String) -> Int64? {
    if let number = Int64(text) { return number >= 0 ? number : nil }
    let halves = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    guard let day = numbers(halves.first, by: "-"), day.count == 3, (0...9999).contains(day[0]),
      let date = ReleaseDate(year: day[0], month: day[1], day: day[2]), date.month != nil,
      ReleaseDate(dayNumber: date.firstDay) == date
    else { return nil }
    var seconds = Int64(date.firstDay) * 86_400
    if halves.count == 2 {
      let half = halves[1].last == "Z" ? halves[1].dropLast() : halves[1]
      guard let time = numbers(half, by: ":"), (2...3).contains(time.count), time[0] < 24, time[1] < 60,
        time.count < 3 || time[2] < 61
      else { return nil }
      seconds += Int64(time[0] * 3600 + time[1] * 60 + (time.count < 3 ? 0 : time[2]))
    }
    return seconds
  }

  /// The time so many nanoseconds after 1970, to the second; `nil` beyond the years that have four digits.
  static func text(nanoseconds: Int64) -> String? { text(seconds: nanoseconds / 1_000_000_000) }

  /// The time so many seconds after 1970; `nil` beyond the years that have four digits.
  static func text(seconds: Int64) -> String? {
    guard (0..<253_402_300_800).contains(seconds),
      let date = ReleaseDate(dayNumber: Int(seconds / 86_400))
    else { return nil }
    return "\(date.text)T\(clock(Int(seconds % 86_400)))Z"
  }

  /// The time so many seconds after the day began.
  static func clock(_ seconds: Int) -> String {
    let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }

  /// Numbers of at most four digits.
  private static func numbers(_ text: Substring?, by sign: Character) -> [Int]? {
    guard let parts = text?.split(separator: sign, omittingEmptySubsequences: false) else { return nil }
    let numbers = parts.compactMap { part in
      (1...4).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        ? Int(part) : nil
    }
    return numbers.count == parts.count ? numbers : nil
  }
}
