// SPDX-License-Identifier: GPL-3.0-or-later

/// Parts of the encoded sound in a Matroska or WebM file, and how long it is (RFC 8794 and RFC 9559).
///
/// They are in blocks, so that they stay the same when tags, pictures and chapters are added, changed and removed, and
/// when the blocks are put into other clusters.
struct MatroskaSound {
  /// The maximum number of elements that are looked at.
  private static let elementLimit = 2_000

  /// An element: a number that says what it is, and the range of its contents, of which the end may not be stated.
  private struct Element {
    private static let headLimit = 12
    private static let idLimit = 4

    let id: Int
    let start: Int
    let end: Int?

    init(at offset: Int, of file: inout TagFile) throws(UnusualFileError) {
      let head = try file.bytes(at: offset, count: min(Self.headLimit, max(1, file.length - offset)))
      let idLength = head.byte(0).leadingZeroBitCount + 1
      guard idLength <= Self.idLimit, idLength < head.count else { throw UnusualFileError() }
      let (size, sizeLength) = try MatroskaSound.number(in: head.from(idLength))
      id = head.prefix(idLength).reduce(0) { $0 << 8 | Int($1) }
      start = offset + idLength + sizeLength
      // A size of ones only is not known.
      end = size == 1 << (7 * sizeLength) - 1 ? nil : start + size
    }
  }

  /// The identifiers of elements.
  private enum ID {
    static let segment = 0x1853_8067
    static let information = 0x1549_A966
    static let duration = 0x4489
    static let tracks = 0x1654_AE6B
    static let track = 0xAE
    static let trackNumber = 0xD7
    static let trackType = 0x83
    static let cluster = 0x1F43_B675
    static let blockGroup = 0xA0
    static let block = 0xA1
    static let simpleBlock = 0xA3

    /// The elements whose contents are looked at.
    static let parents = Set([segment, information, tracks, track, cluster, blockGroup])
  }

  private static let audioType = 2

  /// The parts of the sound that were found.
  private(set) var parts: [ArraySlice<UInt8>] = []
  /// The number of bytes of sound up to the last part, or of all of it if ``isComplete``.
  private(set) var byteCount = 0
  /// The stated duration, as it is written; `nil` if it is not stated.
  private(set) var duration: ArraySlice<UInt8>?
  /// Whether all of the sound was looked at.
  private(set) var isComplete = false

  private var trackNumber: Int?
  private var isAudio = false
  private var audioTrack: Int?

  /// Finds the parts of `length` bytes of the first track of sound in `file` that begin at `offsets` or soon after.
  ///
  /// - Throws: If the file is damaged before the first part.
  init(of file: inout TagFile, partsAt offsets: [Int], length: Int) throws(UnusualFileError) {
    var offset = 0
    do throws(UnusualFileError) {
      for _ in 0..<Self.elementLimit where parts.count < offsets.count && offset < file.length {
        let element = try Element(at: offset, of: &file)
        if ID.parents.contains(element.id) {
          if element.id == ID.track { (trackNumber, isAudio) = (nil, false) }
          offset = element.start
        } else if let end = element.end {
          try add(element, element.start..<end, of: &file, offsets, length)
          offset = end
        } else {
          throw UnusualFileError()
        }
      }
      isComplete = offset >= file.length
    } catch {
      if parts.isEmpty { throw error }
    }
  }

  private mutating func add(
    _ element: Element, _ range: Range<Int>, of file: inout TagFile, _ offsets: [Int], _ length: Int
  ) throws(UnusualFileError) {
    switch element.id {
    case ID.duration: duration = try file.bytes(at: range.lowerBound, count: range.count)
    case ID.trackNumber:
      trackNumber = try Self.integer(in: range, of: &file)
    case ID.trackType:
      isAudio = try Self.integer(in: range, of: &file) == Self.audioType
    case ID.block, ID.simpleBlock:
      let head = try file.bytes(at: range.lowerBound, count: min(12, range.count))
      let (track, trackLength) = try Self.number(in: head)
      // The time of the block takes two bytes, and its flags take one.
      let start = range.lowerBound + trackLength + 3
      guard track == audioTrack, start <= range.upperBound else { return }
      let count = min(range.upperBound, file.length) - start
      if parts.count < offsets.count, byteCount >= offsets[parts.count], count > 0 {
        parts.append(try file.bytes(at: start, count: min(length, count)))
      }
      byteCount += max(0, count)
    default: return
    }
    if isAudio, audioTrack == nil { audioTrack = trackNumber }
  }

  private static func integer(in range: Range<Int>, of file: inout TagFile) throws(UnusualFileError) -> Int {
    guard range.count < MemoryLayout<Int>.size else { throw UnusualFileError() }
    return try file.bytes(at: range.lowerBound, count: range.count).reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns the number of variable length at the beginning of `bytes`, and its length.
  private static func number(in bytes: ArraySlice<UInt8>) throws(UnusualFileError) -> (value: Int, length: Int) {
    guard let first = bytes.first, first != 0 else { throw UnusualFileError() }
    let length = first.leadingZeroBitCount + 1
    guard length <= bytes.count else { throw UnusualFileError() }
    let value = bytes.prefix(length).dropFirst().reduce(Int(first) & (0xFF >> length)) { $0 << 8 | Int($1) }
    return (value, length)
  }
}
