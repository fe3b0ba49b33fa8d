// SPDX-License-Identifier: GPL-3.0-or-later

/// What libsndfile does not read from the header of a file of uncompressed audio: WAV (Multimedia Programming Interface
/// and Data Specifications 1.0, and `WAVE_FORMAT_EXTENSIBLE`), RF64 (EBU Tech 3306), W64, AIFF, CAF or AU.
struct PCMHeader {
  /// The change to the header with which libsndfile reads samples that have more bytes than their bits need, for it
  /// would take them for packed ones (such samples are in the upper bits); or the actual size of the data in a CAF
  /// file, for it rejects an unknown size, and one that is larger than the file.
  private(set) var patches: [BufferedFile.Patch] = []
  /// The number of frames that the header states if the file is too short for them; otherwise `nil`.
  private(set) var missedFrames: Int64?

  private static let chunkLimit = 1_000
  /// Sizes of four bytes stand for an unknown one from here on.
  private static let sizeLimit: Int64 = 0x7F00_0000
  /// Sizes of eight bytes stand for an unknown one from here on.
  private static let longSizeLimit: Int64 = 1 << 62

  /// Reads the header at `start` in a file of `size` bytes.
  init(_ bytes: inout ByteWindow, at start: Int64, size: Int64) {
    let head = bytes.read(at: start, count: 40)
    if let layout = Layout(head) {
      readChunks(&bytes, layout, at: start, size: size)
    } else if head.starts(with: ".snd".utf8) || head.starts(with: "dns.".utf8) {
      readAU(head, size: size - start)
    }
  }

  /// How a format arranges its chunks.
  private struct Layout {
    let headLength: Int64
    /// The number of bytes in the identifier of a chunk.
    let identifierLength: Int
    /// The number of bytes in the size of a chunk.
    let sizeLength: Int
    /// Chunks begin at multiples of this number of bytes.
    let alignment: Int64
    let isLittleEndian: Bool

    /// Creates the layout of the format of a file that begins with `head`; returns `nil` for other formats.
    init?(_ head: ArraySlice<UInt8>) {
      let text = { (index: Int) in String(decoding: head.dropFirst(index).prefix(4), as: UTF8.self) }
      switch (text(0), text(8), text(24)) {
      case ("RIFF", "WAVE", _), ("RF64", "WAVE", _):
        (headLength, identifierLength, sizeLength, alignment, isLittleEndian) = (12, 4, 4, 2, true)
      case ("RIFX", "WAVE", _), ("FORM", "AIFF", _), ("FORM", "AIFC", _):
        (headLength, identifierLength, sizeLength, alignment, isLittleEndian) = (12, 4, 4, 2, false)
      case ("riff", _, "wave"):
        (headLength, identifierLength, sizeLength, alignment, isLittleEndian) = (40, 16, 8, 8, true)
      case ("caff", _, _):
        (headLength, identifierLength, sizeLength, alignment, isLittleEndian) = (8, 4, 8, 1, false)
      default: return nil
      }
    }

    var isCAF: Bool { identifierLength < sizeLength }

    var headerLength: Int { identifierLength + sizeLength }

    /// Returns the size of the contents of a chunk with this header.
    func contentSize(_ header: ArraySlice<UInt8>) -> Int64 {
      let size = number(header.suffix(sizeLength))
      // In W64, sizes include the header.
      return identifierLength == 16 ? size.subtractingReportingOverflow(24).partialValue : size
    }

    func number(_ bytes: ArraySlice<UInt8>) -> Int64 { PCMHeader.number(bytes, isLittleEndian: isLittleEndian) }
  }

  private mutating func readChunks(_ bytes: inout ByteWindow, _ layout: Layout, at start: Int64, size: Int64) {
    var offset = start + layout.headLength
    var frameLength: Int64 = 0
    var statedFrames: Int64?
    var longSize: Int64?
    for _ in 0..<Self.chunkLimit {
      let header = bytes.read(at: offset, count: layout.headerLength)
      guard header.count == layout.headerLength else { return }
      offset += Int64(layout.headerLength)
      var count = layout.contentSize(header)
      var limit = layout.sizeLength == 4 ? Self.sizeLimit : Self.longSizeLimit
      switch String(decoding: header.prefix(4), as: UTF8.self) {
      case "ds64": longSize = layout.number(bytes.read(at: offset + 8, count: 8))
      case "fmt ": frameLength = readFormat(bytes.read(at: offset, count: 26), layout, at: offset - start)
      case "desc":
        let packet = bytes.read(at: offset + 16, count: 8)
        frameLength = layout.number(packet.suffix(4)) == 1 ? layout.number(packet.prefix(4)) : 0
      case "COMM": statedFrames = layout.number(bytes.read(at: offset + 2, count: 4))
      case "data", "SSND":
        if count == 0xFFFF_FFFF, let longSize { (count, limit) = (longSize, Self.longSizeLimit) }
        let present = size - offset
        if layout.isCAF, !(0...max(0, present)).contains(count) {
          let bytes = (0..<8).map { UInt8(truncatingIfNeeded: present >> (56 - 8 * $0)) }
          patches = [BufferedFile.Patch(offset: offset - 8 - start, bytes: bytes)]
        }
        guard count > present, count < limit else { return }
        // In CAF, the number of edits precedes the audio.
        let length = layout.isCAF ? count - 4 : count
        missedFrames = statedFrames ?? (frameLength > 0 ? length / frameLength : nil)
        return
      default: break
      }
      guard (0..<Self.longSizeLimit).contains(count), offset < Self.longSizeLimit - count else { return }
      offset += count + (layout.alignment - count % layout.alignment) % layout.alignment
    }
  }

  /// Reads the format in `bytes`, which are at `offset`; returns the length of a frame in bytes, or 0 if it varies.
  private mutating func readFormat(_ bytes: ArraySlice<UInt8>, _ layout: Layout, at offset: Int64) -> Int64 {
    guard bytes.count == 26 else { return 0 }
    let field = { (index: Int) in layout.number(bytes.dropFirst(index).prefix(2)) }
    let isExtensible = field(0) == 0xFFFE
    let coding = isExtensible ? field(24) : field(0)
    let (channels, frameLength, bits) = (field(2), field(12), field(14))
    // Integers, floats, A-law and µ-law.
    guard [1, 3, 6, 7].contains(coding), channels > 0 else { return 0 }
    let sampleLength = frameLength / channels
    if coding == 1, isExtensible, frameLength % channels == 0, (2...4).contains(sampleLength), bits > 8,
      (bits + 7) / 8 < sampleLength, layout.isLittleEndian
    {
      patches = [BufferedFile.Patch(offset: offset + 14, bytes: [UInt8(8 * sampleLength), 0])]
    }
    return frameLength
  }

  /// The number of bytes in a sample, by number of an encoding in AU files.
  private static let auSampleLengths: [Int64: Int64] = [1: 1, 2: 1, 3: 2, 4: 3, 5: 4, 6: 4, 7: 8, 27: 1]

  /// Reads the header of an AU file of `size` bytes.
  private mutating func readAU(_ head: ArraySlice<UInt8>, size: Int64) {
    let fields = stride(from: 4, to: 24, by: 4).map { index in
      Self.number(head.dropFirst(index).prefix(4), isLittleEndian: head.starts(with: "dns.".utf8))
    }
    let (start, count, coding, channels) = (fields[0], fields[1], fields[2], fields[4])
    guard let sampleLength = Self.auSampleLengths[coding], channels > 0, count > size - start, count < Self.sizeLimit
    else { return }
    missedFrames = count / (sampleLength * channels)
  }

  private static func number(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool) -> Int64 {
    isLittleEndian
      ? bytes.reversed().reduce(0) { $0 << 8 | Int64($1) } : bytes.reduce(0) { $0 << 8 | Int64($1) }
  }
}
