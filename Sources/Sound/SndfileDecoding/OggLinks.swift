/// The streams that follow each other in an Ogg file (RFC 3533, section 4: chaining).
enum OggLinks {
  /// The most links that are distinguished; what comes behind them belongs to the last.
  private static let limit = 10_000
  /// How many streams play together at most.
  private static let streamLimit = 16

  /// Where each begins in a file of `size` bytes, the first at `start`.
  ///
  /// Reads no more of a file with one than its first pages and its end; else it halves what is left until it has found
  /// where the next one begins.
  static func starts(_ bytes: inout ByteWindow, from start: Int64, size: Int64) -> [Int64] {
    var starts = [start]
    let endStart = max(start, size - Int64(OggPage.maximumLength))
    guard let last = lastPage(in: bytes.read(at: endStart, count: OggPage.maximumLength)) else { return starts }
    var place = start
    while starts.count < limit {
      let serials = serials(&bytes, at: &place)
      guard !serials.isEmpty, !serials.contains(last.serial),
        let next = end(of: serials, &bytes, from: place, to: size)
      else { break }
      starts.append(next)
      place = next
    }
    return starts
  }

  /// The streams that begin together at `place`, which goes behind their first pages.
  private static func serials(_ bytes: inout ByteWindow, at place: inout Int64) -> Set<UInt32> {
    var serials: Set<UInt32> = []
    while serials.count < streamLimit, let page = OggPage(&bytes, at: place), page.isBeginning {
      serials.insert(page.serial)
      place += page.length
    }
    return serials
  }

  /// Where behind the last page of these streams another stream begins; `nil` where none does.
  private static func end(
    of serials: Set<UInt32>, _ bytes: inout ByteWindow, from start: Int64, to end: Int64
  ) -> Int64? {
    // The page before `low` is of these streams, and the first one at `high` or behind it is not.
    var (low, high) = (start, end)
    var found: (Int64, OggPage)?
    while low < high {
      let middle = low + (high - low) / 2
      guard let (place, page) = nextPage(&bytes, from: middle, to: high) else {
        high = middle
        continue
      }
      if serials.contains(page.serial) {
        low = place + page.length
      } else {
        found = (place, page)
        high = middle
      }
    }
    return found.flatMap { $0.1.isBeginning ? $0.0 : nil }
  }

  /// The first page that begins at `start` or behind it, and before `end`.
  private static func nextPage(_ bytes: inout ByteWindow, from start: Int64, to end: Int64) -> (Int64, OggPage)? {
    var place = start
    while place < end {
      let piece = bytes.read(at: place, count: OggPage.maximumLength + OggPage.maximumHeaderLength)
      for index in piece.indices where piece[index] == UInt8(ascii: "O") {
        let found = place + Int64(index - piece.startIndex)
        guard found < end else { return nil }
        if let page = OggPage(piece[index...]) { return (found, page) }
      }
      guard piece.count > OggPage.maximumHeaderLength else { return nil }
      place += Int64(piece.count - OggPage.maximumHeaderLength)
    }
    return nil
  }

  private static func lastPage(in bytes: ArraySlice<UInt8>) -> OggPage? {
    for index in bytes.indices.reversed() where bytes[index] == UInt8(ascii: "O") {
      if let page = OggPage(bytes[index...]) { return page }
    }
    return nil
  }
}
