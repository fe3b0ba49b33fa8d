// SPDX-License-Identifier: GPL-3.0-or-later

/// Converts the cue sheet in a FLAC metadata block (RFC 9639, section 8.7) to the text of a cue sheet.
enum FLACCueSheet {
  private static let headerLength = 396
  private static let trackLength = 36
  private static let indexLength = 12
  private static let blockLimit = 1_000
  /// The maximum length of the text in bytes, the same as for other tag values.
  private static let textLimit = 64 * 1024
  /// The track numbers that stand for the lead-out: 170 on a CD, otherwise 255.
  private static let leadOut: Set<UInt8> = [170, 255]
  /// The maximum difference between the end of a sheet and the end of its file, in milliseconds.
  private static let tolerance = 1_000

  /// Returns the cue sheet of a native FLAC file whose audio has this sample rate and length. Returns `nil` if there is
  /// none, or if it describes a whole CD and the file is only one track of it.
  static func text(of file: inout TagFile, sampleRate: Int, milliseconds: Int) -> String? {
    var offset = 0
    if let head = try? file.bytes(at: 0, count: 10), head.holds("ID3") { offset = 10 + head.synchsafe(at: 6) }
    guard let signature = try? file.bytes(at: offset, count: 4), signature.holds("fLaC") else { return nil }
    offset += 4
    for _ in 0..<blockLimit {
      guard let bytes = try? file.bytes(at: offset, count: 4) else { return nil }
      let header = FLACBlockHeader(bytes)
      offset += 4
      if header.kind == .cueSheet {
        return text(
          of: &file, at: offset, count: header.length, sampleRate: sampleRate, milliseconds: milliseconds)
      }
      if header.isLast { return nil }
      offset += header.length
    }
    return nil
  }

  /// Returns the cue sheet in the block of `count` bytes at `offset`. Returns `nil` if the block is invalid, or if it
  /// describes a whole CD and the file is only one track of it.
  static func text(
    of file: inout TagFile, at offset: Int, count: Int, sampleRate: Int, milliseconds: Int
  ) -> String? {
    guard count >= headerLength, sampleRate > 0, offset <= file.length - count else { return nil }
    let end = offset + count
    var position = offset
    func next(_ count: Int, of file: inout TagFile) -> ArraySlice<UInt8>? {
      guard position <= end - count, let bytes = try? file.bytes(at: position, count: count) else { return nil }
      position += count
      return bytes
    }
    guard let header = next(headerLength, of: &file) else { return nil }
    var lines: [String] = []
    let catalog = identifier(header.prefix(128))
    if !catalog.isEmpty { lines.append("CATALOG \(catalog)") }
    lines.append("FILE \"FLAC\" WAVE")
    for _ in 0..<header.byte(headerLength - 1) {
      guard let track = next(trackLength, of: &file) else { return nil }
      let start = track.bigEndian64(at: 0)
      let isTrack = !leadOut.contains(track.byte(8))
      if isTrack {
        lines.append("TRACK \(track.byte(8)) \(track.byte(21) & 0x80 == 0 ? "AUDIO" : "MODE1/2352")")
        let code = identifier(track.from(9).prefix(12))
        if !code.isEmpty { lines.append("ISRC \(code)") }
      } else if !isEnd(start, sampleRate, milliseconds) {
        return nil
      }
      for _ in 0..<track.byte(trackLength - 1) {
        guard let index = next(indexLength, of: &file) else { return nil }
        let (sample, overflow) = start.addingReportingOverflow(index.bigEndian64(at: 0))
        guard !overflow else { return nil }
        if isTrack, index.byte(8) <= 1 {
          guard let time = time(sample, sampleRate) else { return nil }
          lines.append("INDEX 0\(index.byte(8)) \(time)")
        }
      }
    }
    let text = lines.joined(separator: "\n") + "\n"
    return text.utf8.count <= textLimit ? text : nil
  }

  /// Returns the letters and digits at the beginning of `bytes`.
  private static func identifier(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix(while: isAlphanumeric), as: UTF8.self)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  /// Formats a position as in cue sheets (MM:SS:FF, with 75 frames a second). Returns `nil` if it is beyond 2^31
  /// seconds.
  private static func time(_ sample: UInt64, _ sampleRate: Int) -> String? {
    let (seconds, rest) = sample.quotientAndRemainder(dividingBy: UInt64(sampleRate))
    guard seconds <= Int32.max else { return nil }
    let frames = rest * 75 / UInt64(sampleRate)
    return "\(twoDigits(seconds / 60)):\(twoDigits(seconds % 60)):\(twoDigits(frames))"
  }

  private static func twoDigits(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Whether a sheet that ends at `sample` fits a file of this length; `true` if the length is unknown.
  private static func isEnd(_ sample: UInt64, _ sampleRate: Int, _ milliseconds: Int) -> Bool {
    guard milliseconds > 0 else { return true }
    let (seconds, rest) = sample.quotientAndRemainder(dividingBy: UInt64(sampleRate))
    guard seconds <= Int32.max else { return false }
    return abs(Int(seconds) * 1_000 + Int(rest) * 1_000 / sampleRate - milliseconds) <= tolerance
  }
}

/// The header of a FLAC metadata block (RFC 9639, section 8.1).
struct FLACBlockHeader {
  enum Kind: UInt8 {
    case streamInformation = 0
    case padding = 1
    case application = 2
    case seekTable = 3
    case comments = 4
    case cueSheet = 5
    case picture = 6
  }

  /// The type of the block; `nil` for a reserved type.
  let kind: Kind?
  let isLast: Bool
  /// The number of bytes that follow the header.
  let length: Int

  /// Creates the header from its four bytes.
  init(_ bytes: ArraySlice<UInt8>) {
    kind = Kind(rawValue: bytes.byte(0) & 0x7F)
    isLast = bytes.byte(0) & 0x80 != 0
    length = bytes.bigEndian32(at: 0) & 0xFF_FFFF
  }
}
