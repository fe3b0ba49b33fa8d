// SPDX-License-Identifier: GPL-3.0-or-later

package import LibraryScanning
package import MusicModel
import Platform
package import Playlists
package import SystemPackage
package import Tagging

/// Access to the saved playlists of a library, and to playlists that the user names by their path.
package struct SavedLists {
  package var directory: PlaylistDirectory
  private let loader: PlaylistLoader
  private let index: (any BrowsableLibrary)?

  /// Creates access to the playlists in the directory `chosen` or, if that is `nil`, in the playlist directory of the
  /// library in `roots`. If `index` is not `nil`, it provides the tags of files.
  ///
  /// The entries of playlists may be files anywhere on the disk, since the user names the playlist.
  package init(_ roots: LibraryRoots, chosen: FilePath?, index: (any BrowsableLibrary)?, probe: AudioProbe?) {
    directory = PlaylistDirectory(library: roots.first, chosen: chosen, reach: .anywhere)
    loader = PlaylistLoader(reach: .anywhere, roots: roots, library: index, probe: probe)
    self.index = index
  }

  /// Returns the tracks of a playlist. `name` is the name of a saved playlist, or the path of a playlist file.
  ///
  /// - Throws: `PlayerError` if there is no such playlist, or if it cannot be read.
  package func load(_ name: String) throws(PlayerError) -> LoadedPlaylist {
    if let smart = try smart(name) {
      let tracks = try LocalPlayer.reading { () throws(LibraryError) in try smart.index.tracks(withIDs: smart.ids) }
      return LoadedPlaylist(
        collection: TrackCollection(title: smart.name, tracks: tracks), problems: [], foundCount: tracks.count)
    }
    return try Self.convertingErrors { () throws(PlaylistError) in
      if let path = Self.path(name) { return try loader.load(path) }
      let (list, playlist) = try directory.load(name)
      var loaded = try loader.tracks(of: playlist, at: list.path)
      // A saved playlist has its name as its title.
      loaded.collection.title = list.name
      return loaded
    }
  }

  /// Returns at most `limit` tracks of a playlist from the one at `offset` on, and the number of all. Of a smart
  /// playlist, only these tracks are read.
  ///
  /// - Throws: `PlayerError` if there is no such playlist, or if it cannot be read.
  func page(
    of name: String, offset: Int, limit: Int?
  ) throws(PlayerError) -> (tracks: [TrackRow], count: Int) {
    let (offset, limit) = (max(0, offset), max(0, limit ?? .max))
    if let smart = try smart(name) {
      let shown = Array(smart.ids.dropFirst(offset).prefix(limit))
      let tracks = try LocalPlayer.reading { () throws(LibraryError) in try smart.index.tracks(withIDs: shown) }
      return (tracks.map { TrackRow($0) }, smart.ids.count)
    }
    let loaded = try load(name)
    let missing = Set(loaded.problems.compactMap(\.path))
    let tracks = loaded.collection.tracks
    let shown = tracks.dropFirst(offset).prefix(limit).map { TrackRow($0, isMissing: missing.contains($0.path)) }
    return (shown, tracks.count)
  }

  /// A smart playlist with the IDs of its tracks.
  private struct Smart {
    let name: String
    let index: any BrowsableLibrary
    let ids: [Int64]
  }

  /// Finds the tracks of the smart playlist `name`; returns `nil` if `name` is that of another playlist.
  private func smart(_ name: String) throws(PlayerError) -> Smart? {
    guard try isSmart(name) else { return nil }
    guard let index else { throw PlayerError(.failure, "smart playlists need a library; use `segue scan` first") }
    let list = try Self.convertingErrors { () throws(PlaylistError) in try directory.find(name) }
    let ids = try LocalPlayer.reading { () throws(LibraryError) in try index.trackIDs(ofSmartPlaylist: name) }
    return Smart(name: list.name, index: index, ids: ids)
  }

  /// Returns whether `name` is that of a smart playlist.
  func isSmart(_ name: String) throws(PlayerError) -> Bool {
    if Self.path(name) != nil { return false }
    return try Self.convertingErrors { () throws(PlaylistError) in try directory.find(name).isSmart }
  }

  /// Returns the saved playlist `name`, and the path of the track of each entry; `nil` for one without a track or with
  /// several.
  ///
  /// - Throws: `PlayerError` if the playlist cannot be read.
  package func entries(of name: String) throws(PlayerError) -> (playlist: Playlist, paths: [FilePath?]) {
    try Self.convertingErrors { () throws(PlaylistError) in
      let (list, playlist) = try directory.load(name)
      return (playlist, try loader.entries(of: playlist, at: list.path).map { $0.track?.path })
    }
  }

  /// Saves `tracks` as a playlist. `name` is the name of a saved playlist, or the path of a file.
  ///
  /// - Throws: `PlayerError` if the playlist exists and `replaces` is `false`, or if it cannot be written.
  package func save(_ tracks: [Track], as name: String, replaces: Bool) throws(PlayerError) {
    let playlist = Playlist(entries: tracks.map { PlaylistEntry($0) })
    try Self.convertingErrors { () throws(PlaylistError) in
      if let path = Self.path(name) {
        if !replaces, (try? FileStatus(of: path, followingLinks: false)) != nil { throw .exists(name, path) }
        try PlaylistChange.recording(path, directory.onChange) { () throws(PlaylistError) in
          try PlaylistWriter.write(playlist, to: path)
        }
      } else {
        try directory.save(playlist, as: name, replaces: replaces)
      }
    }
  }

  /// Appends `tracks` to the saved playlist `name`, which is created if there is none.
  ///
  /// - Returns: The new number of tracks.
  /// - Throws: `PlayerError` if the playlist cannot be read or written.
  package func append(_ tracks: [Track], to name: String) throws(PlayerError) -> Int {
    let entries = tracks.map { PlaylistEntry($0) }
    return try Self.convertingErrors { () throws(PlaylistError) in
      do throws(PlaylistError) {
        return try directory.edit(name, [.insert(entries, at: nil)])
      } catch .noList {
        try directory.save(Playlist(entries: entries), as: name)
        return entries.count
      }
    }
  }

  /// Runs `body`, and converts its errors to `PlayerError`.
  package static func convertingErrors<Value>(_ body: () throws(PlaylistError) -> Value) throws(PlayerError) -> Value {
    do throws(PlaylistError) { return try body() } catch { throw PlayerError(error) }
  }

  /// Returns the path that `name` stands for; `nil` if it is the name of a saved playlist. A name without a slash is a
  /// path if it has the suffix of a playlist and the file exists.
  package static func path(_ name: String) -> FilePath? {
    if let path = FilePath(fileURI: name) { return path }
    if name.contains("/") || name.hasPrefix("~") { return FilePath(typed: name) }
    let path = FilePath(typed: name)
    return PlaylistFormat(path) != nil && (try? FileStatus(of: path))?.kind == .regular ? path : nil
  }
}

extension PlayerError {
  /// Creates the error for a playlist that cannot be used.
  package init(_ error: PlaylistError) {
    switch error {
    case .notFound: self.init(.notFound, "\(error); use `segue playlist list` to list the playlists")
    case .noList(_, _, let suggestion):
      let hint = suggestion.map { "did you mean \"\($0)\"?" } ?? "use `segue playlist list` to list the playlists"
      self.init(.notFound, "\(error); \(hint)")
    case .ambiguous(let text, let names):
      self.init(.ambiguous, error.description, choices: names, ambiguousText: text)
    case .unusableName: self.init(.usage, error.description)
    case .exists: self.init(.failure, "\(error); use --force to replace it")
    case .notAFile, .unreadable, .unwritable, .tooLarge, .tooManyEntries, .notAPlaylist, .malformed, .invalid, .smart,
      .noPosition, .changed:
      self.init(.failure, error.description)
    }
    playlistProblem = PlaylistProblem(error)
  }
}

extension ResolvedEntry {
  /// The reason why the entry cannot be played, with the title or path that the user knows; `nil` if it can be played.
  package var problem: LibraryProblem? {
    missing.map { reason in
      let isBeside = nearest?.removingLastComponent() == path?.removingLastComponent()
      let name = nearest.map { isBeside ? $0.lastComponent?.string ?? $0.shown : $0.shown }
      return LibraryProblem(
        path: path ?? FilePath(entry.title ?? "an entry of \(playlist)"),
        reason: .entry(reason.description + (name.map { " (nearest: \($0))" } ?? "")))
    }
  }
}
