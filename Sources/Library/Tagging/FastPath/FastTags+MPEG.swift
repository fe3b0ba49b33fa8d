/// MPEG sound of layer III, behind an ID3v2 tag.
extension FastTags {
  mutating func readMPEG(_ file: inout TagFile) throws(UnusualTags) {
    var start = 0
    if try file.bytes(at: 0, count: 3).holds("ID3") { start = try readID3v2(of: &file, at: 0) }
    let head = try file.bytes(at: start, count: 4)
    guard let frame = MPEGFrame(head) else { throw UnusualTags() }
    let bytes = try file.bytes(at: start, count: frame.length + 4)
    guard MPEGFrame.areOfOneStream(head, bytes.from(frame.length)),
      let stated = MPEGFrame.Statement(bytes.prefix(frame.length)),
      !stated.isTooLittle(file.length - start)
    else { throw UnusualTags() }
    let length = Double(frame.samples) * 1000 / Double(frame.sampleRate) * Double(stated.frames) + 0.5
    guard length < 2e9 else { throw UnusualTags() }
    milliseconds = Int(length)
    sampleRate = frame.sampleRate
    channels = frame.channels
    guard try !hasTagAtEnd(of: &file, isOnlyTag: start == 0) else { throw UnusualTags() }
  }

  /// Whether the file ends in an APE tag, or in an ID3v1 tag that counts since there is no other.
  private func hasTagAtEnd(of file: inout TagFile, isOnlyTag: Bool) throws(UnusualTags) -> Bool {
    let reach = 160
    let bytes = try file.bytes(at: file.length - reach, count: reach)
    return bytes.holds("APETAGEX") || bytes.holds("APETAGEX", at: reach - 32)
      || isOnlyTag && bytes.holds("TAG", at: reach - 128)
  }
}

/// The header of a frame of layer III (ISO/IEC 11172-3, section 2.4.1.3; ISO/IEC 13818-3).
struct MPEGFrame {
  let sampleRate: Int
  let channels: Int
  /// The number of samples for each channel.
  let samples: Int
  /// In kbit/s.
  let bitRate: Int
  /// The number of bytes, header included.
  let length: Int

  private static let sampleRates = [[11_025, 12_000, 8_000], [], [22_050, 24_000, 16_000], [44_100, 48_000, 32_000]]
  private static let bitRates = [
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0],
  ]

  /// The frame whose header `bytes` begin with; `nil` where they begin with none.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.byte(0) == 0xFF, bytes.byte(1) != 0xFF, bytes.byte(1) & 0xE0 == 0xE0 else { return nil }
    let version = Int(bytes.byte(1) >> 3 & 3)
    let rate = Int(bytes.byte(2) >> 2 & 3)
    guard version != 1, bytes.byte(1) >> 1 & 3 == 1, rate != 3 else { return nil }
    bitRate = Self.bitRates[version == 3 ? 1 : 0][Int(bytes.byte(2) >> 4)]
    guard bitRate > 0 else { return nil }
    sampleRate = Self.sampleRates[version][rate]
    channels = bytes.byte(3) >> 6 == 3 ? 1 : 2
    samples = version == 3 ? 1152 : 576
    length = samples * bitRate * 125 / sampleRate + Int(bytes.byte(2) >> 1 & 1)
  }

  /// Whether the headers that these begin with are alike in all bits that do not change within a stream.
  static func areOfOneStream(_ header: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    (header.bigEndian32(at: 0) ^ other.bigEndian32(at: 0)) & 0xFFFE_0C00 == 0
  }

  /// What the first frame of a stream says that there is behind it: the header of Xing or of LAME.
  struct Statement {
    let frames: Int
    private let bytes: Int

    /// What `frame` says; `nil` where that is nothing.
    init?(_ frame: ArraySlice<UInt8>) {
      func place(of name: String) -> Int? {
        (0..<max(0, frame.count - 3)).first { frame.byte($0) == name.utf8.first && frame.holds(name, at: $0) }
      }
      guard let place = place(of: "Xing") ?? place(of: "Info"), place + 16 <= frame.count,
        frame.byte(place + 7) & 3 == 3
      else { return nil }
      frames = frame.bigEndian32(at: place + 8)
      bytes = frame.bigEndian32(at: place + 12)
      guard frames > 0, bytes > 0 else { return nil }
    }

    /// Whether so much more follows than is stated that it can hardly be tags: several files were joined.
    func isTooLittle(_ length: Int) -> Bool { length - bytes > 65_536 }
  }

  /// Whether TagLib's length of a stream whose first frame is at `start` is a guess, and wrong: where that frame states
  /// none, since the bit rate varies; where it does (`isStated`), since far more follows. Looks at a few places.
  static func isLengthGuessed(_ file: inout TagFile, at start: Int, isStated: Bool) -> Bool {
    let parts = 8
    let reach = 4096
    guard let head = try? file.bytes(at: start, count: 4), let first = MPEGFrame(head) else { return false }
    if isStated {
      guard let bytes = try? file.bytes(at: start, count: first.length) else { return false }
      return Statement(bytes)?.isTooLittle(file.length - start) ?? false
    }
    // The length was taken from the bit rate of the first frame, which is right where all others have the same.
    for part in 1..<parts {
      guard let bytes = try? file.bytes(at: start + (file.length - start) / parts * part, count: reach) else { break }
      for place in 0...(reach - 4) where bytes.byte(place) == 0xFF {
        let header = bytes.from(place)
        guard areOfOneStream(head, header), let frame = MPEGFrame(header), place + frame.length + 4 <= reach,
          areOfOneStream(head, header.from(frame.length))
        else { continue }
        if frame.bitRate != first.bitRate { return true }
        break
      }
    }
    return false
  }
}
