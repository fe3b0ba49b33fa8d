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
      if line.isBlank { continue }
      if line.text.trimmed.first == UInt8(ascii: "#") {
        parser.read(line.text)
      } else {
        guard parser.playlist.entries.count < limit else { return nil }
        parser.add(line.entry())
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
  private static func declaredEncoding(_ bytes: [UInt8]) -> LegacyText.Encoding? {
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

enum M3UWriter {
  /// Returns the contents of the playlist file. The closure `convert` returns the form in which to write a location.
  static func bytes(
    of playlist: Playlist, declaresEncoding: Bool, _ convert: (PlaylistLocation) -> PlaylistLocation
  ) -> [UInt8] {
    var bytes = Array("#EXTM3U\n".utf8)
    if declaresEncoding { bytes += "#EXTENC:UTF-8\n".utf8 }
    add("#PLAYLIST:", playlist.title, to: &bytes)
    for entry in playlist.entries {
      add("#EXTALB:", entry.album, to: &bytes)
      add("#EXTART:", entry.albumArtist, to: &bytes)
      add("#EXTGENRE:", entry.genre, to: &bytes)
      add("#EXTGRP:", entry.group, to: &bytes)
      let name = PlaylistTextFormat.joined(artist: entry.artist, title: entry.title)
      if !name.isEmpty || entry.duration != nil {
        bytes += "#EXTINF:\(PlaylistTextFormat.wholeSeconds(entry.duration)),\(name)\n".utf8
      }
      if let segment = entry.segment {
        bytes += "#SEGUE-PART:\(segment.start)-\(segment.end.map { String($0) } ?? "")\n".utf8
      }
      bytes += PlaylistLine.line(convert(entry.location))
      bytes.append(0x0A)
    }
    return bytes
  }

  private static func add(_ key: String, _ text: String?, to bytes: inout [UInt8]) {
    guard let text = PlaylistTextFormat.line(text) else { return }
    bytes += key.utf8
    bytes += text.utf8
    bytes.append(0x0A)
  }
}
