// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import FormatSniffing
import Platform

/// An MPEG stream in a file, presented to libmpg123 without the damaged bytes between its frames.
///
/// libmpg123 looks for the next frame after damage by itself, but accepts nearly anything as one. Here, several
/// consecutive frames must match, as at the beginning (``MPEGFrameSearch``).
final class MPEGFile: VirtualFile {
  /// Damaged bytes between two frames, which are left out of the presented stream.
  struct Gap {
    /// The offset in the presented stream at which the bytes were left out.
    let offset: Int64
    let byteCount: Int64
    /// The number of bytes left out so far, including those of this gap.
    let skippedBytes: Int64
    /// The number, counted from 0, of the frame after the gap in the presented stream.
    let frame: Int64
    let lostFrames: Int64
    /// The number of frames after the gap that cannot be decoded: those that take bits from lost frames, and the next
    /// one, which overlaps them.
    var undecodableFrames: Int64 = 1
    /// Whether the gap is damage, and not a tag or the zeros between joined files.
    let isDamage: Bool
  }

  /// The maximum number of gaps to leave out; libmpg123 skips further ones itself.
  private static let gapLimit = 4096
  /// The maximum number of frames that can be lost in one gap: some ten minutes.
  private static let lossLimit: Int64 = 25_000
  /// The tolerance for the length of lost frames, in bytes; some frames are padded by a byte.
  private static let lengthTolerance = 2.0

  private let base: BufferedFile
  private let statedFrames: Int64?
  private var search: MPEGFrameSearch
  /// The gaps found so far, in order.
  private(set) var gaps: [Gap] = []
  /// The number of frames lost in all gaps.
  private(set) var lostFrames: Int64 = 0
  /// The sample rate to which the stream changes, in Hz, and the frame at which it does, counting lost frames; `nil` if
  /// it does not change.
  private(set) var change: (frame: Int64, sampleRate: Int)?

  /// The header that the frame at ``next`` must match.
  private var model: MPEGFrameHeader
  private let sampleRate: Int
  /// The offset in the file at which the next frame should begin; `nil` after the last frame.
  private var next: Int64?
  /// The number of frames before ``next``: of all frames, and of those with audio.
  private var frameCount: (all: Int64, sounding: Int64)
  /// The bit rate of all frames with audio so far; `nil` if it varies.
  private var bitRate: Int?
  /// The number of bytes since the last gap from which later frames can take bits; `nil` once there are enough of them.
  private var reservoir: Int?
  /// The number of frames with audio in the file and the number of gaps; `nil` until they have been counted.
  private var counted: (frames: Int64, gaps: Int)?

  /// Creates the stream in `file` that begins with the frame described by `start`, whose header is `header`.
  init(_ file: RegularFile, _ start: MPEGStart, _ header: MPEGFrameHeader) {
    base = BufferedFile(file, from: start.offset, patches: start.patch.map { [$0] } ?? [])
    statedFrames = start.statedFrames
    search = MPEGFrameSearch(file)
    model = header
    sampleRate = header.sampleRate
    next = 0
    // libmpg123 does not count the frame that describes the others.
    frameCount = (0, start.isDescribed ? -1 : 0)
    super.init(length: base.length)
  }

  override func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    var filled = 0
    while filled < buffer.count {
      let (presentedOffset, sumOverflows) = offset.addingReportingOverflow(Int64(filled))
      if sumOverflows { break }
      let passedGaps = gapCount(\.offset, upTo: presentedOffset)
      let skippedBytes = passedGaps == 0 ? 0 : gaps[passedGaps - 1].skippedBytes
      let (fileOffset, skipOverflows) = presentedOffset.addingReportingOverflow(skippedBytes)
      if skipOverflows { break }
      let end = passedGaps < gaps.count ? Int(clamping: gaps[passedGaps].offset - presentedOffset) : .max
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...].prefix(end))
      base.failure = nil
      let count = unsafe base.fill(room, at: fileOffset)
      if count == 0 {
        failure = base.failure
        break
      }
      filled += unsafe inspect(UnsafeRawBufferPointer(rebasing: room[..<count]), at: fileOffset)
    }
    return filled
  }

  /// Returns the last gap before or at the frame with this number; `nil` if there is none.
  func lastGap(upToFrame number: Int64) -> Gap? {
    let count = gapCount(\.frame, upTo: number)
    return count == 0 ? nil : gaps[count - 1]
  }

  /// Returns the number of gaps whose `value` is at most `limit`; the values are in ascending order.
  private func gapCount(_ value: KeyPath<Gap, Int64>, upTo limit: Int64) -> Int {
    if let last = gaps.last, last[keyPath: value] <= limit { return gaps.count }
    var range = gaps.startIndex..<gaps.endIndex
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = gaps[middle][keyPath: value] <= limit ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// Examines the frames that begin in `bytes`, which are at `offset`; returns how many of the bytes precede the first
  /// gap.
  private func inspect(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int {
    while let next, next >= offset, next < offset + Int64(bytes.count) {
      let head = head(at: next)
      if let header = MPEGFrameHeader(head[...]), header.matches(model) {
        handle(header, head)
      } else if gaps.count < Self.gapLimit, let (found, header) = resumption(from: next) {
        if header.sampleRate != sampleRate, change == nil {
          change = (frameCount.sounding + lostFrames, header.sampleRate)
        }
        model = header
        self.next = found
        if found == next {
          handle(header, head)
        } else if !isSkippedTag(at: next) {
          addGap(next..<found)
          return Int(next - offset)
        }
      } else {
        self.next = nil
      }
    }
    return bytes.count
  }

  /// Returns the bytes at `offset` that describe a frame: its header, and as many bytes after it.
  private func head(at offset: Int64) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 8) { buffer, count in
      count = unsafe base.fill(UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
  }

  private func handle(_ header: MPEGFrameHeader, _ head: [UInt8]) {
    if frameCount.sounding == 0 { bitRate = header.bitRate } else if header.bitRate != bitRate { bitRate = nil }
    next = next.map { $0 + Int64(header.length) }
    frameCount = (frameCount.all + 1, frameCount.sounding + 1)
    guard let availableBytes = reservoir else { return }
    if header.reservoirBytes(head) > availableBytes {
      gaps[gaps.count - 1].undecodableFrames += 1
      reservoir = availableBytes + header.length - header.xingOffset
    } else {
      reservoir = nil
    }
  }

  /// Returns the offset at which consecutive matching frames begin, at `offset` or after it, and the header there;
  /// `nil` if there are none.
  private func resumption(from offset: Int64) -> (Int64, MPEGFrameHeader)? {
    let start = base.start + offset
    return search.first(from: start, to: start + MPEGFrameSearch.damageLimit).map { ($0.0 - base.start, $0.1) }
  }

  /// Whether there is a tag at `offset` that libmpg123 skips.
  private func isSkippedTag(at offset: Int64) -> Bool {
    ["ID3", "TAG"].contains { head(at: offset).starts(with: $0.utf8) }
  }

  private func addGap(_ range: Range<Int64>) {
    let bytes = base.file.descriptor.bytes(at: base.start + range.lowerBound, count: Int(min(range.count, 1 << 12)))
    let isTag = LeadingTags.isTag(bytes)
    let lost = isTag ? 0 : min(lostFrames(range), Self.lossLimit)
    let before = gaps.last?.skippedBytes ?? 0
    gaps.append(
      Gap(
        offset: range.lowerBound - before, byteCount: Int64(range.count), skippedBytes: before + Int64(range.count),
        frame: frameCount.sounding, lostFrames: lost,
        isDamage: lost > 0 || !isTag && !bytes.allSatisfy { $0 == 0 }))
    lostFrames += lost
    reservoir = 0
  }

  /// Returns the number of frames that were lost with the bytes in `range`.
  ///
  /// If the file states its number of frames, the result is the number of missing ones. Otherwise, if all frames have
  /// one bit rate, it is the number that exactly fills the gap; if no number does, other bytes were inserted, and the
  /// result is 0.
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
    let length = Double(range.lowerBound - (gaps.last?.skippedBytes ?? 0)) / Double(frameCount.all)
    // If other gaps follow, some of the missing frames belong to them.
    return counted?.gaps == gaps.count + 1 ? missing : min(missing, Int64((Double(range.count) / length).rounded()))
  }
}
