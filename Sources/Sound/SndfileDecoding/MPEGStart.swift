/// Where the frames of an MPEG stream begin in a file, behind whatever stands ahead of them.
struct MPEGStart {
  /// Where the first frame begins, in bytes from the beginning of the file.
  let place: Int64
  /// Whether the first frame states how many there are, and that is all that the file holds: a file that was joined
  /// of several states the frames of its first part alone.
  let statesLength: Bool

  /// How many frames in a row have to agree before they count as found.
  private static let agreement = 3
  /// How far frames are looked for behind the tags, and in all, in bytes.
  private static let searchLimit: Int64 = 1 << 20
  private static let tagSearchLimit: Int64 = 1 << 25
  /// By how many bytes what is stated may be less than what is there: tags behind the sound are hardly ever longer.
  private static let tolerance: Int64 = 1 << 16

  /// The first frames of `file` that agree with each other; `nil` where there are none.
  ///
  /// Where none stands right behind the tags, they are looked for from the beginning of the last tag on, since its
  /// length may be wrong, and behind it.
  init?(in file: RegularFile) {
    var bytes = ByteWindow(file.descriptor)
    let tags = TagsInFront(&bytes, size: file.size)
    guard let (place, header) = Self.find(behind: tags, in: file, &bytes) else {
      guard Self.isOfFreeRate(bytes.read(at: tags.end, count: 4)) else { return nil }
      // libmpg123 finds out how long such frames are.
      place = tags.end
      statesLength = false
      return
    }
    self.place = place
    let frame = Array(bytes.read(at: place, count: header.length))
    statesLength = Self.stated(in: frame, header).map { file.size - place - $0 <= Self.tolerance } ?? false
  }

  private static func find(
    behind tags: TagsInFront, in file: RegularFile, _ bytes: inout ByteWindow
  ) -> (Int64, MPEGFrameHeader)? {
    if let header = agreeing(at: tags.end, minimum: 1, size: file.size, &bytes) { return (tags.end, header) }
    var window = ByteWindow(file.descriptor)
    let (behind, isWrong) = tags.end.addingReportingOverflow(searchLimit)
    let limit = min(isWrong ? .max : behind, tags.lastStart + tagSearchLimit, file.size)
    var place = tags.lastStart
    while place < limit {
      let piece = window.read(at: place, count: Int(min(1 << 15, limit - place)))
      if piece.isEmpty { break }
      for (offset, byte) in piece.enumerated() where byte == 0xFF {
        let found = place + Int64(offset)
        if let header = agreeing(at: found, minimum: 2, size: file.size, &bytes) { return (found, header) }
      }
      place += Int64(piece.count)
    }
    return nil
  }

  /// Whether `head` is the header of a frame that does not say how long it is.
  private static func isOfFreeRate(_ head: ArraySlice<UInt8>) -> Bool {
    var head = Array(head)
    guard head.count == 4, head[2] >> 4 == 0 else { return false }
    head[2] |= 0x10
    return MPEGFrameHeader(head) != nil
  }

  /// The header at `place`, where others that match it follow its frame; `minimum` frames are enough where the file
  /// ends behind them, or a tag follows.
  private static func agreeing(
    at place: Int64, minimum: Int, size: Int64, _ bytes: inout ByteWindow
  ) -> MPEGFrameHeader? {
    guard let first = MPEGFrameHeader(bytes.read(at: place, count: 4)) else { return nil }
    var next = place + Int64(first.length)
    for count in 1..<agreement {
      let mark = bytes.read(at: next, count: 4)
      if count >= minimum, next >= size || TagsInFront.isTag(mark) { break }
      guard let header = MPEGFrameHeader(mark), header.matches(first) else { return nil }
      next += Int64(header.length)
    }
    return first
  }

  /// How many bytes `frame` says that the stream takes, where it says how many frames there are (the Xing tag; flags 1
  /// and 2 say which of the two are there). Where it only says the frames, 0.
  private static func stated(in frame: [UInt8], _ header: MPEGFrameHeader) -> Int64? {
    // A checksum behind the header takes two bytes.
    for offset in [header.xingOffset, header.xingOffset + 2] {
      let tag = Array(frame.dropFirst(offset).prefix(16))
      guard tag.count == 16, ["Xing", "Info"].contains(where: { tag.starts(with: $0.utf8) }) else { continue }
      guard tag[7] & 1 == 1 else { return nil }
      return tag[7] & 2 == 0 ? .max / 2 : tag[12...].reduce(0 as Int64) { $0 << 8 | Int64($1) }
    }
    return nil
  }
}
