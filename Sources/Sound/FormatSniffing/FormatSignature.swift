// SPDX-License-Identifier: GPL-3.0-or-later

/// The format of a file as shown by its contents, whatever its name. It accesses the file only through `read`.
///
/// The signatures are those of the formats' specifications. It is meant for files that a decoder has rejected, so weak
/// signatures count, too.
public struct FormatSignature {
  /// A function that returns the bytes at an offset, or fewer at the end of the file.
  public typealias Read = (_ offset: Int64, _ count: Int) -> [UInt8]

  /// The format that the contents show.
  public let format: AudioFileFormat
  /// The codec number of a WAV file (`wFormatTag`), if it is at its usual offset; otherwise `nil`.
  public let wavCoding: Int?

  /// Creates the signature of a file of `size` bytes; returns `nil` if its format is unknown.
  ///
  /// It reads a few kilobytes, at the beginning of the file and in the index of a container.
  public init?(size: Int64, read: Read) {
    guard size > 0 else {
      format = .empty
      wavCoding = nil
      return
    }
    var offset: Int64 = 0
    for _ in 0..<16 {
      guard let length = Self.id3Length(read(offset, 10)) else { break }
      offset += length
    }
    let head = read(offset, 1084)
    guard !head.isEmpty else {
      guard offset > 0 else { return nil }
      format = .tagsAlone
      wavCoding = nil
      return
    }
    // Text may begin with a byte order mark, which looks like the start of an MPEG frame.
    var known =
      MagicNumber.format(of: head) ?? Self.container(head, read) ?? TextKind.format(of: head)
      ?? FLACFrame.format(of: head) ?? MPEGSync.format(of: head)
    if known == nil || known == .zeros { known = Self.formatBehindJunk(read(offset, Self.junkLimit)) ?? known }
    guard let format = known else { return nil }
    self.format = format
    wavCoding = format == .wav ? Self.coding(ofWAV: head) : nil
  }

  /// The name of the format if it is audio that cannot be played; `nil` otherwise.
  public var unplayableName: String? { format.use == .unplayable ? format.name : nil }

  /// The name of the format if it is audio that the decoders of libsndfile do not play, but FFmpeg does; `nil`
  /// otherwise. WAV is a container of many codecs.
  public var nameForFFmpeg: String? {
    if let wavCoding, !Self.playedWAVCodings.contains(wavCoding) {
      return "\(format.name) with codec 0x\(String(wavCoding, radix: 16))"
    }
    return format.use == .playedByFFmpeg ? format.name : nil
  }

  private static let playedWAVCodings: Set<Int> = [1, 2, 3, 6, 7, 0x11, 0x31, 0x38, 0x40, 0x55, 0xFFFE]

  /// The maximum number of bytes that may precede a stream of AAC.
  private static let junkLimit = 1 << 16
  private static let requiredFrames = 4

  /// Returns the coding of AAC whose frames begin in `bytes`; `nil` if there are none.
  private static func formatBehindJunk(_ bytes: [UInt8]) -> AudioFileFormat? {
    if FrameChain.offset(of: .loas, count: requiredFrames, in: bytes) == 0 { return .loas }
    return FrameChain.offset(of: .aac, count: requiredFrames, in: bytes) == nil ? nil : .aac
  }

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

  /// Returns the length of the ID3v2 tag at the start of `head` (ID3v2.4.0, sections 3.1 and 3.4); `nil` if there is
  /// none.
  private static func id3Length(_ head: [UInt8]) -> Int64? {
    guard head.count == 10, head.starts(with: "ID3".utf8), head[6...9].allSatisfy({ $0 < 0x80 }) else {
      return nil
    }
    let size = head[6...9].reduce(Int64(0)) { $0 << 7 | Int64($1) }
    return size + (head[5] & 0x10 != 0 ? 20 : 10)
  }

  /// Returns the codec number of a WAV file (Multimedia Programming Interface and Data Specifications 1.0,
  /// `wFormatTag`); `nil` if it is not at its usual offset.
  private static func coding(ofWAV head: [UInt8]) -> Int? {
    guard head.count >= 22, head[12..<16].elementsEqual("fmt ".utf8) else { return nil }
    return Int(head[20]) | Int(head[21]) << 8
  }
}

/// Recognises formats by the first bytes of a file alone.
enum MagicNumber {
  /// Returns the format whose magic number is in `head`; `nil` if there is none.
  static func format(of head: [UInt8]) -> AudioFileFormat? {
    if head.starts(with: "RIFF".utf8) {
      return riff[String(decoding: head.dropFirst(8).prefix(4), as: UTF8.self)]
    }
    if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
      return head.prefix(64).indices.contains { head[$0...].starts(with: "webm".utf8) } ? .webM : .matroska
    }
    if head.starts(with: "MP+".utf8) { return head.count > 3 && head[3] & 15 == 7 ? .musepack7 : .musepack }
    return numbers.first { head.dropFirst($0.offset).starts(with: $0.bytes) }?.format
  }

  private static let riff: [String: AudioFileFormat] = [
    "WAVE": .wav, "AVI ": .avi, "RMID": .midi, "WEBP": .webP,
  ]

  private struct Number {
    let bytes: [UInt8]
    let offset: Int
    let format: AudioFileFormat

    init(_ text: String, _ format: AudioFileFormat, at offset: Int = 0) {
      self.init(Array(text.utf8), format, at: offset)
    }

    init(_ bytes: [UInt8], _ format: AudioFileFormat, at offset: Int = 0) {
      self.bytes = bytes
      self.offset = offset
      self.format = format
    }
  }

  private static let numbers: [Number] = [
    Number("RF64", .rf64), Number("BW64", .rf64), Number("riff\u{2E}", .w64), Number("AIFF", .aiff, at: 8),
    Number("AIFC", .aiff, at: 8), Number(".snd", .au), Number("caff", .caf), Number("fLaC", .flac),
    Number("wvpk", .wavPack), Number("MAC ", .monkeysAudio), Number("MPCK", .musepack8),
    Number("TTA1", .trueAudio), Number("TTA2", .trueAudio), Number("DSD ", .dsf), Number("FRM8", .dff),
    Number([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], .windowsMedia), Number(".RMF", .realMedia),
    Number([0x2E, 0x72, 0x61, 0xFD], .realMedia), Number("MThd", .midi), Number("IMPM", .tracker),
    Number("Extended Module: ", .tracker), Number("SCRM", .tracker, at: 44),
    Number("M.K.", .tracker, at: 1080), Number("M!K!", .tracker, at: 1080),
    Number("FLT4", .tracker, at: 1080), Number("4CHN", .tracker, at: 1080),
    Number("6CHN", .tracker, at: 1080), Number("8CHN", .tracker, at: 1080), Number("ajkg", .shorten),
    Number("NESM\u{1A}", .gameMusic), Number("NSFE", .gameMusic), Number("SNES-SPC700 Sound File Data", .gameMusic),
    Number("Vgm ", .gameMusic), Number("GBS\u{1}", .gameMusic), Number("HESM", .gameMusic),
    Number("KSCC", .gameMusic), Number("KSSX", .gameMusic), Number("SAP\r\n", .gameMusic),
    Number("ZXAYEMUL", .gameMusic), Number("GYMX", .gameMusic),
    Number("tBaK", .tak), Number("OFR ", .optimFROG), Number([0x0B, 0x77], .ac3),
    Number([0x7F, 0xFE, 0x80, 0x01], .dts), Number("#!AMR", .amr),
    Number([0xF8, 0x72, 0x6F, 0xBA], .trueHD, at: 4), Number([0xF8, 0x72, 0x6F, 0xBB], .trueHD, at: 4),
    Number("ADIF", .aac), Number([0x89, 0x50, 0x4E, 0x47], .png), Number([0xFF, 0xD8, 0xFF], .jpeg),
    Number("GIF8", .gif), Number("%PDF", .pdf), Number("PK\u{3}\u{4}", .zip), Number([0x1F, 0x8B, 8], .gzip),
  ]
}

/// Recognises MPEG audio streams without a container.
enum MPEGSync {
  /// Returns the format of the frame whose header is at the start of `head` (ISO/IEC 11172-3, section 2.4.1.3; ISO/IEC
  /// 13818-7, section 6.2); `nil` if there is none.
  static func format(of head: [UInt8]) -> AudioFileFormat? {
    guard head.count >= 4, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return nil }
    let isRateValid = head[2] >> 2 & 3 != 3
    switch head[1] >> 1 & 3 {
    case 0: return head[1] & 0xF0 == 0xF0 && head[2] >> 2 & 15 < 13 ? .aac : nil
    case let layer:
      guard head[1] >> 3 & 3 != 1, head[2] >> 4 != 15, isRateValid else { return nil }
      return layer == 1 ? .mp3 : layer == 2 ? .mp2 : .mp1
    }
  }
}

/// Recognises FLAC frames without a stream header.
enum FLACFrame {
  /// Returns `rawFLAC` if a FLAC frame's header is at the start of `head` (RFC 9639, section 9.1); otherwise `nil`. It
  /// starts like a frame of AAC; only its checksum distinguishes it.
  static func format(of head: [UInt8]) -> AudioFileFormat? {
    guard head.count >= 16, head[0] == 0xFF, head[1] & 0xFE == 0xF8, head[3] & 1 == 0 else { return nil }
    // The frame number is coded like a character of UTF-8, in up to seven bytes.
    let first = head[4]
    let numberLength = first < 0x80 ? 1 : (~first).leadingZeroBitCount
    guard numberLength != 1 || first < 0x80, numberLength <= 7 else { return nil }
    let sizeLength = head[2] >> 4 == 6 ? 1 : head[2] >> 4 == 7 ? 2 : 0
    let rateLength = head[2] & 15 == 12 ? 1 : [13, 14].contains(head[2] & 15) ? 2 : 0
    let end = 4 + numberLength + sizeLength + rateLength
    return checksum(head[..<end]) == head[end] ? .rawFLAC : nil
  }

  /// Returns the 8-bit CRC of a frame header.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum << 1 ^ (sum & 0x80 == 0 ? 0 : 0x07) }
    }
  }
}

/// Recognises text files, and files of zeros, that are named like an audio file.
enum TextKind {
  /// Returns the kind of text at the start of `head`; `nil` if it is not text.
  static func format(of head: [UInt8]) -> AudioFileFormat? {
    if head.count >= 64, head.allSatisfy({ $0 == 0 }) { return .zeros }
    let isWide = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
    let bytes = head.filter { $0 != 0 || !isWide }.dropFirst(isWide ? 2 : 0)
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || (9...13).contains($0) || $0 == 0x1B }) else {
      return nil
    }
    // A character may be cut off at the end.
    let text = String(decoding: bytes, as: UTF8.self)
    guard isWide || !text.dropLast().unicodeScalars.contains("\u{FFFD}") else { return nil }
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.lowercased()
    return beginnings.first { start.hasPrefix($0.0) }?.1 ?? .text
  }

  private static let beginnings: [(String, AudioFileFormat)] = [
    ("<!doctype html", .webPage), ("<html", .webPage), ("<head", .webPage), ("<?xml", .xml),
    ("#extm3u", .playlist), ("[playlist]", .playlist), ("file \"", .cueSheet), ("rem ", .cueSheet),
    ("performer \"", .cueSheet), ("title \"", .cueSheet), ("catalog ", .cueSheet),
  ]
}
