// SPDX-License-Identifier: GPL-3.0-or-later

import FormatSniffing

/// The beginning of an MPEG stream in a file, after any tags or other data.
struct MPEGStart {
  /// The offset of the first frame, in bytes from the beginning of the file.
  let offset: Int64
  /// The header of the first frame; `nil` for a stream of free bit rate, whose frames do not state their lengths.
  let header: MPEGFrameHeader?
  /// Whether the first frame contains no audio, but a description of the others, which libmpg123 knows.
  let isDescribed: Bool
  /// The number of frames that the file states. `nil` if it states none, or an impossible one, or if the file contains
  /// more: a file that was joined from several states only the frames of its first part.
  let statedFrames: Int64?
  /// The counted number of frames that replaces an impossible one in the first frame; otherwise `nil`.
  let patch: BufferedFile.Patch?
  /// Whether the file states the delay of its encoder to libmpg123.
  let statesDelay: Bool

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
      (self.offset, self.header) = (tags.end, nil)
      (isDescribed, statedFrames, patch, statesDelay) = (false, nil, nil, false)
      return
    }
    let frame = Array(bytes.read(at: offset, count: header.length))
    guard let description = MPEGDescription(frame, header) else {
      (self.offset, self.header) = (offset, header)
      (isDescribed, statedFrames, patch, statesDelay) = (false, nil, nil, false)
      return
    }
    var search = MPEGFrameSearch(file)
    let next = offset + Int64(header.length)
    let following = search.matchingHeader(at: next, minimum: 1).flatMap { $0.matches(header) ? $0 : nil }
    let isCredible = description.isCredible(header, next: following, size: file.size - offset)
    // A missing size is replaced with more bytes than any file has.
    let isContinued =
      isCredible && Self.isContinued(after: offset + (description.byteCount ?? .max / 2), in: file, &bytes)
    statedFrames = isCredible && !isContinued ? description.frameCount : nil
    if description.kind == .vbri, let following {
      // libmpg123 would play the frame.
      (self.offset, self.header) = (next, following)
      (isDescribed, patch, statesDelay) = (false, nil, false)
    } else {
      (self.offset, self.header) = (offset, header)
      isDescribed = description.kind != .vbri
      statesDelay = description.statesDelay
      patch =
        isDescribed && description.frameCount != nil && !isCredible
        ? Self.patch(description, search.count(from: next, like: header).frames) : nil
    }
  }

  /// Returns the bytes that state `frameCount` in `description`; `nil` if they cannot.
  private static func patch(_ description: MPEGDescription, _ frameCount: Int64) -> BufferedFile.Patch? {
    guard let count = UInt32(exactly: frameCount), count > 0 else { return nil }
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    return BufferedFile.Patch(offset: Int64(description.frameCountOffset), bytes: bytes)
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
    return MPEGFrameHeader(head[...]) != nil
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
