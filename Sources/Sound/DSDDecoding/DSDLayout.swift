// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Where the bits of each channel are in a DSF or DFF file.
///
/// A file of another kind, a compressed one, or one that contradicts itself, has no layout; FFmpeg may still decode it.
/// (DSF File Format Specification 1.01; DSDIFF File Format Specification 1.5)
struct DSDLayout: Equatable {
  /// The rates of bits that are played, in Hz.
  private static let bitRates = 1_000_000...12_500_000
  /// The largest header chunk that is read, in bytes.
  private static let chunkLimit: Int64 = 1 << 16
  /// The maximum number of chunks before the audio.
  private static let chunkCountLimit = 64
  /// The numbers of bytes in a block of a channel. The specification has only 4,096.
  private static let blockSizes = 512...1 << 20
  /// The number of bytes to read at once of each channel, where the bytes of the channels alternate.
  private static let interleavedGroup = 4_096

  enum Order: Equatable {
    /// A byte of each channel in turn; in each byte, the highest bit is the earliest.
    case interleaved
    /// A block of each channel in turn; in each byte, the lowest or the highest bit is the earliest.
    case blocks(lowestBitFirst: Bool)
  }

  /// The number of bits in a second of each channel.
  let bitRate: Int
  /// The number of channels: 1 or 2.
  let channels: Int
  /// The number of whole bytes of each channel.
  let byteCount: Int64
  let order: Order
  /// The number of bytes in a block of each channel; even.
  let blockSize: Int
  /// The offset of the first byte of audio.
  let start: Int64

  /// The format in which the engine plays the file.
  var format: AudioFormat? {
    AudioFormat(sampleRate: bitRate / DirectStreamDigital.bitsPerSample, channels: channels, coding: .dsd)
  }

  var frameCount: Int64 { (byteCount + 1) / 2 }

  /// Reads the header of a file; returns `nil` if it has no layout.
  ///
  /// - Parameter read: Returns this number of bytes at an offset, or fewer if the file ends there.
  init?(_ read: (_ offset: Int64, _ count: Int) -> [UInt8]) {
    let head = read(0, 16)
    guard head.count == 16 else { return nil }
    if head.starts(with: "DSD ".utf8) {
      self.init(dsf: read)
    } else if head.starts(with: "FRM8".utf8), head[12...].elementsEqual("DSD ".utf8) {
      self.init(dff: read)
    } else {
      return nil
    }
  }

  private init?(bitRate: Int, channels: Int, byteCount: Int64, order: Order, blockSize: Int, start: Int64) {
    guard Self.bitRates.contains(bitRate), bitRate % DirectStreamDigital.bitsPerSample == 0,
      (1...2).contains(channels), byteCount > 0
    else { return nil }
    self.bitRate = bitRate
    self.channels = channels
    self.byteCount = byteCount
    self.order = order
    self.blockSize = blockSize
    self.start = start
  }

  /// Reads a DSF file, whose numbers are little-endian.
  private init?(dsf read: (Int64, Int) -> [UInt8]) {
    let head = read(0, 92)
    let number = { (range: Range<Int>) in head[range].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    guard head.count == 92, number(4..<12) == 28, head[28..<32].elementsEqual("fmt ".utf8), number(32..<40) == 52,
      number(44..<48) == 0, head[80..<84].elementsEqual("data".utf8)
    else { return nil }
    let (bits, size) = (number(64..<72), number(84..<92))
    let bitsPerSample = number(60..<64)
    let blockSize = Int(number(72..<76))
    guard bitsPerSample == 1 || bitsPerSample == 8, blockSize.isMultiple(of: 2), Self.blockSizes.contains(blockSize),
      size > 12, size < 1 << 48
    else { return nil }
    let channels = Int(number(52..<56))
    // What the header says of the samples may be more than the file has room for.
    let stored = Int64(size - 12) / Int64(max(1, channels))
    self.init(
      bitRate: Int(number(56..<60)), channels: channels, byteCount: min(Int64(clamping: bits / 8), stored),
      order: .blocks(lowestBitFirst: bitsPerSample == 1), blockSize: blockSize, start: 92)
  }

  /// Reads a DFF file (DSDIFF), whose numbers are big-endian.
  private init?(dff read: (Int64, Int) -> [UInt8]) {
    let number = { (bytes: ArraySlice<UInt8>) in bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    var offset: Int64 = 16
    var properties: (bitRate: Int, channels: Int)?
    for _ in 0..<Self.chunkCountLimit {
      let head = read(offset, 12)
      guard head.count == 12, let size = Int64(exactly: number(head[4...])), size < 1 << 48 else { return nil }
      if head.starts(with: "PROP".utf8) {
        guard (4...Self.chunkLimit).contains(size) else { return nil }
        let content = read(offset + 12, Int(size))
        guard content.count == Int(size), content.starts(with: "SND ".utf8) else { return nil }
        properties = Self.properties(content[4...])
      } else if head.starts(with: "DSD ".utf8) {
        guard let properties, properties.channels > 0 else { return nil }
        self.init(
          bitRate: properties.bitRate, channels: properties.channels, byteCount: size / Int64(properties.channels),
          order: .interleaved, blockSize: Self.interleavedGroup, start: offset + 12)
        return
      }
      offset += 12 + size + size % 2
    }
    return nil
  }

  /// Returns what the chunks of a property chunk say; `nil` if anything is missing, or the audio is compressed.
  private static func properties(_ chunks: ArraySlice<UInt8>) -> (bitRate: Int, channels: Int)? {
    let number = { (bytes: ArraySlice<UInt8>) in bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    var rest = chunks
    var (bitRate, channels, isPlain): (Int?, Int?, Bool) = (nil, nil, false)
    while rest.count >= 12 {
      let id = rest.prefix(4)
      let size = number(rest.dropFirst(4).prefix(8))
      rest = rest.dropFirst(12)
      guard size <= rest.count else { return nil }
      let content = rest.prefix(Int(size))
      if id.elementsEqual("FS  ".utf8), content.count == 4 { bitRate = Int(number(content)) }
      if id.elementsEqual("CHNL".utf8), content.count >= 2 { channels = Int(number(content.prefix(2))) }
      if id.elementsEqual("CMPR".utf8) { isPlain = content.starts(with: "DSD ".utf8) }
      rest = rest.dropFirst(Int(size + size % 2))
    }
    guard let bitRate, let channels, isPlain else { return nil }
    return (bitRate, channels)
  }
}
