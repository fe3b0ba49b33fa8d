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
    guard let key = PLSKey(line.text), let number = key.number else { return }
    switch key.name {
    case "file":
      // Keys are ASCII, so the value is at the same offset in the bytes and in the text.
      if files[number] == nil { files[number] = line.entry(from: key.length) }
    case "title":
      let (artist, title) = PlaylistTextFormat.artistAndTitle(line.text.dropFirst(key.length))
      update(number) { entry in
        if entry.title == nil, entry.artist == nil { (entry.artist, entry.title) = (artist, title) }
      }
    case "length":
      let duration = PlaylistTextFormat.seconds(line.text.dropFirst(key.length).trimmed)
      update(number) { $0.duration = $0.duration ?? duration }
    default: break
    }
  }

  private mutating func update(_ number: Int, _ body: (inout PlaylistEntry) -> Void) {
    body(&entries[number, default: PlaylistEntry(.path([]))])
  }
}

/// The key of a line of PLS, such as `File1=`.
struct PLSKey {
  /// The letters of the key in lower case.
  let name: String
  /// The number after the letters; `nil` if there is none, or if it has more than nine digits.
  let number: Int?
  /// The place of the digits, counted in bytes from the beginning of the line.
  let digits: Range<Int>
  /// The number of bytes up to and including the "=".
  let length: Int

  /// Reads the key at the beginning of `line`; returns `nil` if there is none.
  init?(_ line: ArraySlice<UInt8>) {
    let indent = line.prefix { $0 == 0x20 || $0 == 0x09 }.count
    let letters = line.dropFirst(indent).prefix { (0x61...0x7A).contains($0 | 0x20) }
    let rest = line.dropFirst(indent + letters.count)
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    let spaces = rest.dropFirst(digits.count).prefix { $0 == 0x20 || $0 == 0x09 }.count
    guard rest.dropFirst(digits.count + spaces).first == UInt8(ascii: "="), letters.count <= 40 else { return nil }
    name = String(decoding: letters, as: UTF8.self).lowercased()
    number = (1...9).contains(digits.count) ? digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } : nil
    self.digits = indent + letters.count..<indent + letters.count + digits.count
    length = self.digits.upperBound + spaces + 1
  }

  /// Returns `line` with the number of its entry. A line that belongs to none keeps its number unless that is in
  /// `taken`, and `NumberOfEntries` is set to the number of entries.
  static func numbered(_ line: ArraySlice<UInt8>, _ number: Int?, _ taken: Range<Int>) -> ArraySlice<UInt8> {
    guard let key = PLSKey(line) else { return line }
    let start = line.startIndex
    if key.name == "numberofentries", key.digits.isEmpty {
      let value = line.dropFirst(key.length).trimmed.prefix { (0x30...0x39).contains($0) }
      return value.isEmpty ? line : line[..<value.startIndex] + "\(taken.count)".utf8 + line[value.endIndex...]
    }
    guard let old = key.number else { return line }
    let new = number ?? (taken.contains(old) ? old + taken.count : old)
    if new == old { return line }
    return line[..<(start + key.digits.lowerBound)] + "\(new)".utf8 + line[(start + key.digits.upperBound)...]
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
      for line in description(of: entry, number) { bytes += "\(line)\n".utf8 }
    }
    bytes += "NumberOfEntries=\(playlist.entries.count)\nVersion=2\n".utf8
    return bytes
  }

  /// Returns the lines that describe the entry with this number, without line breaks.
  static func description(of entry: PlaylistEntry, _ number: Int) -> [String] {
    let name = PlaylistTextFormat.joined(artist: entry.artist, title: entry.title)
    let length = "Length\(number)=\(PlaylistTextFormat.wholeSeconds(entry.duration))"
    return name.isEmpty ? [length] : ["Title\(number)=\(name)", length]
  }
}
