/// Formats that are known by the first bytes of a file, and by no more.
enum MagicNumber {
  /// The format whose bytes stand in `head`.
  static func format(of head: [UInt8]) -> AudioFileFormat? {
    if head.starts(with: "RIFF".utf8) {
      return riff[String(decoding: head.dropFirst(8).prefix(4), as: UTF8.self)]
    }
    if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
      return head.prefix(64).indices.contains { head[$0...].starts(with: "webm".utf8) } ? .webM : .matroska
    }
    if head.starts(with: "MP+".utf8) { return head.count > 3 && head[3] & 15 == 7 ? .musepack7 : .musepack }
    return numbers.first { head.dropFirst($0.place).starts(with: $0.bytes) }?.format
  }

  private static let riff: [String: AudioFileFormat] = [
    "WAVE": .wav, "AVI ": .avi, "RMID": .midi, "WEBP": .webP,
  ]

  private struct Number {
    let bytes: [UInt8]
    let place: Int
    let format: AudioFileFormat

    init(_ text: String, _ format: AudioFileFormat, at place: Int = 0) {
      self.init(Array(text.utf8), format, at: place)
    }

    init(_ bytes: [UInt8], _ format: AudioFileFormat, at place: Int = 0) {
      self.bytes = bytes
      self.place = place
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
    Number("tBaK", .tak), Number("OFR ", .optimFROG), Number([0x0B, 0x77], .ac3),
    Number([0x7F, 0xFE, 0x80, 0x01], .dts), Number("#!AMR", .amr),
    Number([0xF8, 0x72, 0x6F, 0xBA], .trueHD, at: 4), Number([0xF8, 0x72, 0x6F, 0xBB], .trueHD, at: 4),
    Number("ADIF", .aac), Number([0x89, 0x50, 0x4E, 0x47], .png), Number([0xFF, 0xD8, 0xFF], .jpeg),
    Number("GIF8", .gif), Number("%PDF", .pdf), Number("PK\u{3}\u{4}", .zip), Number([0x1F, 0x8B, 8], .gzip),
  ]
}
