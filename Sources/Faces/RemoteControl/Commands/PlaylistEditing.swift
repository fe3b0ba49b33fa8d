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
        case .append: try directory.append(entries, to: arguments[0])
        case .replace:
          try directory.change(arguments[0]) { all in
            all = entries
            return true
          }
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
      try context.changePlaylist(arguments[0]) { $0 = [] }
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
      try context.changePlaylist(arguments[0]) { entries throws(ProtocolError) in
        entries.removeSubrange(try range.positions(of: entries.count))
      }
    },
    RemoteCommand("playlistmove", .control, arguments: 3...3, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let (range, target) = (try arguments.range(1), try arguments.unsigned(2))
      try context.changePlaylist(arguments[0]) { entries throws(ProtocolError) in
        guard let end = range.end, end <= entries.count, range.start < end,
          target <= entries.count - (end - range.start)
        else { throw ProtocolError(.argument, "Bad range") }
        let moved = entries[range.start..<end]
        entries.removeSubrange(range.start..<end)
        entries.insert(contentsOf: moved, at: target)
      }
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
      try changePlaylist(name) { entries throws(ProtocolError) in
        guard position ?? 0 <= entries.count else { throw ProtocolError(.argument, "Bad position") }
        entries.insert(contentsOf: added, at: position ?? entries.count)
      }
    } catch {
      guard error.code == .noExist else { throw error }
      guard position ?? 0 == 0 else { throw ProtocolError(.argument, "Bad position") }
      if added.isEmpty { return }
      try changePlaylists { directory throws(PlaylistError) in
        try directory.save(Playlist(entries: added), as: name)
      }
    }
  }

  /// Changes the entries of the stored playlist `name` by calling `body`, and notifies all clients and views.
  func changePlaylist(
    _ name: String, _ body: (inout [PlaylistEntry]) throws(ProtocolError) -> Void
  ) throws(ProtocolError) {
    let access = try PlaylistAccess(self)
    var bodyError: ProtocolError?
    try access.translatingErrors { () throws(PlaylistError) in
      try access.directory.change(name) { entries in
        do throws(ProtocolError) { try body(&entries) } catch { bodyError = error }
        return bodyError == nil
      }
    }
    if let bodyError { throw bodyError }
    try send(.playlist(.noteChange))
  }

  /// Changes stored playlists by calling `body`, and notifies all clients and views.
  func changePlaylists(_ body: (PlaylistDirectory) throws(PlaylistError) -> Void) throws(ProtocolError) {
    let access = try PlaylistAccess(self)
    try access.translatingErrors { () throws(PlaylistError) in try body(access.directory) }
    try send(.playlist(.noteChange))
  }
}
