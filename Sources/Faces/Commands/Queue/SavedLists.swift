// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import MusicModel
import Platform
import PlayerPort
import Playlists
import Screens
import Synchronization
import SystemPackage
import Terminal
import UnicodeText
import UserSettings

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
