import MusicLibrary
import MusicModel
import SystemPackage

/// Finds the tracks that clients name.
protocol TrackSource: Sendable {
  /// The tracks of the file or directory that `uri` names, in order; none where nothing is there that `client` may have.
  func tracks(uri: String, client: ClientState) throws(ProtocolError) -> TrackList
  /// The tracks of which a filter is true.
  func tracks(filter words: [String], isExact: Bool) throws(ProtocolError) -> TrackList
}

/// Finds tracks in the index of a library.
struct IndexedTracks: TrackSource {
  let index: IndexedLibrary

  func tracks(uri: String, client: ClientState) throws(ProtocolError) -> TrackList {
    if uri.isEmpty || uri == "/" { return try tracks(.everything) }
    guard let path = SongURI.path(uri), var relative = Optional(path), !path.isEmpty else { return [] }
    if path.isAbsolute, !client.isLocal || !relative.removePrefix(index.root) { return [] }
    return try tracks(.text(.path, TextPattern(relative.string, kind: .exact)))
  }

  func tracks(filter words: [String], isExact: Bool) throws(ProtocolError) -> TrackList {
    throw ProtocolError(.argument, "Unknown filter type")
  }

  private func tracks(_ query: LibraryQuery) throws(ProtocolError) -> TrackList {
    do throws(LibraryFault) {
      let page = try index.tracks(query, order: LibraryOrder(.album), window: .init())
      return TrackList(page.elements.lazy.map(\.track))
    } catch {
      throw ProtocolError(.system, error.description)
    }
  }
}

extension CommandContext {
  /// The tracks of the file or directory that `uri` names.
  func tracks(uri: String) throws(ProtocolError) -> TrackList {
    try trackSource.tracks(uri: uri, client: client)
  }

  /// The one track that `uri` names.
  func track(uri: String) throws(ProtocolError) -> Track? {
    let tracks = try tracks(uri: uri)
    guard tracks.count == 1, let track = tracks.first else { return nil }
    let name = SongURI.path(uri)
    return SongURI.path(SongURI.text(track, root: try library.index.root)) == name || track.path == name
      ? track : nil
  }

  private var trackSource: any TrackSource {
    get throws(ProtocolError) { IndexedTracks(index: try library.index) }
  }
}
