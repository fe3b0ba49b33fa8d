// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerPort
import Playlists

extension CommandTable {
  /// The commands that change stored playlists.
  static let playlistEditing: [RemoteCommand] = [
    RemoteCommand("save", .control, arguments: 1...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      guard let mode = SaveMode(rawValue: arguments.optional(1) ?? SaveMode.create.rawValue) else {
        throw ProtocolError(
          .argument, "Unrecognized save mode, expected one of 'create', 'append', 'replace'")
      }
      let entries = context.queue.items.map { PlaylistEntry($0.track) }
      try context.changePlaylists { directory throws(PlaylistError) in
        switch mode {
        case .create: try directory.save(Playlist(entries: entries), as: arguments[0])
        case .append: try directory.edit(arguments[0], [.insert(entries, at: nil)])
        case .replace: try directory.edit(arguments[0], [.clear, .insert(entries, at: nil)])
        }
      }
    },
    RemoteCommand("rm", .control, arguments: 1...1, lane: .editing) {
      arguments, context throws(ProtocolError) in
      try context.changePlaylists { directory throws(PlaylistError) in try directory.remove(arguments[0]) }
    },
    RemoteCommand("rename", .control, arguments: 2...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      try context.changePlaylists { directory throws(PlaylistError) in
        if arguments[0] == arguments[1] {
          throw .exists(arguments[1], try directory.find(arguments[0]).path)
        }
        try directory.rename(arguments[0], to: arguments[1])
      }
    },
    RemoteCommand("playlistclear", .control, arguments: 1...1, lane: .editing) {
      arguments, context throws(ProtocolError) in
      try context.edit(arguments[0], .clear)
    },
    RemoteCommand("playlistadd", .control, arguments: 2...3, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let position = arguments.count == 3 ? try arguments.unsigned(2) : nil
      let added = try context.tracks(uri: arguments[1]).map { PlaylistEntry($0) }
      guard !added.isEmpty else { throw ProtocolError(.noExist, "No such directory") }
      try context.add(added, toPlaylist: arguments[0], at: position)
    },
    RemoteCommand("playlistdelete", .control, arguments: 2...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let range = try arguments.range(1)
      try context.edit(arguments[0], .remove([range.positions]), orRefuse: "Bad song index")
    },
    RemoteCommand("playlistmove", .control, arguments: 3...3, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let (range, target) = (try arguments.range(1), try arguments.unsigned(2))
      try context.edit(arguments[0], .move([range.positions], to: target), orRefuse: "Bad range")
    },
  ]
}

/// How `save` treats an existing playlist with the same name.
private enum SaveMode: String {
  /// Fail if the playlist exists.
  case create
  /// Append the queue to the playlist.
  case append
  /// Replace the playlist with the queue.
  case replace
}

extension CommandContext {
  /// Inserts entries into the stored playlist `name`, at `position` or, if that is `nil`, at the end. If the playlist
  /// does not exist and `added` is not empty, creates it.
  func add(
    _ added: [PlaylistEntry], toPlaylist name: String, at position: Int?
  ) throws(ProtocolError) {
    do throws(ProtocolError) {
      try edit(name, .insert(added, at: position))
    } catch {
      guard error.code == .noExist else { throw error }
      guard position ?? 0 == 0 else { throw ProtocolError(.argument, "Bad position") }
      if added.isEmpty { return }
      try changePlaylists { directory throws(PlaylistError) in
        try directory.save(Playlist(entries: added), as: name)
      }
    }
  }

  /// Edits the stored playlist `name`, and notifies all clients and views. If it does not have the positions of the
  /// edit, the error is `refusal`.
  func edit(
    _ name: String, _ edit: PlaylistEdit, orRefuse refusal: String = "Bad position"
  ) throws(ProtocolError) {
    let access = try PlaylistAccess(self)
    do throws(PlaylistError) { try access.directory.edit(name, [edit]) } catch .noPosition {
      throw ProtocolError(.argument, refusal)
    } catch {
      throw ProtocolError(error)
    }
    try send(.playlist(.noteChange))
  }

  /// Changes stored playlists by calling `body`, and notifies all clients and views.
  func changePlaylists(_ body: (PlaylistDirectory) throws(PlaylistError) -> Void) throws(ProtocolError) {
    let access = try PlaylistAccess(self)
    try access.translatingErrors { () throws(PlaylistError) in try body(access.directory) }
    try send(.playlist(.noteChange))
  }
}

extension ProtocolRange {
  /// The positions of the range; an open one ends behind all others.
  fileprivate var positions: Range<Int> { start..<max(start, end ?? .max) }
}
