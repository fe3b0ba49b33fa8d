import Platform

/// The lines of a playlist, each as its bytes are and as text in UTF-8, between LF, CR or both.
///
/// Splitting bytes is right in the character sets of East Asia, too: no character has one of these as its second byte.
struct PlaylistText {
  /// A line without its end.
  struct Line {
    /// The bytes in the file; in UTF-16, the text.
    let bytes: ArraySlice<UInt8>
    /// The line in UTF-8.
    let text: ArraySlice<UInt8>
  }

  private var bytes: Rest
  /// The text; `nil` where the bytes are it.
  private var text: Rest?

  /// The lines of the file, which may declare an encoding of its own that counts where it can be right.
  init(_ contents: [UInt8], declared: LegacyText.Encoding? = nil) {
    let encoding = LegacyText.encoding(of: contents, assuming: declared ?? LegacyText.assumed)
    switch encoding {
    case .utf8: bytes = Rest(contents, from: contents.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    case .utf16BigEndian, .utf16LittleEndian:
      bytes = Rest(Array(LegacyText.decode(contents, as: encoding).utf8))
    case .windows1252, .other:
      bytes = Rest(contents)
      text = Rest(Array(LegacyText.decode(contents, as: encoding).utf8))
    }
  }

  /// The next line, or `nil` behind the last.
  mutating func next() -> Line? {
    guard let line = bytes.line() else { return text?.line().map { Line(bytes: [], text: $0) } }
    return text == nil ? Line(bytes: line, text: line) : text?.line().map { Line(bytes: line, text: $0) }
  }

  /// The lines of these bytes that were not read yet.
  private struct Rest {
    private let bytes: [UInt8]
    private var place: Int

    init(_ bytes: [UInt8], from place: Int = 0) { (self.bytes, self.place) = (bytes, place) }

    mutating func line() -> ArraySlice<UInt8>? {
      let start = place
      guard start < bytes.count else { return nil }
      var end = start
      while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
      let isBoth = end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
      place = end + (isBoth ? 2 : 1)
      return bytes[start..<end]
    }
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

extension ArraySlice<UInt8> {
  /// The bytes without spaces and tabs at their ends.
  var trimmed: ArraySlice<UInt8> {
    var (start, end) = (startIndex, endIndex)
    while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
    while start < end, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
    return self[start..<end]
  }

  /// What is behind `prefix`, which is in lower case, in any case here; `nil` where it does not begin so.
  func behind(_ prefix: StaticString) -> ArraySlice<UInt8>? {
    let count = prefix.utf8CodeUnitCount
    guard self.count >= count else { return nil }
    let matches = prefix.withUTF8Buffer { wanted in
      for offset in 0..<count {
        let byte = self[startIndex + offset]
        let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        guard unsafe lower == wanted[offset] else { return false }
      }
      return true
    }
    return matches ? dropFirst(count) : nil
  }
}
