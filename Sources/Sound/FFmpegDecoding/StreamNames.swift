// SPDX-License-Identifier: GPL-3.0-or-later

import DecodingProtocol

extension SourceNames {
  /// Creates the names from the tags of a stream: those of SHOUTcast and Icecast, otherwise those of its format.
  init(_ demuxer: AudioDemuxer) {
    let tag = { demuxer.tagBytes($0) ?? [] }
    self.init(station: tag("icy-name"))
    let streamTitle = tag("StreamTitle")
    if streamTitle.isEmpty {
      let field = { Self.field(tag($0), ofID3: ["mp3", "aac"].contains(demuxer.containerName)) }
      title = field("title")
      album = field("album")
      // FFmpeg joins the artists of Vorbis comments, which have a field for each.
      let isJoined = ["ogg", "flac"].contains(demuxer.containerName)
      artists = isJoined ? Self.parts(of: field("artist"), between: ";") : [field("artist")].filter { !$0.isEmpty }
    } else {
      (artists, title) = Self.song(streamTitle)
    }
  }

  init(listed text: [UInt8]) {
    self.init()
    (artists, title) = Self.song(Self.trimmed(text[...]))
  }

  /// Returns the artist and the title in what a station sends as one text: "Artist - Title", with a hyphen or, in
  /// UTF-8, a dash. Without an artist, all of it is the title.
  static func song(_ text: [UInt8]) -> (artists: [[UInt8]], title: [UInt8]) {
    let ranges = [" - ", " \u{2013} ", " \u{2014} "].compactMap { text.firstRange(of: Array($0.utf8)) }
    guard let range = ranges.min(by: { $0.lowerBound < $1.lowerBound }) else { return ([], text) }
    let (artist, title) = (trimmed(text[..<range.lowerBound]), trimmed(text[range.upperBound...]))
    return artist.isEmpty || title.isEmpty ? ([], text) : ([artist], title)
  }

  /// Returns the bytes of a field. FFmpeg takes ID3's Latin-1 at its word, which may be any encoding of its time.
  private static func field(_ value: [UInt8], ofID3 isID3: Bool) -> [UInt8] {
    guard isID3, let text = String(validating: value, as: UTF8.self) else { return value }
    let scalars = text.unicodeScalars.map { UInt8(exactly: $0.value) }
    return scalars.contains { $0.map { $0 >= 0x80 } ?? false } && !scalars.contains(nil)
      ? scalars.compactMap(\.self) : value
  }

  private static func parts(of text: [UInt8], between separator: Character) -> [[UInt8]] {
    text.split { $0 == separator.asciiValue }.map { trimmed($0) }.filter { !$0.isEmpty }
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let start = text.drop { $0 == 0x20 }
    return start.lastIndex { $0 != 0x20 }.map { Array(start[...$0]) } ?? []
  }
}
