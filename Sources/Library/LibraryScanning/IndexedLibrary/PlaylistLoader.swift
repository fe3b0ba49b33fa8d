public import MusicModel
import Platform
public import Playlists
public import SystemPackage
public import Tagging

/// Makes tracks of playlists.
///
/// What a file's tags say counts, from the index where it has the file; for one that is missing, what the playlist
/// says.
public struct PlaylistLoader: Sendable {
  private let reach: PlaylistReach
  private let library: (any BrowsableLibrary)?
  private let reader: TagReader
  private let parts: @Sendable (FilePath) -> [Track]?

  /// A loader of playlists that lead only into `reach`.
  ///
  /// - Parameters:
  ///   - library: its index is asked before files are opened.
  ///   - probe: opens as sound what the tag library does not understand.
  ///   - parts: the tracks that a file stands for, where these are not itself (a cue sheet); `nil` for any other file.
  public init(
    reach: PlaylistReach, library: (any BrowsableLibrary)? = nil, probe: AudioProbe? = nil,
    parts: @escaping @Sendable (FilePath) -> [Track]? = { _ in nil }
  ) {
    self.reach = reach
    self.library = library
    self.parts = parts
    reader = TagReader(probe: probe)
  }

  /// The playlist in the file at `path`. Blocks while the disk does; any thread outside of the cooperative pool.
  ///
  /// - Throws: why it cannot be read.
  public func load(_ path: FilePath) throws(PlaylistError) -> LoadedPlaylist {
    try tracks(of: try PlaylistReader.read(path), at: path)
  }

  /// The tracks of `playlist`, which is or would be the file at `path`. Blocks as ``load(_:)`` does.
  ///
  /// - Throws: `tooManyEntries`.
  public func tracks(of playlist: Playlist, at path: FilePath) throws(PlaylistError) -> LoadedPlaylist {
    let library = library
    let resolver = PlaylistResolver(reach: reach, roots: library?.roots) { library?.hasTrack(at: $0) ?? false }
    let entries = try resolver.entries(of: playlist, at: path)
    var tracks: [Track] = []
    tracks.reserveCapacity(entries.count)
    var directories: [FilePath: [Track]] = [:]
    for (entry, known) in zip(entries, known(entries)) {
      guard entry.isDirectory, let directory = entry.path else {
        tracks += self.tracks(of: entry, known)
        continue
      }
      let music = directories[directory] ?? self.music(in: directory)
      directories[directory] = music
      tracks += music
      guard tracks.count <= Playlist.entryLimit else { throw .tooManyEntries(path) }
    }
    let title = playlist.title ?? path.shownStem ?? ""
    let problems = entries.filter { $0.missing != nil }
    return LoadedPlaylist(
      collection: TrackCollection(title: title, tracks: tracks), problems: problems,
      foundCount: entries.count - problems.count)
  }

  /// The tracks below a directory: as the index has them, or else, where a list may lead anywhere, as the disk has.
  private func music(in directory: FilePath) -> [Track] {
    let known = library?.tracks(below: directory) ?? []
    guard known.isEmpty, reach == .anywhere else { return known }
    let found = try? LibraryScanner(probe: reader.probe).collection(at: directory)
    return found.map { Array($0.collection.tracks) } ?? []
  }

  /// The entries of `playlist`, which is or would be the file at `path`, one for one, each with its track: what has
  /// none, or several, is told by its place. Blocks as ``load(_:)`` does.
  ///
  /// - Throws: `tooManyEntries`.
  public func entries(
    of playlist: Playlist, at path: FilePath
  ) throws(PlaylistError) -> [(entry: ResolvedEntry, track: Track?)] {
    let library = library
    let resolver = PlaylistResolver(reach: reach, roots: library?.roots, opensPlaylists: false) {
      library?.hasTrack(at: $0) ?? false
    }
    let entries = try resolver.entries(of: playlist, at: path)
    return zip(entries, known(entries)).map { entry, known in
      let isList = entry.missing == nil && entry.path.map { PlaylistFormat($0) != nil } ?? false
      let tracks = isList || entry.isDirectory ? [] : tracks(of: entry, known)
      return (entry, tracks.count == 1 ? tracks.first : nil)
    }
  }

  /// What the index says of the files of these entries, one for one.
  private func known(_ entries: [ResolvedEntry]) -> [Track?] {
    library?.tracks(at: entries.map { ($0.missing == nil ? $0.path : nil, $0.entry.segment) })
      ?? Array(repeating: nil, count: entries.count)
  }

  private func tracks(of entry: ResolvedEntry, _ known: Track?) -> [Track] {
    guard let path = entry.path else { return [] }
    if entry.missing == nil {
      if let parts = parts(path), !parts.isEmpty { return parts }
      // The index may have only parts of a file, or another one.
      if let track = known, track.segment == entry.entry.segment { return [track] }
      if entry.entry.segment == nil, let track = try? reader.track(at: path) { return [track] }
    }
    var track = Track(path: path, entry: entry.entry)
    track.audio = known?.audio
    return [track]
  }
}

extension Track {
  /// The track in the file at `path` as far as a playlist describes it.
  fileprivate init(path: FilePath, entry: PlaylistEntry) {
    self.init(path: path, title: entry.title ?? path.shownStem ?? path.shown)
    artists = entry.artist.map { [$0] } ?? []
    album = entry.album
    albumArtists = entry.albumArtist.map { [$0] } ?? []
    genres = entry.genre.map { [$0] } ?? []
    number = entry.number.map { Ordinal($0) }
    duration = entry.duration
    segment = entry.segment
  }
}

/// A playlist as something to play.
public struct LoadedPlaylist: Sendable, Equatable {
  /// The tracks in order, under the playlist's title or its file's name. Files that are missing are in it, as the
  /// playlist describes them; addresses, and what is out of reach, are not.
  public var collection: TrackCollection
  /// The entries that cannot be played, in order.
  public var problems: [ResolvedEntry]
  /// How many of the entries can be.
  public var foundCount: Int
}
