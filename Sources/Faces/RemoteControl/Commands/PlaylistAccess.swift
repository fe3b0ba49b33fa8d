// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import PlayerPort
import Playlists
import SystemPackage
import Tagging

/// Access to the stored playlists and to the playlists and cue sheets of the library, within the rights of a client.
struct PlaylistAccess: Sendable {
  /// What the name of a playlist refers to.
  enum Contents {
    /// A playlist, and the file in which it is stored.
    case playlist(Playlist, FilePath)
    /// The tracks of a cue sheet or a smart playlist.
    case tracks([Track])
  }

  private let directory: PlaylistDirectory
  /// Finds the tracks to which the entries of playlists refer.
  private let loader: PlaylistLoader
  private let index: any BrowsableLibrary
  private let finder: LibraryTracks

  /// Creates access for the client of `context`.
  init(_ context: CommandContext) throws(ProtocolError) {
    let library = try context.library
    index = library.index
    finder = try LibraryTracks(context)
    directory = PlaylistDirectory(library: index.roots.first, chosen: library.playlists, reach: finder.reach)
    loader = PlaylistLoader(reach: finder.reach, library: library.index)
  }

  /// The directory of the stored playlists.
  var directoryPath: FilePath { directory.path }

  /// Returns all stored playlists with their names in the protocol. If playlists differ only in the file name
  /// extension, their names include it.
  func all() throws(ProtocolError) -> [(name: String, list: SavedPlaylist)] {
    let lists = try translatingErrors { () throws(PlaylistError) in try directory.lists(countsEntries: false) }
    let counts = Dictionary(lists.map { ($0.name.lowercased(), 1) }, uniquingKeysWith: +)
    return lists.compactMap { list in
      let isUnique = counts[list.name.lowercased()] == 1
      let name = isUnique ? list.name : list.path.lastComponent?.string ?? list.name
      // A name with control characters cannot be written in a line, and so cannot be requested either.
      return name.unicodeScalars.contains { $0.value < 0x20 } ? nil : (name, list)
    }
  }

  /// Returns the response lines that list all stored playlists.
  func listing() throws(ProtocolError) -> Response {
    var response = Response()
    for (name, list) in try all() {
      response.add("playlist", name)
      if let time = Timestamp.text(nanoseconds: list.modificationTime) { response.add("Last-Modified", time) }
    }
    return response
  }

  /// Returns the contents to which `name` refers: a stored playlist or, if there is none, a playlist or cue sheet in
  /// the library.
  func contents(_ name: String) throws(ProtocolError) -> Contents {
    let path = file(name)
    do throws(PlaylistError) {
      if let path, name.contains("/") { return try contents(at: path) }
      do throws(PlaylistError) {
        if try directory.find(name).isSmart { return .tracks(try smartTracks(name)) }
        let (list, playlist) = try directory.load(name)
        return .playlist(playlist, list.path)
      } catch {
        guard let path else { throw error }
        return try contents(at: path)
      }
    } catch {
      throw ProtocolError(error)
    }
  }

  private func smartTracks(_ name: String) throws(PlaylistError) -> [Track] {
    do throws(LibraryError) { return Array(try index.tracks(ofSmartPlaylist: name)) } catch {
      throw .invalid(directory.path, reason: error.description)
    }
  }

  private func contents(at path: FilePath) throws(PlaylistError) -> Contents {
    guard LibraryScanner.isSheet(path) else {
      return .playlist(try PlaylistReader.read(path, reach: finder.reach), path)
    }
    do throws(LibraryScannerError) { return .tracks(try index.tracks(ofSheet: path, reach: finder.reach)) } catch {
      switch error {
      case .notFound: throw .notFound(path)
      case .unreadable(_, let code): throw .unreadable(path, code)
      case .notADirectory, .unplayable, .failed: throw .notAPlaylist(path)
      }
    }
  }

  /// Returns the file of the playlist or cue sheet with the path `name` in the library. Returns `nil` if there is none,
  /// or if the client must not read it.
  private func file(_ name: String) -> FilePath? {
    guard let name = LibraryName(name), let path = index.roots.absolute(name.path),
      PlaylistFormat(path) != nil || LibraryScanner.isSheet(path),
      finder.reach.file(path, isBesideMusic: true) != nil
    else { return nil }
    return path
  }

  /// Returns the response lines that list the playlists and cue sheets that the client may read in the directory at
  /// `path`, which is relative to the library.
  func listing(in path: FilePath) -> Response { listing(in: path, finder.reach) }

  private func listing(in path: FilePath, _ reach: FileReach) -> Response {
    var response = Response()
    guard let directory = index.roots.absolute(path), let resolved = reach.resolve(directory),
      let listing = try? DirectoryListing(of: resolved)
    else { return response }
    for entry in listing.entries {
      let file = directory.appending(entry.name)
      guard PlaylistFormat(file) != nil || LibraryScanner.isSheet(file),
        let (_, status) = reach.file(file, isBesideMusic: true)
      else { continue }
      response.add("playlist", SongURI.text(relative: path.appending(entry.name)))
      if let time = Timestamp.text(nanoseconds: status.modificationTime) { response.add("Last-Modified", time) }
    }
    return response
  }

  /// Returns whether the directory at `path`, which is relative to the library, contains playlists or cue sheets that
  /// the client may read, inside the library. It can be used in a query of the index.
  func hasPlaylists(_ path: FilePath) -> Bool { listing(in: path, finder.reach.withoutIndex).count > 0 }

  /// Returns what `uri` refers to, which may also be a directory of the library that contains only playlists.
  ///
  /// - Throws: `noExist` if there is no such file or directory.
  func resolve(_ uri: String) throws(ProtocolError) -> LibraryTracks.Target {
    do throws(ProtocolError) { return try finder.resolve(uri) } catch {
      guard let path = finder.name(uri)?.path,
        try index.browsing({ try $0.hasDirectory(in: path, where: hasPlaylists) }) == true
      else { throw error }
      return .directory(path)
    }
  }

  /// Returns the tracks of the entries in `range` of the playlist or cue sheet `name`.
  ///
  /// - Throws: `noExist` if there is no playlist or cue sheet with this name, or if none of the tracks is found.
  func tracks(_ name: String, _ range: ProtocolRange) throws(ProtocolError) -> TrackList {
    switch try contents(name) {
    case .tracks(let tracks): return TrackList(tracks[range.clamped(to: tracks.count)])
    case .playlist(var playlist, let path):
      playlist.entries = Array(playlist.entries[range.clamped(to: playlist.entries.count)])
      let part = playlist
      let loaded = try translatingErrors { () throws(PlaylistError) in try loader.tracks(of: part, at: path) }
      guard loaded.foundCount > 0 || part.entries.isEmpty else {
        throw ProtocolError(.noExist, "None of the playlist's songs can be found")
      }
      return loaded.collection.tracks
    }
  }

  /// Returns the number of entries of the playlist or cue sheet `name`, and the sum of their known durations.
  func length(_ name: String) throws(ProtocolError) -> (count: Int, duration: Duration) {
    switch try contents(name) {
    case .tracks(let tracks): return (tracks.count, tracks.reduce(.zero) { $0 + ($1.duration ?? .zero) })
    case .playlist(let playlist, let path):
      var (rest, duration) = (playlist.entries[...], Duration.zero)
      while !rest.isEmpty {
        for (_, track) in try resolved(rest.prefix(256), at: path) { duration += track?.duration ?? .zero }
        rest = rest.dropFirst(256)
      }
      return (playlist.entries.count, duration)
    }
  }

  /// Returns each of `entries`, from the playlist at `path`, with its track; the track is `nil` if it is not found.
  func resolved(
    _ entries: ArraySlice<PlaylistEntry>, at path: FilePath
  ) throws(ProtocolError) -> [(entry: ResolvedEntry, track: Track?)] {
    try translatingErrors { () throws(PlaylistError) in
      try loader.entries(of: Playlist(entries: Array(entries)), at: path)
    }
  }

  /// Calls `body`, and translates its errors to errors of the protocol.
  func translatingErrors<Value>(
    _ body: () throws(PlaylistError) -> Value
  ) throws(ProtocolError) -> Value {
    do throws(PlaylistError) { return try body() } catch { throw ProtocolError(error) }
  }
}

extension ProtocolError {
  /// Creates the error that a client gets for an error with a playlist. It does not reveal paths on this machine.
  init(_ error: PlaylistError) { self.init(PlaylistProblem(error)) }

  init(_ problem: PlaylistProblem) {
    switch problem {
    case .missing: self.init(.noExist, "No such playlist")
    case .exists: self.init(.exists, "Playlist already exists")
    case .unusableName(let reason): self.init(.argument, "Bad playlist name: \(reason)")
    case .ambiguous(let text): self.init(.argument, text)
    case .noPosition: self.init(.argument, "Bad position")
    case .changed: self.init(.system, "The playlist has changed")
    case .tooLarge: self.init(.playlistTooLarge, "Stored playlist is too large")
    case .notAPlaylist: self.init(.playlistLoad, "Not a playlist")
    case .malformed(let line, let reason):
      self.init(.playlistLoad, "The playlist is damaged at line \(line): \(reason)")
    case .unreadable(let code): self.init(.system, "Cannot read the playlist: \(code)")
    case .unwritable(let code): self.init(.system, "Cannot write the playlist: \(code)")
    }
  }
}
