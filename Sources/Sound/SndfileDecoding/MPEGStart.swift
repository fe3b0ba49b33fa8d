// SPDX-License-Identifier: GPL-3.0-or-later

/// The beginning of an MPEG stream in a file, after any tags or other data.
struct MPEGStart {
  /// The offset of the first frame, in bytes from the beginning of the file.
  let offset: Int64
  /// The header of the first frame; `nil` for a stream of free bit rate, whose frames do not state their lengths.
  let header: MPEGFrameHeader?
  /// Whether the first frame contains no audio, but a description of the others.
  let isDescribed: Bool
  /// The number of frames that the first frame states. `nil` if it states none, or if the file contains more: a file
  /// that was joined from several states only the frames of its first part.
  let statedFrames: Int64?

  /// The maximum distance from the end of the tags at which the first frame is searched for, in bytes.
  private static let searchLimit: Int64 = 1 << 20
  /// The maximum distance from the beginning of the last tag at which the first frame is searched for, in bytes.
  private static let tagSearchLimit: Int64 = 1 << 25
  /// The number of bytes by which the stated size may be too small: tags after the audio are hardly ever longer.
  private static let tolerance: Int64 = 1 << 16
  private static let lengthOfID3v1: Int64 = 128

  /// Finds the first matching frames of `file`; returns `nil` if there are none.
  ///
  /// If there is no frame right after the tags, the search starts at the last tag, whose length may be wrong.
  init?(in file: RegularFile) {
    var bytes = ByteWindow(file.descriptor)
    let tags = LeadingTags(&bytes, size: file.size)
    guard let (offset, header) = Self.findFirst(after: tags, in: file) else {
      guard Self.isOfFreeRate(bytes.read(at: tags.end, count: 4)) else { return nil }
      // libmpg123 itself determines the length of these frames.
      offset = tags.end
      header = nil
      isDescribed = false
      statedFrames = nil
      return
    }
    self.offset = offset
    self.header = header
    let frame = Array(bytes.read(at: offset, count: header.length))
    let description = Self.description(in: frame, header)
    isDescribed = description != nil
    let isContinued = description.map { Self.isContinued(after: offset + $0.byteCount, in: file, &bytes) } ?? false
    statedFrames = isContinued ? nil : description?.frames
  }

  /// Whether the stream probably continues behind its stated `end`: frames follow there, or more bytes than tags hardly
  /// ever have.
  private static func isContinued(after end: Int64, in file: RegularFile, _ bytes: inout ByteWindow) -> Bool {
    guard file.size - end > lengthOfID3v1 else { return false }
    guard file.size - end <= tolerance else { return true }
    let tags = LeadingTags(&bytes, size: file.size, from: end)
    var search = MPEGFrameSearch(file)
    return search.matchingHeader(at: tags.end, minimum: 2) != nil
  }

  private static func findFirst(after tags: LeadingTags, in file: RegularFile) -> (Int64, MPEGFrameHeader)? {
    var search = MPEGFrameSearch(file)
    if let header = search.matchingHeader(at: tags.end, minimum: 1) { return (tags.end, header) }
    let (searchEnd, overflows) = tags.end.addingReportingOverflow(searchLimit)
    let limit = min(overflows ? .max : searchEnd, tags.lastStart + tagSearchLimit)
    return search.first(from: tags.lastStart, to: limit)
  }

  /// Whether `head` is the header of a frame of free bit rate, which does not state its length.
  private static func isOfFreeRate(_ head: ArraySlice<UInt8>) -> Bool {
    var head = Array(head)
    guard head.count == 4, head[2] >> 4 == 0 else { return false }
    head[2] |= 0x10
    return MPEGFrameHeader(head) != nil
  }

  /// Returns the number of frames that `frame` states, and their size in bytes, if it describes the other frames;
  /// otherwise `nil`. This is the Xing tag, whose flags 1 and 2 say which of the two are present. A missing size is
  /// replaced with more bytes than any file has.
  private static func description(
    in frame: [UInt8], _ header: MPEGFrameHeader
  ) -> (frames: Int64?, byteCount: Int64)? {
    let offset = header.xingOffset
    // The same test as libmpg123's.
    guard header.layer == 3, frame.dropFirst(6).prefix(max(0, offset - 6)).allSatisfy({ $0 == 0 }) else { return nil }
    let tag = Array(frame.dropFirst(offset).prefix(16))
    guard tag.count == 16, ["Xing", "Info"].contains(where: { tag.starts(with: $0.utf8) }) else { return nil }
    guard tag[7] & 1 == 1 else { return (nil, 0) }
    let number = { (bytes: ArraySlice<UInt8>) in bytes.reduce(0 as Int64) { $0 << 8 | Int64($1) } }
    return (number(tag[8..<12]), tag[7] & 2 == 0 ? .max / 2 : number(tag[12...]))
  }
}

/// Searches a file for several consecutive frames that match each other.
struct MPEGFrameSearch {
  /// The number of consecutive frames that must match.
  private static let requiredMatches = 3
  /// The maximum distance at which frames are searched for after damage, in bytes.
  static let damageLimit: Int64 = 1 << 24

  private let size: Int64
  private var bytes: ByteWindow
  /// A second window of the file, which is read ahead of ``bytes``.
  private var candidates: ByteWindow

  init(_ file: RegularFile) {
    size = file.size
    bytes = ByteWindow(file.descriptor)
    candidates = ByteWindow(file.descriptor)
  }

  /// Returns the header at `offset` if the frames after it match; otherwise `nil`. Only `minimum` frames are needed if
  /// the file ends after them, or a tag follows.
  mutating func matchingHeader(at offset: Int64, minimum: Int) -> MPEGFrameHeader? {
    guard let first = MPEGFrameHeader(bytes.read(at: offset, count: 4)) else { return nil }
    var next = offset + Int64(first.length)
    for count in 1..<Self.requiredMatches {
      let mark = bytes.read(at: next, count: 4)
      if count >= minimum, next >= size || LeadingTags.isTag(mark) { break }
      guard let header = MPEGFrameHeader(mark), header.matches(first) else { return nil }
      next += Int64(header.length)
    }
    return first
  }

  /// Returns the first offset from `start` up to `end` at which matching frames begin, and the header there; `nil` if
  /// there is none. If `model` is given, only frames of its stream count.
  mutating func first(
    from start: Int64, to end: Int64, like model: MPEGFrameHeader? = nil
  ) -> (Int64, MPEGFrameHeader)? {
    let end = min(end, size)
    var offset = start
    while offset < end {
      let piece = candidates.read(at: offset, count: Int(min(1 << 15, end - offset)))
      if piece.isEmpty { break }
      for (index, byte) in piece.enumerated() where byte == 0xFF {
        let found = offset + Int64(index)
        guard let header = matchingHeader(at: found, minimum: 2), model.map(header.matches) ?? true else { continue }
        return (found, header)
      }
      offset += Int64(piece.count)
    }
    return nil
  }

  /// Returns the number of frames from `start` on that belong to the stream of `model`, and in how many pieces they
  /// are, as far as their headers can be found.
  mutating func count(from start: Int64, like model: MPEGFrameHeader) -> (frames: Int64, pieces: Int) {
    var (offset, frames, pieces) = (start, Int64(0), 1)
    while offset < size {
      if let header = MPEGFrameHeader(bytes.read(at: offset, count: 4)), header.matches(model) {
        frames += 1
        offset += Int64(header.length)
      } else if let (found, _) = first(from: offset, to: offset + Self.damageLimit, like: model) {
        pieces += 1
        offset = found
      } else {
        break
      }
    }
    // The last frame was cut off; others may be missing.
    if offset > size { pieces += 1 }
    return (frames, pieces)
  }
}

/// The header of a frame of MPEG audio (ISO/IEC 11172-3 and 13818-3, section 2.4.1.3, and MPEG 2.5).
struct MPEGFrameHeader: Equatable {
  enum Version { case mpeg1, mpeg2, mpeg25 }

  let version: Version
  /// The layer, 1 to 3.
  let layer: Int
  /// The sample rate, in Hz.
  let sampleRate: Int
  let isMono: Bool
  /// The bit rate, in bits per second.
  let bitRate: Int
  /// The length of the frame in bytes, including the header.
  let length: Int

  /// Parses the header at the start of `bytes`; returns `nil` if there is none, or if its bit rate is free.
  init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes.prefix(4))
    guard bytes.count == 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0, bytes[1] & 0x06 != 0 else { return nil }
    switch bytes[1] >> 3 & 3 {
    case 0: version = .mpeg25
    case 2: version = .mpeg2
    case 3: version = .mpeg1
    default: return nil
    }
    layer = 4 - Int(bytes[1] >> 1 & 3)
    let bitRateIndex = Int(bytes[2] >> 4)
    let rateIndex = Int(bytes[2] >> 2 & 3)
    guard (1...14).contains(bitRateIndex), rateIndex < 3 else { return nil }
    let isMPEG1 = version == .mpeg1
    sampleRate = [44_100, 48_000, 32_000][rateIndex] / (isMPEG1 ? 1 : version == .mpeg2 ? 2 : 4)
    isMono = bytes[3] >> 6 == 3
    bitRate = Self.kilobits(isMPEG1: isMPEG1, layer: layer)[bitRateIndex - 1] * 1000
    let padding = Int(bytes[2] >> 1 & 1)
    length =
      layer == 1
      ? (12 * bitRate / sampleRate + padding) * 4
      : (isMPEG1 || layer == 2 ? 144 : 72) * bitRate / sampleRate + padding
  }

  /// The mean length of frames with this bit rate, in bytes: some of them are padded.
  var meanLength: Double {
    let slots = layer == 1 ? 48.0 : version == .mpeg1 || layer == 2 ? 144 : 72
    return slots * Double(bitRate) / Double(sampleRate)
  }

  /// The offset in a frame, in bytes, of the Xing tag, which states the stream's length: after the header and the side
  /// information. Encoders put it into a frame without audio.
  var xingOffset: Int {
    version == .mpeg1 ? (isMono ? 21 : 36) : (isMono ? 13 : 21)
  }

  /// Returns the number of bytes that a frame of layer III takes from earlier frames. `head` is the start of the frame:
  /// its header, its checksum if it has one, and the beginning of its side information.
  func reservoirBytes(_ head: [UInt8]) -> Int {
    guard layer == 3, head.count >= 2 else { return 0 }
    let side = head.dropFirst(head[1] & 1 == 0 ? 6 : 4).prefix(2)
    guard let first = side.first, let second = side.last, side.count == 2 else { return 0 }
    return version == .mpeg1 ? Int(first) << 1 | Int(second) >> 7 : Int(first)
  }

  /// Whether a frame with header `other` can be in the same stream.
  func matches(_ other: MPEGFrameHeader) -> Bool {
    version == other.version && layer == other.layer && sampleRate == other.sampleRate && isMono == other.isMono
  }

  /// Returns the bit rates of MPEG 1 (`isMPEG1`), or of MPEG 2 and 2.5, in kbit/s.
  private static func kilobits(isMPEG1: Bool, layer: Int) -> [Int] {
    switch (isMPEG1, layer) {
    case (true, 1): (1...14).map { 32 * $0 }
    case (true, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    case (true, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    case (false, 1): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
    case (false, _): [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    }
  }
}
