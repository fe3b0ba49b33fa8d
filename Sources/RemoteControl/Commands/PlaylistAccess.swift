import MusicLibrary
import MusicModel
import SystemPackage

/// The stored playlists of the library, as a client may use them.
///
/// What changes them runs on the one thread that edits: two clients that change a list at the same time lose nothing.
struct PlaylistAccess: Sendable {
  let directory: PlaylistDirectory
  /// Makes tracks of what lists say.
  private let loader: PlaylistLoader

  /// The lists, for the client of `context`.
  init(_ context: CommandContext) throws(ProtocolError) {
    let library = try context.library
    let roots = library.index.roots
    directory = PlaylistDirectory(library: roots.first, chosen: library.playlists)
    // The owner may have what is anywhere in a list; whoever comes through the network must not reach it.
    loader = PlaylistLoader(
      reach: context.client.isLocal ? .anywhere : .library(roots), library: library.index)
  }

  /// The lists that there are, and what they are called: with their suffix, where several have the same name.
  func all() throws(ProtocolError) -> [(name: String, list: SavedPlaylist)] {
    let lists = try explained { () throws(PlaylistError) in try directory.lists(countsEntries: false) }
    let counts = Dictionary(lists.map { ($0.name.lowercased(), 1) }, uniquingKeysWith: +)
    return lists.compactMap { list in
      let isAlone = counts[list.name.lowercased()] == 1
      let name = isAlone ? list.name : list.path.lastComponent?.string ?? list.name
      // What cannot stand in a line cannot be asked for, either.
      return name.unicodeScalars.contains { $0.value < 0x20 } ? nil : (name, list)
    }
  }

  /// The lines that tell the lists that there are.
  func listing() throws(ProtocolError) -> Response {
    var response = Response()
    for (name, list) in try all() {
      response.add("playlist", name)
      if let time = Timestamp.text(nanoseconds: list.modificationTime) { response.add("Last-Modified", time) }
    }
    return response
  }

  /// What the list `name` says.
  func load(_ name: String) throws(ProtocolError) -> (list: SavedPlaylist, playlist: Playlist) {
    try explained { () throws(PlaylistError) in try directory.load(name) }
  }

  /// The tracks of the entries of the list `name` in `range`.
  func tracks(_ name: String, _ range: ProtocolRange) throws(ProtocolError) -> TrackList {
    var (list, playlist) = try load(name)
    playlist.entries = Array(playlist.entries[range.clamped(to: playlist.entries.count)])
    let part = playlist
    return try explained { () throws(PlaylistError) in
      try loader.tracks(of: part, at: list.path).collection.tracks
    }
  }

  /// Each of `entries` of the list at `path`, with its track where it has one.
  func described(
    _ entries: ArraySlice<PlaylistEntry>, at path: FilePath
  ) throws(ProtocolError) -> [(entry: ResolvedEntry, track: Track?)] {
    try explained { () throws(PlaylistError) in
      try loader.entries(of: Playlist(entries: Array(entries)), at: path)
    }
  }

  /// Does what `body` says, and says its errors as the protocol does.
  func explained<Value>(
    _ body: () throws(PlaylistError) -> Value
  ) throws(ProtocolError) -> Value {
    do throws(PlaylistError) { return try body() } catch { throw ProtocolError(error) }
  }
}

extension ProtocolError {
  /// What to say of a playlist: without the paths of this machine.
  init(_ error: PlaylistError) {
    switch error {
    case .noList, .notFound: self.init(.noExist, "No such playlist")
    case .exists: self.init(.exists, "Playlist already exists")
    case .unusableName(_, let reason): self.init(.argument, "Bad playlist name: \(reason)")
    case .ambiguous: self.init(.argument, error.description)
    case .tooManyEntries, .tooLarge: self.init(.playlistTooLarge, "Stored playlist is too large")
    case .notAPlaylist, .notAFile: self.init(.playlistLoad, "Not a playlist")
    case .malformed(_, let line, let reason):
      self.init(.playlistLoad, "The playlist is damaged in line \(line): \(reason)")
    case .unreadable(_, let code): self.init(.system, "Cannot read the playlist: \(code)")
    case .unwritable(_, let code): self.init(.system, "Cannot write the playlist: \(code)")
    }
  }
}
