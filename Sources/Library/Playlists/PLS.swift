// SPDX-License-Identifier: GPL-3.0-or-later

/// Parses PLS: `File1=`, `Title1=`, `Length1=` in any order, and in upper or lower case, under `[playlist]`.
///
/// Entries are in the order of their numbers, regardless of gaps and of the declared count. If a key is repeated, the
/// first one counts. An entry without a `File` is ignored.
struct PLSParser {
  private var entries: [Int: PlaylistEntry] = [:]
  private var files: [Int: PlaylistEntry] = [:]

  /// Parses a playlist. Returns `nil` if it has more than `limit` entries.
  static func playlist(_ bytes: [UInt8], limit: Int = Playlist.entryLimit) -> Playlist? {
    var parser = PLSParser()
    var playlist = Playlist()
    var lines = PlaylistText(bytes)
    while let line = lines.next() {
      // This key is not part of the format, but some programs write it for the title.
      if let value = line.text.suffix(after: "x-gnome-title="), playlist.title == nil {
        playlist.title = PlaylistTextFormat.text(value)
      }
      parser.read(line)
      guard parser.files.count <= limit, parser.entries.count <= limit else {
        return nil
      }
    }
    playlist.entries = parser.files.sorted { $0.key < $1.key }.map { number, file in
      var entry = parser.entries[number] ?? file
      entry.location = file.location
      entry.alternatives = file.alternatives
      return entry
    }
    return playlist
  }

  private mutating func read(_ line: PlaylistText.Line) {
    // The keys are ASCII, so they are at the same offsets in the bytes and in the text.
    let indent = line.text.prefix { $0 == 0x20 || $0 == 0x09 }.count
    let text = line.text.dropFirst(indent)
    if let rest = text.suffix(after: "file"), let (number, length) = Self.number(rest) {
      if files[number] == nil { files[number] = line.entry(from: indent + 4 + length) }
    } else if let rest = text.suffix(after: "title"), let (number, length) = Self.number(rest) {
      let (artist, title) = PlaylistTextFormat.artistAndTitle(rest.dropFirst(length))
      update(number) { entry in
        if entry.title == nil, entry.artist == nil { (entry.artist, entry.title) = (artist, title) }
      }
    } else if let rest = text.suffix(after: "length"), let (number, length) = Self.number(rest) {
      let duration = PlaylistTextFormat.seconds(rest.dropFirst(length).trimmed)
      update(number) { $0.duration = $0.duration ?? duration }
    }
  }

  private mutating func update(_ number: Int, _ body: (inout PlaylistEntry) -> Void) {
    body(&entries[number, default: PlaylistEntry(.path([]))])
  }

  /// Returns the number before the "=", and the number of bytes up to and including the "="; `nil` if there is no
  /// number.
  private static func number(_ bytes: ArraySlice<UInt8>) -> (number: Int, length: Int)? {
    let digits = bytes.prefix { (0x30...0x39).contains($0) }
    guard (1...9).contains(digits.count) else { return nil }
    let spaces = bytes.dropFirst(digits.count).prefix { $0 == 0x20 || $0 == 0x09 }.count
    guard bytes.dropFirst(digits.count + spaces).first == UInt8(ascii: "=") else { return nil }
    return (digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }, digits.count + spaces + 1)
  }
}

/// Writes playlists in PLS, version 2.
enum PLSWriter {
  /// Returns the contents of the playlist file. The closure `convert` returns the form in which to write a location.
  static func bytes(of playlist: Playlist, _ convert: (PlaylistLocation) -> PlaylistLocation) -> [UInt8] {
    var bytes = Array("[playlist]\n".utf8)
    if let title = PlaylistTextFormat.line(playlist.title) { bytes += "X-GNOME-Title=\(title)\n".utf8 }
    for (index, entry) in playlist.entries.enumerated() {
      let number = index + 1
      bytes += "File\(number)=".utf8
      bytes += PlaylistLine.line(convert(entry.location))
      bytes.append(0x0A)
      let name = PlaylistTextFormat.joined(artist: entry.artist, title: entry.title)
      if !name.isEmpty { bytes += "Title\(number)=\(name)\n".utf8 }
      bytes += "Length\(number)=\(PlaylistTextFormat.wholeSeconds(entry.duration))\n".utf8
    }
    bytes += "NumberOfEntries=\(playlist.entries.count)\nVersion=2\n".utf8
    return bytes
  }
}
