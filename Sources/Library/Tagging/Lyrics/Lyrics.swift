// SPDX-License-Identifier: GPL-3.0-or-later

/// The lyrics of a track: lines of text, which may have times.
public struct Lyrics: Sendable, Hashable {
  /// A line of lyrics.
  public struct Line: Sendable, Hashable {
    /// The time from the start of the track at which the line begins; `nil` if it has none.
    public var start: Duration?
    /// The text, which may be empty. Not yet escaped for a terminal.
    public var text: String
    /// The parts of the text that begin at times of their own, such as words: the number of characters of the text
    /// before each, and its time, in ascending order. Empty if there are no such times.
    public var parts: [Part]

    /// A part of a line.
    public struct Part: Sendable, Hashable {
      /// The number of characters of the line before the part.
      public var offset: Int
      /// The time from the start of the track at which the part begins.
      public var start: Duration

      public init(offset: Int, start: Duration) {
        self.offset = offset
        self.start = start
      }
    }

    public init(start: Duration? = nil, text: String, parts: [Part] = []) {
      self.start = start
      self.text = text
      self.parts = parts
    }
  }

  /// The lines; those with times in ascending order.
  public private(set) var lines: [Line]
  /// Whether the lines have times.
  public private(set) var isSynced: Bool

  /// Whether there are more lines than ``lineLimit``.
  public private(set) var isCut = false

  /// The maximum number of lines; more are left out.
  public static let lineLimit = 10_000
  /// The maximum length of a line in characters; the rest is left out.
  private static let lengthLimit = 1_000
  /// The maximum number of times at the beginning of a line, and of parts in it.
  private static let timeLimit = 100

  /// Returns the number of the line that is sung at `time`; `nil` before the first line, or if the lines have no times.
  public func line(at time: Duration) -> Int? {
    guard isSynced else { return nil }
    // The lines are sorted: find the first one that begins later.
    var (low, high) = (0, lines.count)
    while low < high {
      let middle = (low + high) / 2
      if lines[middle].start ?? .zero <= time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }
}

/// The format LRC (https://en.wikipedia.org/wiki/LRC_(file_format)): lines that begin with their times in brackets,
/// such as `[01:02.50]`. Several times stand for repetitions; times such as `<01:02.90>` within a line belong to the
/// text after them; `[offset:+500]` lets all lines begin half a second earlier.
///
/// Marks of the voice before the text of a line with a time (`v1:`, or `F:`, `M:` and `D:` with a space after them) are
/// left out. What background voices sing (`[bg:TEXT]`) becomes a line in parentheses of its own, at the time of its
/// first word, or else that of the line that contains it or comes before it.
extension Lyrics {
  /// Parses text in the format LRC, or plain text. If only some lines have times, the others are left out.
  public init(_ text: String) {
    var (timed, plain): ([Line], [Line]) = ([], [])
    var (offset, times) = (Duration.zero, [Duration]())
    // One more, for the end of the last line.
    let texts = text.split(
      maxSplits: Self.lineLimit, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    isCut = texts.count > Self.lineLimit && texts.last?.contains { !$0.isWhitespace } == true
    for line in texts.prefix(Self.lineLimit) {
      guard timed.count < Self.lineLimit else {
        isCut = true
        break
      }
      var scanner = LineScanner(line.prefix(Self.lengthLimit))
      let head = scanner.head()
      if let change = head.offset { offset = change }
      if head.times.isEmpty, !scanner.isAtBackground {
        // A tag such as [ar:NAME] describes the song.
        if !head.isTag { plain.append(Line(text: line.trimmed)) }
        continue
      }
      if !head.times.isEmpty {
        times = head.times
        scanner.skipVoice()
      }
      let background = scanner.takeBackground()
      let sung = scanner.body()
      if !head.times.isEmpty, background.isEmpty || !sung.text.isEmpty { timed += Self.repeated(sung, at: times) }
      for voice in background.compactMap(\.inParentheses) {
        let own = voice.parts.first.map { [$0.start] } ?? []
        let lines = Self.repeated(voice, at: times.isEmpty ? own : times)
        if lines.isEmpty { plain.append(voice) } else { timed += lines }
      }
    }
    isSynced = !timed.isEmpty
    if isSynced {
      isCut = isCut || timed.count > Self.lineLimit
      let sorted = timed.prefix(Self.lineLimit).enumerated().sorted { left, right in
        (left.element.start ?? .zero, left.offset) < (right.element.start ?? .zero, right.offset)
      }
      lines = sorted.map { $0.element.earlier(by: offset) }
    } else {
      while plain.last?.text.isEmpty == true { plain.removeLast() }
      lines = Array(plain.drop { $0.text.isEmpty })
    }
  }

  /// Returns a line at each of these times, or at those of its first word. It keeps the distances between its words.
  private static func repeated(_ line: Line, at times: [Duration]) -> [Line] {
    times.map { time in
      let shift = time - (times.first ?? time)
      let parts = line.parts.map { Line.Part(offset: $0.offset, start: $0.start + shift) }
      return Line(start: line.start.map { $0 + shift } ?? time, text: line.text, parts: parts)
    }
  }

  /// Scans a line of LRC.
  private struct LineScanner {
    private static let backgroundMark = "[bg:"

    private var rest: Substring

    init(_ line: Substring) { rest = line }

    /// Reads the times and tags in brackets at the beginning of the line.
    mutating func head() -> (times: [Duration], offset: Duration?, isTag: Bool) {
      var times: [Duration] = []
      var offset: Duration?
      var isTag = false
      rest = rest.drop { $0 == " " || $0 == "\u{FEFF}" }
      while rest.first == "[", !isAtBackground, times.count < Lyrics.timeLimit, let end = rest.firstIndex(of: "]") {
        let content = rest[rest.index(after: rest.startIndex)..<end]
        if let time = Lyrics.time(content) {
          times.append(time)
        } else if let colon = content.firstIndex(of: ":"), content.first?.isLetter == true {
          isTag = true
          let value = content[content.index(after: colon)...].trimmed
          if content[..<colon].lowercased() == "offset", let milliseconds = Int(value),
            (-3_600_000...3_600_000).contains(milliseconds)
          {
            offset = .milliseconds(milliseconds)
          }
        } else {
          break
        }
        rest = rest[rest.index(after: end)...]
      }
      return (times, offset, isTag)
    }

    /// Whether the rest of the line begins with what background voices sing.
    var isAtBackground: Bool { rest.hasPrefix(Self.backgroundMark) }

    /// Skips the mark of the voice that sings the line.
    mutating func skipVoice() {
      let text = rest.drop { $0 == " " }
      guard let colon = text.prefix(6).firstIndex(of: ":") else { return }
      let (mark, sung) = (text[..<colon], text[text.index(after: colon)...])
      let isNumbered = mark.count > 1 && mark.first == "v" && mark.dropFirst().allSatisfy { ("0"..."9").contains($0) }
      let isSinger = ["F", "M", "D"].contains(mark) && (sung.isEmpty || sung.first == " ")
      if isNumbered || isSinger { rest = sung }
    }

    /// Removes what background voices sing from the rest of the line, and returns it.
    mutating func takeBackground() -> [Line] {
      var (voices, others): ([Line], Substring) = ([], "")
      while let mark = rest.firstRange(of: Self.backgroundMark) {
        others += rest[..<mark.lowerBound]
        let end = rest[mark.upperBound...].firstIndex(of: "]") ?? rest.endIndex
        var inner = LineScanner(rest[mark.upperBound..<end])
        voices.append(inner.body())
        rest = rest[end...].dropFirst()
      }
      rest = others + rest
      return voices
    }

    /// Reads the text of the line, and the times within it.
    mutating func body() -> Line {
      var text = ""
      var count = 0
      var parts: [Line.Part] = []
      while let next = rest.first {
        // The longest time has 14 characters.
        if next == "<", parts.count < Lyrics.timeLimit, let end = rest.prefix(16).firstIndex(of: ">"),
          let time = Lyrics.time(rest[rest.index(after: rest.startIndex)..<end])
        {
          parts.append(Line.Part(offset: count, start: time))
          rest = rest[rest.index(after: end)...]
        } else {
          // A space at the beginning belongs to the brackets before it.
          if count > 0 || !next.isWhitespace {
            text.append(next)
            count += 1
          }
          rest.removeFirst()
        }
      }
      while text.last?.isWhitespace == true {
        text.removeLast()
        count -= 1
      }
      // Joined characters may have made the text shorter.
      let length = min(count, text.count)
      let kept = parts.filter { $0.offset < length }.sorted { ($0.start, $0.offset) < ($1.start, $1.offset) }
      return Line(text: text, parts: kept)
    }
  }

  /// Parses a time such as `1:02.5`, `01:02:50` or `1:02`. Returns `nil` if `text` is none.
  private static func time(_ text: Substring) -> Duration? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." || $0 == "," }
    guard text.contains(":"), (2...3).contains(parts.count), parts.allSatisfy({ (1...4).contains($0.utf8.count) })
    else { return nil }
    let numbers = parts.compactMap { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil }
    guard numbers.count == parts.count, numbers[1] < 60 else { return nil }
    let fraction = parts.count == 3 ? Double(numbers[2]) / [10, 100, 1_000, 10_000][parts[2].utf8.count - 1] : 0
    return .seconds(numbers[0] * 60 + numbers[1]) + .milliseconds(Int((fraction * 1_000).rounded()))
  }
}

extension Lyrics.Line {
  /// The line in parentheses, which begins with its first word; `nil` if it has no text.
  fileprivate var inParentheses: Self? {
    if text.isEmpty { return nil }
    let start = parts.first?.start
    if text.hasPrefix("("), text.hasSuffix(")") { return Self(start: start, text: text, parts: parts) }
    let parts = parts.map { Part(offset: $0.offset == 0 ? 0 : $0.offset + 1, start: $0.start) }
    return Self(start: start, text: "(\(text))", parts: parts)
  }

  /// The line with all its times moved to an earlier time.
  fileprivate func earlier(by offset: Duration) -> Self {
    Self(
      start: start.map { max(.zero, $0 - offset) }, text: text,
      parts: parts.map { Part(offset: $0.offset, start: max(.zero, $0.start - offset)) })
  }
}

extension Substring {
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
