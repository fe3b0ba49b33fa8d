// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage

/// The text of a playlist file in pieces, each of which belongs to an entry or to none. An edit leaves all others as
/// they are, byte for byte.
///
/// Pieces that belong to none are comments, directives for the whole file, and what is around the entries of XSPF. They
/// stay where they are. New text is written in the encoding of the file and with its line breaks. If that encoding does
/// not have the characters of a path, an escaped `file:` URI is written; a description with such characters is left
/// out.
struct PlaylistDocument {
  struct Piece {
    var bytes: ArraySlice<UInt8>
    /// The position of the entry; `nil` if the piece belongs to none, and the number of entries for what is after the
    /// last one.
    var entry: Int?
  }

  /// How entries are written.
  enum Form {
    case m3u
    /// PLS, in which entries are numbered from this number.
    case pls(first: Int)
    case xspf(XSPFForm)
  }

  struct XSPFForm {
    /// The namespace prefix of elements, with its colon.
    var prefix = ""
    /// The white space before a track.
    var indent: [UInt8]
    var isUTF8: Bool
    /// Whether relative locations are not relative to the playlist.
    var hasBase: Bool
  }

  let form: Form
  private(set) var pieces: [Piece]
  private(set) var count: Int
  /// The encoding of the new text.
  var encoding = LegacyText.Encoding.utf8
  /// The line break of the file.
  var lineBreak: [UInt8] = [0x0A]
  /// The byte order mark before all pieces.
  var mark: [UInt8] = []
  /// Whether the pieces are in UTF-8, and the file is not.
  var isConverted = false
  /// Whether new text must be ASCII.
  private var isASCII = false

  /// Creates a document of these pieces. Entries are appended before the first piece of the entry `count`, if there is
  /// one.
  init(_ form: Form, _ pieces: [Piece], count: Int) {
    (self.form, self.pieces, self.count) = (form, pieces, count)
    if !pieces.contains(where: { $0.entry == count }) { self.pieces.append(Piece(bytes: [], entry: count)) }
  }

  /// Returns the contents of the playlist file at `path` after these edits.
  ///
  /// - Parameters:
  ///   - contents: The contents of the file in `format`.
  ///   - paths: Makes the paths of new entries relative.
  /// - Returns: The new contents, and the new number of entries.
  /// - Throws: `noPosition`, `tooManyEntries`, `malformed` or `notAPlaylist`.
  static func edited(
    _ contents: [UInt8], _ format: PlaylistFormat, at path: FilePath, _ edits: [PlaylistEdit], _ paths: RelativePaths
  ) throws(PlaylistError) -> (contents: [UInt8], count: Int) {
    let document =
      switch format {
      case .m3u, .m3u8: PlaylistDocument(m3u: contents)
      case .pls: PlaylistDocument(pls: contents)
      case .xspf: try PlaylistDocument(xspf: contents, path)
      }
    var isASCII = false
    while true {
      var edited = document
      edited.isASCII = isASCII
      for edit in edits {
        guard edited.apply(edit, paths) else { throw .noPosition(path) }
        guard edited.count <= Playlist.entryLimit else { throw .tooManyEntries(path) }
      }
      guard let bytes = edited.contents else { throw .notAPlaylist(path) }
      if isASCII || edited.isRecognised(bytes) { return (bytes, edited.count) }
      isASCII = true
    }
  }

  /// Performs an edit. Returns `false` if it names positions that do not exist.
  private mutating func apply(_ edit: PlaylistEdit, _ paths: RelativePaths) -> Bool {
    switch edit {
    case .insert(let entries, let position):
      guard (0...count).contains(position ?? count) else { return false }
      insert(entries.map { text(of: $0, paths) }, at: position ?? count)
    case .remove(let ranges):
      guard ranges.allSatisfy({ (0...count).contains($0.lowerBound) }) else { return false }
      _ = take(ranges)
    case .move(let ranges, let target):
      guard ranges.allSatisfy({ !$0.isEmpty && $0.lowerBound >= 0 && $0.upperBound <= count }) else { return false }
      let moved = take(ranges)
      guard (0...count).contains(target) else { return false }
      insert(moved, at: target)
    case .relocate(let locations):
      guard locations.keys.allSatisfy((0..<count).contains) else { return false }
      relocate(locations, paths)
    case .clear: _ = take([0..<count])
    }
    return true
  }

  /// Removes the pieces of entries, and returns them for each entry.
  private mutating func take(_ ranges: [Range<Int>]) -> [[ArraySlice<UInt8>]] {
    var isTaken = [Bool](repeating: false, count: count)
    for range in ranges { for position in range.clamped(to: 0..<count) { isTaken[position] = true } }
    var positions: [Int] = []
    positions.reserveCapacity(count + 1)
    var next = 0
    for isTaken in isTaken {
      positions.append(next)
      if !isTaken { next += 1 }
    }
    positions.append(next)
    var taken = [[ArraySlice<UInt8>]](repeating: [], count: count - next)
    pieces = pieces.compactMap { piece in
      guard let entry = piece.entry else { return piece }
      if entry < count, isTaken[entry] {
        taken[entry - positions[entry]].append(piece.bytes)
        return nil
      }
      return Piece(bytes: piece.bytes, entry: positions[entry])
    }
    count = next
    return taken
  }

  private mutating func insert(_ entries: [[ArraySlice<UInt8>]], at position: Int) {
    let index = pieces.firstIndex { $0.entry == position } ?? pieces.endIndex
    for index in pieces.indices {
      if let entry = pieces[index].entry, entry >= position { pieces[index].entry = entry + entries.count }
    }
    let new = entries.enumerated().flatMap { number, bytes in
      bytes.map { Piece(bytes: $0, entry: position + number) }
    }
    pieces.insert(contentsOf: new, at: index)
    count += entries.count
  }

  /// Replaces the locations of entries.
  private mutating func relocate(_ locations: [Int: PlaylistLocation], _ paths: RelativePaths) {
    var remaining = locations
    // In M3U, the location is the last line of an entry.
    for index in pieces.indices.reversed() {
      guard let entry = pieces[index].entry, let location = remaining[entry],
        let bytes = relocated(pieces[index].bytes, to: location, paths)
      else { continue }
      pieces[index].bytes = bytes
      remaining[entry] = nil
    }
  }

  /// Returns a piece of an entry with another location; `nil` if the location is in another piece.
  private func relocated(
    _ piece: ArraySlice<UInt8>, to location: PlaylistLocation, _ paths: RelativePaths
  ) -> ArraySlice<UInt8>? {
    let end = piece.suffix(2).drop { $0 != 0x0A && $0 != 0x0D }
    switch form {
    case .m3u: return line(paths.relative(location)) + end
    case .pls:
      guard let key = PLSKey(piece), key.name == "file" else { return nil }
      return piece.prefix(key.length) + line(paths.relative(location)) + end
    case .xspf(let form):
      guard let tag = piece.firstRange(of: "<\(form.prefix)location".utf8),
        let start = piece[tag.upperBound...].firstIndex(of: UInt8(ascii: ">")),
        let end = piece[start...].firstRange(of: "</".utf8)?.lowerBound
      else { return nil }
      let text = XSPFWriter.text(of: form.hasBase ? location : paths.relative(location))
      return piece[...start] + text + piece[end...]
    }
  }

  /// The contents of the file; `nil` if they cannot be written in its encoding.
  private var contents: [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pieces.reduce(0) { $0 + $1.bytes.count + 2 })
    for piece in pieces where !piece.bytes.isEmpty {
      if case .xspf = form {} else if let last = bytes.last, last != 0x0A, last != 0x0D { bytes += lineBreak }
      if case .pls(let first) = form {
        bytes += PLSKey.numbered(piece.bytes, piece.entry.map { first + $0 }, first..<(first + count))
      } else {
        bytes += piece.bytes
      }
    }
    guard isConverted else { return mark + bytes }
    return LegacyText.encode(String(decoding: bytes, as: UTF8.self), as: encoding).map { encoded in
      // What is left may not show its encoding.
      let needsMark = mark.isEmpty && encoding.isWide && LegacyText.wideEncoding(of: encoded) != encoding
      return (needsMark ? encoding.byteOrderMark : mark) + encoded
    }
  }

  /// Whether the text of a file with these contents is read in the encoding in which it was written.
  private func isRecognised(_ contents: [UInt8]) -> Bool {
    if case .xspf = form { return true }
    let declared = M3UParser.declaredEncoding(contents) ?? LegacyText.assumed
    return encoding == .utf8 || encoding.isWide
      || LegacyText.encoding(of: contents, assuming: declared) == encoding
  }

  /// Returns the pieces of a new entry.
  private func text(of entry: PlaylistEntry, _ paths: RelativePaths) -> [ArraySlice<UInt8>] {
    var lines: [[UInt8]]
    switch form {
    case .m3u:
      lines = M3UWriter.description(of: entry).compactMap { encoded(Array($0.utf8)) }
      lines.append(line(paths.relative(entry.location)))
    case .pls(let first):
      lines = ["File\(first)=".utf8 + line(paths.relative(entry.location))]
      lines += PLSWriter.description(of: entry, first).compactMap { encoded(Array($0.utf8)) }
    case .xspf(let form):
      let track = XSPFWriter.track(entry, prefix: form.prefix) { form.hasBase ? $0 : paths.relative($0) }
      let text = form.isUTF8 ? track : XSPFWriter.withReferences(track)
      return [(form.indent + text.split(separator: 0x0A).joined(separator: lineBreak))[...]]
    }
    return lines.map { ($0 + lineBreak)[...] }
  }

  /// Returns the line of a location in the encoding of the file.
  private func line(_ location: PlaylistLocation) -> [UInt8] {
    let line = PlaylistLine.line(location)
    if let encoded = encoded(line) { return encoded }
    switch location {
    case .path(let path): return FileURI.uri(of: path)
    case .url: return FileURI.escaped(line, unless: { $0 < 0x80 })
    }
  }

  /// Returns UTF-8 in the encoding of the pieces; `nil` if that is not possible.
  private func encoded(_ text: [UInt8]) -> [UInt8]? {
    if text.allSatisfy({ $0 < 0x80 }) { return text }
    if isASCII { return nil }
    if isConverted { return text }
    return String(validating: text, as: UTF8.self).flatMap { LegacyText.encode($0, as: encoding) }
  }
}
