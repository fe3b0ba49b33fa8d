// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform

/// Parses M3U and M3U8: one location on each line, described by the `#EXT...` lines before it.
///
/// A description applies only to the next entry, but `#PLAYLIST` and `#EXTENC` apply to the whole file. All other lines
/// that begin with `#` are comments.
struct M3UParser {
  private var pending = PlaylistEntry(.path([]))
  private(set) var playlist = Playlist()

  /// Parses a playlist. Returns `nil` if it has more than `limit` entries.
  static func playlist(_ bytes: [UInt8], limit: Int = Playlist.entryLimit) -> Playlist? {
    var parser = M3UParser()
    var lines = PlaylistText(bytes, declared: declaredEncoding(bytes))
    while let line = lines.next() {
      switch M3ULine(line) {
      case .location:
        guard parser.playlist.entries.count < limit else { return nil }
        parser.add(line.entry())
      case .comment: break
      case .fileDirective, .description, .otherDirective: parser.read(line.text)
      }
    }
    return parser.playlist
  }

  private mutating func add(_ lineEntry: PlaylistEntry) {
    var entry = pending
    entry.location = lineEntry.location
    entry.alternatives = lineEntry.alternatives
    playlist.entries.append(entry)
    pending = PlaylistEntry(.path([]))
  }

  private mutating func read(_ line: ArraySlice<UInt8>) {
    let line = line.drop { $0 == 0x20 || $0 == 0x09 }
    if let value = line.suffix(after: "#extinf:") {
      readInformation(value)
    } else if let value = line.suffix(after: "#extalb:") {
      pending.album = PlaylistTextFormat.text(value)
    } else if let value = line.suffix(after: "#extart:") {
      pending.albumArtist = PlaylistTextFormat.text(value)
    } else if let value = line.suffix(after: "#extgenre:") {
      pending.genre = PlaylistTextFormat.text(value)
    } else if let value = line.suffix(after: "#extgrp:") {
      pending.group = PlaylistTextFormat.text(value)
    } else if let value = line.suffix(after: "#segue-part:") {
      pending.segment = Self.segment(value.trimmed)
    } else if let value = line.suffix(after: "#playlist:") {
      playlist.title = PlaylistTextFormat.text(value)
    }
  }

  /// Reads the value of an `#EXTINF` line, such as "123,Artist - Title". Attributes may come between the seconds and
  /// the comma (`-1 key="a, b",Title`).
  private mutating func readInformation(_ value: ArraySlice<UInt8>) {
    pending.duration = PlaylistTextFormat.seconds(value.trimmed)
    var isQuoted = false
    let comma = value.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ",") && !isQuoted
    }
    guard let comma = comma ?? value.firstIndex(of: UInt8(ascii: ",")) else { return }
    (pending.artist, pending.title) = PlaylistTextFormat.artistAndTitle(value[(comma + 1)...])
  }

  /// Parses a segment in CD frames: "4500-9000", or "9000-" up to the end of the file.
  private static func segment(_ value: ArraySlice<UInt8>) -> TrackSegment? {
    let bounds = value.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard bounds.count == 2, let start = frames(bounds[0]) else { return nil }
    if bounds[1].isEmpty { return TrackSegment(start: start, end: nil) }
    return frames(bounds[1]).flatMap { TrackSegment(start: start, end: $0) }
  }

  private static func frames(_ digits: ArraySlice<UInt8>) -> Int? {
    guard (1...12).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Returns the encoding that an `#EXTENC` line near the beginning declares; `nil` if there is none, or if it is not
  /// supported.
  static func declaredEncoding(_ bytes: [UInt8]) -> LegacyText.Encoding? {
    let lines = bytes.prefix(2048).split { $0 == 0x0A || $0 == 0x0D }.prefix(16)
    guard let value = lines.lazy.compactMap({ $0.suffix(after: "#extenc:") }).first else { return nil }
    switch String(decoding: value.trimmed, as: UTF8.self).lowercased() {
    case "shift_jis", "sjis", "cp932", "windows-31j", "ms932": return .other(.shiftJIS)
    case "iso-8859-1", "latin1", "latin-1", "cp1252": return .windows1252
    case "cp1251": return .other(.windows1251)
    case "gb2312", "gbk", "cp936": return .other(.gb18030)
    case "cp950": return .other(.big5)
    case "uhc", "cp949": return .other(.eucKR)
    case let name: return LegacyText.Encoding(named: name)
    }
  }
}

/// The kinds of lines in M3U.
enum M3ULine {
  case location
  /// A blank line, or a comment that programs ignore.
  case comment
  /// `#EXTM3U`, or another directive for the whole file.
  case fileDirective
  /// A directive that ``M3UParser`` reads as a description of the next entry.
  case description
  /// A directive of another program, such as `#EXTVLCOPT:...`.
  case otherDirective

  init(_ line: PlaylistText.Line) {
    let text = line.text.trimmed
    guard let first = text.first, first == UInt8(ascii: "#") else {
      self = text.isEmpty ? .comment : .location
      return
    }
    let name = text.dropFirst().prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: " ") }
    switch String(decoding: name.prefix(12), as: UTF8.self).lowercased() {
    case "extm3u", "extenc", "playlist": self = .fileDirective
    case "extinf", "extalb", "extart", "extgenre", "extgrp", "segue-part": self = .description
    case let name where name.hasPrefix("ext"): self = .otherDirective
    default: self = Self.isDirective(name, in: text) ? .otherDirective : .comment
    }
  }

  /// Whether the line `text` is the directive `name` with a value, such as `#KODIPROP:...`.
  private static func isDirective(_ name: ArraySlice<UInt8>, in text: ArraySlice<UInt8>) -> Bool {
    let isName = name.allSatisfy {
      (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
    }
    return isName && name.count > 1 && text[name.endIndex...].first == UInt8(ascii: ":")
  }
}

enum M3UWriter {
  /// Returns the contents of the playlist file. The closure `convert` returns the form in which to write a location.
  static func bytes(
    of playlist: Playlist, declaresEncoding: Bool, _ convert: (PlaylistLocation) -> PlaylistLocation
  ) -> [UInt8] {
    var bytes = Array("#EXTM3U\n".utf8)
    if declaresEncoding { bytes += "#EXTENC:UTF-8\n".utf8 }
    if let title = PlaylistTextFormat.line(playlist.title) { bytes += "#PLAYLIST:\(title)\n".utf8 }
    for entry in playlist.entries {
      for line in description(of: entry) { bytes += "\(line)\n".utf8 }
      bytes += PlaylistLine.line(convert(entry.location))
      bytes.append(0x0A)
    }
    return bytes
  }

  /// Returns the lines that describe an entry, without line breaks.
  static func description(of entry: PlaylistEntry) -> [String] {
    var lines: [String] = []
    func add(_ key: String, _ text: String?) {
      if let text = PlaylistTextFormat.line(text) { lines.append(key + text) }
    }
    add("#EXTALB:", entry.album)
    add("#EXTART:", entry.albumArtist)
    add("#EXTGENRE:", entry.genre)
    add("#EXTGRP:", entry.group)
    let name = PlaylistTextFormat.joined(artist: entry.artist, title: entry.title)
    if !name.isEmpty || entry.duration != nil {
      lines.append("#EXTINF:\(PlaylistTextFormat.wholeSeconds(entry.duration)),\(name)")
    }
    if let segment = entry.segment {
      lines.append("#SEGUE-PART:\(segment.start)-\(segment.end.map { String($0) } ?? "")")
    }
    return lines
  }
}
