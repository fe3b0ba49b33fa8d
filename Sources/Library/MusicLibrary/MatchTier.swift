import UnicodeText

/// How well a name answers a query; the better is the lesser. Both are folded.
enum MatchTier: Int, Comparable, Sendable {
  case exact
  case prefix
  case substring

  static func < (left: MatchTier, right: MatchTier) -> Bool { left.rawValue < right.rawValue }

  /// How `name` answers `query`; `nil` where it does not, or where there is no query.
  init?(_ query: [UInt8], in name: [UInt8]) {
    guard !query.isEmpty, query.count <= name.count else { return nil }
    if name.starts(with: query) {
      self = name.count == query.count ? .exact : .prefix
    } else if name.contains(sequence: query) {
      self = .substring
    } else {
      return nil
    }
  }
}

extension [UInt8] {
  /// The folded form of a text, as bytes.
  init(folding text: String) {
    self = Array(text.foldedForMatching.utf8)
  }

  fileprivate func contains(sequence: [UInt8]) -> Bool {
    guard let first = sequence.first else { return true }
    return (0...(count - sequence.count)).contains { start in
      self[start] == first && self[start...].starts(with: sequence)
    }
  }
}
