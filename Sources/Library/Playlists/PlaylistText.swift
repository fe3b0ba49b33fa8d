// SPDX-License-Identifier: GPL-3.0-or-later

import Platform

/// The lines of a playlist, separated by LF, CR or both, each as raw bytes and as UTF-8 text.
///
/// Splitting the raw bytes is safe even in East Asian encodings: none of them uses these bytes within a character.
struct PlaylistText {
  struct Line {
    /// The bytes as in the file; for UTF-16 and UTF-32, the line in UTF-8.
    let bytes: ArraySlice<UInt8>
    /// The line in UTF-8.
    let text: ArraySlice<UInt8>
    /// ``bytes`` with the line break, if there is one.
    var whole: ArraySlice<UInt8> = []
  }

  /// The encoding of the contents.
  let encoding: LegacyText.Encoding
  /// The byte order mark of the contents, which is not part of the first line.
  let mark: [UInt8]

  private var bytes: LineCursor
  /// The text; `nil` if it is the same as the bytes.
  private var text: LineCursor?

  /// Creates the lines of a file with these contents. The encoding that the file declares is used if the contents are
  /// valid in it.
  init(_ contents: [UInt8], declared: LegacyText.Encoding? = nil) {
    encoding = LegacyText.encoding(of: contents, assuming: declared ?? LegacyText.assumed)
    mark = contents.starts(with: encoding.byteOrderMark) ? encoding.byteOrderMark : []
    if encoding == .utf8 {
      bytes = LineCursor(contents, from: mark.count)
    } else {
      let decoded = LineCursor(Array(LegacyText.decode(contents, as: encoding).utf8))
      bytes = encoding.isWide ? decoded : LineCursor(contents)
      text = encoding.isWide ? nil : decoded
    }
  }

  /// Returns the next line, or `nil` after the last one.
  mutating func next() -> Line? {
    guard let (line, whole) = bytes.line() else { return text?.line().map { Line(bytes: [], text: $0.line) } }
    if text == nil { return Line(bytes: line, text: line, whole: whole) }
    return text?.line().map { Line(bytes: line, text: $0.line, whole: whole) }
  }

  /// Reads bytes line by line.
  private struct LineCursor {
    private let bytes: [UInt8]
    private var offset: Int

    init(_ bytes: [UInt8], from offset: Int = 0) { (self.bytes, self.offset) = (bytes, offset) }

    /// Returns the next line, without and with its line break.
    mutating func line() -> (line: ArraySlice<UInt8>, whole: ArraySlice<UInt8>)? {
      let start = offset
      guard start < bytes.count else { return nil }
      var end = start
      while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
      let isCRLF = end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
      offset = end + (isCRLF ? 2 : 1)
      return (bytes[start..<end], bytes[start..<min(offset, bytes.count)])
    }
  }
}

extension PlaylistText.Line {
  /// Whether the line contains only white space.
  var isBlank: Bool { text.trimmed.isEmpty }

  /// Returns the entry for the location in the line, which begins at the byte offset `start`. If the raw bytes differ
  /// from the text, the text is an alternative location.
  func entry(from start: Int = 0) -> PlaylistEntry {
    let raw = bytes.dropFirst(start).trimmed
    var entry = PlaylistEntry(PlaylistLocation(line: raw))
    let text = text.dropFirst(start).trimmed
    if case .path(let path) = entry.location, raw != text {
      let other = PlaylistLocation(line: text)
      if other != .path(path) { entry.alternatives = [other] }
    }
    return entry
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without leading and trailing spaces and tabs.
  var trimmed: ArraySlice<UInt8> {
    var (start, end) = (startIndex, endIndex)
    while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
    while start < end, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
    return self[start..<end]
  }

  /// Returns the bytes after `prefix`, or `nil` if the slice does not begin with it. The prefix must be in lower case,
  /// and matches upper case as well.
  func suffix(after prefix: StaticString) -> ArraySlice<UInt8>? {
    let count = prefix.utf8CodeUnitCount
    guard self.count >= count else { return nil }
    let matches = prefix.withUTF8Buffer { expected in
      for offset in 0..<count {
        let byte = self[startIndex + offset]
        let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        guard unsafe lower == expected[offset] else { return false }
      }
      return true
    }
    return matches ? dropFirst(count) : nil
  }
}

/// Conversions of the text in playlists: single lines, "Artist - Title", and durations.
enum PlaylistTextFormat {
  /// Returns the bytes as text on a single line, or `nil` if nothing is left; see ``line(_:)``.
  static func text(_ bytes: some Collection<UInt8>) -> String? {
    line(String(decoding: bytes, as: UTF8.self))
  }

  /// Returns the text on a single line, or `nil` if nothing is left. Each run of control characters and line
  /// separators becomes a space, and spaces at the ends are removed.
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

  /// Whether the text is already on a single line, as it usually is.
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

  /// Splits "Artist - Title" at the first dash between spaces. Without such a dash, everything is the title.
  ///
  /// A dash at the beginning means that there is no artist.
  static func artistAndTitle(_ bytes: some Collection<UInt8>) -> (artist: String?, title: String?) {
    let bytes = Array(bytes)
    let dash = Array(" - ".utf8)
    var index = 0
    while index + 3 <= bytes.count {
      if bytes[index] == dash[0], bytes[index + 1] == dash[1], bytes[index + 2] == dash[2] {
        return (text(bytes[..<index]), text(bytes[(index + 3)...]))
      }
      index += 1
    }
    return (nil, text(bytes))
  }

  /// Returns "Artist - Title", from which ``artistAndTitle(_:)`` recovers both, unless the artist contains a dash
  /// between spaces.
  static func joined(artist: String?, title: String?) -> String {
    let artist = line(artist)
    let title = line(title) ?? ""
    guard let artist else { return title.contains(" - ") ? " - " + title : title }
    return "\(artist) - \(title)"
  }

  /// Parses seconds, with or without a fraction. Returns `nil` if the text is not a number, is negative, or exceeds 10
  /// years.
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
      var unit = 100
      for byte in rest.dropFirst().prefix(3) {
        guard (0x30...0x39).contains(byte) else { break }
        milliseconds += Int(byte - 0x30) * unit
        unit /= 10
      }
    }
    return .milliseconds(whole * 1000 + milliseconds)
  }

  /// Returns the duration rounded to whole seconds, or -1 if it is unknown.
  static func wholeSeconds(_ duration: Duration?) -> Int64 {
    guard let duration, duration >= .zero else { return -1 }
    let (seconds, attoseconds) = duration.components
    return seconds + (attoseconds >= 500_000_000_000_000_000 && seconds < .max ? 1 : 0)
  }
}
