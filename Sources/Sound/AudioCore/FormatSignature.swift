/// What the contents of a file show it to be, whatever its name says. Pure: it sees what `read` gives it.
///
/// The signatures are those of the formats' specifications. It is for files that a decoder refused: weak signatures
/// count.
public struct FormatSignature {
  /// Gives the bytes at a place, or fewer where the file ends.
  public typealias Read = (_ place: Int64, _ count: Int) -> [UInt8]

  /// The format.
  public let format: AudioFileFormat
  /// The number of a WAV file's coding, where it stands in its usual place.
  public let wavCoding: Int?

  /// The format of a file of `size` bytes, or `nil` where it is none that is known.
  ///
  /// It reads some kilobytes, at the beginning and where the containers' own indices are.
  public init?(size: Int64, read: Read) {
    guard size > 0 else {
      format = .empty
      wavCoding = nil
      return
    }
    var place: Int64 = 0
    // Every tag is at least 10 bytes long.
    for _ in 0..<16 {
      guard let length = Self.id3Length(read(place, 10)) else { break }
      place += length
    }
    let head = read(place, 1084)
    guard !head.isEmpty else {
      guard place > 0 else { return nil }
      format = .tagsAlone
      wavCoding = nil
      return
    }
    guard
      // A text may begin with a mark of its encoding that MPEG frames begin with, too.
      let format = MagicNumber.format(of: head) ?? Self.container(head, read) ?? TextKind.format(of: head)
        ?? FLACFrame.format(of: head) ?? MPEGSync.format(of: head)
    else { return nil }
    self.format = format
    wavCoding = format == .wav ? Self.coding(ofWAV: head) : nil
  }

  /// The name of the format where it is sound that cannot be played; `nil` for all else.
  ///
  /// WAV is played in the codings that libsndfile reads.
  public var unplayableName: String? {
    if let wavCoding, !Self.playedWAVCodings.contains(wavCoding) {
      return "\(format.name) in the coding 0x\(String(wavCoding, radix: 16))"
    }
    return format.use == .unplayable ? format.name : nil
  }

  private static let playedWAVCodings: Set<Int> = [1, 2, 3, 6, 7, 0x11, 0x31, 0x38, 0x40, 0x55, 0xFFFE]

  private static func container(_ head: [UInt8], _ read: Read) -> AudioFileFormat? {
    if head.starts(with: "OggS".utf8) { return oggFormat(head) }
    let boxes = ["ftyp", "moov", "mdat", "wide", "skip"]
    if boxes.contains(where: { head.dropFirst(4).starts(with: $0.utf8) }) { return MP4Index.format(read) }
    return nil
  }

  private static func oggFormat(_ head: [UInt8]) -> AudioFileFormat? {
    guard head.count > 27 else { return nil }
    let packet = head.dropFirst(27 + Int(head[26]))
    let names: [(String, AudioFileFormat)] = [
      ("\u{1}vorbis", .oggVorbis), ("OpusHead", .oggOpus), ("\u{7F}FLAC", .oggFLAC), ("Speex   ", .speex),
      ("fishead", .oggMixed),
    ]
    if packet.starts(with: [0x80] + Array("theora".utf8)) { return .theora }
    return names.first { packet.starts(with: $0.0.utf8) }?.1
  }

  /// The length of the ID3v2 tag that `head` begins (ID3v2.4.0, sections 3.1 and 3.4).
  private static func id3Length(_ head: [UInt8]) -> Int64? {
    guard head.count == 10, head.starts(with: "ID3".utf8), head[6...9].allSatisfy({ $0 < 0x80 }) else {
      return nil
    }
    let size = head[6...9].reduce(Int64(0)) { $0 << 7 | Int64($1) }
    return size + (head[5] & 0x10 != 0 ? 20 : 10)
  }

  /// The number of the coding (Multimedia Programming Interface and Data Specifications 1.0, `wFormatTag`).
  private static func coding(ofWAV head: [UInt8]) -> Int? {
    guard head.count >= 22, head[12..<16].elementsEqual("fmt ".utf8) else { return nil }
    return Int(head[20]) | Int(head[21]) << 8
  }
}
