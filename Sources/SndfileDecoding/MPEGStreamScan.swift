/// Finds the frames of an MPEG audio layer III stream by their headers alone.
struct MPEGStreamScan {
  /// The header of the first frame.
  let firstHeader: MPEGFrameHeader
  /// Where the first frame begins, in bytes from the beginning of the file.
  let start: Int64
  /// Whether the first frame holds a tag that states the number of frames.
  let statesLength: Bool

  /// How many ID3v2 tags a file may begin with.
  private static let tagLimit = 1_000
  /// How far a header is looked for behind what is none.
  private static let searchLimit = 1 << 16

  /// Finds the first frame: behind any ID3v2 tags, where another frame that matches follows it.
  init?(_ bytes: inout ByteWindow) {
    let end = Self.endOfTags(&bytes)
    guard let (start, header) = Self.nextFrame(from: end, matching: nil, in: &bytes) else { return nil }
    self.start = start
    firstHeader = header
    let frame = Array(bytes.read(at: start, count: header.length))
    let xing = frame.dropFirst(header.xingOffset).prefix(8)
    let vbri = frame.dropFirst(36).prefix(4)
    let hasCount = xing.count == 8 && xing.last.map { $0 & 1 == 1 } ?? false
    statesLength =
      (["Xing", "Info"].contains { xing.prefix(4).elementsEqual($0.utf8) } && hasCount)
      || vbri.elementsEqual("VBRI".utf8)
  }

  /// Where the ID3v2 tags at the beginning end.
  static func endOfTags(_ bytes: inout ByteWindow) -> Int64 {
    var end: Int64 = 0
    for _ in 0..<tagLimit {
      guard let length = id3Length(bytes.read(at: end, count: 10)) else { break }
      end += length
    }
    return end
  }

  /// The number of frames from the first one to the end of the file; a frame that the end cuts short counts.
  ///
  /// Behind damage, frames count again from the next two that match.
  func frameCount(_ bytes: inout ByteWindow) -> UInt32 {
    var count: UInt32 = 0
    var place = start
    while count < .max {
      if let header = MPEGFrameHeader(bytes.read(at: place, count: 4)), header.matches(firstHeader) {
        count += 1
        place += Int64(header.length)
      } else {
        guard let (next, _) = Self.nextFrame(from: place, matching: firstHeader, in: &bytes) else {
          return count
        }
        place = next
      }
    }
    return count
  }

  /// The next place with a header whose frame is followed by one that matches it.
  private static func nextFrame(
    from start: Int64, matching first: MPEGFrameHeader?, in bytes: inout ByteWindow
  ) -> (Int64, MPEGFrameHeader)? {
    for place in start..<(start + Int64(searchLimit)) {
      let head = bytes.read(at: place, count: 4)
      guard head.count == 4 else { return nil }
      guard head.first == 0xFF, let header = MPEGFrameHeader(head), first?.matches(header) ?? true,
        let next = MPEGFrameHeader(bytes.read(at: place + Int64(header.length), count: 4)),
        next.matches(header)
      else { continue }
      return (place, header)
    }
    return nil
  }

  /// The length of the ID3v2 tag that `head` begins, or `nil` where it begins none (ID3v2.4.0, sections 3.1 and 3.4).
  private static func id3Length(_ head: ArraySlice<UInt8>) -> Int64? {
    let head = Array(head)
    guard head.count == 10, head.starts(with: "ID3".utf8), head[6...9].allSatisfy({ $0 < 0x80 }) else {
      return nil
    }
    let size = head[6...9].reduce(Int64(0)) { $0 << 7 | Int64($1) }
    let hasFooter = head[5] & 0x10 != 0
    return size + (hasFooter ? 20 : 10)
  }
}
