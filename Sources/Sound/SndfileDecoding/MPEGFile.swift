import AudioCore

/// An MPEG stream in a file as libmpg123 should see it: its frames, without damage between them.
///
/// libmpg123 looks for the next frame behind damage by itself, but takes nearly anything for one. Here several have to
/// agree with each other, as they have to at the beginning (``MPEGFrameSearch``).
final class MPEGFile: VirtualFile {
  /// Damaged bytes between two frames, which are left out.
  struct Gap {
    /// Where they would stand in what is shown.
    let place: Int64
    let byteCount: Int64
    /// How many bytes are left out up to their end.
    let bytesLeftOut: Int64
    /// The number of the frame behind them, from 0, of those that are shown.
    let frame: Int64
    /// How many frames were lost with them.
    let lostFrames: Int64
    /// How many frames behind them are no sound: those that take bits from lost ones, and the next, which overlaps
    /// them.
    var spoiltFrames: Int64 = 1
    /// Whether something is wrong, and these are no tag, nor the zeros that stand between files that were joined.
    let isDamage: Bool
  }

  /// How many gaps are left out; libmpg123 passes over the others.
  private static let gapLimit = 4096
  /// The most frames that can have been lost in one place: some ten minutes.
  private static let lossLimit: Int64 = 25_000
  /// By how many bytes lost frames may be longer or shorter than the others; some are padded by a byte.
  private static let lengthTolerance = 2.0

  private let base: BufferedFile
  private let statedFrames: Int64?
  private var search: MPEGFrameSearch
  /// What went wrong up to now, in order.
  private(set) var gaps: [Gap] = []
  /// How many frames were lost in all of them.
  private(set) var lostFrames: Int64 = 0
  /// The rate to which the stream changes, in Hz, and the number of the frame with which it does, lost ones included.
  private(set) var change: (frame: Int64, sampleRate: Int)?

  /// A header of the stream as it is at ``next``.
  private var model: MPEGFrameHeader
  private let sampleRate: Int
  /// Where in the file the next frame should begin, as far as it has been looked through; `nil` from its last frame on.
  private var next: Int64?
  /// How many frames stand ahead of ``next``: all, and those with sound.
  private var frameCount: (all: Int64, sounding: Int64)
  /// The bit rate of all frames with sound up to now; `nil` where they have several.
  private var bitRate: Int?
  /// How many bytes for later frames were found behind the last gap; `nil` where there is enough again.
  private var reservoir: Int?
  /// How many frames with sound the file holds, where that was counted, and how many gaps it has.
  private var counted: (frames: Int64, gaps: Int)?

  /// The stream in `file` that begins with the frame of `start`, whose header is `header`.
  init(_ file: RegularFile, _ start: MPEGStart, _ header: MPEGFrameHeader) {
    base = BufferedFile(file, from: start.place)
    statedFrames = start.statedFrames
    search = MPEGFrameSearch(file)
    model = header
    sampleRate = header.sampleRate
    next = 0
    // libmpg123 does not count the frame that describes the others.
    frameCount = (0, start.isDescribed ? -1 : 0)
    super.init(length: base.length)
  }

  override func fill(_ buffer: UnsafeMutableRawBufferPointer, at place: Int64) -> Int {
    var filled = 0
    while filled < buffer.count {
      let (shown, isWrong) = place.addingReportingOverflow(Int64(filled))
      if isWrong { break }
      let passed = gapCount(\.place, upTo: shown)
      let (real, isBehind) = shown.addingReportingOverflow(passed == 0 ? 0 : gaps[passed - 1].bytesLeftOut)
      if isBehind { break }
      let end = passed < gaps.count ? Int(clamping: gaps[passed].place - shown) : .max
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...].prefix(end))
      base.failure = nil
      let count = unsafe base.fill(room, at: real)
      if count == 0 {
        failure = base.failure
        break
      }
      filled += unsafe inspect(UnsafeRawBufferPointer(rebasing: room[..<count]), at: real)
    }
    return filled
  }

  /// The last gap up to the frame with this number.
  func lastGap(upToFrame number: Int64) -> Gap? {
    let count = gapCount(\.frame, upTo: number)
    return count == 0 ? nil : gaps[count - 1]
  }

  /// How many gaps have a `value` of at most `limit`; the values rise.
  private func gapCount(_ value: KeyPath<Gap, Int64>, upTo limit: Int64) -> Int {
    if let last = gaps.last, last[keyPath: value] <= limit { return gaps.count }
    var range = gaps.startIndex..<gaps.endIndex
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = gaps[middle][keyPath: value] <= limit ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// Looks through the frames that begin in `bytes`, which stand at `place` of the file; gives how many of the bytes
  /// stand ahead of the first gap.
  private func inspect(_ bytes: UnsafeRawBufferPointer, at place: Int64) -> Int {
    while let next, next >= place, next < place + Int64(bytes.count) {
      let head = head(at: next)
      if let header = MPEGFrameHeader(head), header.matches(model) {
        take(header, head)
      } else if gaps.count < Self.gapLimit, let (found, header) = resumption(from: next) {
        if header.sampleRate != sampleRate, change == nil {
          change = (frameCount.sounding + lostFrames, header.sampleRate)
        }
        model = header
        self.next = found
        if found == next {
          take(header, head)
        } else if !isPassedOver(next) {
          addGap(next..<found)
          return Int(next - place)
        }
      } else {
        self.next = nil
      }
    }
    return bytes.count
  }

  /// The bytes at `place` that say what a frame is: its header, and as much behind it.
  private func head(at place: Int64) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 8) { buffer, count in
      count = unsafe base.fill(UnsafeMutableRawBufferPointer(buffer), at: place)
    }
  }

  private func take(_ header: MPEGFrameHeader, _ head: [UInt8]) {
    if frameCount.sounding == 0 { bitRate = header.bitRate } else if header.bitRate != bitRate { bitRate = nil }
    next = next.map { $0 + Int64(header.length) }
    frameCount = (frameCount.all + 1, frameCount.sounding + 1)
    guard let held = reservoir else { return }
    if header.reservoirBytes(head) > held {
      gaps[gaps.count - 1].spoiltFrames += 1
      reservoir = held + header.length - header.xingOffset
    } else {
      reservoir = nil
    }
  }

  /// Where frames agree with each other from `place` on.
  private func resumption(from place: Int64) -> (Int64, MPEGFrameHeader)? {
    let start = base.start + place
    return search.first(from: start, to: start + MPEGFrameSearch.damageLimit).map { ($0.0 - base.start, $0.1) }
  }

  /// Whether a tag stands at `place` that libmpg123 passes over.
  private func isPassedOver(_ place: Int64) -> Bool {
    ["ID3", "TAG"].contains { head(at: place).starts(with: $0.utf8) }
  }

  private func addGap(_ range: Range<Int64>) {
    let bytes = base.file.descriptor.bytes(at: base.start + range.lowerBound, count: Int(min(range.count, 1 << 12)))
    let isTag = TagsInFront.isTag(bytes)
    let lost = isTag ? 0 : min(lostFrames(range), Self.lossLimit)
    let before = gaps.last?.bytesLeftOut ?? 0
    gaps.append(
      Gap(
        place: range.lowerBound - before, byteCount: Int64(range.count), bytesLeftOut: before + Int64(range.count),
        frame: frameCount.sounding, lostFrames: lost,
        isDamage: lost > 0 || !isTag && !bytes.allSatisfy { $0 == 0 }))
    lostFrames += lost
    reservoir = 0
  }

  /// How many frames were lost with the bytes in `range`.
  ///
  /// Where the file states how many there are, it is those that are missing; else, where all are of one bit rate, as
  /// many as would fill the gap exactly: other bytes were put in between.
  private func lostFrames(_ range: Range<Int64>) -> Int64 {
    guard frameCount.sounding > 0 else { return 0 }
    guard let stated = statedFrames else {
      guard bitRate != nil else { return 0 }
      let lost = (Double(range.count) / model.meanLength).rounded()
      return abs(lost * model.meanLength - Double(range.count)) <= Self.lengthTolerance ? Int64(lost) : 0
    }
    if counted == nil {
      let rest = search.count(from: base.start + range.upperBound, like: model)
      counted = (frameCount.sounding + rest.frames, gaps.count + rest.pieces)
    }
    let missing = max(0, stated - lostFrames - (counted?.frames ?? 0))
    let length = Double(range.lowerBound - (gaps.last?.bytesLeftOut ?? 0)) / Double(frameCount.all)
    // Where others follow, some of the missing frames belong there.
    return counted?.gaps == gaps.count + 1 ? missing : min(missing, Int64((Double(range.count) / length).rounded()))
  }
}
