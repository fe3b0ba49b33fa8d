// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
package import Playlists
import UnicodeText

/// A change of a saved playlist by a client of a protocol, which uses names and positions exactly. Positions are
/// counted from 0. If it fails, the error has a ``PlaylistProblem``.
package enum ClientPlaylistRequest: Codable, Sendable, Equatable {
  /// How the queue is saved.
  package enum SaveMode: String, Codable, Sendable {
    /// As a new playlist.
    case create
    /// At the end of an existing playlist.
    case append
    /// In place of the entries of an existing playlist.
    case replace
  }

  case save(String, SaveMode)
  /// Insert tracks at this position; `nil` for the end. A playlist that does not exist is created.
  case add(KnownTracks, to: String, at: Int?)
  /// Remove the entries at these positions. The range may begin at the end and reach beyond it.
  case remove(Range<Int>, from: String)
  /// Move the entries at these positions, so that the first of them is at `to`.
  case move(Range<Int>, to: Int, in: String)
  case clear(String)
  /// Give a playlist another name, which must not be its own.
  case rename(String, to: String)
  case delete(String)

  /// The name under which the change can be undone.
  var changeName: String {
    switch self {
    case .save(let name, let mode): mode == .append ? "append the queue to \(name)" : "save \(name)"
    case .add(let music, let name, _): "append \(ItemCount.text(music.collection.tracks.count, "track")) to \(name)"
    case .remove(let range, let name):
      range.count > Playlist.entryLimit
        ? "remove tracks from \(name)" : "remove \(ItemCount.text(range.count, "track")) from \(name)"
    case .move(let range, _, let name): "move \(ItemCount.text(range.count, "track")) in \(name)"
    case .clear(let name): "clear \(name)"
    case .rename(let name, let newName): "rename \(name) to \(newName)"
    case .delete(let name): "delete \(name)"
    }
  }
}

/// The saved playlists that a client of a protocol may change.
package struct ClientPlaylists: Codable, Sendable, Equatable {
  /// The directories of the library.
  package var roots: [PathText]
  /// The directory of the playlists; `nil` for the one in the library.
  package var directory: PathText?
  /// Whether links may stand for files outside the library.
  package var mayLeaveLibrary: Bool

  package init(roots: [PathText], directory: PathText?, mayLeaveLibrary: Bool) {
    (self.roots, self.directory, self.mayLeaveLibrary) = (roots, directory, mayLeaveLibrary)
  }
}

/// What is wrong with a saved playlist, for clients of protocols, which have codes for it. It does not reveal paths.
package enum PlaylistProblem: Codable, Sendable, Equatable {
  case missing
  case exists
  case unusableName(reason: String)
  /// Several playlists have the name; the text lists them.
  case ambiguous(String)
  case noPosition
  case changed
  case tooLarge
  case notAPlaylist
  case malformed(line: Int, reason: String)
  case unreadable(String)
  case unwritable(String)

  package init(_ error: PlaylistError) {
    self =
      switch error {
      case .noList, .notFound: .missing
      case .exists: .exists
      case .unusableName(_, let reason): .unusableName(reason: reason)
      case .ambiguous: .ambiguous(error.description)
      case .noPosition: .noPosition
      case .changed: .changed
      case .tooManyEntries, .tooLarge: .tooLarge
      case .notAPlaylist, .notAFile: .notAPlaylist
      case .malformed(_, let line, let reason): .malformed(line: line, reason: reason)
      case .invalid(_, let reason): .unreadable(reason)
      case .smart: .unwritable("its tracks follow from rules")
      case .unreadable(_, let code): .unreadable("\(code)")
      case .unwritable(_, let code): .unwritable("\(code)")
      }
  }
}
