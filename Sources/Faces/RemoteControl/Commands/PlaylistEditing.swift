// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import MusicModel
import PlayerPort
import Tagging

extension CommandTable {
  /// The commands that change stored playlists.
  static let playlistEditing: [RemoteCommand] = [
    RemoteCommand("save", .control, arguments: 1...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let text = arguments.optional(1) ?? ClientPlaylistRequest.SaveMode.create.rawValue
      guard let mode = ClientPlaylistRequest.SaveMode(rawValue: text) else {
        throw ProtocolError(
          .argument, "Unrecognized save mode, expected one of 'create', 'append', 'replace'")
      }
      try context.change(.save(arguments[0], mode))
    },
    RemoteCommand("rm", .control, arguments: 1...1, lane: .editing) {
      arguments, context throws(ProtocolError) in try context.change(.delete(arguments[0]))
    },
    RemoteCommand("rename", .control, arguments: 2...2, lane: .editing) {
      arguments, context throws(ProtocolError) in try context.change(.rename(arguments[0], to: arguments[1]))
    },
    RemoteCommand("playlistclear", .control, arguments: 1...1, lane: .editing) {
      arguments, context throws(ProtocolError) in try context.change(.clear(arguments[0]))
    },
    RemoteCommand("playlistadd", .control, arguments: 2...3, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let position = arguments.count == 3 ? try arguments.unsigned(2) : nil
      let added = try context.tracks(uri: arguments[1])
      guard !added.isEmpty else { throw ProtocolError(.noExist, "No such directory") }
      try context.add(added, toPlaylist: arguments[0], at: position)
    },
    RemoteCommand("playlistdelete", .control, arguments: 2...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let range = try arguments.range(1)
      try context.change(.remove(range.positions, from: arguments[0]), orRefuse: "Bad song index")
    },
    RemoteCommand("playlistmove", .control, arguments: 3...3, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let (range, target) = (try arguments.range(1), try arguments.unsigned(2))
      try context.change(.move(range.positions, to: target, in: arguments[0]), orRefuse: "Bad range")
    },
  ]
}

extension CommandContext {
  /// Inserts tracks into the stored playlist `name`, at `position` or, if that is `nil`, at the end. If the playlist
  /// does not exist and there are tracks, creates it.
  func add(_ added: TrackList, toPlaylist name: String, at position: Int?) throws(ProtocolError) {
    try change(.add(KnownTracks(TrackCollection(title: name, tracks: added)), to: name, at: position))
  }

  /// Changes a stored playlist, and notifies all clients and views. If it does not have the positions of the request,
  /// the error is `refusal`.
  fileprivate func change(
    _ request: ClientPlaylistRequest, orRefuse refusal: String = "Bad position"
  ) throws(ProtocolError) {
    let library = try library
    let playlists = ClientPlaylists(
      roots: library.index.roots.paths.map { PathText($0) }, directory: library.playlists.map { PathText($0) },
      mayLeaveLibrary: client.isLocal)
    do throws(PlayerError) {
      _ = try player.port.send(.unstored(.playlist(.client(request, playlists))))
    } catch {
      throw error.playlistProblem == .noPosition ? ProtocolError(.argument, refusal) : ProtocolError(error)
    }
  }
}

extension ProtocolRange {
  /// The positions of the range; an open one ends behind all others.
  fileprivate var positions: Range<Int> { start..<max(start, end ?? .max) }
}
