// SPDX-License-Identifier: GPL-3.0-or-later

/// What libsndfile does not read from the header of a WAV file (Multimedia Programming Interface and Data
/// Specifications 1.0, and `WAVE_FORMAT_EXTENSIBLE`).
struct PCMHeader {
  /// The change to the header with which libsndfile reads samples that have more bytes than their bits need; it would
  /// take them for packed ones. Such samples are in the upper bits.
  private(set) var patches: [BufferedFile.Patch] = []
  /// The number of frames that the header states if the file is too short for them; otherwise `nil`.
  private(set) var missedFrames: Int64?

  private static let chunkLimit = 1_000
  /// Sizes from here on stand for an unknown one.
  private static let sizeLimit: Int64 = 0x7FFF_0000

  /// Reads the header at `start` in a file of `size` bytes.
  init(_ bytes: inout ByteWindow, at start: Int64, size: Int64) {
    let head = bytes.read(at: start, count: 12)
    guard head.count == 12, head.starts(with: "RIFF".utf8) || head.starts(with: "RF64".utf8),
      head.suffix(4).elementsEqual("WAVE".utf8)
    else { return }
    var offset = start + 12
    var frameLength: Int64 = 0
    for _ in 0..<Self.chunkLimit {
      let header = bytes.read(at: offset, count: 8)
      guard header.count == 8 else { return }
      let count = Self.number(header.suffix(4))
      offset += 8
      if header.starts(with: "fmt ".utf8) {
        frameLength = readFormat(bytes.read(at: offset, count: 26), at: offset - start)
      } else if header.starts(with: "data".utf8) {
        guard frameLength > 0, count > size - offset, count < Self.sizeLimit else { return }
        missedFrames = count / frameLength
        return
      }
      offset += count + count % 2
    }
  }

  /// Reads the format in `bytes`, which are at `offset`; returns the length of a frame in bytes, or 0 if it varies.
  private mutating func readFormat(_ bytes: ArraySlice<UInt8>, at offset: Int64) -> Int64 {
    guard bytes.count == 26 else { return 0 }
    let field = { (index: Int) in Self.number(bytes.dropFirst(index).prefix(2)) }
    let isExtensible = field(0) == 0xFFFE
    let coding = isExtensible ? field(24) : field(0)
    let (channels, frameLength, bits) = (field(2), field(12), field(14))
    guard coding == 1 || coding == 3, channels > 0 else { return 0 }
    let sampleLength = frameLength / channels
    if coding == 1, isExtensible, frameLength % channels == 0, (2...4).contains(sampleLength), bits > 8,
      (bits + 7) / 8 < sampleLength
    {
      patches = [BufferedFile.Patch(offset: offset + 14, bytes: [UInt8(8 * sampleLength), 0])]
    }
    return frameLength
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.reversed().reduce(0) { $0 << 8 | Int64($1) }
  }
}
