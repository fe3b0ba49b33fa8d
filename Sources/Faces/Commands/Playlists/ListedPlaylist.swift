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
  /// Changes or loads a saved playlist, and returns what has changed. If `limitsWarnings` is set, prints only the first
  /// 20 warnings, or all in verbose style.
  func change(
    _ request: PlaylistRequest, _ options: StateOptions, limitsWarnings: Bool = false
  ) throws -> ChangedPlaylist {
    warningLimit = limitsWarnings && !outputStyle.isVerbose ? 20 : nil
    defer { warningLimit = nil }
    guard case .playlistChanged(let changed) = try send(.playlist(request), to: .queue(options)) else {
      throw PlayerError.unexpectedReply
    }
    return changed
  }
}

extension ListedPlaylist: ListedEntry {
  static var table: Table { Table(alignments: [.left, .right, .left], flexible: [0]) }
  static var headings: [String] { ["Playlist", "Tracks", "Format"] }

  var cells: [String] { [name, count, format] }

  var plain: PlainLine { PlainLine(name).adding(count).adding(format, as: "format") }

  /// The number of entries; that of a smart playlist is not known without asking the library.
  private var count: String {
    entryCount.map { ItemCount.text($0, "track") } ?? (isUnreadable ? "unreadable" : "")
  }

  private var isUnreadable: Bool { entryCount == nil && format != Self.smart }

  var role: Palette.Role? { isUnreadable ? .error : nil }

  var reference: ListedReference? {
    var reference = ListedReference(.list, name: name)
    reference.path = path.path.systemBytes
    return reference
  }

  var object: ListedObject {
    var object = ListedObject(.list)
    object.name = name
    object.tracks = entryCount
    object.setPath(path.path)
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
      "\(position + 1)", track.title, track.artistCredit, track.album ?? "",
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
