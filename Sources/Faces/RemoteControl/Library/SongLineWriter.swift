// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import MusicModel
import Platform
import SystemPackage

/// Writes the same lines as ``SongText``, directory by directory, but without creating a `Track` for each track.
struct SongLineWriter {
  /// Whether each value is checked before it is written.
  ///
  /// Few values need a check, so they are first written unchecked. If the lines turn out to contain invalid UTF-8 or
  /// control characters, they are written again with checks.
  private var checksValues = false

  private let detail: LibraryListing.Detail
  private let tags: [(tag: SongTag, key: LineKey)]
  /// The tags that few tracks have.
  private let additionalTags: [(kind: AdditionalTags.Kind, key: LineKey)]
  private let keys = Keys()
  private var directory = FilePath()
  /// The text before the name of a file in the directory; `nil` if names are percent-encoded.
  private var prefix: [UInt8]? = []
  // The text of values that many songs in a row share, so that they are formatted once.
  private var day: (number: Int64, text: [UInt8])?
  private var date: (date: ReleaseDate, text: [UInt8])?
  private var format: (audio: AudioSummary, text: [UInt8])?

  /// Creates a writer of the lines that `text` would write, as far as `detail` includes them.
  init(_ text: SongText, _ detail: LibraryListing.Detail) {
    self.detail = detail
    let selectedTags = SongTag.allCases.filter { text.tags.contains($0) }
    tags = selectedTags.filter { $0.additionalKind == nil }.map { ($0, LineKey($0.rawValue)) }
    additionalTags = selectedTags.compactMap { tag in tag.additionalKind.map { ($0, LineKey(tag.rawValue)) } }
  }

  /// Starts the directory at `path`, which is relative to the library. It contains the tracks that are added next.
  mutating func beginDirectory(_ path: FilePath) {
    beginDirectory(path, named: path.isEmpty ? "" : SongURI.text(relative: path))
  }

  /// Starts `directory`, and adds its lines. The directory contains the tracks that are added next.
  mutating func beginDirectory(_ directory: BrowsedDirectory, to lines: inout LineBuffer) {
    let name = SongURI.text(relative: directory.path)
    lines.add(keys.directory, Array(name.utf8))
    // A directory that changed during the scan has no time in the index, so that it will be scanned again.
    if detail == .full, directory.modified != 0 {
      addTime(directory.modified / 1_000_000_000, as: keys.modified, to: &lines)
    }
    beginDirectory(directory.path, named: name)
  }

  private mutating func beginDirectory(_ path: FilePath, named name: String) {
    directory = path
    prefix = name.hasPrefix(SongURI.encodedPrefix) ? nil : Array((name.isEmpty ? "" : "\(name)/").utf8)
  }

  /// A value of a tag that few tracks have.
  private typealias OtherTag = (kind: AdditionalTags.Kind, text: [UInt8])

  /// Adds the lines of `track`.
  mutating func add(_ track: borrowing ListedTrack, to lines: inout LineBuffer) {
    addFile(track, to: &lines)
    if detail == .names { return }
    addTime(track.modified / 1_000_000_000, as: keys.modified, to: &lines)
    addTime(track.added, as: keys.added, to: &lines)
    if let audio = track.audio {
      if format?.audio != audio { format = (audio, Array(SongText.format(audio).utf8)) }
      if let format { lines.add(keys.format, format.text) }
    }
    var others: [OtherTag] = []
    if track.hasOtherTags {
      unsafe track.forEachAdditionalTag { kind, text in others.append((kind, unsafe Array(text))) }
    }
    for (tag, key) in tags {
      // What the tags state goes before the number or the date that is shown.
      let stated: AdditionalTags.Kind? = tag == .track ? .writtenNumber : tag == .date ? .releaseDate : nil
      if let other = others.first(where: { $0.kind == stated }) {
        add(other, as: key, to: &lines)
      } else {
        add(tag, of: track, as: key, to: &lines)
      }
    }
    // Grouped by kind.
    for (kind, key) in additionalTags {
      for other in others where other.kind == kind { add(other, as: key, to: &lines) }
    }
    if let milliseconds = track.milliseconds, milliseconds >= 0 {
      lines.add(keys.time, number: milliseconds / 1_000 + (milliseconds % 1_000 >= 500 ? 1 : 0))
      lines.add(keys.duration, milliseconds: milliseconds)
    }
  }

  /// The keys of the lines that are not tags.
  private struct Keys {
    let directory = LineKey("directory")
    let file = LineKey("file")
    let modified = LineKey("Last-Modified")
    let added = LineKey("Added")
    let format = LineKey("Format")
    let time = LineKey("Time")
    let duration = LineKey("duration")
  }

  /// Adds the line with the file of `track`.
  private func addFile(_ track: borrowing ListedTrack, to lines: inout LineBuffer) {
    let (name, segment) = unsafe (track.bytes(of: .name), track.segment)
    // A name in the root directory may look like an encoded one.
    let isUsual = prefix?.isEmpty == false && (unsafe !checksValues || SongURI.isPlain(name))
    if isUsual, let prefix {
      let ending = segment.map { Array("/\(SongURI.segmentPrefix)\($0.start)".utf8) } ?? []
      unsafe lines.add(keys.file, prefix, name, ending)
    } else {
      let path = unsafe directory.appending(FilePath(systemBytes: Array(name)).components)
      lines.add(keys.file, Array(SongURI.text(path, segment, in: nil).utf8))
    }
  }

  private mutating func addTime(_ seconds: Int64, as key: LineKey, to lines: inout LineBuffer) {
    if day?.number != seconds / 86_400 || seconds < 0 {
      guard let text = Timestamp.text(seconds: seconds) else { return }
      day = (seconds / 86_400, Array(text.utf8.prefix { $0 != UInt8(ascii: "T") }))
    }
    if let day { lines.add(key, day: day.text, seconds: Int(seconds % 86_400)) }
  }

  private mutating func add(
    _ tag: SongTag, of track: borrowing ListedTrack, as key: LineKey, to lines: inout LineBuffer
  ) {
    switch tag {
    case .track: if let number = track.number { lines.add(key, number: number) }
    case .disc: if let disc = track.disc { lines.add(key, number: disc) }
    case .date:
      guard let date = track.date else { return }
      if self.date?.date != date { self.date = (date, Array(date.text.utf8)) }
      if let text = self.date?.text { lines.add(key, text) }
    case .titleSort: addOne(.titleSort, of: track, as: key, to: &lines)
    case .title: unsafe add(key, track.bytes(of: .title), to: &lines)
    case .artist: addAll(.artists, of: track, as: key, to: &lines)
    case .albumArtist: addAll(.albumArtists, of: track, as: key, to: &lines)
    case .genre: addAll(.genres, of: track, as: key, to: &lines)
    case .composer: addAll(.composers, of: track, as: key, to: &lines)
    case .album: addOne(.album, of: track, as: key, to: &lines)
    case .artistSort: addOne(.artistSort, of: track, as: key, to: &lines)
    case .albumSort: addOne(.albumSort, of: track, as: key, to: &lines)
    case .albumArtistSort: addOne(.albumArtistSort, of: track, as: key, to: &lines)
    case .musicBrainzAlbumID: addOne(.release, of: track, as: key, to: &lines)
    default: break
    }
  }

  private func add(_ other: OtherTag, as key: LineKey, to lines: inout LineBuffer) {
    unsafe other.text.withUnsafeBytes { unsafe add(key, $0, to: &lines) }
  }

  private func addOne(
    _ text: ListedTrack.Text, of track: borrowing ListedTrack, as key: LineKey, to lines: inout LineBuffer
  ) {
    let value = unsafe track.bytes(of: text)
    if value.count > 0 { unsafe add(key, value, to: &lines) }
  }

  private func addAll(
    _ text: ListedTrack.Text, of track: borrowing ListedTrack, as key: LineKey, to lines: inout LineBuffer
  ) {
    let values = unsafe track.bytes(of: text)
    var start = 0
    for index in 0..<values.count where unsafe values[index] == ListedTrack.separator {
      if index > start { unsafe add(key, UnsafeRawBufferPointer(rebasing: values[start..<index]), to: &lines) }
      start = index + 1
    }
    if start < values.count { unsafe add(key, UnsafeRawBufferPointer(rebasing: values[start...]), to: &lines) }
  }

  private func add(_ key: LineKey, _ value: UnsafeRawBufferPointer, to lines: inout LineBuffer) {
    guard checksValues else { return unsafe lines.add(key, value) }
    // Replaces line breaks in the value, and repairs invalid UTF-8.
    let text = unsafe String(decoding: value, as: UTF8.self)
    lines.add(key, text.utf8.map { [10, 13, 0].contains($0) ? UInt8(ascii: " ") : $0 })
  }
}

extension SongLineWriter {
  /// The maximum number of songs in a directory that are listed in one step.
  private static let directorySize = 512

  /// Adds all songs of the directory at `path`, which must have been started. Does nothing if there are too many for
  /// one step. Returns whether they were added.
  mutating func addAll(
    in path: FilePath, _ browser: TrackBrowser, to lines: inout LineBuffer
  ) throws -> Bool {
    let mark = lines.mark
    let listed = try addChecked(to: &lines) { songs, lines in
      try browser.listTracks(in: path, onlyFiles: songs.detail == .names, limit: Self.directorySize) {
        songs.add($0, to: &lines)
      }
    }
    if listed != .all {
      lines.removeLines(after: mark)
      if listed == .tooMany { return false }
      try addChecked(to: &lines) { songs, lines in
        try browser.listSortedTracks(in: path) { songs.add($0, to: &lines) }
      }
    }
    return true
  }

  /// Calls `body` to add lines of songs. If one of the values contains invalid UTF-8 or control characters, removes the
  /// lines and calls `body` again with checks.
  mutating func addChecked<Value>(
    to lines: inout LineBuffer, _ body: (inout SongLineWriter, inout LineBuffer) throws -> Value
  ) rethrows -> Value {
    let mark = lines.mark
    checksValues = false
    let value = try body(&self, &lines)
    if lines.isText(since: mark) { return value }
    lines.removeLines(after: mark)
    checksValues = true
    return try body(&self, &lines)
  }
}
