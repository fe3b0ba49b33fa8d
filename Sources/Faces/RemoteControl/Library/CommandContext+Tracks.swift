import MusicModel

extension CommandContext {
  /// The tracks of the file or directory that `uri` names.
  func tracks(uri: String) throws(ProtocolError) -> TrackList {
    try LibraryTracks(self).tracks(uri: uri).tracks
  }

  /// The one track that `uri` names; `nil` where it names none, or a directory.
  func track(uri: String) throws(ProtocolError) -> Track? {
    let places = try LibraryTracks(self)
    do throws(ProtocolError) {
      if case .directory = try places.place(uri) { return nil }
      let tracks = try places.tracks(uri: uri).tracks
      return tracks.count == 1 ? tracks.first : nil
    } catch {
      guard error.code == .noExist else { throw error }
      return nil
    }
  }

  /// The tracks that `request` finds.
  func tracks(_ request: FindRequest) throws(ProtocolError) -> TrackList {
    try LibraryTracks(self).tracks(matching: request.filter, order: request.order, range: request.window)
      .tracks
  }
}
