/// A range of positions: `START:END` without its end, `START:` to the end, or a single position.
struct ProtocolRange: Sendable, Equatable {
  /// Where it begins, from 0.
  let start: Int
  /// What lies behind it; `nil` where it goes to the end.
  let end: Int?
  /// Whether it was written as a single position.
  let isSingle: Bool

  /// The range that `text` says.
  init(_ text: String) throws(ProtocolError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let start = Int(first) else {
      throw ProtocolError(.argument, "Integer or range expected: \(text)")
    }
    guard start >= 0 else { throw ProtocolError(.argument, "Number is negative: \(text)") }
    self.start = start
    isSingle = parts.count == 1
    if isSingle {
      end = start == .max ? start : start + 1
    } else if parts[1].isEmpty {
      end = nil
    } else {
      guard let end = Int(parts[1]) else {
        throw ProtocolError(.argument, "Integer or range expected: \(text)")
      }
      guard end >= start else { throw ProtocolError(.argument, "Bad range: \(text)") }
      self.end = end
    }
  }

  /// The positions that are meant, of `count` that there are. A range may reach beyond the end.
  ///
  /// - Throws: where it begins behind the end, or is a single position that is not there.
  func positions(of count: Int) throws(ProtocolError) -> Range<Int> {
    guard start <= count, !isSingle || start < count else {
      throw ProtocolError(.argument, "Bad song index")
    }
    return start..<max(start, min(end ?? count, count))
  }
}
