// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads the track formats from the index of an MP4 or QuickTime file (ISO/IEC 14496-12, sections 4.2 and 8.5.2).
public struct MP4Index {
  private struct Box {
    let name: String
    let contents: Range<Int64>
  }

  private static let sounds: [(String, AudioFileFormat)] =
    [
      ("drms", .protectedMP4), ("p608", .protectedMP4), ("enca", .encryptedMP4), ("alac", .alacInMP4),
      (".mp3", .mp3InMP4), ("mp4a", .aacInMP4), ("ac-3", .ac3InMP4), ("ec-3", .ac3InMP4), ("fLaC", .flacInMP4),
      ("Opus", .opusInMP4),
    ]
    + [
      "sowt", "twos", "raw ", "NONE", "in24", "in32", "fl32", "fl64", "lpcm", "ipcm", "fpcm", "alaw", "ulaw",
    ].map { ($0, .pcmInMP4) }

  /// Returns the format of an MP4 or QuickTime file, as shown by the tracks in its index. It reads the headers of a few
  /// hundred boxes at most.
  static func format(_ read: FormatSignature.Read) -> AudioFileFormat {
    guard let index = boxes(in: 0..<Int64.max, upTo: "moov", read).last, index.name == "moov" else { return .mp4 }
    let codes = boxes(in: index.contents, read).filter { $0.name == "trak" }.prefix(8).compactMap {
      code($0, read)
    }
    // A cover may be stored as a video track, so audio takes precedence over video.
    for (code, format) in sounds where codes.contains(code) { return format }
    return codes.contains { ["avc1", "hvc1", "hev1", "mp4v", "av01", "vp09"].contains($0) } ? .mp4Video : .mp4
  }

  /// Where the edit list of a track lets it begin (ISO/IEC 14496-12, section 8.6.6).
  public struct Beginning: Sendable, Equatable {
    /// The time in the media, in units of its timescale; 0 if the list does not say.
    public var mediaTime: Int64 = 0
    /// Whether an empty edit, of which nothing is played, precedes the media.
    public var isDelayed = false
  }

  /// Returns where the edit list of the first sound track of an MP4 or QuickTime file lets it begin; `nil` if there is
  /// no edit list. It reads the headers of a few hundred boxes at most.
  public static func beginning(_ read: FormatSignature.Read) -> Beginning? {
    guard let index = boxes(in: 0..<Int64.max, upTo: "moov", read).last, index.name == "moov",
      let track = boxes(in: index.contents, read).filter({ $0.name == "trak" }).prefix(8).first(where: { track in
        guard let handler = first(["mdia", "hdlr"], in: track, read) else { return false }
        return read(handler.contents.lowerBound + 8, 4).elementsEqual("soun".utf8)
      }),
      let list = first(["edts", "elst"], in: track, read)
    else { return nil }
    var beginning = Beginning()
    let head = read(list.contents.lowerBound, 8)
    let isLong = head.first == 1
    let length = isLong ? 20 : 12
    // Real lists begin with one empty edit at most.
    for position in 0..<2 where position < head.dropFirst(4).reduce(0, { $0 << 8 | Int($1) }) {
      let offset = list.contents.lowerBound + 8 + Int64(position * length)
      guard offset + Int64(length) <= list.contents.upperBound else { break }
      let entry = read(offset, length)
      guard entry.count == length else { break }
      let time = entry[isLong ? 8..<16 : 4..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let mediaTime = isLong ? Int64(bitPattern: time) : Int64(Int32(truncatingIfNeeded: time))
      if mediaTime >= 0 {
        beginning.mediaTime = mediaTime
        break
      }
      beginning.isDelayed = true
    }
    return beginning
  }

  /// Returns the first box with the last of these names, in the first one with the name before it, and so on.
  private static func first(_ path: [String], in box: Box, _ read: FormatSignature.Read) -> Box? {
    var box = box
    for name in path {
      guard let next = boxes(in: box.contents, read).first(where: { $0.name == name }) else { return nil }
      box = next
    }
    return box
  }

  /// Whether the index of an MP4 or QuickTime file states a wrong length for its sound: fragments follow with more of
  /// it, or the presentation has another length, since edit lists leave out parts of the sound, or repeat them.
  ///
  /// - Parameter milliseconds: The length of the sound, by the index.
  public static func isLengthDoubtful(milliseconds: Int, _ read: FormatSignature.Read) -> Bool {
    guard let index = boxes(in: 0..<Int64.max, upTo: "moov", read).last, index.name == "moov" else { return false }
    let boxes = boxes(in: index.contents, read)
    if boxes.contains(where: { $0.name == "mvex" }) { return true }
    guard let header = boxes.first(where: { $0.name == "mvhd" }) else { return false }
    let bytes = read(header.contents.lowerBound, 32)
    guard bytes.count == 32 else { return false }
    let isLong = bytes[0] == 1
    let number = { (range: Range<Int>) in bytes[range].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    let timescale = number(isLong ? 20..<24 : 12..<16)
    let duration = number(isLong ? 24..<32 : 16..<20)
    let isKnown = timescale > 0 && duration > 0 && duration != (isLong ? .max : UInt64(UInt32.max))
    let tolerance = 1_000.0
    return isKnown && abs(Double(duration) / Double(timescale) * 1_000 - Double(milliseconds)) > tolerance
  }

  /// Returns the four-character code of a track's codec; `nil` if it is missing.
  private static func code(_ track: Box, _ read: FormatSignature.Read) -> String? {
    guard let box = first(["mdia", "minf", "stbl", "stsd"], in: track, read) else { return nil }
    let entry = read(box.contents.lowerBound, 256)
    guard entry.count >= 16 else { return nil }
    let code = String(decoding: entry[12..<16], as: UTF8.self)
    return code == "mp4a" && holdsMP3(entry) ? ".mp3" : code
  }

  /// Whether an MPEG audio track's description says that it is MP3 (ISO/IEC 14496-1, section 7.2.6: the object types of
  /// ISO/IEC 13818-3 and 11172-3).
  private static func holdsMP3(_ entry: [UInt8]) -> Bool {
    let name = Array("esds".utf8)
    guard let start = entry.indices.first(where: { entry[$0...].starts(with: name) }) else { return false }
    // A version, then a stream descriptor with its number and flags, which contains a descriptor of the codec.
    var rest = entry[(start + 4)...].dropFirst(4)
    for (tag, length) in [(UInt8(3), 3), (4, 0)] {
      guard rest.first == tag else { return false }
      // The length of a descriptor has seven bits per byte; the eighth is set in all but the last.
      rest = rest.dropFirst().drop { $0 & 0x80 != 0 }.dropFirst(1 + length)
    }
    return rest.first.map { [0x69, 0x6B].contains($0) } ?? false
  }

  /// Returns the boxes at the beginning of `range`, at most 32, up to the first one with the name `last`.
  private static func boxes(
    in range: Range<Int64>, upTo last: String? = nil, _ read: FormatSignature.Read
  ) -> [Box] {
    var boxes: [Box] = []
    var offset = range.lowerBound
    while boxes.count < 32, offset < range.upperBound, last == nil || boxes.last?.name != last {
      let head = read(offset, 16)
      guard head.count >= 8 else { break }
      var headLength: Int64 = 8
      var length = head[0..<4].reduce(Int64(0)) { $0 << 8 | Int64($1) }
      if length == 1, head.count == 16, head[8] < 0x80 {
        length = head[8..<16].reduce(0) { $0 << 8 | Int64($1) }
        headLength = 16
      }
      let (sum, overflow) = offset.addingReportingOverflow(length)
      let end = length == 0 || overflow ? range.upperBound : min(sum, range.upperBound)
      guard end >= offset + headLength else { break }
      boxes.append(
        Box(name: String(decoding: head[4..<8], as: UTF8.self), contents: (offset + headLength)..<end))
      offset = end
    }
    return boxes
  }
}
