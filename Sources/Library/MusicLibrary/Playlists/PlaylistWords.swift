/// The texts of playlists: what is left of them in one line, artist and title in one, and lengths.
enum PlaylistWords {
  /// The text of these bytes without white space at its ends; `nil` where there is none.
  static func text(_ bytes: some Collection<UInt8>) -> String? {
    line(String(decoding: bytes, as: UTF8.self))
  }

  /// The text in one line: each run of control characters and line ends is a space, and none is at its ends; `nil`
  /// where nothing is left.
  static func line(_ text: String?) -> String? {
    guard let text else { return nil }
    if isPlain(text) { return text }
    var result = String.UnicodeScalarView()
    var pending = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x2029: if pending.isEmpty { pending.append(" ") }
      case 0x20: pending.append(" ")
      default:
        if !result.isEmpty { result.append(contentsOf: pending) }
        pending = String.UnicodeScalarView()
        result.append(scalar)
      }
    }
    return result.isEmpty ? nil : String(result)
  }

  /// Whether a text is in one line as it is: most are.
  private static func isPlain(_ text: String) -> Bool {
    let bytes = text.utf8
    guard let first = bytes.first, first != 0x20, bytes.last != 0x20 else { return false }
    var last: (before: UInt8, byte: UInt8) = (0, 0)
    for byte in bytes {
      switch (last.byte, byte) {
      case (_, 0x00...0x1F), (_, 0x7F): return false
      // U+0080 to U+009F.
      case (0xC2, 0x80...0x9F): return false
      // U+2028 and U+2029.
      case (0x80, 0xA8...0xA9) where last.before == 0xE2: return false
      default: last = (last.byte, byte)
      }
    }
    return true
  }

  /// Artist and title of "Artist - Title": what is before the first such dash, and behind it; without one, all is the
  /// title.
  ///
  /// A dash at the beginning says that no artist is given.
  static func artistAndTitle(_ bytes: some Collection<UInt8>) -> (artist: String?, title: String?) {
    let bytes = Array(bytes)
    let dash = Array(" - ".utf8)
    var place = 0
    while place + 3 <= bytes.count {
      if bytes[place] == dash[0], bytes[place + 1] == dash[1], bytes[place + 2] == dash[2] {
        return (text(bytes[..<place]), text(bytes[(place + 3)...]))
      }
      place += 1
    }
    return (nil, text(bytes))
  }

  /// "Artist - Title", such that ``artistAndTitle(_:)`` gives both back, unless the artist has such a dash.
  static func joined(artist: String?, title: String?) -> String {
    let artist = line(artist)
    let title = line(title) ?? ""
    guard let artist else { return title.contains(" - ") ? " - " + title : title }
    return "\(artist) - \(title)"
  }

  /// Seconds, with or without a fraction; `nil` for what is none, is negative, or longer than 10 years.
  static func seconds(_ bytes: some Collection<UInt8>) -> Duration? {
    var whole = 0
    var digits = 0
    var rest = Array(bytes)[...]
    while let byte = rest.first, (0x30...0x39).contains(byte) {
      whole = whole * 10 + Int(byte - 0x30)
      digits += 1
      guard whole < 315_360_000 else { return nil }
      rest = rest.dropFirst()
    }
    guard digits > 0 else { return nil }
    var milliseconds = 0
    if rest.first == UInt8(ascii: ".") {
      var worth = 100
      for byte in rest.dropFirst().prefix(3) {
        guard (0x30...0x39).contains(byte) else { break }
        milliseconds += Int(byte - 0x30) * worth
        worth /= 10
      }
    }
    return .milliseconds(whole * 1000 + milliseconds)
  }

  /// The nearest whole number of seconds; -1 where the length is not known.
  static func wholeSeconds(_ duration: Duration?) -> Int64 {
    guard let duration, duration >= .zero else { return -1 }
    let (seconds, attoseconds) = duration.components
    return seconds + (attoseconds >= 500_000_000_000_000_000 && seconds < .max ? 1 : 0)
  }
}
