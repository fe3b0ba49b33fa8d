import Platform

/// The lines of a playlist, each as its bytes are and as text in UTF-8, between LF, CR or both.
///
/// Splitting bytes is right in Shift-JIS, too: no character has one of these as its second byte.
struct PlaylistText {
  /// A line without its end.
  struct Line {
    /// The bytes in the file; in UTF-16, the text.
    let bytes: ArraySlice<UInt8>
    /// The line in UTF-8.
    let text: ArraySlice<UInt8>
  }

  private var bytes: ArraySlice<UInt8>
  private var text: ArraySlice<UInt8>

  /// The lines of the file, which may declare an encoding of its own that counts where it can be right.
  init(_ contents: [UInt8], declared: LegacyText.Encoding? = nil) {
    let detected = LegacyText.encoding(of: contents)
    switch detected {
    case .utf8:
      bytes = contents[...].dropFirst(contents.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
      text = bytes
    case .utf16BigEndian, .utf16LittleEndian:
      text = Array(LegacyText.decode(contents, as: detected).utf8)[...]
      bytes = text
    case .shiftJIS, .windows1252:
      let isDeclared = declared == .shiftJIS || declared == .windows1252
      text = Array(LegacyText.decode(contents, as: (isDeclared ? declared : nil) ?? detected).utf8)[...]
      bytes = contents[...]
    }
  }

  /// The next line, or `nil` behind the last.
  mutating func next() -> Line? {
    guard let line = Self.line(&text) else { return nil }
    return Line(bytes: Self.line(&bytes) ?? [], text: line)
  }

  private static func line(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    if rest.isEmpty { return nil }
    guard let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
      defer { rest = [] }
      return rest
    }
    defer {
      let isBoth = rest[end] == 0x0D && end + 1 < rest.endIndex && rest[end + 1] == 0x0A
      rest = rest[(end + (isBoth ? 2 : 1))...]
    }
    return rest[..<end]
  }
}

extension PlaylistText.Line {
  /// Whether nothing but white space is in it.
  var isBlank: Bool { text.trimmed.isEmpty }

  /// The entry at the place that the line names from `start` on, with the place as text where the bytes are none.
  func entry(from start: Int = 0) -> PlaylistEntry {
    let named = bytes.dropFirst(start).trimmed
    var entry = PlaylistEntry(PlaylistLocation(line: named))
    let text = text.dropFirst(start).trimmed
    if case .path(let path) = entry.location, named != text {
      let other = PlaylistLocation(line: text)
      if other != .path(path) { entry.alternatives = [other] }
    }
    return entry
  }
}

extension Collection<UInt8> where SubSequence == ArraySlice<UInt8> {
  /// The bytes without spaces and tabs at their ends.
  var trimmed: ArraySlice<UInt8> {
    let start = drop { $0 == 0x20 || $0 == 0x09 }
    guard let last = start.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return [] }
    return start[...last]
  }

  /// What is behind `prefix`, which is in lower case, in any case here; `nil` where it does not begin so.
  func behind(_ prefix: StaticString) -> ArraySlice<UInt8>? {
    let count = prefix.utf8CodeUnitCount
    guard self.count >= count else { return nil }
    let matches = prefix.withUTF8Buffer { wanted in
      unsafe self.prefix(count).elementsEqual(wanted) { byte, wanted in
        ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == wanted
      }
    }
    return matches ? dropFirst(count) : nil
  }
}
