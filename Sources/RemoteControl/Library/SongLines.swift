import MusicLibrary
import MusicModel
import Platform
import SystemPackage

/// Tells the tracks of one directory after the other as ``SongText`` does, without making a `Track` of each.
struct SongLines {
  private let tags: [(tag: SongTag, key: LineKey)]
  private var lines = LineBytes()
  private var directory = FilePath()
  /// What stands before the name of a file in the directory; `nil` where that is encoded.
  private var prefix: [UInt8]? = []
  // What many songs have in common is written once.
  private var day: (number: Int64, text: [UInt8])?
  private var date: (date: ReleaseDate, text: [UInt8])?
  private var format: (audio: AudioSummary, text: [UInt8])?

  /// Lines as `text` has them.
  init(_ text: SongText) {
    tags = SongTag.allCases.filter { text.tags.contains($0) }.map { ($0, LineKey($0.rawValue)) }
  }

  /// What follows is in the directory that is seen under `path` in the library.
  mutating func enter(_ path: FilePath) {
    directory = path
    let text = path.isEmpty ? "" : SongURI.text(relative: path) + "/"
    prefix = text.hasPrefix(SongURI.encodedPrefix) ? nil : Array(text.utf8)
  }

  /// Adds the lines of `track`.
  mutating func add(_ track: borrowing ListedTrack, to response: inout Response) {
    lines.removeAll()
    addFile(track)
    addTime(track.modified)
    if let audio = track.audio {
      if format?.audio != audio { format = (audio, Array(SongText.format(audio).utf8)) }
      if let format { lines.add(Key.format, format.text) }
    }
    for (tag, key) in tags { add(tag, of: track, as: key) }
    if let milliseconds = track.milliseconds, milliseconds >= 0 {
      lines.add(Key.time, number: milliseconds / 1_000 + (milliseconds % 1_000 >= 500 ? 1 : 0))
      lines.add(Key.duration, milliseconds: milliseconds)
    }
    response.add(lines)
  }

  /// The keys of what is no tag.
  private enum Key {
    static let file = LineKey("file")
    static let modified = LineKey("Last-Modified")
    static let format = LineKey("Format")
    static let time = LineKey("Time")
    static let duration = LineKey("duration")
  }

  private mutating func addFile(_ track: borrowing ListedTrack) {
    let segment = track.segment
    track.withBytes(of: .name) { name in
      guard let prefix, SongURI.isPlain(name), !prefix.isEmpty || !SongURI.isEncoded(name) else {
        let path = directory.appending(FilePath(systemBytes: Array(name)).components)
        return lines.add(Key.file, Array(SongURI.text(path, segment, in: nil).utf8))
      }
      lines.add(
        Key.file, prefix, name, segment.map { Array("/\(SongURI.segmentPrefix)\($0.start)".utf8) } ?? [])
    }
  }

  private mutating func addTime(_ nanoseconds: Int64) {
    let seconds = nanoseconds / 1_000_000_000
    if day?.number != seconds / 86_400 || seconds < 0 {
      guard let text = Timestamp.text(seconds: seconds) else { return }
      day = (seconds / 86_400, Array(text.utf8.prefix { $0 != UInt8(ascii: "T") }))
    }
    guard let day else { return }
    lines.add(Key.modified, day: day.text, seconds: Int(seconds % 86_400))
  }

  private mutating func add(_ tag: SongTag, of track: borrowing ListedTrack, as key: LineKey) {
    switch tag {
    case .track: if let number = track.number { addNumber(number, as: key) }
    case .disc: if let disc = track.disc { addNumber(disc, as: key) }
    case .date:
      guard let date = track.date else { return }
      if self.date?.date != date { self.date = (date, Array(date.text.utf8)) }
      if let text = self.date?.text { lines.add(key, text) }
    case .title: track.withBytes(of: .title) { lines.add(key, $0) }
    case .artist: addAll(.artists, of: track, as: key)
    case .albumArtist: addAll(.albumArtists, of: track, as: key)
    case .genre: addAll(.genres, of: track, as: key)
    case .composer: addAll(.composers, of: track, as: key)
    case .album: addOne(.album, of: track, as: key)
    case .artistSort: addOne(.artistSort, of: track, as: key)
    case .albumSort: addOne(.albumSort, of: track, as: key)
    case .albumArtistSort: addOne(.albumArtistSort, of: track, as: key)
    case .musicBrainzAlbumID: addOne(.release, of: track, as: key)
    }
  }

  private mutating func addNumber(_ number: Int, as key: LineKey) {
    if number >= 0 { lines.add(key, number: number) } else { lines.add(key, Array(String(number).utf8)) }
  }

  private mutating func addOne(_ text: ListedTrack.Text, of track: borrowing ListedTrack, as key: LineKey) {
    track.withBytes(of: text) { if !$0.isEmpty { lines.add(key, $0) } }
  }

  private mutating func addAll(_ text: ListedTrack.Text, of track: borrowing ListedTrack, as key: LineKey) {
    track.withBytes(of: text) { values in
      var start = 0
      for index in values.indices where values[index] == ListedTrack.separator {
        if index > start { lines.add(key, UnsafeRawBufferPointer(rebasing: values[start..<index])) }
        start = index + 1
      }
      if start < values.count { lines.add(key, UnsafeRawBufferPointer(rebasing: values[start...])) }
    }
  }
}
