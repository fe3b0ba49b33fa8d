// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel
import Platform
public import Playlists
public import SystemPackage
public import Tagging

/// Loads the tracks of playlists.
///
/// The tags of a file take precedence over the playlist's description of it. They come from the index if the file is in
/// it. For a missing file, the description is used.
public struct PlaylistLoader: Sendable {
  private let reach: FileReach
  private let roots: LibraryRoots?
  private let library: (any BrowsableLibrary)?
  private let names: LibraryFileNames?
  private let reader: TagReader
  private let parts: @Sendable (FilePath) -> [Track]?

  /// Creates a loader of playlists whose entries must be within `reach`.
  ///
  /// - Parameters:
  ///   - roots: The library's directories, below which relative paths are also searched for; by default those of
  ///     `library`.
  ///   - library: The library whose index is queried before files are opened.
  ///   - probe: Opens files whose audio the tag library does not understand.
  ///   - parts: Returns the tracks of a file that stands for others (a cue sheet), or `nil` for any other file.
  public init(
    reach: FileReach, roots: LibraryRoots? = nil, library: (any BrowsableLibrary)? = nil,
    probe: AudioProbe? = nil, parts: @escaping @Sendable (FilePath) -> [Track]? = { _ in nil }
  ) {
    self.reach = reach
    self.roots = roots ?? library?.roots
    self.library = library
    names = library?.fileNames
    self.parts = parts
    reader = TagReader(probe: probe)
  }

  /// Loads the playlist in the file at `path`. Blocks until the disk has been read; call it on any thread outside the
  /// cooperative pool.
  ///
  /// - Throws: If the playlist cannot be read.
  public func load(_ path: FilePath) throws(PlaylistError) -> LoadedPlaylist {
    try tracks(of: try PlaylistReader.read(path, reach: reach), at: path)
  }

  /// Returns the tracks of `playlist`, whose file is, or would be, at `path`. Blocks like ``load(_:)``.
  ///
  /// - Throws: `tooManyEntries`.
  public func tracks(of playlist: Playlist, at path: FilePath) throws(PlaylistError) -> LoadedPlaylist {
    let entries = try PlaylistResolver(reach: reach, roots: roots, library: names).entries(of: playlist, at: path)
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

  /// Returns the tracks below a directory from the index. If the index has none, and playlists may refer to any file,
  /// reads the tracks from disk.
  private func music(in directory: FilePath) -> [Track] {
    let known = library?.tracks(below: directory) ?? []
    guard known.isEmpty, reach.isAnywhere else { return known }
    let found = try? LibraryScanner(probe: reader.probe).collection(at: directory)
    return found.map { Array($0.collection.tracks) } ?? []
  }

  /// Returns the entries of `playlist`, whose file is, or would be, at `path`, each with its track. The track is `nil`
  /// if the entry has no track or several. Blocks like ``load(_:)``.
  ///
  /// - Throws: `tooManyEntries`.
  public func entries(
    of playlist: Playlist, at path: FilePath
  ) throws(PlaylistError) -> [(entry: ResolvedEntry, track: Track?)] {
    let resolver = PlaylistResolver(reach: reach, roots: roots, opensPlaylists: false, library: names)
    let entries = try resolver.entries(of: playlist, at: path)
    return zip(entries, known(entries)).map { entry, known in
      let isPlaylist = entry.missing == nil && !entry.isStream && entry.path.map { PlaylistFormat($0) != nil } ?? false
      let tracks = isPlaylist || entry.isDirectory ? [] : tracks(of: entry, known)
      return (entry, tracks.count == 1 ? tracks.first : nil)
    }
  }

  /// Returns the tracks in the index for the files of these entries, in the same order; `nil` for entries without one.
  private func known(_ entries: [ResolvedEntry]) -> [Track?] {
    library?.tracks(at: entries.map { ($0.missing == nil && !$0.isStream ? $0.path : nil, $0.entry.segment) })
      ?? Array(repeating: nil, count: entries.count)
  }

  private func tracks(of entry: ResolvedEntry, _ known: Track?) -> [Track] {
    guard let path = entry.path else { return [] }
    if entry.missing == nil, !entry.isStream {
      if let parts = parts(path), !parts.isEmpty { return parts }
      // The index may have only segments of the file, or a different segment.
      if let track = known, track.segment == entry.entry.segment { return [track] }
      if entry.entry.segment == nil, let track = try? reader.track(at: path) { return [track] }
    }
    var track = Track(path: path, entry: entry.entry)
    track.audio = known?.audio
    return [track]
  }
}

extension Track {
  /// Creates the track of the file at `path` from a playlist's description of it.
  fileprivate init(path: FilePath, entry: PlaylistEntry) {
    let address = StreamAddress(path)?.description
    // The title of a stream is often its address.
    let title = address == nil ? entry.title : entry.title.map(AddressSecrets.removed)
    self.init(path: path, title: title ?? address ?? path.shownStem ?? path.shown)
    artists = entry.artist.map { [$0] } ?? []
    album = entry.album
    albumArtists = entry.albumArtist.map { [$0] } ?? []
    genres = entry.genre.map { [$0] } ?? []
    number = entry.number.map { Ordinal($0) }
    duration = entry.duration
    segment = entry.segment
  }
}

/// The tracks of a playlist as a collection to play, and its problems.
public struct LoadedPlaylist: Sendable, Equatable {
  /// The tracks in order. The collection has the playlist's title or, if there is none, its file name. Missing files
  /// are included, as the playlist describes them; files out of reach are not.
  public var collection: TrackCollection
  /// The entries that cannot be played, in order.
  public var problems: [ResolvedEntry]
  /// The number of entries that can be played.
  public var foundCount: Int

  public init(collection: TrackCollection, problems: [ResolvedEntry], foundCount: Int) {
    (self.collection, self.problems, self.foundCount) = (collection, problems, foundCount)
  }
}
