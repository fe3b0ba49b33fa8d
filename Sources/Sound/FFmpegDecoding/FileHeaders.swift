// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage

/// The numbers in the header of a Musepack file that say where the recording begins and ends. FFmpeg does not return
/// them. (Musepack SV8 specification, "Stream Header Packet"; for SV7, the header as libmpcdec reads it.)
struct MusepackHeader: Equatable {
  /// The number of frames by which the synthesis filter of every decoder delays the sound.
  private static let filterDelay: Int64 = 481
  private static let framesPerPacket: Int64 = 1_152

  let trim: SoundTrim

  /// Reads the header of the file of `descriptor`; returns `nil` if it is not one of SV7 or SV8, or if it contradicts
  /// itself.
  init?(_ descriptor: FileDescriptor) {
    let bytes = descriptor.bytes(at: 0, count: 64)
    guard bytes.count == 64, let trim = Self.trimOfSV8(bytes) ?? Self.trimOfSV7(bytes) else { return nil }
    self.trim = trim
  }

  private static func trimOfSV8(_ bytes: [UInt8]) -> SoundTrim? {
    // The first packet: its key, its size, a checksum, and the version of the stream.
    guard bytes.starts(with: "MPCKSH".utf8) else { return nil }
    var rest = bytes.dropFirst(6)
    guard number(&rest) != nil else { return nil }
    rest = rest.dropFirst(5)
    guard let count = number(&rest), let silence = number(&rest), silence <= count else { return nil }
    return SoundTrim(start: filterDelay + silence, count: count - silence)
  }

  private static func trimOfSV7(_ bytes: [UInt8]) -> SoundTrim? {
    guard bytes.starts(with: "MP+".utf8), bytes[3] & 15 == 7 else { return nil }
    let word = { (offset: Int) in (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) } }
    let all = Int64(word(4)) * framesPerPacket
    let last = word(20)
    let missing = last >> 31 == 1 ? framesPerPacket - Int64(last >> 20 & 0x7FF) : filterDelay
    guard missing >= 0, missing < all else { return nil }
    return SoundTrim(start: filterDelay, count: all - missing)
  }

  /// Removes a number from the beginning of `bytes`, seven bits of each byte; returns `nil` if it is too long.
  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
    var number: Int64 = 0
    for _ in 0..<6 {
      guard let byte = bytes.popFirst() else { return nil }
      number = number << 7 | Int64(byte & 0x7F)
      if byte & 0x80 == 0 { return number }
    }
    return nil
  }
}

/// The length in the header of a DSF file (DSF File Format Specification 1.01, "fmt chunk"). FFmpeg counts the padding
/// of the last block, too.
enum DSFHeader {
  /// Returns the number of frames that FFmpeg decodes the file of `descriptor` to; `nil` if it is not a DSF file.
  static func frameCount(_ descriptor: FileDescriptor) -> Int64? {
    let bytes = descriptor.bytes(at: 0, count: 72)
    guard bytes.count == 72, bytes.starts(with: "DSD ".utf8), bytes[28...].starts(with: "fmt ".utf8) else {
      return nil
    }
    let sampleCount = bytes[64..<72].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // It decodes eight samples of one bit to one of PCM.
    return sampleCount / 8 < UInt64(FileNumber.limit) ? Int64(sampleCount / 8) : nil
  }
}
