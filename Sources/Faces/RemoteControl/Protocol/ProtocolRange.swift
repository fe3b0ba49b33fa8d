/// A range of positions: `START:END` without its end, `START:` to the end, a single position, or -1 for all, as in
/// older versions.
struct ProtocolRange: Sendable, Equatable {
  /// All positions.
  static let all = ProtocolRange(start: 0, end: nil)

  /// Where it begins, from 0.
  let start: Int
  /// What lies behind it; `nil` where it goes to the end.
  let end: Int?

  private init(start: Int, end: Int?) {
    self.start = start
    self.end = end
  }

  /// The range that `text` says.
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

  /// The positions that are meant, of `count` that there are. It may reach beyond the end, and begin at it.
  ///
  /// - Throws: where it begins behind the end.
  func positions(of count: Int) throws(ProtocolError) -> Range<Int> {
    guard start <= count else { throw ProtocolError(.argument, "Bad song index") }
    return clamped(to: count)
  }

  /// The positions that are meant, of `count` that there are; none where it begins behind the end.
  func clamped(to count: Int) -> Range<Int> {
    let start = min(start, count)
    return start..<max(start, min(end ?? count, count))
  }
}
