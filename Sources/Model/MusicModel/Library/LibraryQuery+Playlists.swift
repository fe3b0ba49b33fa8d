// SPDX-License-Identifier: GPL-3.0-or-later

/// The playlists that a query names.
extension LibraryQuery {
  /// Whether the query names a playlist.
  public var namesPlaylists: Bool {
    switch self {
    case .everything, .text, .number, .date, .tracks: false
    case .playlist: true
    case .not(let inner): inner.namesPlaylists
    case .all(let parts), .any(let parts): parts.contains(where: \.namesPlaylists)
    }
  }

  /// Returns the query with the tracks of playlists, which `tracks` returns, in place of their names.
  public func replacingPlaylists<Failure>(
    _ tracks: (String) throws(Failure) -> [Int64]
  ) throws(Failure) -> LibraryQuery {
    guard namesPlaylists else { return self }
    func replaced(_ parts: [LibraryQuery]) throws(Failure) -> [LibraryQuery] {
      var replaced: [LibraryQuery] = []
      for part in parts { replaced.append(try part.replacingPlaylists(tracks)) }
      return replaced
    }
    return switch self {
    case .playlist(let name): .tracks(try tracks(name).sorted())
    case .not(let inner): try inner.replacingPlaylists(tracks).negation
    case .all(let parts): .conjunction(try replaced(parts))
    case .any(let parts): .disjunction(try replaced(parts))
    case .everything, .text, .number, .date, .tracks: self
    }
  }
}
