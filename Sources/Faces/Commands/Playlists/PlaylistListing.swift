// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerPort
import Screens
import SystemPackage
import Terminal
import UnicodeText

/// The `playlist list` command, which `playlist` alone also runs: lists the playlists.
struct PlaylistListCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the playlists.",
    discussion: """
      On a terminal, the playlists are numbered, and a number can be used instead of the name.

      Examples:
        playlist
        playlist list --json
      """)

  // `queue lists NAME` listed the tracks of a playlist.
  @Argument(help: .hidden)
  var name: String?

  @OptionGroup var window: WindowOptions
  @OptionGroup var library: LibraryOptions
  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let listing = PlaylistListing(session: session, window: window)
    if let name { return try listing.printTracks(of: name, library, state) }
    guard
      case .playlists(let all, let directory) = try session.send(
        .playlist(.list(library.choice)), to: .queue(state), changes: false)
    else { throw PlayerError.unexpectedReply }
    if all.isEmpty, !window.json, session.outputStyle.isForPeople {
      return session.printRemark("no playlists in \(directory.path)".safeForTerminal)
    }
    try listing.print(all)
  }
}

/// The `playlist show` command: lists the tracks of a playlist.
struct PlaylistShowCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "List the tracks of a playlist.",
    discussion: """
      Examples:
        playlist show Evening
        playlist show Evening --json
      """)

  @Argument(help: "Name of the playlist, or path of a file.")
  var name: String

  @OptionGroup var window: WindowOptions
  @OptionGroup var library: LibraryOptions
  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    try PlaylistListing(session: session, window: window).printTracks(of: name, library, state)
  }
}

/// Prints playlists, or the tracks of one.
private struct PlaylistListing {
  let session: Session
  let window: WindowOptions

  func printTracks(of name: String, _ library: LibraryOptions, _ state: StateOptions) throws {
    let offset = window.offset ?? 0
    let request = PlaylistRequest.tracks(
      TypedText(name), library.choice, offset: offset, limit: window.limit)
    guard
      case .playlistTracks(let tracks, let count) = try session.send(
        .playlist(request), to: .queue(state), changes: false)
    else { throw PlayerError.unexpectedReply }
    let last = ListedTrack(position: max(0, count - 1), track: Track(path: "", title: ""), isMissing: false)
    try write(
      tracks.enumerated().map { index, row in
        ListedTrack(position: offset + index, track: row.track, isMissing: row.isMissing)
      }, widest: [last])
  }

  func print(_ entries: [ListedPlaylist]) throws(PlayerError) {
    let shown = Array(entries.dropFirst(window.offset ?? 0).prefix(window.limit ?? .max))
    let references = shown.compactMap(\.reference)
    guard !references.isEmpty, session.outputStyle.isTerminal, !window.json, !session.outputStyle.isQuiet else {
      return try write(shown, widest: entries.suffix(1))
    }
    try write(shown.enumerated().map { NumberedEntry(number: $0 + 1, entry: $1) })
    // If the numbers cannot be stored, the next command reports that there is no such playlist.
    try? LastListing(in: session.stateDirectory).store(references)
  }

  private func write<Entry: ListedEntry>(_ shown: [Entry], widest: [Entry] = []) throws(PlayerError) {
    let printer = ListingPrinter<Entry>(session, isJSON: window.json, mayPage: !window.noPager, widest: widest)
    _ = try printer.print(shown)
    try printer.finish()
  }
}
