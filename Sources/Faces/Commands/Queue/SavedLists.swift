// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import MusicModel
import Platform
import Playlists
import Screens
import Synchronization
import SystemPackage
import Tagging
import Terminal
import UnicodeText
import UserSettings

/// Access to the saved playlists of a library, and to playlists that the user names by their path.
struct SavedLists {
  let directory: PlaylistDirectory
  private let loader: PlaylistLoader

  /// Creates access to the playlists in the directory `chosen` or, if that is `nil`, in the playlist directory of the
  /// library. If `index` is not `nil`, it provides the tags of files.
  ///
  /// The entries of playlists may be files anywhere on the disk, since the user names the playlist.
  init(_ request: LibraryRequest, chosen: FilePath?, index: (any BrowsableLibrary)?, probe: AudioProbe?) {
    directory = PlaylistDirectory(library: request.roots.first, chosen: chosen, reach: .anywhere)
    loader = PlaylistLoader(reach: .anywhere, roots: request.roots, library: index, probe: probe)
  }

  /// Returns the tracks of a playlist. `name` is the name of a saved playlist, or the path of a playlist file.
  ///
  /// - Throws: `CommandError` if there is no such playlist, or if it cannot be read.
  func load(_ name: String) throws(CommandError) -> LoadedPlaylist {
    try Self.convertingErrors { () throws(PlaylistError) in
      if let path = Self.path(name) { return try loader.load(path) }
      let (list, playlist) = try directory.load(name)
      var loaded = try loader.tracks(of: playlist, at: list.path)
      // A saved playlist has its name as its title.
      loaded.collection.title = list.name
      return loaded
    }
  }

  /// Returns the saved playlist `name`, and the path of the track of each entry; `nil` for one without a track or with
  /// several.
  ///
  /// - Throws: `CommandError` if the playlist cannot be read.
  func entries(of name: String) throws(CommandError) -> (playlist: Playlist, paths: [FilePath?]) {
    try Self.convertingErrors { () throws(PlaylistError) in
      let (list, playlist) = try directory.load(name)
      return (playlist, try loader.entries(of: playlist, at: list.path).map { $0.track?.path })
    }
  }

  /// Saves `tracks` as a playlist. `name` is the name of a saved playlist, or the path of a file.
  ///
  /// - Throws: `CommandError` if the playlist exists and `replaces` is `false`, or if it cannot be written.
  func save(_ tracks: [Track], as name: String, replaces: Bool) throws(CommandError) {
    let playlist = Playlist(entries: tracks.map { PlaylistEntry($0) })
    try Self.convertingErrors { () throws(PlaylistError) in
      if let path = Self.path(name) {
        if !replaces, (try? FileStatus(of: path, followingLinks: false)) != nil { throw .exists(name, path) }
        try PlaylistWriter.write(playlist, to: path)
      } else {
        try directory.save(playlist, as: name, replaces: replaces)
      }
    }
  }

  /// Appends `tracks` to the saved playlist `name`, which is created if there is none.
  ///
  /// - Returns: The new number of tracks.
  /// - Throws: `CommandError` if the playlist cannot be read or written.
  func append(_ tracks: [Track], to name: String) throws(CommandError) -> Int {
    let entries = tracks.map { PlaylistEntry($0) }
    return try Self.convertingErrors { () throws(PlaylistError) in
      do throws(PlaylistError) {
        return try directory.append(entries, to: name)
      } catch .noList {
        try directory.save(Playlist(entries: entries), as: name)
        return entries.count
      }
    }
  }

  /// Runs `body`, and converts its errors to `CommandError`.
  static func convertingErrors<Value>(_ body: () throws(PlaylistError) -> Value) throws(CommandError) -> Value {
    do throws(PlaylistError) { return try body() } catch { throw CommandError(error) }
  }

  /// Returns the path that `name` stands for; `nil` if it is the name of a saved playlist. A name without a slash is a
  /// path if it has the suffix of a playlist and the file exists.
  static func path(_ name: String) -> FilePath? {
    if let path = FilePath(fileURI: name) { return path }
    if name.contains("/") || name.hasPrefix("~") { return FilePath(typed: name) }
    let path = FilePath(typed: name)
    return PlaylistFormat(path) != nil && (try? FileStatus(of: path))?.kind == .regular ? path : nil
  }
}

extension CommandError {
  /// Creates the error for a playlist that cannot be used.
  init(_ error: PlaylistError) {
    switch error {
    case .notFound: self.init(.notFound, "\(error); use `segue queue lists` to list the playlists")
    case .noList(_, _, let suggestion):
      let hint = suggestion.map { "did you mean \"\($0)\"?" } ?? "use `segue queue lists` to list the playlists"
      self.init(.notFound, "\(error); \(hint)")
    case .ambiguous(let text, let names):
      self.init(.ambiguous, error.description, choices: names, ambiguousText: text)
    case .unusableName: self.init(.usage, error.description)
    case .exists: self.init(.failure, "\(error); use --force to replace it")
    case .notAFile, .unreadable, .unwritable, .tooLarge, .tooManyEntries, .notAPlaylist, .malformed:
      self.init(.failure, error.description)
    }
  }
}

extension ResolvedEntry {
  /// The reason why the entry cannot be played, with the title or path that the user knows; `nil` if it can be played.
  var problem: LibraryProblem? {
    missing.map { reason in
      LibraryProblem(
        path: path ?? FilePath(entry.title ?? "an entry of \(playlist)"), reason: .entry(reason.description))
    }
  }
}

extension Session {
  /// Returns access to the saved playlists of the library of `request`.
  func lists(_ request: LibraryRequest) -> SavedLists {
    let isOpen = openFlow?.request == request
    return SavedLists(
      request, chosen: settings.playlists,
      index: isOpen ? openFlow?.index : try? services.library.open(request),
      probe: services.library.scanner.probe)
  }

  /// Prints the entries of a playlist that cannot be played: the first 20, or all in verbose style.
  func report(_ problems: [ResolvedEntry]) {
    let limit = outputStyle.isVerbose ? .max : 20
    for problem in problems.lazy.compactMap(\.problem).prefix(limit) { printError("segue: \(problem)") }
    if problems.count > limit {
      printError("segue: … and \(problems.count - limit) more that cannot be played")
    }
  }
}

/// Notifies the server of this process when a command has changed a saved playlist. Safe to use from any thread.
final class ListChanges: Sendable {
  private let handler = Mutex<(@Sendable () -> Void)?>(nil)

  /// Calls `handle` after each change from now on, replacing the previous handler.
  func observe(_ handle: @escaping @Sendable () -> Void) { handler.withLock { $0 = handle } }

  /// Reports that a playlist was created, changed or removed.
  func note() { handler.withLock { $0 }?() }
}

extension Session {
  /// Returns the name of the playlist that has the number `text` in the last listing. Returns `text` itself if there is
  /// no such playlist, or if a playlist of `directory` has that name.
  func listName(_ text: String, in directory: PlaylistDirectory) -> String {
    guard let reference = LastListing(in: stateDirectory).reference(text), reference.kind == .list,
      (try? directory.find(text)) == nil
    else { return text }
    return reference.name
  }
}

extension SavedPlaylist: ListedEntry {
  static var table: Table { Table(alignments: [.left, .right, .left], flexible: [0]) }
  static var headings: [String] { ["Playlist", "Tracks", "Format"] }

  var cells: [String] {
    [name, entryCount.map { ItemCount.text($0, "track") } ?? "unreadable", format.rawValue]
  }

  var plain: PlainLine {
    PlainLine(name).adding(entryCount.map { ItemCount.text($0, "track") } ?? "unreadable")
      .adding(format.rawValue, as: "format")
  }

  var role: Palette.Role? { entryCount == nil ? .error : nil }

  var reference: ListedReference? {
    var reference = ListedReference(.list, name: name)
    reference.path = path.systemBytes
    return reference
  }

  var object: ListedObject {
    var object = ListedObject(.list)
    object.name = name
    object.tracks = entryCount
    object.setPath(path)
    return object
  }
}

/// A track of a saved playlist in a listing.
struct ListedTrack: ListedEntry {
  static var table: Table { Table(alignments: [.right, .left, .left, .left, .right], flexible: [1, 2, 3]) }
  static var headings: [String] { ["No.", "Title", "Artist", "Album", "Time"] }

  /// The position of the track in the playlist, counted from 0.
  let position: Int
  let track: Track
  let isMissing: Bool

  var cells: [String] {
    [
      "\(position + 1)", track.title, track.artists.joined(separator: ", "), track.album ?? "",
      isMissing ? "missing" : TimeText.text(track.duration),
    ]
  }

  var plain: PlainLine { PlainLine(track: track, number: position + 1, marks: [(isMissing, "missing")]) }

  var role: Palette.Role? { isMissing ? .error : nil }

  var object: ListedObject {
    var object = ListedObject(.track)
    object.position = position + 1
    object.isMissing = isMissing
    object.setTrack(track)
    return object
  }
}
